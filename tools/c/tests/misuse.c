/* Calls that are wrong get a status. It is C99 and C++. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stanchion.h"

static unsigned long passed, failed;

static void expect(int holds, const char *what, int line) {
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("line %d: %s\n", line, what);
    }
}

#define EXPECT(holds) expect((holds) ? 1 : 0, #holds, __LINE__)

static const char schema[] = "{\"type\":\"object\",\"required\":[\"a\"]}";

static stanchion_validator *make(void) {
    stanchion_validator *made = NULL;
    EXPECT(stanchion_validator_new(schema, strlen(schema), NULL, 0, &made, NULL) == STANCHION_VALID);
    EXPECT(made != NULL);
    return made;
}

static void use(void) {
    stanchion_validator *validator = make();
    stanchion_text errors;
    uint64_t steps = 7;
    EXPECT(stanchion_check(validator, "{\"a\":1}", 7) == STANCHION_VALID);
    EXPECT(stanchion_check(validator, "{}", 2) == STANCHION_INVALID);
    EXPECT(stanchion_explain(validator, "{}", 2, &errors) == STANCHION_INVALID);
    EXPECT(strstr(errors.data, "\"missingProperty\":\"a\"") != NULL);
    EXPECT(strlen(errors.data) == errors.len);
    EXPECT(stanchion_text_free(&errors) == STANCHION_VALID);
    EXPECT(errors.data == NULL && errors.len == 0);
    EXPECT(stanchion_text_free(&errors) == STANCHION_VALID);
    EXPECT(stanchion_measure(validator, "{}", 2, &steps) == STANCHION_INVALID);
    EXPECT(steps < 7);
    EXPECT(stanchion_validator_free(validator) == STANCHION_VALID);
}

static void wrong_texts(void) {
    stanchion_validator *validator = make();
    stanchion_text errors;
    /* Nothing, and less than nothing. */
    EXPECT(stanchion_check(validator, NULL, 0) == STANCHION_NOT_JSON);
    EXPECT(stanchion_check(validator, NULL, 5) == STANCHION_MISUSE);
    EXPECT(stanchion_check(validator, "{}", SIZE_MAX) == STANCHION_MISUSE);
    EXPECT(stanchion_check(validator, "{}", SIZE_MAX / 2 + 1) == STANCHION_MISUSE);
    EXPECT(stanchion_explain(validator, NULL, 5, &errors) == STANCHION_MISUSE);
    EXPECT(errors.data == NULL && errors.len == 0);
    /* Not UTF-8, in many ways. */
    EXPECT(stanchion_check(validator, "\"\xff\"", 3) == STANCHION_NOT_JSON);
    EXPECT(stanchion_check(validator, "\"\xc3\"", 3) == STANCHION_NOT_JSON);
    EXPECT(stanchion_check(validator, "\"\xed\xa0\x80\"", 5) == STANCHION_NOT_JSON);
    EXPECT(stanchion_explain(validator, "\"\xf5\x80\x80\x80\"", 6, &errors) == STANCHION_NOT_JSON);
    EXPECT(strstr(errors.data, "\"line\":1") != NULL);
    stanchion_text_free(&errors);
    /* A NUL inside is not the end, and not JSON either. */
    EXPECT(stanchion_check(validator, "{}\0", 3) == STANCHION_NOT_JSON);
    stanchion_validator_free(validator);
}

static void wrong_handles(void) {
    stanchion_validator *validator = make();
    stanchion_text text;
    char room[64];
    EXPECT(stanchion_check(NULL, "{}", 2) == STANCHION_MISUSE);
    memset(room, 0, sizeof room);
    EXPECT(stanchion_check((const stanchion_validator *)(void *)room, "{}", 2) == STANCHION_MISUSE);
    EXPECT(stanchion_check((const stanchion_validator *)(uintptr_t)1, "{}", 2) == STANCHION_MISUSE);
    EXPECT(stanchion_validator_free((stanchion_validator *)(void *)room) == STANCHION_MISUSE);
    EXPECT(stanchion_validator_free(NULL) == STANCHION_VALID);
    EXPECT(stanchion_validator_free(validator) == STANCHION_VALID);
    /* It is gone, for every function. */
    EXPECT(stanchion_validator_free(validator) == STANCHION_MISUSE);
    EXPECT(stanchion_check(validator, "{}", 2) == STANCHION_MISUSE);
    EXPECT(stanchion_explain(validator, "{}", 2, &text) == STANCHION_MISUSE);
    EXPECT(text.data == NULL);
    EXPECT(stanchion_cost(validator, 1, 1, &text) == STANCHION_MISUSE);
    EXPECT(stanchion_program(validator, &text) == STANCHION_MISUSE);
    {
        /* Another one in its place is not it. */
        stanchion_validator *next = make();
        EXPECT(next != validator);
        EXPECT(stanchion_check(validator, "{}", 2) == STANCHION_MISUSE);
        EXPECT(stanchion_check(next, "{}", 2) == STANCHION_INVALID);
        EXPECT(stanchion_validator_free(next) == STANCHION_VALID);
    }
}

