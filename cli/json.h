/* JSON output with cJSON. If memory runs out, these functions end the program with out_of_memory.
 */
#ifndef SEMLA_CLI_JSON_H
#define SEMLA_CLI_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Add a member to an object, or an element to an array if `name` is NULL. The parent owns the new
 * item. json_object with a NULL parent makes a new root. json_count and json_integer are exact for
 * all 64 bits; json_number writes null for a value that is not finite; json_text writes \xNN for a
 * byte that is not part of UTF-8, as file names may have.
 */
cJSON *json_object(cJSON *parent, const char *name);
cJSON *json_array(cJSON *parent, const char *name);
void json_count(cJSON *parent, const char *name, uint64_t value);
void json_integer(cJSON *parent, const char *name, int64_t value);
void json_number(cJSON *parent, const char *name, double value);
void json_text(cJSON *parent, const char *name, const char *value);
void json_bool(cJSON *parent, const char *name, bool value);
void json_null(cJSON *parent, const char *name);

/* Prints the tree to stdout and frees it. */
void json_print(cJSON *root);

#endif
