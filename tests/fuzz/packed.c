/* Fuzz target for gzip and Zstandard data; the decompressed data is read as an edge list. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read(fuzz_file(data, size), &(sl_read_options){0});
    return 0;
}
