/* Creates the operands of operands.h and checks them, entry by entry, against the pattern that
 * defines them. */
#include "operands.h"

static bool in_matrix(form stored, uint64_t i, uint64_t j)
{
    return stored == FULL || (stored == DENSE ? i + j > 0 : j == (i + 1) % SIDE);
}

static bool in_vector(form stored, uint64_t i)
{
    return stored == FULL || (stored == DENSE ? i > 0 : i == 2);
}

static sl_status make_matrix(sl_matrix **A, sl_context *ctx, form stored, bool pattern)
{
    uint64_t rows[SIDE * SIDE], cols[SIDE * SIDE], count = 0;
    double values[SIDE * SIDE];
    for (uint64_t i = 0; i < SIDE; i++)
        for (uint64_t j = 0; j < SIDE; j++)
            if (in_matrix(stored, i, j)) {
                rows[count] = i;
                cols[count] = j;
                values[count++] = (double)(i + 10 * j);
            }
    TRY(sl_matrix_new(A, ctx, SL_FP64, SIDE, SIDE));
    for (uint64_t k = 0; stored == SET && k < count; k++)
        TRY(sl_matrix_set(*A, rows[k], cols[k], sl_scalar_fp64(pattern ? 1 : values[k])));
    if (stored == SET)
        return SL_OK;
    return sl_matrix_build(*A, rows, cols, pattern ? NULL : values, count, NULL);
}

static sl_status make_vector(sl_vector **v, sl_context *ctx, form stored)
{
    uint64_t index[SIDE], count = 0;
    double values[SIDE];
    for (uint64_t i = 0; i < SIDE; i++)
        if (in_vector(stored, i)) {
            index[count] = i;
            values[count++] = (double)i;
        }
    TRY(sl_vector_new(v, ctx, SL_FP64, SIDE));
    for (uint64_t k = 0; stored == SET && k < count; k++)
        TRY(sl_vector_set(*v, index[k], sl_scalar_fp64(values[k])));
    if (stored == SET)
        return SL_OK;
    return sl_vector_build(*v, index, values, count, NULL);
}

sl_status make_operands(operands *o, sl_context *ctx, form stored)
{
    TRY(make_matrix(&o->A, ctx, stored, false));
    TRY(make_matrix(&o->B, ctx, stored, true));
    TRY(make_matrix(&o->mask, ctx, SPARSE, false));
    TRY(make_matrix(&o->C, ctx, DENSE, false));
    TRY(make_vector(&o->u, ctx, stored));
    TRY(make_vector(&o->v, ctx, FULL));
    TRY(make_vector(&o->vmask, ctx, SPARSE));
    return make_vector(&o->w, ctx, SPARSE);
}

void free_operands(operands *o)
{
    sl_matrix *const matrices[] = {o->A, o->B, o->mask, o->C};
    sl_vector *const vectors[] = {o->u, o->v, o->vmask, o->w};
    for (int k = 0; k < 4; k++) {
        sl_matrix_free(matrices[k]);
        sl_vector_free(vectors[k]);
    }
}

static void check_matrix(const sl_matrix *A, sl_context *ctx, form stored, bool pattern)
{
    uint64_t rows[SIDE * SIDE], cols[SIDE * SIDE], count = SIDE * SIDE, k = 0;
    double values[SIDE * SIDE];
    OK(ctx, sl_matrix_extract_tuples(rows, cols, values, &count, A));
    if (stored == SET && count == 0)
        return; /* entries not yet assembled may be lost when memory runs out: see sl_matrix_set */
    for (uint64_t i = 0; i < SIDE; i++)
        for (uint64_t j = 0; j < SIDE; j++)
            if (in_matrix(stored, i, j)) {
                assert_true(k < count && rows[k] == i && cols[k] == j);
                assert_true(values[k] == (pattern ? 1 : (double)(i + 10 * j)));
                k++;
            }
    assert_int_equal(k, count);
}

static void check_vector(const sl_vector *v, sl_context *ctx, form stored)
{
    uint64_t index[SIDE], count = SIDE, k = 0;
    double values[SIDE];
    OK(ctx, sl_vector_extract_tuples(index, values, &count, v));
    if (stored == SET && count == 0)
        return;
    for (uint64_t i = 0; i < SIDE; i++)
        if (in_vector(stored, i)) {
            assert_true(k < count && index[k] == i && values[k] == (double)i);
            k++;
        }
    assert_int_equal(k, count);
}

void check_operands(operands *o, sl_context *ctx, form stored)
{
    uint64_t count;
    check_matrix(o->A, ctx, stored, false);
    check_matrix(o->B, ctx, stored, true);
    check_matrix(o->mask, ctx, SPARSE, false);
    check_vector(o->u, ctx, stored);
    check_vector(o->v, ctx, FULL);
    check_vector(o->vmask, ctx, SPARSE);
    OK(ctx, sl_matrix_nvals(&count, o->C));
    OK(ctx, sl_matrix_apply(o->C, NULL, NULL, SL_IDENTITY_FP64, o->A, NULL));
    check_matrix(o->C, ctx, stored, false);
    OK(ctx, sl_vector_nvals(&count, o->w));
    OK(ctx, sl_vector_apply(o->w, NULL, NULL, SL_IDENTITY_FP64, o->u, NULL));
    check_vector(o->w, ctx, stored);
}
