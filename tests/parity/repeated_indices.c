/* Assigns with long lists in which indices repeat. The last position of an index counts, on every engine. */
#include <string.h>

#include "host_and_engine.h"

enum { SIZE = 3000, LONG = 2500, WIDTH = 40 };
typedef enum { PERMUTED, REPEATED, ALL_EQUAL, KINDS } kind;

static uint64_t item_of(kind of, uint64_t k)
{
    const uint64_t hash = (k + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    return of == PERMUTED ? (k * 7 + 5) % SIZE : of == REPEATED ? hash % SIZE : 17;
}

/* Every third value is missing. */
static sl_matrix *input_of(sl_context *ctx, uint64_t rows, uint64_t cols)
{
    uint64_t *row = malloc(rows * cols * sizeof *row), *col = malloc(rows * cols * sizeof *col);
    int64_t *value = malloc(rows * cols * sizeof *value);
    uint64_t count = 0;
    sl_matrix *A;
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < cols; j++)
            if ((i + 2 * j) % 3) {
                row[count] = i;
                col[count] = j;
                value[count++] = (int64_t)(i * 100 + j);
            }
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT64, rows, cols));
    OK(ctx, sl_matrix_build(A, row, col, value, count, NULL));
    free(row);
    free(col);
    free(value);
    return A;
}

/* C(rows, cols) = A, a scalar if `scalar`, or a column of A to a vector, which is C then. */
static sl_arrays result_of(sl_context *ctx, kind of, bool scalar, bool vector)
{
    uint64_t list[LONG], few[WIDTH];
    const uint64_t width = vector ? 1 : WIDTH;
    sl_matrix *A = input_of(ctx, LONG, width), *C = input_of(ctx, SIZE, width);
    sl_vector *u, *w;
    sl_arrays out;
    for (uint64_t k = 0; k < LONG; k++)
        list[k] = item_of(of, k);
    for (uint64_t k = 0; k < width; k++)
        few[k] = item_of(of, k) % width;
    OK(ctx, sl_vector_new(&u, ctx, SL_INT64, LONG));
    OK(ctx, sl_vector_new(&w, ctx, SL_INT64, SIZE));
    OK(ctx, sl_matrix_extract_column(u, NULL, NULL, A, SL_ALL, 0, 0, NULL));
    OK(ctx, sl_matrix_extract_column(w, NULL, NULL, C, SL_ALL, 0, 0, NULL));
    if (vector)
        OK(ctx, sl_vector_assign(w, NULL, NULL, u, list, LONG, NULL));
    else if (scalar)
        OK(ctx, sl_matrix_assign_scalar(C, NULL, NULL, sl_scalar_int64(-1), list, LONG, few, width,
                                        NULL));
    else
        OK(ctx, sl_matrix_assign(C, NULL, NULL, A, list, LONG, few, width, NULL));
    OK(ctx, vector ? sl_vector_copy_out(&out, w, SL_FORMAT_LIST)
                   : sl_matrix_copy_out(&out, C, SL_FORMAT_CSR));
    OK(ctx, sl_arrays_expand(ctx, &out));
    sl_matrix_free(A);
    sl_matrix_free(C);
    sl_vector_free(u);
    sl_vector_free(w);
    return out;
}

static void last_position_counts(void **state)
{
    for (int k = 0; k < KINDS; k++)
        for (int which = 0; which < 3; which++) {
            sl_arrays expected = result_of(host, (kind)k, which == 1, which == 2);
            sl_arrays got = result_of(engine, (kind)k, which == 1, which == 2);
            const uint64_t count = expected.nvals;
            const uint64_t *at = which == 2 ? expected.rows : expected.cols;
            const uint64_t *found = which == 2 ? got.rows : got.cols;
            const bool rows = which == 2 || memcmp(got.start, expected.start,
                                                   (SIZE + 1) * sizeof *got.start) == 0;
            if (!rows || got.nvals != count || memcmp(found, at, count * sizeof *at) != 0 ||
                memcmp(got.values, expected.values, count * sizeof(int64_t)) != 0)
                fail_msg("%s: kind %d of list, case %d: %zu entries, expected %zu", tested.name, k,
                         which, (size_t)got.nvals, (size_t)count);
            sl_arrays_free(&expected);
            sl_arrays_free(&got);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(last_position_counts)};
    return compare_engines(tests, 1, true);
}
