/* Fuzz target for CSV: columns by name, by number, without a header. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    sl_unread_columns unread;
    fuzz_read(path, &(sl_read_options){.format = SL_FORMAT_CSV, .unread = &unread});
    fuzz_read(path, &(sl_read_options){.format = SL_FORMAT_CSV,
                                       .flags = SL_READ_SYMMETRIC,
                                       .duplicates = SL_DUPLICATES_SUM,
                                       .source_column = "2",
                                       .target_column = "1",
                                       .weight_column = "3",
                                       .no_header = true});
    return 0;
}
