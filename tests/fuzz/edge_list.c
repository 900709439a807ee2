/* Fuzz target for edge lists, with original and with renumbered ids. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    fuzz_read(path, &(sl_read_options){.format = SL_FORMAT_EDGE_LIST});
    fuzz_read(path, &(sl_read_options){.format = SL_FORMAT_EDGE_LIST, .flags = SL_READ_RENUMBER});
    fuzz_read(path, &(sl_read_options){.format = SL_FORMAT_EDGE_LIST,
                                       .flags = SL_READ_RENUMBER | SL_READ_SYMMETRIC,
                                       .duplicates = SL_DUPLICATES_SUM,
                                       .base = 1});
    return 0;
}
