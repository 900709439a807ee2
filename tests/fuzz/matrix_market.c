/* Fuzz target for Matrix Market files. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    sl_read_options options = {.format = SL_FORMAT_MATRIX_MARKET};
    fuzz_read(path, &options);
    options.flags = SL_READ_PATTERN | SL_READ_TRANSPOSED | SL_READ_NO_LOOPS;
    fuzz_read(path, &options);
    return 0;
}
