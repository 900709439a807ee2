/*
 * Kronecker product: the entries of B are broadcast by one rank after another and multiplied with
 * each rank's entries of A; the products are sent to their owners. Tuples stay in the memory of the
 * devices, if ranks have blocks there.
 */
#include "dist/grid_operations.h"

#include "dist/grid/user_operators.h"
#include "dist/operations/aligned.h"

typedef struct {
    sl_grid *grid;
    const sl_call *call;
    const sl_tuple_memory *memory;
    sl_tuples a, b; /* this rank's entries, with global indices */
    uint64_t p, q;  /* shape of B */
    sl_matrix *products;
} kronecker;

/* ---- values of products ---------------------------------------------------------------------- */

/* Which array of the entries of A or of B an operand of the operator is: values, or for positional
 * operators rows or columns. */
static void *operand_of(const sl_tuples *t, sl_binary_op op)
{
    if (!op->positional)
        return t->values;
    return op->code == SL_BINARY_FIRSTI || op->code == SL_BINARY_SECONDI ? t->rows : t->cols;
}

/* A vector of the local context with one value for each product: the value of the entry of A, which is repeated for
 * each entry of B, or the value of the entry of B. */
static sl_status repeat_operand(sl_vector **made, const kronecker *s, const sl_tuples *b, bool of_a)
{
    const sl_binary_op op = s->call->operators.binary;
    const sl_tuples *t = of_a ? &s->a : b;
    const sl_type type = op->positional ? SL_INT64 : t->type;
    const uint64_t times = of_a ? b->count : s->a.count;
    void *values;
    SL_TRY(sl_tuples_array(&values, s->grid, s->memory, t->count * times * sl_type_size(type)));
    sl_status status = s->memory->repeat(s->grid->local, values, operand_of(t, op),
                                         sl_type_size(type), t->count, times, of_a);
    if (status == SL_OK)
        status =
            s->memory->make_vector(made, s->grid->local, type, t->count * times, &values, NULL);
    s->memory->release(values);
    return status < 0 ? sl_grid_local_failed(s->grid, status) : status;
}

/* The results of a positional operator are one operand; a local operation computes the results of others. */
static sl_status combine(sl_vector *w, const kronecker *s, const sl_tuples *b)
{
    const sl_binary_op op = s->call->operators.binary;
    const bool first = op->code == SL_BINARY_FIRSTI || op->code == SL_BINARY_FIRSTJ;
    sl_vector *x = NULL, *y = NULL;
    sl_status status = SL_OK;
    if (!op->positional || first)
        status = repeat_operand(&x, s, b, true);
    if (status == SL_OK && (!op->positional || !first))
        status = repeat_operand(&y, s, b, false);
    sl_call local = {.op = op->positional ? SL_OP_APPLY : SL_OP_EWISE_MULT,
                     .ctx = s->grid->local,
                     .out = sl_object_of_vector(w),
                     .operators.unary = sl_unary_op_get(SL_UNARY_IDENTITY, op->result),
                     .operators.binary = op->positional ? NULL : sl_local_binary(op),
                     .a = sl_object_of_vector(x ? x : y),
                     .b = op->positional ? NULL : sl_object_of_vector(y)};
    if (status == SL_OK)
        status = sl_local_run(s->grid, &local);
    sl_vector_free(x);
    sl_vector_free(y);
    return status;
}

static sl_status evaluate(sl_tuples *products, const kronecker *s, const sl_tuples *b)
{
    sl_vector *w;
    sl_tuples results;
    SL_TRY_LOCAL(s->grid, sl_vector_new(&w, s->grid->local, products->type, products->count));
    sl_status status = combine(w, s, b);
    if (status == SL_OK)
        status = sl_tuples_in(&results, s->grid, s->memory, sl_object_of_vector(w), true);
    if (status == SL_OK) {
        products->values = results.values;
        results.values = NULL;
        sl_tuples_free(&results);
    }
    sl_vector_free(w);
    return status;
}

/* ---- stages ------------------------------------------------------------------------------------ */

static sl_status multiply(sl_tuples *products, const kronecker *s, const sl_tuples *b)
{
    const sl_tuple_memory *memory = s->memory;
    const sl_type type = s->call->operators.binary->result;
    uint64_t count;
    if (__builtin_mul_overflow(s->a.count, b->count, &count) || count > UINT64_MAX / 8)
        return sl_fail(s->grid->ctx, SL_NO_MEMORY, "kronecker: the product has too many entries");
    SL_TRY(sl_tuples_allocate_in(products, s->grid, memory, type, count, true, count == 0));
    if (count == 0)
        return SL_OK;
    SL_TRY_LOCAL(s->grid, memory->pair(s->grid->local, products->rows, s->a.rows, s->a.count,
                                       b->rows, b->count, s->p));
    SL_TRY_LOCAL(s->grid, memory->pair(s->grid->local, products->cols, s->a.cols, s->a.count,
                                       b->cols, b->count, s->q));
    return evaluate(products, s, b);
}

/* Adds entries to this rank's block of the result; no two are at the same position. */
static sl_status collect(const kronecker *s, const sl_tuples *t)
{
    sl_matrix *part;
    const sl_object *out = s->call->out;
    SL_TRY(sl_grid_block_new_matrix(&part, s->grid, t->type, out->nrows, out->ncols));
    sl_status status = sl_tuples_build(s->grid, sl_object_of_matrix(part), t, NULL);
    sl_object *const products = sl_object_of_matrix(s->products), *more = sl_object_of_matrix(part);
    sl_call local = {.op = SL_OP_EWISE_ADD,
                     .ctx = s->grid->local,
                     .out = products,
                     .operators.binary = sl_binary_op_get(SL_BINARY_FIRST, t->type),
                     .a = products,
                     .b = more};
    if (!local.operators.binary) /* a user-defined type */
        local = (sl_call){.op = SL_OP_ASSIGN,
                          .ctx = s->grid->local,
                          .out = products,
                          .mask = more,
                          .a = more,
                          .rows.count = products->nrows,
                          .cols.count = products->ncols,
                          .flags = SL_STRUCTURE};
    if (status == SL_OK)
        status = sl_local_run(s->grid, &local);
    sl_matrix_free(part);
    return status;
}

static sl_status run_stage(const kronecker *s, int root)
{
    sl_tuples b, received,
        products = {.type = s->call->operators.binary->result, .memory = s->memory};
    const sl_object *out = s->call->out;
    sl_status status = sl_tuples_broadcast(&b, s->grid, root, &s->b, SL_OK);
    if (status == SL_OK)
        status = multiply(&products, s, &b);
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
    SL_TRY(sl_tuples_in(t, s->grid, s->memory, block, true));
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
    return sl_grid_block_new_matrix(&s->products, s->grid, call->operators.binary->result,
                                    call->out->nrows, call->out->ncols);
}

sl_status sl_grid_kronecker(sl_call *call)
{
    sl_aligned aligned;
    kronecker s = {.grid = sl_grid_of(call->ctx), .call = call};
    s.memory = sl_grid_tuple_memory(s.grid, call);
    s.a.memory = s.b.memory = s.memory;
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
