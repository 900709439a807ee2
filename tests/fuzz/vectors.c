/* Fuzz target for vectors: text, Matrix Market, NumPy. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    fuzz_read_vector(path, SL_VECTOR_TEXT);
    fuzz_read_vector(path, SL_VECTOR_MATRIX_MARKET);
    fuzz_read_vector(path, SL_VECTOR_NPY);
    return 0;
}
