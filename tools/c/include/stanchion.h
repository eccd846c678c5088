/*
 * stanchion.h - compiles JSON Schemas and validates JSON text, within bounds, whoever wrote either.
 *
 *     stanchion_validator *validator;
 *     stanchion_text problem;
 *     if (stanchion_validator_new(schema, strlen(schema), NULL, 0, &validator, &problem) != STANCHION_VALID) {
 *         fprintf(stderr, "%s\n", problem.data);
 *         stanchion_text_free(&problem);
 *         return 1;
 *     }
 *     if (stanchion_check(validator, json, strlen(json)) == STANCHION_VALID) { ... }
 *     stanchion_validator_free(validator);
 *
 * Texts are UTF-8, given as a pointer and a length; they need no NUL behind them. A null pointer with the length 0 is an empty text.
 * Answers are JSON unless a function says otherwise; what is in them is described in the contract, tools/wire/README.md.
 *
 * A result that is written to a stanchion_text is the caller's, who frees it by stanchion_text_free. It is written whatever the
 * status is, and has a NUL behind it that its length does not count; `data` is null where there is nothing to say. The place for a
 * result may be null, if it is not wanted.
 *
 * Every function may be called from every thread at any time. A validator is immutable, and may be used by many threads at once, without a
 * lock. A thread needs 512 KiB of stack.
 *
 * A null handle, one that was freed, one of another kind, a null pointer with a length, an impossible length: STANCHION_MISUSE, and
 * nothing happens.
 */
#ifndef STANCHION_H
#define STANCHION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. Compare it with stanchion_abi_version(), which is that of the library. */
#define STANCHION_ABI_VERSION 1

/* What became of a call. */
typedef enum stanchion_status {
    STANCHION_VALID = 0,     /* the instance is valid, or what was asked for was done */
    STANCHION_INVALID = 1,   /* the instance is not valid */
    STANCHION_REFUSED = 2,   /* the schema was refused */
    STANCHION_UNDECIDED = 3, /* the run reached a limit before it had a verdict */
    STANCHION_NOT_JSON = 4,  /* a text is not JSON, is nested too deep, or is too long */
    STANCHION_MISUSE = 5     /* the call itself is wrong */
} stanchion_status;

/* The output formats of the JSON Schema specification. */
typedef enum stanchion_format {
    STANCHION_FLAG = 0,
    STANCHION_BASIC = 1,
    STANCHION_DETAILED = 2,
    STANCHION_VERBOSE = 3,
    STANCHION_LIST = 4,
    STANCHION_HIERARCHICAL = 5
} stanchion_format;

/* A text that the caller owns. */
typedef struct stanchion_text {
    char *data;
    size_t len;
} stanchion_text;

/* A compiled schema. */
typedef struct stanchion_validator stanchion_validator;

/* The tools of an MCP server. */
typedef struct stanchion_toolbox stanchion_toolbox;

/* The version of this interface. It grows when a program that was compiled against an older one may break. */
uint32_t stanchion_abi_version(void);

/* The version of the library, such as "0.1.0". Nobody frees it. */
const char *stanchion_version(void);

/*
 * Compiles a schema. Options are a JSON object, or empty. If the status is STANCHION_VALID, `validator` is one, to be freed by
 * stanchion_validator_free; otherwise it is null, and `problem` says why: STANCHION_REFUSED for the schema, STANCHION_NOT_JSON for
 * a text that is none, STANCHION_MISUSE for the options.
 */
stanchion_status stanchion_validator_new(const char *schema, size_t schema_len, const char *options, size_t options_len,
                                         stanchion_validator **validator, stanchion_text *problem);

/* Frees a validator. Null is nothing to free. Another thread that is using it ends its call undisturbed. */
stanchion_status stanchion_validator_free(stanchion_validator *validator);

/* The verdict on an instance. Nothing is allocated once the buffers of the calling thread have grown to the size of its texts. */
stanchion_status stanchion_check(const stanchion_validator *validator, const char *json, size_t len);

/* The verdict on an instance, and the steps that it took. They are the same on every machine. */
stanchion_status stanchion_measure(const stanchion_validator *validator, const char *json, size_t len, uint64_t *steps);

/* All errors: a JSON array, which is empty if the instance is valid. */
stanchion_status stanchion_explain(const stanchion_validator *validator, const char *json, size_t len,
                                   stanchion_text *errors);

/* The most helpful error alone: a JSON array of one, or empty. */
stanchion_status stanchion_explain_first(const stanchion_validator *validator, const char *json, size_t len,
                                         stanchion_text *errors);

/* All errors, also with the paths through references and with what the other branches of a union said. */
stanchion_status stanchion_explain_in_full(const stanchion_validator *validator, const char *json, size_t len,
                                           stanchion_text *errors);