static void wrong_schemas(void) {
    stanchion_validator *validator = (stanchion_validator *)(uintptr_t)8;
    stanchion_text problem;
    EXPECT(stanchion_validator_new("{\"type\":5}", 10, "", 0, &validator, &problem) == STANCHION_REFUSED);
    EXPECT(validator == NULL);
    EXPECT(strstr(problem.data, "/type") != NULL);
    stanchion_text_free(&problem);
    EXPECT(stanchion_validator_new("{", 1, "", 0, &validator, &problem) == STANCHION_NOT_JSON);
    stanchion_text_free(&problem);
    EXPECT(stanchion_validator_new("{}", 2, "{\"x\":1}", 7, &validator, &problem) == STANCHION_MISUSE);
    EXPECT(strstr(problem.data, "unknown option") != NULL);
    stanchion_text_free(&problem);
    EXPECT(stanchion_validator_new("{}", 2, "", 0, NULL, &problem) == STANCHION_MISUSE);
    EXPECT(problem.data == NULL);
    EXPECT(stanchion_validator_new(NULL, 3, "", 0, &validator, &problem) == STANCHION_MISUSE);
    EXPECT(stanchion_validator_new("{}", 2, NULL, 3, &validator, NULL) == STANCHION_MISUSE);
    EXPECT(stanchion_validator_new("{}", SIZE_MAX, NULL, 0, &validator, NULL) == STANCHION_MISUSE);
    EXPECT(stanchion_validator_new("{\"type\":5}", 10, "", 0, &validator, NULL) == STANCHION_REFUSED);
    EXPECT(stanchion_diagnose("{}", SIZE_MAX, NULL, 0, &problem) == STANCHION_MISUSE);
}

static void wrong_results(void) {
    stanchion_validator *validator = make();
    stanchion_text text, other;
    char own[] = "not from there";
    EXPECT(stanchion_output(validator, "{}", 2, STANCHION_FLAG, &text) == STANCHION_INVALID);
    other = text;
    EXPECT(stanchion_text_free(&text) == STANCHION_VALID);
    EXPECT(stanchion_text_free(&other) == STANCHION_MISUSE);
    EXPECT(stanchion_text_free(NULL) == STANCHION_VALID);
    text.data = own;
    text.len = 3;
    EXPECT(stanchion_text_free(&text) == STANCHION_MISUSE);
    EXPECT(stanchion_output(validator, "{}", 2, 6, &text) == STANCHION_MISUSE);
    EXPECT(stanchion_output(validator, "{}", 2, -1, &text) == STANCHION_MISUSE);
    /* A result that nobody wants is not made. */
    EXPECT(stanchion_explain(validator, "{}", 2, NULL) == STANCHION_INVALID);
    EXPECT(stanchion_measure(validator, "{}", 2, NULL) == STANCHION_INVALID);
    stanchion_validator_free(validator);
}

static void many(void) {
    /* More handles than there are slots at first, and every slot more than once. */
    static stanchion_validator *all[1000];
    int round, at;
    for (round = 0; round < 3; round++) {
        for (at = 0; at < 1000; at++) {
            all[at] = make();
        }
        for (at = 0; at < 1000; at++) {
            EXPECT(stanchion_check(all[at], "{\"a\":1}", 7) == STANCHION_VALID);
            EXPECT(stanchion_validator_free(all[at]) == STANCHION_VALID);
            EXPECT(stanchion_check(all[at], "{\"a\":1}", 7) == STANCHION_MISUSE);
        }
    }
    EXPECT(stanchion_cache_len() >= 1);
    stanchion_cache_clear();
    EXPECT(stanchion_cache_len() == 0);
}

int main(void) {
    EXPECT(stanchion_abi_version() == STANCHION_ABI_VERSION);
    EXPECT(strchr(stanchion_version(), '.') != NULL);
    use();
    wrong_texts();
    wrong_handles();
    wrong_schemas();
    wrong_results();
    many();
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
