/*
 * Products of a matrix and a vector: which way to go, and what the kernels are told.
 * A push goes along the rows of the vector's entries and wants the summed index to
 * be the row; a pull along the rows of the result. The matrix serves one of the two
 * as it is, its transpose the other.
 */
#include <string.h>

#include "jit.h"
#include "library.h"
#include "operations.h"

typedef struct {
    cuda_scratch s;
    sl_object *matrix, *vector; /* no vector: all of it is there, and nobody reads it */
    cuda_matrix *A;
    bool transposed; /* the matrix, by the descriptor */
    bool vector_first;
    sl_binary_op multiply;
    sl_monoid add;
    uint64_t inner, outer; /* sizes of the vector and of the result */
    cuda_entries t;
    cuda_product p;
    /* Of the vector's entries, where they were counted: */
    uint32_t *list;
    sl_plan plan;
} product;

static bool reads_matrix(const product *r)
{
    if (r->multiply->positional || !r->A->values)
        return false;
    return r->vector_first ? r->multiply->reads_y : r->multiply->reads_x;
}

static bool reads_vector(const product *r)
{
    if (r->multiply->positional || !r->vector)
        return false;
    return r->vector_first ? r->multiply->reads_x : r->multiply->reads_y;
}

/* As what the operator reads them. */
static sl_type matrix_type(const product *r)
{
    return r->vector_first ? r->multiply->type_y : r->multiply->type;
}

static sl_type vector_type(const product *r)
{
    return r->vector_first ? r->multiply->type : r->multiply->type_y;
}

/* firsti and its kin, of u(0, k) A(k, j) or of A(i, k) u(k, 0). */
static cuda_position position_of(const product *r)
{
    switch (r->multiply->code) {
    case SL_BINARY_FIRSTI:
        return r->vector_first ? CUDA_ONLY : CUDA_OUTER;
    case SL_BINARY_SECONDJ:
        return r->vector_first ? CUDA_OUTER : CUDA_ONLY;
    default:
        return CUDA_INNER;
    }
}

/* What does not depend on the way. */
static sl_status prepare(product *r)
{
    cuda_scratch *s = &r->s;
    r->p = (cuda_product){.type = r->multiply->type,
                          .kind = r->multiply->positional ? CUDA_POSITION : CUDA_VALUES,
                          .position = position_of(r),
                          .add = (int)r->add->op->code,
                          .multiply = (int)r->multiply->code,
                          .matrix_first = !r->vector_first,
                          .ends = r->add->has_terminal && !r->add->any,
                          .any = r->add->any,
                          .multiprocessors = cuda_processors()};
    memcpy(&r->p.terminal, &r->add->terminal.as, sizeof r->p.terminal);
    memcpy(&r->p.identity, &r->add->identity.as, sizeof r->p.identity);
    CUDA_TRY(sl_cuda_todo(s, &r->p.todo));
    CUDA_TRY(sl_cuda_new_entries(s, &r->t, r->outer, r->add->type));
    r->t.masked = true;
    r->p.bits = r->t.bits;
    r->p.t_values = r->t.values;
    if (!r->vector)
        return SL_OK;
    const cuda_vector *u = cuda_vector_of(r->vector);
    r->p.u_bits = u->bits;
    return reads_vector(r) ? sl_cuda_values_as(s, &r->p.u_values, u, r->vector, vector_type(r))
                           : SL_OK;
}

/* The rows to walk: those of M, which is the matrix or its transpose. */
static sl_status walk(product *r, const cuda_matrix *M, uint64_t rows)
{
    r->p.rows = rows;
    r->p.nnz = M->nnz;
    r->p.start = M->start;
    r->p.index = M->index;
    r->p.values = NULL;
    if (!reads_matrix(r))
        return SL_OK;
    r->p.values = M->values;
    if (r->matrix->type == matrix_type(r))
        return SL_OK;
    void *made;
    CUDA_TRY(sl_cuda_take(&r->s, &made, M->nnz * sl_type_size(matrix_type(r))));
    r->p.values = made;
    return cuda_launched(&r->s, "kernel cast",
                         sl_cuda_cast(made, matrix_type(r), M->values, r->matrix->type, NULL,
                                      M->nnz, cuda_processors(), cuda_stream()));
}

