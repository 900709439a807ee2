/* What the ending of the name of a file of a vector says about its contents; .gz and .zst at the end
 * are ignored unless stated. */
#ifndef SEMLA_CLI_FILE_NAMES_H
#define SEMLA_CLI_FILE_NAMES_H

#include <stdbool.h>

/* True if a vector of that name is written as text: it ends neither in .mtx nor in .npy. */
bool is_text_vector(const char *path);

/* True if the name ends in .npy. */
bool is_numpy_file(const char *path);

/* True if the name ends in .csv or .tsv. */
bool is_csv_file(const char *path);

/* True if a vector of that name is text and the file is not compressed. */
bool is_plain_text(const char *path);

#endif
