/*
 * Products of a matrix of few rows that have many entries. Each row is multiplied as a vector: over tiles or by pull,
 * while a product row by row takes an atomic for each product.
 */
#include "cuda/products/few_rows.h"

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/keys.h"
#include "cuda/products/product_tuning.h"
#include "cuda/runtime/traversal_switches.h"

/* Whether the first factor has few rows that have many entries, on the whole, but is not full. */
static bool has_few_long_rows(const sl_object *matrix)
{
    const cuda_matrix *A = cuda_matrix_of(matrix);
    const double room = (double)matrix->nrows * (double)matrix->ncols;
    return matrix->nrows <= ROWS_MOST && cuda_has_rows(A) &&
           (double)A->nnz >= room / ROWS_LEAST_SHARE && (double)A->nnz < room;
}

bool sl_cuda_multiplies_by_rows(const sl_call *call)
{
    const sl_semiring ring = call->operators.semiring;
    cuda_switches on;
    if (call->op != SL_OP_MXM || (call->flags & SL_TRANSPOSE_A) ||
        (!call->mask && (call->flags & SL_COMPLEMENT)) || sl_semiring_is_user_defined(ring) ||
        ring->multiply->positional || !has_few_long_rows(call->a))
        return false;
    const cuda_matrix *B = cuda_matrix_of(call->b);
    return cuda_has_rows(B) && sl_cuda_switches(&on, call->ctx) == SL_OK &&
           (B->nnz >= ROWS_LEAST_ENTRIES || on.all_tiles);
}

/* Vectors of one row: of the first factor, of the mask, of the result. */
typedef struct {
    sl_object u, mask, w;
} row_product;

typedef struct {
    cuda_scratch s;
    sl_status (*run)(sl_call *call);
    uint64_t a_start[ROWS_MOST + 1], mask_start[ROWS_MOST + 1]; /* of the rows */
    row_product row[ROWS_MOST];
} row_products;

/* A vector without entries. */
static sl_status new_vector(sl_object *vector, sl_context *ctx, sl_type type, uint64_t n)
{
    cuda_vector *v;
    *vector = (sl_object){.ctx = ctx, .type = type, .nrows = n, .ncols = 1};
    CUDA_TRY(sl_cuda_new_list(&v, vector));
    vector->held[SL_SLOT_CUDA] = v;
    return SL_OK;
}

/* The entries from number `begin` up to `end`, which are a row. */
static sl_status take_row(sl_object *vector, const sl_object *matrix, uint64_t begin, uint64_t end)
{
    const cuda_matrix *M = cuda_matrix_of(matrix);
    const uint64_t ends[] = {0, end - begin}, size = sl_type_size(matrix->type);
    sl_context *ctx = matrix->ctx;
    cuda_matrix *list;
    CUDA_TRY(new_vector(vector, ctx, matrix->type, matrix->ncols));
    if (begin == end)
        return SL_OK;
    const sl_object shape = sl_cuda_row(vector, NULL);
    CUDA_TRY(sl_cuda_new_matrix(&list, &shape, end - begin, M->values != NULL));
    sl_status status = sl_cuda_upload(ctx, list->start, ends, sizeof ends);
    if (status == SL_OK)
        status = sl_cuda_copy(ctx, list->index, M->index + begin, ends[1] * sizeof *M->index);
    if (status == SL_OK && M->values)
        status = sl_cuda_copy(ctx, list->values, (char *)M->values + begin * size, ends[1] * size);
    if (status == SL_OK)
        return sl_cuda_become_list(vector, cuda_vector_of(vector), list);
    sl_cuda_free_matrix(list);
    return status;
}

