/* Fuzz target for METIS graphs. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read(fuzz_file(data, size), &(sl_read_options){.format = SL_FORMAT_METIS});
    return 0;
}
