/* Push and pull of products of a matrix and a vector. */
#include "cuda/jit/jit.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/products/cusparse_products.h"
#include "cuda/products/matrix_vector.h"
#include "cuda/products/missing_entries.h"
#include "cuda/products/reordered_products.h"
#include "cuda/products/row_facts.h"

/* Sets the rows to traverse: those of M, the matrix or its transpose, with the values as they are stored. */
static void set_traversed_rows(cuda_matrix_vector *r, const cuda_matrix *M, uint64_t rows)
{
    r->p.rows = rows;
    r->p.nnz = M->nnz;
    r->p.start = M->start;
    r->p.index = M->index;
    r->p.values = cuda_reads_matrix(r) ? M->values : NULL;
}

/* Casts the values to the type in which the operator reads them. */
static sl_status cast_values(cuda_matrix_vector *r, const cuda_matrix *M)
{
    void *made;
    if (!r->p.values || r->matrix->type == cuda_matrix_type(r))
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &made, M->nnz * sl_type_size(cuda_matrix_type(r))));
    r->p.values = made;
    return cuda_launched(
        &r->s, "kernel cast",
        sl_cuda_cast(made, cuda_matrix_type(r), M->values, r->matrix->type, NULL, M->nnz));
}

/* The kernels only set bits. */
static sl_status clear_bits(cuda_matrix_vector *r)
{
    return sl_cuda_zero(r->s.call->ctx, r->p.bits, cuda_words(r->outer) * sizeof *r->p.bits);
}

/* ---- pull --------------------------------------------------------------------------- */

/* True if the result is known to be full: the vector is full, there is no mask, and all rows
 * have entries. */
static sl_status result_is_full(cuda_matrix_vector *r, cuda_matrix *M, bool *full)
{
    *full = !r->p.u_bits && !r->p.allowed && r->outer > 0 && M->nnz >= r->outer;
    if (!*full)
        return SL_OK;
    const cuda_row_facts *facts;
    CUDA_TRY(sl_cuda_find_row_facts(&facts, &r->s, M, r->outer));
    *full = facts->with_entries == r->outer;
    return SL_OK;
}

static sl_status make_kernels(cuda_matrix_vector *r, cuda_program_kind kind, uint64_t entries)
{
    const cuda_product p = cuda_product_over(r->add, r->multiply);
    return sl_cuda_compile_product(r->s.call->ctx, &r->p.made, kind, r->add, r->multiply,
                                   sl_cuda_product_is_precompiled(&p), entries);
}

static sl_status take_long_rows(cuda_matrix_vector *r, const cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    CUDA_TRY(
        sl_cuda_scratch_take(s, &r->p.long_rows, (M->nnz / ROW_LONG + 1) * sizeof *r->p.long_rows));
    CUDA_TRY(sl_cuda_scratch_take(s, &r->p.long_count, sizeof *r->p.long_count));
    return sl_cuda_zero(s->call->ctx, r->p.long_count, sizeof *r->p.long_count);
}

static sl_status pull_by_kernels(cuda_matrix_vector *r, cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    if (r->t.bits)
        CUDA_TRY(clear_bits(r));
    if (sl_cuda_pulls_tiles(&r->p))
        CUDA_TRY(sl_cuda_find_row_tiles(&r->p.tile_rows, &r->s, M, r->outer));
    if (sl_cuda_pull_has_long_rows(&r->p))
        CUDA_TRY(take_long_rows(r, M));
    return cuda_launched(s, "kernel pull_rows", sl_cuda_product_pull(&r->p));
}

/* Sets r->p.longest, which is found for large matrices. */
static sl_status find_longest_row(cuda_matrix_vector *r, cuda_matrix *M)
{
    const cuda_row_facts *facts = sl_cuda_row_facts(M);
    if (!facts && M->nnz >= ROW_FACTS_MIN_ENTRIES)
        CUDA_TRY(sl_cuda_find_row_facts(&facts, &r->s, M, r->outer));
    r->p.longest = facts ? facts->longest : 0;
    return SL_OK;
}

/* True if each result is the number of a row's entries. */
static bool counts_rows(const cuda_matrix_vector *r)
{
    return r->vector && !r->add->op->user && !r->multiply->user && !r->p.u_bits && !r->p.allowed &&
           r->p.kind == CUDA_VALUES && r->p.multiply == SL_BINARY_PAIR &&
           r->p.add == SL_BINARY_PLUS && r->add->type != SL_BOOL;
}

/* True if sums in another order can be added to the output itself: it is full, is not the vector, there is
 * no mask, and the accumulator is what adds up, in its type. */
static bool adds_to_output(const cuda_matrix_vector *r)
{
    const sl_call *call = r->s.call;
    return !r->p.allowed && call->accum && (int)call->accum->code == r->p.add &&
           !call->accum->user && call->out != r->vector && cuda_vector_of(call->out)->full &&
           sl_cuda_accumulates_in_place(call, &r->t);
}

