/*
 * Runs a script of calls (suite/src/wire.rs says what is in one) through the library.
 *
 *     script FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stanchion.h"

typedef struct slice {
    const char *data;
    size_t len;
} slice;

/* What is left of the file. */
static const unsigned char *rest;
static const unsigned char *end;

static void need(size_t len) {
    if ((size_t)(end - rest) < len) {
        fprintf(stderr, "the script ends too early\n");
        exit(2);
    }
}

static uint64_t number(int bytes) {
    uint64_t value = 0;
    int at;
    need((size_t)bytes);
    for (at = 0; at < bytes; at++) {
        value |= (uint64_t)rest[at] << (8 * at);
    }
    rest += bytes;
    return value;
}

static slice text(void) {
    slice found;
    found.len = (size_t)number(4);
    need(found.len);
    found.data = (const char *)rest;
    rest += found.len;
    return found;
}

/* A copy that ends where the text does, so that nobody reads behind it unseen. */
static char *copy(slice from) {
    char *made = (char *)malloc(from.len ? from.len : 1);
    if (made == NULL) {
        exit(2);
    }
    memcpy(made, from.data, from.len);
    return made;
}

static stanchion_validator *validator;
static stanchion_toolbox *toolbox;

static stanchion_status call(int function, const slice *texts, uint64_t x, uint64_t y, stanchion_text *answer) {
    char *a = copy(texts[0]);
    char *b = copy(texts[1]);
    char *c = copy(texts[2]);
    size_t a_len = texts[0].len, b_len = texts[1].len, c_len = texts[2].len;
    stanchion_status status = STANCHION_MISUSE;
    uint64_t steps = 0;
    char digits[32] = "";
    answer->data = NULL;
    answer->len = 0;
    switch (function) {
    case 0:
        stanchion_validator_free(validator);
        status = stanchion_validator_new(a, texts[0].len, b, texts[1].len, &validator, answer);
        break;
    case 1:
        status = stanchion_check(validator, a, texts[0].len);
        break;
    case 2:
        status = stanchion_measure(validator, a, texts[0].len, &steps);
        sprintf(digits, "%lu", (unsigned long)steps);
        break;
    case 3:
        status = stanchion_explain(validator, a, texts[0].len, answer);
        break;
    case 4:
        status = stanchion_explain_first(validator, a, texts[0].len, answer);
        break;
    case 5:
        status = stanchion_explain_in_full(validator, a, texts[0].len, answer);
        break;
    case 6:
        status = stanchion_for_model(validator, a, texts[0].len, (size_t)x, answer);
        break;
    case 7:
        status = stanchion_output(validator, a, texts[0].len, (int)x, answer);
        break;
    case 8:
        status = stanchion_annotations(validator, a, texts[0].len, answer);
        break;
    case 9:
        status = stanchion_cost(validator, x, y, answer);
        break;
    case 10:
        status = stanchion_size(validator, answer);
        break;
    case 11:
        status = stanchion_program(validator, answer);
        break;
    case 12:
        status = stanchion_diagnose(a, texts[0].len, b, texts[1].len, answer);
        break;
    case 13:
        stanchion_toolbox_free(toolbox);
        status = stanchion_toolbox_new(a, a_len, b, b_len, &toolbox, answer);
        break;
    case 14:
        status = stanchion_toolbox_replace(toolbox, a, a_len, answer);
        break;
    case 15:
        status = stanchion_toolbox_extend(toolbox, a, a_len, answer);
        break;
    case 16:
        status = stanchion_toolbox_list(toolbox, a, a_len, answer);
        break;
    case 17:
        status = stanchion_toolbox_definition(toolbox, a, a_len, b, b_len, answer);
        break;
    case 18:
        status = stanchion_toolbox_check_call(toolbox, a, a_len, b, b_len, answer);
        break;
    case 19:
        status = stanchion_toolbox_fill_call(toolbox, a, a_len, b, b_len, answer);
        break;
    case 20:
        status = stanchion_toolbox_check_result(toolbox, a, a_len, b, b_len, c, c_len, answer);
        break;
    case 21:
        status = stanchion_toolbox_send_result(toolbox, a, a_len, b, b_len, c, c_len, answer);
        break;
    case 22:
        status = stanchion_toolbox_profile(toolbox, answer);
        break;
    default:
        fprintf(stderr, "function %d is not known\n", function);
        exit(2);
    }
    free(a);
    free(b);
    free(c);
    if (function == 2) {
        /* Numbers are compared as text. */
        answer->len = strlen(digits);
        answer->data = (char *)malloc(sizeof digits);
        if (answer->data == NULL) {
            exit(2);
        }
        memcpy(answer->data, digits, answer->len + 1);
    }
    return status;
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    long size;
    unsigned char *content;
    unsigned long calls, index, failed = 0;
    if (file == NULL) {
        fprintf(stderr, "usage: script FILE\n");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    content = (unsigned char *)malloc((size_t)size);
    if (content == NULL || fread(content, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "%s cannot be read\n", argv[1]);
        return 2;
    }
    fclose(file);
    rest = content;
    end = content + size;
    calls = (unsigned long)number(4);
    for (index = 0; index < calls; index++) {
        int function = (int)number(1);
        unsigned statuses = (unsigned)number(1);
        int is_pinned = (int)number(1);
        uint64_t x = number(8), y = number(8);
        slice name = text(), texts[3], expected;
        stanchion_text answer;
        stanchion_status status;
        int is_right;
        texts[0] = text();
        texts[1] = text();
        texts[2] = text();
        expected = text();
        status = call(function, texts, x, y, &answer);
        is_right = (statuses >> status & 1u) != 0;
        if (is_pinned && is_right) {
            is_right = answer.len == expected.len &&
                       (answer.len == 0 || memcmp(answer.data, expected.data, answer.len) == 0);
        }
        if (!is_right) {
            failed++;
            printf("%.*s: function %d: status %d, %.*s\n", (int)name.len, name.data, function, (int)status,
                   (int)answer.len, answer.data == NULL ? "" : answer.data);
        }
        if (function == 2) {
            free(answer.data);
        } else {
            stanchion_text_free(&answer);
        }
    }
    stanchion_validator_free(validator);
    stanchion_toolbox_free(toolbox);
    /* What the cache keeps is not lost, but valgrind cannot tell: hash tables point to the middle of their memory. */
    stanchion_cache_clear();
    free(content);
    printf("%lu passed, %lu failed\n", calls - failed, failed);
    return failed == 0 ? 0 : 1;
}