/* Plain text for a language model, of at most so many characters: what is wrong, and what would be right. */
stanchion_status stanchion_for_model(const stanchion_validator *validator, const char *json, size_t len,
                                     size_t max_chars, stanchion_text *text);

/* An output format of the specification; `format` is a stanchion_format. */
stanchion_status stanchion_output(const stanchion_validator *validator, const char *json, size_t len, int format,
                                  stanchion_text *text);

/* What the keywords that held say about an instance: a JSON array. */
stanchion_status stanchion_annotations(const stanchion_validator *validator, const char *json, size_t len,
                                       stanchion_text *annotations);

/* A bound on the steps of a verdict on any instance of so many values in so many bytes of text: a JSON object. */
stanchion_status stanchion_cost(const stanchion_validator *validator, uint64_t nodes, uint64_t bytes,
                                stanchion_text *cost);

/* How large the schema is: a JSON object. */
stanchion_status stanchion_size(const stanchion_validator *validator, stanchion_text *size);

/* What the schema was compiled to: a listing, as plain text. */
stanchion_status stanchion_program(const stanchion_validator *validator, stanchion_text *listing);

/* All that is wrong with a schema, and what it probably did not mean: a JSON object. STANCHION_REFUSED if there are errors. */
stanchion_status stanchion_diagnose(const char *schema, size_t schema_len, const char *options, size_t options_len,
                                    stanchion_text *diagnosis);

/*
 * Makes a toolbox of a JSON array of tools, or of a tools/list result, and of a profile: a JSON object such as {"preset": "python"}, or empty.
 * If the status is STANCHION_VALID, `toolbox` is one, to be freed by stanchion_toolbox_free, and `answer` says what became of each tool; one
 * that is refused is not in it, and the others are. Otherwise `toolbox` is null, and `answer` says why.
 */
stanchion_status stanchion_toolbox_new(const char *list, size_t list_len, const char *profile, size_t profile_len,
                                       stanchion_toolbox **toolbox, stanchion_text *answer);

/* Frees a toolbox. Null is nothing to free. */
stanchion_status stanchion_toolbox_free(stanchion_toolbox *toolbox);

/* Takes another list of tools in place of what is there. Tools that did not change are not compiled again. */
stanchion_status stanchion_toolbox_replace(const stanchion_toolbox *toolbox, const char *list, size_t list_len,
                                           stanchion_text *answer);

/* Takes the next page of a list of tools, beside what is there. */
stanchion_status stanchion_toolbox_extend(const stanchion_toolbox *toolbox, const char *list, size_t list_len,
                                          stanchion_text *answer);

/* The result of tools/list for a client with that protocol version, such as "2025-11-25". An empty version is one that is not known. */
stanchion_status stanchion_toolbox_list(const stanchion_toolbox *toolbox, const char *version, size_t version_len,
                                        stanchion_text *answer);

/* The definition of a tool as it goes to a client with that protocol version. */
stanchion_status stanchion_toolbox_definition(const stanchion_toolbox *toolbox, const char *name, size_t name_len,
                                              const char *version, size_t version_len, stanchion_text *answer);

/* Whether a call may reach its tool, given the params of tools/call. If not, the answer has what to say to the client. */
stanchion_status stanchion_toolbox_check_call(const stanchion_toolbox *toolbox, const char *params, size_t params_len,
                                              const char *version, size_t version_len, stanchion_text *answer);

/* The same; the answer is the arguments, with defaults filled in. */
stanchion_status stanchion_toolbox_fill_call(const stanchion_toolbox *toolbox, const char *params, size_t params_len,
                                             const char *version, size_t version_len, stanchion_text *answer);

/* Whether a result conforms, on the side of the client. The answer is the result as the client's program takes it. */
stanchion_status stanchion_toolbox_check_result(const stanchion_toolbox *toolbox, const char *name, size_t name_len,
                                                const char *version, size_t version_len, const char *result,
                                                size_t result_len, stanchion_text *answer);

/* Whether a result conforms, on the side of the server. The answer is the result as it goes to a client with that protocol version. */
stanchion_status stanchion_toolbox_send_result(const stanchion_toolbox *toolbox, const char *name, size_t name_len,
                                               const char *version, size_t version_len, const char *result,
                                               size_t result_len, stanchion_text *answer);

/* All choices of the profile: a JSON object. */
stanchion_status stanchion_toolbox_profile(const stanchion_toolbox *toolbox, stanchion_text *answer);

/* Frees a text, and sets it to null and 0. A text without data is nothing to free. */
stanchion_status stanchion_text_free(stanchion_text *text);

/* How many compiled schemas the cache holds. */
size_t stanchion_cache_len(void);

/* Empties the cache of compiled schemas. Validators that are in use stay as they are. */
void stanchion_cache_clear(void);

#ifdef __cplusplus
}
#endif

#endif