/* Where the result has entries, kernels set bits. */
static sl_status clear_bits(product *r)
{
    return sl_cuda_zero(r->s.call->ctx, r->p.bits, cuda_words(r->outer) * sizeof *r->p.bits);
}

/* ---- the two ways --------------------------------------------------------------- */

static sl_status tile(product *r, cuda_matrix *M)
{
    sl_context *ctx = r->s.call->ctx;
    if (!M->tile_rows) {
        uint64_t tiles = sl_cuda_tiles(r->outer, M->nnz);
        CUDA_TRY(sl_cuda_alloc(ctx, (void **)&M->tile_rows, (tiles + 1) * sizeof *M->tile_rows));
        CUDA_TRY(cuda_launched(&r->s, "kernel tile_rows",
                               sl_cuda_tile_rows(M->tile_rows, M->start, r->outer, M->nnz,
                                                 cuda_processors(), cuda_stream())));
    }
    r->p.tile_rows = M->tile_rows;
    return SL_OK;
}

/* Whether each row of M, which remembers it, has entries. */
static sl_status count_rows(product *r, cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    sl_context *ctx = s->call->ctx;
    uint64_t words = cuda_words(r->outer);
    unsigned long long *count, counted;
    uint32_t *there;
    CUDA_TRY(sl_cuda_take(s, &there, words * sizeof *there));
    CUDA_TRY(sl_cuda_take(s, &count, sizeof *count));
    CUDA_TRY(sl_cuda_zero(ctx, count, sizeof *count));
    CUDA_TRY(cuda_launched(
        s, "kernel nonempty_rows",
        sl_cuda_nonempty_rows(there, M->start, r->outer, cuda_processors(), cuda_stream())));
    CUDA_TRY(
        cuda_launched(s, "kernel count_bits",
                      sl_cuda_count_bits(count, there, words, cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel count_bits", &counted, count, sizeof counted));
    M->rows = counted == r->outer ? CUDA_ROWS_ALL : CUDA_ROWS_SOME;
    return SL_OK;
}

/* True if the result is known to have all entries: of a full vector, by rows that all have
 * some, all of them asked for. */
static sl_status result_is_full(product *r, cuda_matrix *M, bool *full)
{
    *full = !r->p.u_bits && !r->p.todo && r->outer > 0 && M->nnz >= r->outer;
    if (*full && M->rows == CUDA_ROWS_UNKNOWN)
        CUDA_TRY(count_rows(r, M));
    *full = *full && M->rows == CUDA_ROWS_ALL;
    return SL_OK;
}

static sl_status make_kernels(product *r, cuda_program_kind kind, uint64_t entries)
{
    const cuda_product p = cuda_product_over(r->add, r->multiply);
    return sl_cuda_make_product(r->s.call->ctx, &r->p.made, kind, r->add, r->multiply,
                                sl_cuda_product_is_precompiled(&p), entries);
}

static sl_status pull_by_kernels(product *r, cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    CUDA_TRY(clear_bits(r));
    if (sl_cuda_pulls_tiles(&r->p))
        CUDA_TRY(tile(r, M));
    CUDA_TRY(sl_cuda_take(s, &r->p.long_rows, (M->nnz / ROW_LONG + 1) * sizeof *r->p.long_rows));
    CUDA_TRY(sl_cuda_take(s, &r->p.long_count, sizeof *r->p.long_count));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, r->p.long_count, sizeof *r->p.long_count));
    return cuda_launched(s, "kernel pull_rows", sl_cuda_product_pull(&r->p, cuda_stream()));
}

static sl_status pull(product *r, cuda_matrix *M)
{
    bool full;
    if (r->vector) { /* of a full vector no bits need to be looked at */
        cuda_vector *u = cuda_vector_of(r->vector);
        CUDA_TRY(sl_cuda_count_entries(r->vector, u));
        r->p.u_bits = u->nvals == r->inner ? NULL : u->bits;
    }
    CUDA_TRY(walk(r, M, r->outer));
    CUDA_TRY(result_is_full(r, M, &full));
    if (full)
        r->t.bits = NULL;
    CUDA_TRY(make_kernels(r, CUDA_PROGRAM_PULL, M->nnz));
    if (sl_cuda_library_takes(&r->p, M, r->inner))
        return sl_cuda_library_multiply(&r->s, &r->p, M, r->inner);
    return pull_by_kernels(r, M);
}

static sl_status push(product *r, const cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    uint64_t *ends;
    CUDA_TRY(walk(r, M, r->inner));
    CUDA_TRY(clear_bits(r));
    if (r->plan.push_edges == 0)
        return SL_OK;
    CUDA_TRY(make_kernels(r, CUDA_PROGRAM_PUSH, M->nnz));
    /* Small values are changed with their neighbours, by whole words. */
    uint64_t size = sl_type_size(r->add->type), neighbours = size < 4 ? 4 / size : 1;
    uint64_t filled = (r->outer + neighbours - 1) / neighbours * neighbours;
    if (!r->p.any)
        CUDA_TRY(cuda_launched(s, "kernel fill",
                               sl_cuda_fill(r->p.t_values, &r->add->identity.as, sl_type_size(r->add->type),
                                            filled, cuda_processors(), cuda_stream())));
    uint64_t count = r->plan.frontier;
    CUDA_TRY(sl_cuda_take(s, &ends, count * sizeof *ends));
    CUDA_TRY(cuda_launched(
        s, "kernel row_lengths",
        sl_cuda_row_lengths(ends, r->p.start, r->list, count, cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_sum_ends(s->call->ctx, &s->arena, ends, count));
    return cuda_launched(
        s, "kernel push_rows",
        sl_cuda_product_push(&r->p, r->list, count, r->plan.push_edges, ends, cuda_stream()));
}

/* A survey of the vector that is not kept: waits for it. */
static sl_status survey_now(product *r, const cuda_matrix *M, cuda_counts *got)
{
    cuda_scratch *s = &r->s;
    sl_context *ctx = s->call->ctx;
    cuda_counts *counts;
    CUDA_TRY(sl_cuda_take(s, &r->list, r->inner * sizeof *r->list));
    CUDA_TRY(sl_cuda_take(s, &counts, sizeof *counts));
    CUDA_TRY(sl_cuda_zero(ctx, counts, sizeof *counts));
    CUDA_TRY(
        cuda_launched(s, "kernel survey",
                      sl_cuda_survey(r->list, counts, M->start, cuda_vector_of(r->vector)->bits,
                                     cuda_words(r->inner), r->p.todo, cuda_words(r->outer),
                                     cuda_processors(), cuda_stream())));
    return sl_cuda_fetch(ctx, "kernel survey", got, counts, sizeof *got);
}

/* The vector's entries as a list, what a push along M's rows would look at, and how much
 * the mask lets through, if that was counted. */
static sl_status list_entries(product *r, const cuda_matrix *M)
{
    cuda_frontier_list *survey;
    cuda_counts got;
    CUDA_TRY(sl_cuda_get_frontier_list(r->s.call->ctx, &survey, cuda_vector_of(r->vector), M));
    if (survey && survey->frontier.list) {
        got = (cuda_counts){.vertices = survey->counts->vertices,
                            .edges = survey->counts->edges,
                            .seen = UINT64_MAX};
        r->list = survey->frontier.list;
    } else {
        CUDA_TRY(survey_now(r, M, &got));
    }
    r->plan.frontier = got.vertices;
    r->plan.push_edges = got.edges;
    r->plan.missing = r->p.todo && got.seen <= r->outer ? got.seen : r->outer;
    /* Edges of what is missing are not counted: as many as its share of vertices. */
    r->plan.missing_edges =
        r->outer ? (uint64_t)((double)r->A->nnz * (double)r->plan.missing / (double)r->outer) : 0;
    return SL_OK;
}

/* ---- which way --------------------------------------------------------------------- */

/*
 * The matrix's other side: rows where it has columns. Where the product does not read
 * its values, what the library knows of the pattern will do: a symmetric matrix is
 * its own. Else it is made on the device, where `make` is, and kept.
 */
static sl_status other_side(product *r, cuda_matrix **other, bool make)
{
    *other = r->A->transposed;
    if (!reads_matrix(r)) {
        sl_matrix *At;
        CUDA_TRY(sl_matrix_transpose_pattern(&At, (sl_matrix *)r->matrix, false));
        if (At) {
            CUDA_TRY(sl_object_migrate(&At->object, &sl_store_cuda));
            *other = cuda_matrix_of(&At->object);
        }
    }
    return *other || !make ? SL_OK : sl_cuda_transposed(other, r->matrix, r->A);
}

/* A pull that ends at the first hit is a search's: its plan holds. Others look at all
 * that they may, but need no atomics. */
static bool push_is_less(product *r)
{
    if (!r->p.any)
        return r->plan.push_edges < r->A->nnz / PUSH_SHARE;
    sl_plan_decide(&r->plan, r->outer, r->A->nnz);
    return r->plan.direction == SL_PUSH;
}

/* True if the vector is known to have all entries: a push would look at all edges. */
static bool is_full(const product *r)
{
    return cuda_vector_of(r->vector)->nvals == r->inner && r->inner > 0;
}

static sl_status multiply(product *r)
{
    cuda_matrix *other;
    bool rows_are_outer = r->vector_first == r->transposed;
    CUDA_TRY(prepare(r));
    if (rows_are_outer) {
        CUDA_TRY(other_side(r, &other, false));
        if (r->vector && other && !is_full(r)) {
            CUDA_TRY(list_entries(r, other));
            if (push_is_less(r))
                return push(r, other);
        }
        return pull(r, r->A);
    }
    if (r->vector && !is_full(r)) {
        CUDA_TRY(list_entries(r, r->A));
        if (push_is_less(r) || r->plan.frontier == 0)
            return push(r, r->A);
    }
    CUDA_TRY(other_side(r, &other, true));
    return pull(r, other);
}

static sl_status run(product *r)
{
    sl_call *call = r->s.call;
    r->A = cuda_matrix_of(r->matrix);
    r->outer = call->out->nrows;
    r->inner = r->vector ? r->vector->nrows : (r->transposed ? r->matrix->nrows : r->matrix->ncols);
    sl_status status = multiply(r);
    if (status == SL_OK)
        status = sl_cuda_finish(&r->s, &r->t, r->p.todo, NULL);
    sl_cuda_done(&r->s);
    return status;
}

sl_status sl_cuda_vxm(sl_call *call)
{
    product r = {.s = {.call = call},
                 .matrix = call->b,
                 .vector = call->a,
                 .transposed = call->flags & SL_TRANSPOSE_B,
                 .vector_first = true,
                 .multiply = call->semiring->multiply,
                 .add = call->semiring->add};
    return sl_cuda_is_pattern_product(call) ? sl_cuda_pattern_product(call) : run(&r);
}

sl_status sl_cuda_mxv(sl_call *call)
{
    product r = {.s = {.call = call},
                 .matrix = call->a,
                 .vector = call->b,
                 .transposed = call->flags & SL_TRANSPOSE_A,
                 .multiply = call->semiring->multiply,
                 .add = call->semiring->add};
    return sl_cuda_is_pattern_product(call) ? sl_cuda_pattern_product(call) : run(&r);
}

/* Sums of rows are a product with a vector that is there everywhere and is not read. */
sl_status sl_cuda_reduce_rows(sl_call *call)
{
    product r = {.s = {.call = call},
                 .matrix = call->a,
                 .transposed = call->flags & SL_TRANSPOSE_A,
                 .multiply = sl_binary_op_get(SL_BINARY_FIRST, call->monoid->type),
                 .add = call->monoid};
    return run(&r);
}
