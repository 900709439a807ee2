/* The operands, the contexts and the product of toy_product.h. */
#include "toy_product.h"

#include <string.h>

sl_status make_operands(fixture *f)
{
    static const uint64_t rows[] = {0, 1, 1, 2}, cols[] = {1, 1, 2, 0};
    static const double values[] = {5, 7, 1, 4}, u_values[] = {2, 3};
    sl_status status = sl_vector_new(&f->u, f->ctx, SL_FP64, 3);
    if (status == SL_OK)
        status = sl_vector_build(f->u, rows, u_values, 2, NULL);
    if (status == SL_OK)
        status = sl_vector_new(&f->w, f->ctx, SL_FP64, 3);
    if (status == SL_OK)
        status = sl_matrix_new(&f->A, f->ctx, SL_FP64, 3, 3);
    if (status == SL_OK)
        status = sl_matrix_build(f->A, rows, cols, values, 4, NULL);
    return status;
}

void free_operands(fixture *f)
{
    sl_vector_free(f->u);
    sl_vector_free(f->w);
    sl_matrix_free(f->A);
}

sl_context *toy_context(const sl_engine *first, const sl_engine *second, bool complete)
{
    sl_context *ctx;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_SUITESPARSE), SL_OK);
    const sl_engine *suitesparse = ctx->chain[0];
    memset(ctx->chain, 0, sizeof ctx->chain);
    size_t n = 0;
    ctx->chain[n++] = first;
    if (second)
        ctx->chain[n++] = second;
    if (complete)
        ctx->chain[n++] = suitesparse;
    else
        suitesparse->stop(ctx);
    return ctx;
}

void begin(fixture *f)
{
    memset(&toy, 0, sizeof toy);
    *f = (fixture){.ctx = toy_context(&toy_engine, NULL, true)};
    OK(f->ctx, make_operands(f));
}

void end(fixture *f)
{
    free_operands(f);
    sl_context_free(f->ctx);
    assert_int_equal(allocator_alive(), 0);
}

sl_context_counts counts(const fixture *f)
{
    sl_context_counts c;
    sl_context_get_counts(f->ctx, &c);
    return c;
}

void expect_vector(const fixture *f, const sl_vector *v, uint64_t count,
                   const uint64_t *right_index, const double *right_values)
{
    uint64_t index[8], got = 8;
    double values[8];
    OK(f->ctx, sl_vector_extract_tuples(index, values, &got, v));
    assert_int_equal(got, count);
    assert_memory_equal(index, right_index, count * sizeof *index);
    assert_memory_equal(values, right_values, count * sizeof *values);
}

sl_status multiply(fixture *f)
{
    return sl_vxm(f->w, NULL, NULL, SL_PLUS_TIMES_FP64, f->u, f->A, NULL);
}
