/*
 * Fuzz target for native files. Each input is read as it is, and again with a correct checksum of
 * the header, since otherwise nothing after the header would be read.
 */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "fuzz.h"

enum { CHECKSUM = 188 };

static void read_matrix(const char *path, unsigned flags)
{
    sl_matrix *A;
    sl_read_options options = {.format = SL_FORMAT_NATIVE, .flags = flags};
    if (sl_matrix_read_with(&A, NULL, fuzz_context(), path, &options) == SL_OK) {
        uint64_t entries;
        bool symmetric;
        if (sl_matrix_nvals(&entries, A) != SL_OK)
            abort();
        if (sl_matrix_nrows(A) == sl_matrix_ncols(A) && sl_matrix_nrows(A) < 1 << 16 &&
            sl_matrix_is_symmetric(&symmetric, A) != SL_OK)
            abort();
    }
    sl_matrix_free(A);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_matrix(fuzz_file(data, size), SL_READ_VERIFY);
    if (size < CHECKSUM + 4)
        return 0;
    uint8_t *sealed = malloc(size);
    uint32_t checksum = (uint32_t)crc32(0, data, CHECKSUM);
    memcpy(sealed, data, size);
    memcpy(sealed + CHECKSUM, &checksum, sizeof checksum);
    const char *path = fuzz_file(sealed, size);
    read_matrix(path, 0);
    fuzz_read(path, &(sl_read_options){.format = SL_FORMAT_NATIVE, .flags = SL_READ_NO_LOOPS});
    free(sealed);
    return 0;
}