/* Sets the bits of the rows in which an entry meets one of the vector: a product over any_pair. */
static sl_status mark_rows(cuda_matrix_vector *r, cuda_matrix *M)
{
    const cuda_product sums = r->p;
    r->p.kind = CUDA_VALUES;
    r->p.type = SL_BOOL;
    r->p.add = SL_BINARY_ANY;
    r->p.multiply = SL_BINARY_PAIR;
    r->p.any = true;
    r->p.values = r->p.u_values = NULL;
    sl_status status = find_longest_row(r, M);
    if (status == SL_OK)
        status = sl_cuda_scratch_take(&r->s, &r->p.t_values, r->outer * sizeof(bool));
    if (status == SL_OK)
        status = pull_by_kernels(r, M);
    r->p = sums;
    return status;
}

/* *done: sums in another order apply, and have run. They are of all rows: a mask is applied when they are
 * written to the output. */
static sl_status pull_in_order(cuda_matrix_vector *r, cuda_matrix *M, bool *done)
{
    cuda_neighbour_sums sums;
    cuda_vector *out = cuda_vector_of(r->s.call->out);
    cuda_partial_vector u = {.fits = true, .tells = !r->p.u_bits};
    CUDA_TRY(sl_cuda_find_sums(&r->s, &sums, &r->p, M, r->vector, r->matrix, done));
    if (*done && sums.u_bits)
        CUDA_TRY(sl_cuda_order_partial_vector(&u, &r->s, &sums, &r->p, M, r->matrix->type));
    *done &= u.fits;
    if (!*done)
        return out->in_order ? sl_fail(r->s.call->ctx, SL_NO_MEMORY,
                                       "cuda: no memory for the sums of a product")
                             : SL_OK;
    r->t.masked = !r->p.allowed;
    r->written = (adds_to_output(r) && !r->p.u_bits) || out->in_order;
    CUDA_TRY(sl_cuda_neighbour_sums(&r->s, &sums, &r->p, r->written ? out : NULL,
                                    r->written || !u.tells ? NULL : r->t.bits));
    if (!u.tells)
        return mark_rows(r, M);
    return r->p.u_bits ? cuda_launched(&r->s, "kernel keep_sums", sl_cuda_keep_sums(&sums)) : SL_OK;
}

sl_status sl_cuda_pull(cuda_matrix_vector *r, cuda_matrix *M)
{
    bool full, done;
    if (r->vector) { /* the bits of a full vector need not be read */
        cuda_vector *u = cuda_vector_of(r->vector);
        CUDA_TRY(sl_cuda_count_entries(r->vector, u));
        r->p.u_bits = u->nvals == r->inner ? NULL : u->bits;
    }
    set_traversed_rows(r, M, r->outer);
    CUDA_TRY(result_is_full(r, M, &full));
    if (full)
        r->t.bits = NULL;
    if (counts_rows(r))
        return cuda_launched(
            &r->s, "kernel row_counts",
            sl_cuda_row_counts(r->t.bits, r->p.t_values, r->add->type, M->start, r->outer));
    CUDA_TRY(pull_in_order(r, M, &done));
    if (done)
        return SL_OK;
    CUDA_TRY(find_longest_row(r, M));
    CUDA_TRY(cast_values(r, M));
    CUDA_TRY(make_kernels(r, CUDA_PROGRAM_PULL, M->nnz));
    return sl_cuda_cusparse_supports(&r->p, M, r->inner)
               ? sl_cuda_cusparse_spmv(&r->s, &r->p, M, r->inner)
               : pull_by_kernels(r, M);
}

/* ---- push --------------------------------------------------------------------------- */

sl_status sl_cuda_push(cuda_matrix_vector *r, const cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    set_traversed_rows(r, M, r->inner);
    CUDA_TRY(clear_bits(r));
    if (r->plan.push_edges == 0)
        return SL_OK;
    CUDA_TRY(cast_values(r, M));
    CUDA_TRY(make_kernels(r, CUDA_PROGRAM_PUSH, M->nnz));
    /* atomics on small values access whole words */
    uint64_t size = sl_type_size(r->add->type), neighbours = size < 4 ? 4 / size : 1;
    uint64_t filled = (r->outer + neighbours - 1) / neighbours * neighbours;
    if (!r->p.any)
        CUDA_TRY(cuda_launched(
            s, "kernel fill",
            sl_cuda_fill(r->p.t_values, &r->p.neutral, sl_type_size(r->add->type), filled)));
    return cuda_launched(s, "kernel push_rows",
                         sl_cuda_product_push(&r->p, r->frontier.list, r->plan.frontier,
                                              r->plan.push_edges, r->frontier.ends));
}
