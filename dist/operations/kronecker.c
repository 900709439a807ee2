/* Kronecker product: the entries of B are broadcast by one rank after another and multiplied with
 * each rank's entries of A; the products are sent to their owners. */
#include "operations.h"

#include "aligned.h"

#include <string.h>

typedef struct {
    sl_grid *grid;
    const sl_call *call;
    sl_tuples a, b; /* this rank's entries, with global indices */
    uint64_t p, q;  /* shape of B */
    sl_matrix *products;
} kronecker;

/* The operator's result for entry i of a and entry j of b. */
static void evaluate(void *z, sl_binary_op op, const sl_tuples *a, uint64_t i, const sl_tuples *b,
                     uint64_t j)
{
    if (op->positional) {
        const uint64_t at = op->code == SL_BINARY_FIRSTI    ? a->rows[i]
                            : op->code == SL_BINARY_FIRSTJ  ? a->cols[i]
                            : op->code == SL_BINARY_SECONDI ? b->rows[j]
                                                            : b->cols[j];
        const sl_scalar index = sl_scalar_cast(sl_scalar_uint64(at), op->result);
        memcpy(z, &index.as, sl_type_size(op->result));
        return;
    }
    sl_scalar x = sl_scalar_load(a->type, (const char *)a->values + i * sl_type_size(a->type));
    sl_scalar y = sl_scalar_load(b->type, (const char *)b->values + j * sl_type_size(b->type));
    x = sl_scalar_cast(x, op->type);
    y = sl_scalar_cast(y, op->type_y);
    op->eval(z, op->reads_x ? &x.as : NULL, op->reads_y ? &y.as : NULL);
}

static sl_status multiply(sl_tuples *products, const kronecker *s, const sl_tuples *b)
{
    sl_binary_op op = s->call->binary;
    size_t size = sl_type_size(op->result);
    uint64_t count;
    if (__builtin_mul_overflow(s->a.count, b->count, &count))
        return sl_fail(s->grid->ctx, SL_NO_MEMORY, "kronecker: the product has too many entries");
    SL_TRY(sl_tuples_allocate(products, s->grid, op->result, count, true, true));
    for (uint64_t i = 0, k = 0; i < s->a.count; i++)
        for (uint64_t j = 0; j < b->count; j++, k++) {
            products->rows[k] = s->a.rows[i] * s->p + b->rows[j];
            products->cols[k] = s->a.cols[i] * s->q + b->cols[j];
            evaluate((char *)products->values + k * size, op, &s->a, i, b, j);
        }
    return SL_OK;
}

/* Adds entries to this rank's block of the result; no two are at the same position. */
static sl_status collect(const kronecker *s, const sl_tuples *t)
{
    sl_matrix *part;
    const sl_object *out = s->call->out;
    SL_TRY(sl_grid_block_new_matrix(&part, s->grid, t->type, out->nrows, out->ncols));
    sl_status status = sl_tuples_build(s->grid, sl_object_of_matrix(part), t, NULL);
    sl_call local = {.op = SL_OP_EWISE_ADD,
                     .ctx = s->grid->local,
                     .out = sl_object_of_matrix(s->products),
                     .binary = sl_binary_op_get(SL_BINARY_FIRST, t->type),
                     .a = sl_object_of_matrix(s->products),
                     .b = sl_object_of_matrix(part)};
    if (status == SL_OK)
        status = sl_local_run(s->grid, &local);
    sl_matrix_free(part);
    return status;
}

static sl_status run_stage(const kronecker *s, int root)
{
    sl_tuples b, received, products = {.type = s->call->binary->result};
    const sl_object *out = s->call->out;
    SL_TRY(sl_tuples_broadcast(&b, s->grid, s->grid->all, root, &s->b, SL_OK));
    sl_status status = multiply(&products, s, &b);
    sl_tuples_free(&b);
    status = sl_tuples_to_owners(&received, s->grid, &products, out->nrows, out->ncols, status);
    sl_tuples_free(&products);
    if (status == SL_OK)
        status = collect(s, &received);
    sl_tuples_free(&received);
    return sl_grid_agree(s->grid, status);
}

/* The entries of an input, transposed if the call says so, with global indices. */
static sl_status open_input(sl_tuples *t, const kronecker *s, const sl_object *object,
                            const sl_object *block, bool transposed)
{
    sl_object shape = *object;
    shape.nrows = transposed ? object->ncols : object->nrows;
    shape.ncols = transposed ? object->nrows : object->ncols;
    SL_TRY(sl_tuples_of(t, s->grid, block));
    return sl_tuples_to_global(t, s->grid, &shape);
}

static sl_status open_kronecker(kronecker *s, const sl_aligned *aligned)
{
    const sl_call *call = s->call;
    bool turns_b = call->flags & SL_TRANSPOSE_B;
    s->p = turns_b ? call->b->ncols : call->b->nrows;
    s->q = turns_b ? call->b->nrows : call->b->ncols;
    SL_TRY(open_input(&s->a, s, call->a, aligned->local.a, call->flags & SL_TRANSPOSE_A));
    SL_TRY(open_input(&s->b, s, call->b, aligned->local.b, turns_b));
    return sl_grid_block_new_matrix(&s->products, s->grid, call->binary->result, call->out->nrows,
                                    call->out->ncols);
}

sl_status sl_grid_kronecker(sl_call *call)
{
    sl_aligned aligned;
    kronecker s = {.grid = sl_grid_of(call->ctx), .call = call};
    SL_TRY(sl_aligned_open(&aligned, call));
    sl_status status = sl_grid_agree(s.grid, open_kronecker(&s, &aligned));
    sl_aligned_close(&aligned);
    for (int root = 0; root < s.grid->size && status == SL_OK; root++)
        status = run_stage(&s, root);
    if (status == SL_OK)
        status = sl_grid_block_write(call, sl_object_of_matrix(s.products));
    sl_tuples_free(&s.a);
    sl_tuples_free(&s.b);
    sl_matrix_free(s.products);
    return status;
}