static sl_status multiply_row(row_products *p, uint64_t i)
{
    const sl_call *call = p->s.call;
    row_product *row = &p->row[i];
    CUDA_TRY(new_vector(&row->w, call->ctx, call->operators.semiring->result, call->out->ncols));
    CUDA_TRY(take_row(&row->u, call->a, p->a_start[i], p->a_start[i + 1]));
    if (call->mask)
        CUDA_TRY(take_row(&row->mask, call->mask, p->mask_start[i], p->mask_start[i + 1]));
    sl_call product = {.op = SL_OP_VXM,
                       .ctx = call->ctx,
                       .out = &row->w,
                       .mask = call->mask ? &row->mask : NULL,
                       .a = &row->u,
                       .b = call->b,
                       .operators.semiring = call->operators.semiring,
                       .flags = call->flags & (SL_TRANSPOSE_B | SL_STRUCTURE | SL_COMPLEMENT)};
    CUDA_TRY(p->run(&product));
    CUDA_TRY(sl_cuda_bring_into_order(&row->w, cuda_vector_of(&row->w), NULL));
    CUDA_TRY(sl_cuda_write_values(&row->w, cuda_vector_of(&row->w)));
    return sl_cuda_count_entries(&row->w, cuda_vector_of(&row->w));
}

/* The results as a matrix. */
static sl_status gather(row_products *p, cuda_rows *T)
{
    cuda_scratch *s = &p->s;
    const sl_object *out = s->call->out;
    const sl_type type = p->row[0].w.type;
    const uint64_t size = sl_type_size(type);
    uint64_t count = 0, at = 0;
    char *values;
    cuda_keys k;
    for (uint64_t i = 0; i < out->nrows; i++)
        count += cuda_vector_of(&p->row[i].w)->nvals;
    CUDA_TRY(sl_cuda_new_keys(s, &k, count, out->nrows, out->ncols));
    CUDA_TRY(sl_cuda_scratch_take(s, &values, count * size));
    for (uint64_t i = 0; i < out->nrows; i++) {
        cuda_vector *w = cuda_vector_of(&p->row[i].w);
        uint64_t *column;
        void *of_row;
        if (w->nvals == 0)
            continue;
        CUDA_TRY(sl_cuda_list_entries(&s->arena, &column, &of_row, &p->row[i].w, w));
        CUDA_TRY(cuda_launched(s, "kernel slice_keys",
                               sl_cuda_slice_keys(k.key + at, (cuda_slice){.row = i, .col_step = 1},
                                                  column, k.shift, w->nvals)));
        CUDA_TRY(sl_cuda_copy(s->call->ctx, values + at * size, of_row, w->nvals * size));
        at += w->nvals;
    }
    CUDA_TRY(sl_cuda_rows_of_keys(s, T, &k, out->nrows, values, type));
    T->allowed = s->call->mask != NULL;
    return SL_OK;
}

static sl_status fetch_starts(const row_products *p, uint64_t *start, const sl_object *matrix)
{
    return sl_cuda_fetch(p->s.call->ctx, "rows of a product", start, cuda_matrix_of(matrix)->start,
                         (matrix->nrows + 1) * sizeof *start);
}

static sl_status multiply(row_products *p)
{
    const sl_call *call = p->s.call;
    cuda_rows T;
    CUDA_TRY(fetch_starts(p, p->a_start, call->a));
    if (call->mask)
        CUDA_TRY(fetch_starts(p, p->mask_start, call->mask));
    for (uint64_t i = 0; i < call->out->nrows; i++)
        CUDA_TRY(multiply_row(p, i));
    CUDA_TRY(gather(p, &T));
    return sl_cuda_write_rows(&p->s, &T);
}

sl_status sl_cuda_mxm_by_rows(sl_call *call, sl_status (*run)(sl_call *call))
{
    row_products p = {.s = {.call = call}, .run = run};
    const sl_status status = multiply(&p);
    for (uint64_t i = 0; i < ROWS_MOST; i++) {
        sl_cuda_free_vector(cuda_vector_of(&p.row[i].u));
        sl_cuda_free_vector(cuda_vector_of(&p.row[i].mask));
        sl_cuda_free_vector(cuda_vector_of(&p.row[i].w));
    }
    sl_cuda_scratch_release(&p.s);
    return status;
}
