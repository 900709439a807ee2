/*
 * Products of a matrix and a vector: the choice between push and pull, and the parameters of the
 * kernels. A push traverses the rows of the vector's entries, a pull the rows of the result. One of
 * the two uses the matrix as it is, the other its transpose.
 */
#include <string.h>

#include "column_order.h"
#include "cusparse_products.h"
#include "jit.h"
#include "operations.h"
#include "reordered_products.h"

typedef struct {
    cuda_scratch s;
    sl_object *matrix, *vector; /* vector NULL: full and not read (row sums) */
    cuda_matrix *A;
    bool transposed; /* the descriptor transposes the matrix */
    bool vector_first;
    sl_binary_op multiply;
    sl_monoid add;
    uint64_t inner, outer; /* sizes of the vector and of the result */
    cuda_entries t;
    cuda_product p;
    /* the vector's entries, once listed */
    uint32_t *list;
    sl_plan plan;
    bool written; /* the product has been added to the output */
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

/* The type in which the operator reads the matrix. */
static sl_type matrix_type(const product *r)
{
    return r->vector_first ? r->multiply->type_y : r->multiply->type;
}

static sl_type vector_type(const product *r)
{
    return r->vector_first ? r->multiply->type : r->multiply->type_y;
}

/* What a positional operator refers to, in u(0, k) A(k, j) or in A(i, k) u(k, 0). */
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

/* Sets the operators. */
static void describe(product *r)
{
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
}

/* Sets what push and pull have in common. */
static sl_status prepare(product *r)
{
    cuda_scratch *s = &r->s;
    describe(r);
    CUDA_TRY(sl_cuda_allowed_bits(s, &r->p.allowed));
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

/* Sets the rows to traverse: those of M, the matrix or its transpose. */
static sl_status set_traversed_rows(product *r, const cuda_matrix *M, uint64_t rows)
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
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &made, M->nnz * sl_type_size(matrix_type(r))));
    r->p.values = made;
    return cuda_launched(&r->s, "kernel cast",
                         sl_cuda_cast(made, matrix_type(r), M->values, r->matrix->type, NULL,
                                      M->nnz, cuda_processors(), cuda_stream()));
}

/* The kernels only set bits. */
static sl_status clear_bits(product *r)
{
    return sl_cuda_zero(r->s.call->ctx, r->p.bits, cuda_words(r->outer) * sizeof *r->p.bits);
}

/* ---- push and pull -------------------------------------------------------------- */

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

