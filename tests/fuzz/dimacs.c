/* Fuzz target for DIMACS shortest-path problems. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read(fuzz_file(data, size),
              &(sl_read_options){.format = SL_FORMAT_DIMACS, .duplicates = SL_DUPLICATES_MIN});
    return 0;
}
