/* Fuzz target for Graph500 tuples, plain and packed. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    fuzz_read(path, &(sl_read_options){.format = SL_FORMAT_GRAPH500, .flags = SL_READ_RENUMBER});
    fuzz_read(path, &(sl_read_options){.format = SL_FORMAT_GRAPH500_PACKED});
    return 0;
}
