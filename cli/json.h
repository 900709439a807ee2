/* JSON by cJSON; whatever fails for want of memory ends the program. */
#ifndef SEMLA_CLI_JSON_H
#define SEMLA_CLI_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Members of an object, or with a NULL name elements of an array. Counts are
 * exact for all 64 bits. A number that is not finite is null.
 */
cJSON *json_object(cJSON *parent, const char *name); /* a new root if parent is NULL */
cJSON *json_array(cJSON *parent, const char *name);
void json_count(cJSON *parent, const char *name, uint64_t value);
void json_integer(cJSON *parent, const char *name, int64_t value);
void json_number(cJSON *parent, const char *name, double value);
void json_text(cJSON *parent, const char *name, const char *value);
void json_bool(cJSON *parent, const char *name, bool value);
void json_null(cJSON *parent, const char *name);

/* Prints the whole to stdout and frees it. */
void json_print(cJSON *root);

#endif