/* Determines whether all rows of M have entries, and the longest row, which are kept with M. */
static sl_status count_rows(product *r, cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    sl_context *ctx = s->call->ctx;
    uint64_t words = cuda_words(r->outer);
    unsigned long long *count, counted[2]; /* rows with entries; entries of the longest */
    uint32_t *there;
    CUDA_TRY(sl_cuda_scratch_take(s, &there, words * sizeof *there));
    CUDA_TRY(sl_cuda_scratch_take(s, &count, sizeof counted));
    CUDA_TRY(sl_cuda_zero(ctx, count, sizeof counted));
    CUDA_TRY(cuda_launched(
        s, "kernel nonempty_rows",
        sl_cuda_nonempty_rows(there, M->start, r->outer, cuda_processors(), cuda_stream())));
    CUDA_TRY(
        cuda_launched(s, "kernel count_bits",
                      sl_cuda_count_bits(count, there, words, cuda_processors(), cuda_stream())));
    CUDA_TRY(cuda_launched(
        s, "kernel longest_row",
        sl_cuda_longest_row(count + 1, M->start, r->outer, cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel longest_row", counted, count, sizeof counted));
    M->rows = counted[0] == r->outer ? CUDA_ROWS_ALL : CUDA_ROWS_SOME;
    M->longest_row = counted[1];
    return SL_OK;
}

/* True if the result is known to be full: the vector is full, there is no mask, and all rows
 * have entries. */
static sl_status result_is_full(product *r, cuda_matrix *M, bool *full)
{
    *full = !r->p.u_bits && !r->p.allowed && r->outer > 0 && M->nnz >= r->outer;
    if (*full && M->rows == CUDA_ROWS_UNKNOWN)
        CUDA_TRY(count_rows(r, M));
    *full = *full && M->rows == CUDA_ROWS_ALL;
    return SL_OK;
}

static sl_status make_kernels(product *r, cuda_program_kind kind, uint64_t entries)
{
    const cuda_product p = cuda_product_over(r->add, r->multiply);
    return sl_cuda_compile_product(r->s.call->ctx, &r->p.made, kind, r->add, r->multiply,
                                   sl_cuda_product_is_precompiled(&p), entries);
}

static sl_status take_long_rows(product *r, const cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    CUDA_TRY(
        sl_cuda_scratch_take(s, &r->p.long_rows, (M->nnz / ROW_LONG + 1) * sizeof *r->p.long_rows));
    CUDA_TRY(sl_cuda_scratch_take(s, &r->p.long_count, sizeof *r->p.long_count));
    return sl_cuda_zero(s->call->ctx, r->p.long_count, sizeof *r->p.long_count);
}

static sl_status pull_by_kernels(product *r, cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    if (r->t.bits)
        CUDA_TRY(clear_bits(r));
    r->p.short_rows = M->rows != CUDA_ROWS_UNKNOWN && M->longest_row < ROW_LONG;
    if (sl_cuda_pulls_tiles(&r->p))
        CUDA_TRY(tile(r, M));
    if (sl_cuda_pull_has_long_rows(&r->p))
        CUDA_TRY(take_long_rows(r, M));
    return cuda_launched(s, "kernel pull_rows", sl_cuda_product_pull(&r->p, cuda_stream()));
}

/* True if each result is the number of a row's entries. */
static bool counts_rows(const product *r)
{
    return r->vector && !r->add->op->user && !r->multiply->user && !r->p.u_bits && !r->p.allowed &&
           r->p.kind == CUDA_VALUES && r->p.multiply == SL_BINARY_PAIR &&
           r->p.add == SL_BINARY_PLUS && r->add->type != SL_BOOL;
}

/* True if sums in another order can be added to the output itself: it is full, is not the vector, there is
 * no mask, and the accumulator is plus of its type. */
static bool adds_to_output(const product *r)
{
    const sl_call *call = r->s.call;
    return !r->p.allowed && call->accum && call->accum->code == SL_BINARY_PLUS &&
           !call->accum->user && call->out != r->vector && cuda_vector_of(call->out)->full &&
           sl_cuda_accumulates_in_place(call, &r->t);
}

/* *done: sums in another order apply, and have run. They are of all rows: a mask is applied when they are
 * written to the output. */
static sl_status pull_in_order(product *r, cuda_matrix *M, bool *done)
{
    cuda_neighbour_sums sums;
    cuda_vector *out = cuda_vector_of(r->s.call->out);
    CUDA_TRY(sl_cuda_find_sums(&r->s, &sums, &r->p, M, r->vector,
                               ((const sl_matrix *)r->matrix)->symmetry == SL_SYMMETRIC, done));
    if (!*done)
        return out->in_order ? sl_fail(r->s.call->ctx, SL_NO_MEMORY,
                                       "cuda: no memory for the sums of a product")
                             : SL_OK;
    r->t.masked = !r->p.allowed;
    r->written = adds_to_output(r) || out->in_order;
    return sl_cuda_neighbour_sums(&r->s, &sums, &r->p, r->written ? out : NULL,
                                  r->written ? NULL : r->t.bits);
}

static sl_status pull(product *r, cuda_matrix *M)
{
    bool full, done;
    if (r->vector) { /* the bits of a full vector need not be read */
        cuda_vector *u = cuda_vector_of(r->vector);
        CUDA_TRY(sl_cuda_count_entries(r->vector, u));
        r->p.u_bits = u->nvals == r->inner ? NULL : u->bits;
    }
    CUDA_TRY(set_traversed_rows(r, M, r->outer));
    CUDA_TRY(result_is_full(r, M, &full));
    if (full)
        r->t.bits = NULL;
    if (counts_rows(r))
        return cuda_launched(&r->s, "kernel row_counts",
                             sl_cuda_row_counts(r->t.bits, r->p.t_values, r->add->type, M->start,
                                                r->outer, cuda_processors(), cuda_stream()));
    CUDA_TRY(pull_in_order(r, M, &done));
    if (done)
        return SL_OK;
    CUDA_TRY(make_kernels(r, CUDA_PROGRAM_PULL, M->nnz));
    if (sl_cuda_cusparse_supports(&r->p, M, r->inner))
        return sl_cuda_cusparse_spmv(&r->s, &r->p, M, r->inner);
    CUDA_TRY(sl_cuda_order_columns(&r->s, &r->p, M, r->inner, sl_type_size(vector_type(r))));
    return pull_by_kernels(r, M);
}

static sl_status push(product *r, const cuda_matrix *M)
{
    cuda_scratch *s = &r->s;
    uint64_t *ends;
    CUDA_TRY(set_traversed_rows(r, M, r->inner));
    CUDA_TRY(clear_bits(r));
    if (r->plan.push_edges == 0)
        return SL_OK;
    CUDA_TRY(make_kernels(r, CUDA_PROGRAM_PUSH, M->nnz));
    /* atomics on small values access whole words */
    uint64_t size = sl_type_size(r->add->type), neighbours = size < 4 ? 4 / size : 1;
    uint64_t filled = (r->outer + neighbours - 1) / neighbours * neighbours;
    if (!r->p.any)
        CUDA_TRY(cuda_launched(s, "kernel fill",
                               sl_cuda_fill(r->p.t_values, &r->add->identity.as,
                                            sl_type_size(r->add->type), filled, cuda_processors(),
                                            cuda_stream())));
    uint64_t count = r->plan.frontier;
    CUDA_TRY(sl_cuda_scratch_take(s, &ends, count * sizeof *ends));
    CUDA_TRY(cuda_launched(
        s, "kernel row_lengths",
        sl_cuda_row_lengths(ends, r->p.start, r->list, count, cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_sum_ends(s->call->ctx, &s->arena, ends, count));
    return cuda_launched(
        s, "kernel push_rows",
        sl_cuda_product_push(&r->p, r->list, count, r->plan.push_edges, ends, cuda_stream()));
}

/* Counts and lists the vector's entries, and waits. */
static sl_status count_vertices_now(product *r, const cuda_matrix *M, cuda_counts *got)
{
    cuda_scratch *s = &r->s;
    sl_context *ctx = s->call->ctx;
    cuda_counts *counts;
    CUDA_TRY(sl_cuda_scratch_take(s, &r->list, r->inner * sizeof *r->list));
    CUDA_TRY(sl_cuda_scratch_take(s, &counts, sizeof *counts));
    CUDA_TRY(sl_cuda_zero(ctx, counts, sizeof *counts));
    CUDA_TRY(cuda_launched(
        s, "kernel frontier_list",
        sl_cuda_list_vertices(r->list, counts, M->start, cuda_vector_of(r->vector)->bits,
                              cuda_words(r->inner), r->p.allowed, cuda_words(r->outer),
                              cuda_processors(), cuda_stream())));
    return sl_cuda_fetch(ctx, "kernel frontier_list", got, counts, sizeof *got);
}

/* The vector's entries as a list, the edges of a push along M's rows, and the number of indices
 * that the mask allows, if it was counted. */
static sl_status list_entries(product *r, const cuda_matrix *M)
{
    cuda_frontier_list *frontier_list;
    cuda_counts got;
    CUDA_TRY(
        sl_cuda_get_frontier_list(r->s.call->ctx, &frontier_list, cuda_vector_of(r->vector), M));
    if (frontier_list && frontier_list->frontier.list) {
        got = (cuda_counts){.vertices = frontier_list->counts->vertices,
                            .edges = frontier_list->counts->edges,
                            .seen = UINT64_MAX};
        r->list = frontier_list->frontier.list;
    } else {
        CUDA_TRY(count_vertices_now(r, M, &got));
    }
    r->plan.frontier = got.vertices;
    r->plan.push_edges = got.edges;
    r->plan.unvisited = r->p.allowed && got.seen <= r->outer ? got.seen : r->outer;
    /* Edges of the allowed rows are estimated by their share of all vertices. */
    r->plan.unvisited_edges =
        r->outer ? (uint64_t)((double)r->A->nnz * (double)r->plan.unvisited / (double)r->outer) : 0;
    return SL_OK;
}

/* ---- the choice --------------------------------------------------------------------- */

/* The transpose of the matrix. If the product does not read values, the pattern is enough, and a
 * symmetric matrix is its own transpose. Otherwise it is computed on the device and kept. */
static sl_status transposed_matrix(product *r, cuda_matrix **other, bool make)
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

/* A pull that ends at the first hit uses the cost model of searches. Other pulls examine all
 * rows that the mask allows, but need no atomics. */
static bool push_examines_less(product *r)
{
    if (!r->p.any)
        return r->plan.push_edges < r->A->nnz / PUSH_SHARE;
    sl_plan_decide(&r->plan, r->outer, r->A->nnz);
    return r->plan.direction == SL_PUSH;
}

/* True if the vector is known to be full: a push would examine all edges. */
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
        CUDA_TRY(transposed_matrix(r, &other, false));
        if (r->vector && other && !is_full(r)) {
            CUDA_TRY(list_entries(r, other));
            if (push_examines_less(r))
                return push(r, other);
        }
        return pull(r, r->A);
    }
    if (r->vector && !is_full(r)) {
        CUDA_TRY(list_entries(r, r->A));
        if (push_examines_less(r) || r->plan.frontier == 0)
            return push(r, r->A);
    }
    CUDA_TRY(transposed_matrix(r, &other, true));
    return pull(r, other);
}

static sl_status run(product *r)
{
    sl_call *call = r->s.call;
    r->A = cuda_matrix_of(r->matrix);
    r->outer = call->out->nrows;
    r->inner = r->vector ? r->vector->nrows : (r->transposed ? r->matrix->nrows : r->matrix->ncols);
    sl_status status = multiply(r);
    if (status == SL_OK && !r->written)
        status = sl_cuda_write_same(call->out, cuda_vector_of(call->out));
    if (status == SL_OK && !r->written)
        status = sl_cuda_write_output(&r->s, &r->t, r->p.allowed, NULL);
    sl_cuda_scratch_release(&r->s);
    return status;
}

static sl_status dispatch(product *r)
{
    sl_call *call = r->s.call;
    if (sl_cuda_is_few_entries_product(call) || sl_cuda_is_pattern_product(call))
        CUDA_TRY(sl_cuda_write_same(call->out, cuda_vector_of(call->out)));
    if (sl_cuda_is_few_entries_product(call))
        return sl_cuda_few_entries_product(call);
    return sl_cuda_is_pattern_product(call) ? sl_cuda_pattern_product(call) : run(r);
}

static product product_of(sl_call *call)
{
    const bool vxm = call->op == SL_OP_VXM;
    return (product){.s = {.call = call},
                     .matrix = vxm ? call->b : call->a,
                     .vector = vxm ? call->a : call->b,
                     .transposed = call->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A),
                     .vector_first = vxm,
                     .multiply = call->semiring->multiply,
                     .add = call->semiring->add};
}

sl_status sl_cuda_matrix_vector(sl_call *call)
{
    product r = product_of(call);
    return dispatch(&r);
}

cuda_matrix *sl_cuda_summed_matrix(sl_call *call)
{
    product r = product_of(call);
    const cuda_vector *u = sl_handle(r.vector, &sl_store_cuda);
    r.A = sl_handle(r.matrix, &sl_store_cuda);
    if (!u || !u->values || u->same || u->nvals != r.vector->nrows || !r.A || r.A->reordered_only ||
        reads_matrix(&r) || !reads_vector(&r) || r.vector->type != vector_type(&r))
        return NULL;
    describe(&r);
    r.p.u_values = u->values;
    if (!sl_cuda_sums_values(&r.p))
        return NULL;
    return r.vector_first == r.transposed ? r.A : r.A->transposed;
}

/* Sums of rows are a product with a full vector; its values are not read. */
sl_status sl_cuda_reduce_rows(sl_call *call)
{
    product r = {.s = {.call = call},
                 .matrix = call->a,
                 .transposed = call->flags & SL_TRANSPOSE_A,
                 .multiply = sl_binary_op_get(SL_BINARY_FIRST, call->monoid->type),
                 .add = call->monoid};
    return run(&r);
}
