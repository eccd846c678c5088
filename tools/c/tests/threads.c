/* Many threads use one validator at once, and make and free others meanwhile; one thread frees what others use. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stanchion.h"

#define THREADS 20
#define CALLS 500

static const char schema[] =
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":0}},\"required\":[\"n\"]}";

static stanchion_validator *shared;
static stanchion_validator *passing;

static void *work(void *argument) {
    unsigned long wrong = 0;
    int thread = *(int *)argument, call;
    for (call = 0; call < CALLS; call++) {
        char json[64];
        int number = (call + thread) % 2 == 0 ? call : -1 - call;
        stanchion_status right = number >= 0 ? STANCHION_VALID : STANCHION_INVALID, status;
        sprintf(json, "{\"n\":%d,\"thread\":%d}", number, thread);
        wrong += stanchion_check(shared, json, strlen(json)) != right;
        if (call % 10 == 0) {
            stanchion_text errors;
            stanchion_validator *own;
            wrong += stanchion_explain(shared, json, strlen(json), &errors) != right;
            wrong += (strcmp(errors.data, "[]") == 0) != (right == STANCHION_VALID);
            wrong += stanchion_text_free(&errors) != STANCHION_VALID;
            wrong += stanchion_validator_new(json, strlen(json), NULL, 0, &own, NULL) != STANCHION_VALID;
            wrong += stanchion_check(own, json, strlen(json)) != STANCHION_VALID;
            wrong += stanchion_validator_free(own) != STANCHION_VALID;
        }
        /* Somebody frees this one at some time. Until then it works, and from then on it is known to be gone. */
        status = stanchion_check(passing, json, strlen(json));
        wrong += status != right && status != STANCHION_MISUSE;
        if (call == CALLS / 2 && thread % 4 == 0) {
            stanchion_validator_free(passing);
        }
    }
    return (void *)wrong;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS], at;
    unsigned long wrong = 0;
    if (stanchion_validator_new(schema, strlen(schema), NULL, 0, &shared, NULL) != STANCHION_VALID ||
        stanchion_validator_new(schema, strlen(schema), "{\"cache\":false}", 15, &passing, NULL) != STANCHION_VALID) {
        return 2;
    }
    for (at = 0; at < THREADS; at++) {
        numbers[at] = at;
        if (pthread_create(&threads[at], NULL, work, &numbers[at]) != 0) {
            return 2;
        }
    }
    for (at = 0; at < THREADS; at++) {
        void *found;
        pthread_join(threads[at], &found);
        wrong += (unsigned long)found;
    }
    wrong += stanchion_validator_free(passing) != STANCHION_MISUSE;
    wrong += stanchion_validator_free(shared) != STANCHION_VALID;
    stanchion_cache_clear();
    printf("%d passed, %lu failed\n", THREADS * CALLS, wrong);
    return wrong == 0 ? 0 : 1;
}
