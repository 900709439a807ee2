/* What the ending of a file name says about its contents. */
#include "cli/file_names.h"

#include <string.h>

static bool ends_in(const char *path, size_t length, const char *suffix)
{
    size_t size = strlen(suffix);
    return length >= size && strncmp(path + length - size, suffix, size) == 0;
}

/* The length of a name without .gz or .zst. */
static size_t length_uncompressed(const char *path)
{
    const size_t length = strlen(path);
    if (ends_in(path, length, ".gz"))
        return length - 3;
    return ends_in(path, length, ".zst") ? length - 4 : length;
}

bool is_numpy_file(const char *path)
{
    return ends_in(path, length_uncompressed(path), ".npy");
}

bool is_text_vector(const char *path)
{
    return !ends_in(path, length_uncompressed(path), ".mtx") && !is_numpy_file(path);
}

bool is_csv_file(const char *path)
{
    const size_t length = length_uncompressed(path);
    return ends_in(path, length, ".csv") || ends_in(path, length, ".tsv");
}

bool is_plain_text(const char *path)
{
    return is_text_vector(path) && length_uncompressed(path) == strlen(path);
}
