/*
 * Products of matrices in pieces of rows, between which the call can be cancelled, because GraphBLAS cannot be
 * interrupted within a call. Only a product that takes longer than a fraction of a second is divided.
 *
 * The work of a row of C = A B is the number of its multiplications, the sum of the lengths of the rows of B
 * that A's row selects; of a masked C<M> = A B', which GraphBLAS computes by one dot product for each entry of
 * M, it is the sum of the lengths of the rows that are multiplied. Rows are added to a piece until their work
 * exceeds a limit. The results of the pieces are appended to the arrays of one matrix, so that memory holds the
 * result once. Counting the work reads A once; this and the copies of rows are a few percent of a product whose
 * rows of B have several entries.
 */
#include "suitesparse/row_results.h"

/* Work for each thread of a product that is divided, about a second, and of a piece. The entries of a Kronecker
 * product, which are computed as fast as they are copied, are still in the cache when they are appended. A
 * user-defined operator may take a nanosecond or, in Python, many microseconds: its pieces are joined until they
 * take a fraction of a second. */
static const uint64_t long_work = (uint64_t)1 << 26, long_user_defined = (uint64_t)1 << 20;
static const uint64_t piece_multiplications = (uint64_t)1 << 22;
static const uint64_t piece_entries = (uint64_t)1 << 18;
static const uint64_t piece_user_defined = (uint64_t)1 << 14;
static const double joined_seconds = 0.1;

/* Whether a function of the caller's computes the entries. */
static bool is_user_defined(const sl_call *call)
{
    return call->op == SL_OP_MXM
               ? call->operators.semiring->multiply->user || call->operators.semiring->add->op->user
               : call->operators.binary->user != NULL;
}

static uint64_t least_long_work(const sl_call *call)
{
    const uint64_t each = is_user_defined(call) ? long_user_defined : long_work;
    return each * (uint64_t)sl_context_threads(call->ctx);
}

static uint64_t most_work(const sl_call *call)
{
    const uint64_t each = is_user_defined(call)   ? piece_user_defined
                          : call->op == SL_OP_MXM ? piece_multiplications
                                                  : piece_entries;
    return each * (uint64_t)sl_context_threads(call->ctx);
}

/* ---- the pieces ---------------------------------------------------------------------- */

/* A product that may be divided. */
typedef struct {
    const sl_call *call;
    GrB_Matrix a, b;           /* operands */
    GrB_Matrix made_a, made_b; /* copies that are not transposed, or NULL */
    unsigned flags;            /* of the product of a and b */
    sl_type type;              /* of the result */
    uint64_t nrows, ncols;     /* its shape */
    uint64_t height;           /* rows of the result for a row of a */
    bool masked;               /* the pieces are computed under the mask */
    bool restricted;           /* there is a mask, and it is not complemented */
    bool dots;                 /* by dot products */
    sl_grb_rows rows, b_rows, mask_rows;
    uint64_t *ends, pieces, capacity; /* the first row of A after each piece */
} product;

/* Replaces an operand that the descriptor transposes by its transpose. */
static GrB_Info transpose(GrB_Matrix *made, GrB_Matrix *operand, product *p, unsigned flag)
{
    GrB_Index nrows, ncols;
    GrB_Type type = NULL;
    GrB_Info info = GrB_Matrix_nrows(&nrows, *operand);
    if (!(p->flags & flag) || info != GrB_SUCCESS)
        return info;
    info = GrB_Matrix_ncols(&ncols, *operand);
    if (info == GrB_SUCCESS)
        info = GxB_Matrix_type(&type, *operand);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_new(made, type, ncols, nrows);
    if (info == GrB_SUCCESS)
        info = sl_grb_set_by_row(*made, true);
    if (info == GrB_SUCCESS)
        info = GrB_transpose(*made, NULL, NULL, *operand, sl_grb_descriptor(p->call->ctx, 0));
    *operand = *made;
    p->flags &= ~flag;
    return info;
}

/* The work of a row of B with so many entries, of which the mask allows at most `allowed`: GraphBLAS looks for these
 * few in a long row. */
static uint64_t work_of_term(uint64_t length, uint64_t allowed)
{
    enum { LONGER = 64, SEARCH = 16 };
    return allowed < length / LONGER ? allowed * SEARCH : length;
}

/* The work of the row at position k of A's list. */
static uint64_t work_of(const product *p, uint64_t k)
{
    const sl_grb_rows *A = &p->rows;
    const uint64_t length = A->start ? A->start[k + 1] - A->start[k] : A->length;
    uint64_t work = length;
    if (p->call->op == SL_OP_KRONECKER)
        return work + length * p->b_rows.nvals;
    if (p->dots) {
        const sl_grb_rows *M = &p->mask_rows;
        const uint64_t row = A->list ? A->list[k] : k;
        return work +
               sl_grb_row_length(M, row) * (length + p->b_rows.nvals / (p->b_rows.count + 1));
    }
    if (!A->start)
        return work + p->b_rows.nvals;
    const uint64_t allowed =
        p->restricted ? sl_grb_row_length(&p->mask_rows, A->list ? A->list[k] : k) : UINT64_MAX;
    for (uint64_t e = A->start[k]; e < A->start[k + 1]; e++)
        work += work_of_term(sl_grb_row_length(&p->b_rows, A->cols[e]), allowed);
    return work;
}

static bool add_end(product *p, uint64_t end)
{
    if (p->pieces == p->capacity) {
        const uint64_t capacity = 2 * p->capacity + 16;
        uint64_t *larger = sl_realloc(p->ends, capacity * sizeof *larger);
        if (!larger)
            return false;
        p->ends = larger;
        p->capacity = capacity;
    }
    p->ends[p->pieces++] = end;
    return true;
}

/* Divides the rows of A, into one piece if the product is short. Blocks of rows are counted on all
 * threads; a piece is a run of blocks. */
static GrB_Info divide(product *p)
{
    enum {
        BLOCK = 256
    }; /* entries of a block, about, or as many as make a piece of a Kronecker product */
    const int threads = sl_context_threads(p->call->ctx);
    const uint64_t rows = p->rows.count, limit = most_work(p->call);
    const uint64_t each = p->rows.nvals / (rows + 1) + 1; /* entries of a row */
    const uint64_t of_piece =
        p->call->op == SL_OP_KRONECKER ? limit / (p->b_rows.nvals + 1) + 1 : BLOCK;
    const uint64_t block = of_piece < BLOCK ? of_piece : BLOCK;
    const uint64_t size = each > block ? 1 : block / each, blocks = (rows + size - 1) / size;
    uint64_t sum = 0, all = 0;
    uint64_t *work = sl_malloc((blocks + 1) * sizeof *work);
    if (!work)
        return GrB_OUT_OF_MEMORY;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) reduction(+ : all) if (blocks > 16)
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t end = (b + 1) * size < rows ? (b + 1) * size : rows;
        work[b] = 0;
        for (uint64_t k = b * size; k < end; k++)
            work[b] += work_of(p, k);
        all += work[b];
    }
    bool enough = true;
    for (uint64_t b = 0; b < blocks && enough && all > least_long_work(p->call); b++) {
        if (sum > 0 && sum + work[b] > limit) {
            enough = add_end(p, p->rows.list ? p->rows.list[b * size] : b * size);
            sum = 0;
        }
        sum += work[b];
    }
    sl_free(work);
    return enough && add_end(p, p->nrows / p->height) ? GrB_SUCCESS : GrB_OUT_OF_MEMORY;
}

/* Rows `begin` to `end` - 1 of a matrix. */
static GrB_Info take_rows(GrB_Matrix *part, const product *p, GrB_Matrix A, uint64_t begin,
                          uint64_t end)
{
    const GrB_Index range[] = {begin, end - 1};
    GrB_Index ncols;
    GrB_Type type;
    GrB_Info info = GrB_Matrix_ncols(&ncols, A);
    if (info == GrB_SUCCESS)
        info = GxB_Matrix_type(&type, A);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_new(part, type, end - begin, ncols);
    if (info == GrB_SUCCESS)
        info = sl_grb_set_by_row(*part, true);
    return info == GrB_SUCCESS ? GrB_Matrix_extract(*part, NULL, NULL, A, range, GxB_RANGE, GrB_ALL,
                                                    0, sl_grb_descriptor(p->call->ctx, 0))
                               : info;
}

/* C<M> = C accum A b by the call's operator; the flags come from the descriptor. */
static GrB_Info multiply(const product *p, GrB_Matrix C, GrB_Matrix M, GrB_BinaryOp accum,
                         GrB_Matrix A, unsigned flags)
{
    const sl_call *call = p->call;
    if (call->op == SL_OP_MXM)
        return sl_grb_multiply_matrices(C, M, accum, call, A, p->b, flags);
    return GrB_Matrix_kronecker_BinaryOp(C, M, accum, sl_grb_binary(call->operators.binary), A,
                                         p->b, sl_grb_descriptor(call->ctx, flags));
}

/* Appends the result for rows `begin` to `end` - 1 of A. */
static GrB_Info append_piece(sl_grb_row_results *result, const product *p, uint64_t begin,
                             uint64_t end)
{
    const unsigned of_mask = p->masked ? p->call->flags & (SL_COMPLEMENT | SL_STRUCTURE) : 0;
    GrB_Matrix A = NULL, M = NULL, T = NULL;
    GrB_Info info = take_rows(&A, p, p->a, begin, end);
    if (info == GrB_SUCCESS && p->masked)
        info = take_rows(&M, p, sl_grb_matrix(p->call->mask), begin, end);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_new(&T, sl_grb_type(p->type), (end - begin) * p->height, p->ncols);
    if (info == GrB_SUCCESS)
        info = sl_grb_set_by_row(T, true);
    if (info == GrB_SUCCESS)
        info = multiply(p, T, M, NULL, A, p->flags | of_mask);
    if (info == GrB_SUCCESS)
        info = sl_grb_append_rows(result, T, begin * p->height, sl_grb_descriptor(p->call->ctx, 0));
    GrB_Matrix_free(&T);
    GrB_Matrix_free(&M);
    GrB_Matrix_free(&A);
    return info;
}

/* out<mask> = out accum T, where T has the entries of the list. */
static GrB_Info write(const product *p, sl_grb_row_results *result)
{
    const sl_call *call = p->call;
    const sl_object *out = call->out;
    const unsigned kept = SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE;
    GrB_Descriptor plain = sl_grb_descriptor(call->ctx, 0);
    if (!call->mask && !call->accum && out->type == p->type)
        return sl_grb_pack_rows(sl_grb_matrix(out), result, plain);
    GrB_Matrix T = NULL;
    GrB_Info info = GrB_Matrix_new(&T, sl_grb_type(p->type), p->nrows, p->ncols);
    if (info == GrB_SUCCESS)
        info = sl_grb_set_by_row(T, true);
    if (info == GrB_SUCCESS)
        info = sl_grb_pack_rows(T, result, plain);
    if (info == GrB_SUCCESS && call->accum)
        info = GrB_Matrix_wait(T, GrB_MATERIALIZE); /* apply.c says why */
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_apply(sl_grb_matrix(out), sl_grb_matrix(call->mask),
                                sl_grb_binary(call->accum),
                                sl_grb_unary(sl_unary_op_get(SL_UNARY_IDENTITY, p->type)), T,
                                sl_grb_descriptor(call->ctx, call->flags & kept));
    GrB_Matrix_free(&T);
    return info;
}

static sl_status run_pieces(const product *p)
{
    sl_context *ctx = p->call->ctx;
    const char *name = sl_operation_name(p->call->op);
    const bool joins = is_user_defined(p->call);
    sl_grb_row_results result = {
        .type = p->type, .total = p->pieces, .threads = sl_context_threads(p->call->ctx)};
    sl_progress progress = {.operation = name, .total = p->pieces};
    sl_status status = SL_OK;
    sl_progress_begin(ctx, &progress);
    for (uint64_t k = 0, count = 1, begin = 0; k < p->pieces && status == SL_OK;) {
        const double started = sl_seconds();
        k = count < p->pieces - k ? k + count : p->pieces;
        status = sl_grb_status(ctx, name, append_piece(&result, p, begin, p->ends[k - 1]));
        begin = p->ends[k - 1];
        progress.done = result.done = k;
        if (joins && sl_seconds() - started < joined_seconds)
            count *= 2;
        else if (count > 1)
            count /= 2;
        if (status == SL_OK && k < p->pieces)
            status = sl_interrupted(ctx, name);
    }
    sl_progress_end(ctx, &progress);
    if (status == SL_OK)
        status = sl_grb_status(ctx, name, write(p, &result));
    sl_grb_free_rows(&result);
    return status;
}

/* True if the product cannot be long, by the numbers of entries alone: an entry of A meets the entries of one row of B,
 * and an entry of B each row of A once at most. Dot products under a mask read rows again. */
static GrB_Info is_short(bool *small, const product *p)
{
    GrB_Index of_a = 0, of_b = 0, width;
    const uint64_t limit = least_long_work(p->call);
    GrB_Info info = GrB_Matrix_nvals(&of_a, p->a);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_nvals(&of_b, p->b);
    width = p->call->op == SL_OP_KRONECKER || p->dots || of_b < p->ncols ? of_b : p->ncols;
    *small = width == 0 || of_a <= limit / width;
    if (p->call->op == SL_OP_MXM && !p->dots && info == GrB_SUCCESS)
        *small = *small || of_b <= limit / p->nrows;
    return info;
}

/* Prepares the operands and the pieces. GrB_NO_VALUE: GraphBLAS is to run the product at once. */
static GrB_Info prepare(product *p)
{
    const sl_call *call = p->call;
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, 0);
    bool small, by_row;
    p->restricted = p->masked && !(call->flags & SL_COMPLEMENT);
    p->dots = p->restricted && p->flags & SL_TRANSPOSE_B;
    GrB_Info info = is_short(&small, p);
    if (info == GrB_SUCCESS && small)
        return GrB_NO_VALUE;
    if (info == GrB_SUCCESS)
        info = sl_grb_is_by_row(&by_row, sl_grb_matrix(call->out));
    if (info == GrB_SUCCESS && !by_row)
        return GrB_NO_VALUE;
    if (info == GrB_SUCCESS)
        info = transpose(&p->made_a, &p->a, p, SL_TRANSPOSE_A);
    if (info == GrB_SUCCESS && !p->dots)
        info = transpose(&p->made_b, &p->b, p, SL_TRANSPOSE_B);
    if (info == GrB_SUCCESS)
        info = sl_grb_view_rows(&p->b_rows, p->b, desc);
    if (info == GrB_SUCCESS && p->restricted)
        info = sl_grb_view_rows(&p->mask_rows, sl_grb_matrix(call->mask), desc);
    if (info == GrB_SUCCESS)
        info = sl_grb_view_rows(&p->rows, p->a, desc);
    return info == GrB_SUCCESS ? divide(p) : info;
}

/* The product as one piece, of the transposed operands that were made to count its work. */
static sl_status run_whole(const product *p)
{
    const sl_call *call = p->call;
    const unsigned others = ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B);
    return sl_grb_status(call->ctx, sl_operation_name(call->op),
                         multiply(p, sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                  sl_grb_binary(call->accum), p->a,
                                  p->flags | (call->flags & others)));
}

/* *ran: the product has run, or failed; otherwise it is short. */
static sl_status run_if_long(product *p, bool *ran)
{
    const GrB_Info info = prepare(p);
    const bool made = p->made_a || p->made_b;
    sl_status status = SL_OK;
    *ran = info != GrB_NO_VALUE && (info != GrB_SUCCESS || p->pieces > 1 || made);
    if (*ran && info != GrB_SUCCESS)
        status = sl_grb_status(p->call->ctx, sl_operation_name(p->call->op), info);
    else if (*ran)
        status = p->pieces > 1 ? run_pieces(p) : run_whole(p);
    sl_free(p->ends);
    GrB_Matrix_free(&p->made_a);
    GrB_Matrix_free(&p->made_b);
    return status;
}

static bool writes_nothing(const sl_call *call)
{
    return !call->mask && call->flags & SL_COMPLEMENT;
}

sl_status sl_grb_mxm_in_pieces(bool *ran, const sl_call *call, GrB_Matrix a, GrB_Matrix b)
{
    product p = {.call = call,
                 .a = a,
                 .b = b,
                 .flags = call->flags & (SL_TRANSPOSE_A | SL_TRANSPOSE_B),
                 .type = call->operators.semiring->result,
                 .nrows = call->out->nrows,
                 .ncols = call->out->ncols,
                 .height = 1,
                 .masked = call->mask};
    *ran = false;
    return writes_nothing(call) ? SL_OK : run_if_long(&p, ran);
}

/* A positional operator would count rows from the beginning of a piece. */
sl_status sl_grb_kronecker_in_pieces(bool *ran, const sl_call *call)
{
    product p = {.call = call,
                 .a = sl_grb_matrix(call->a),
                 .b = sl_grb_matrix(call->b),
                 .flags = call->flags & (SL_TRANSPOSE_A | SL_TRANSPOSE_B),
                 .type = call->operators.binary->result,
                 .nrows = call->out->nrows,
                 .ncols = call->out->ncols,
                 .height = call->flags & SL_TRANSPOSE_B ? call->b->ncols : call->b->nrows};
    *ran = false;
    return writes_nothing(call) || call->operators.binary->positional ? SL_OK
                                                                      : run_if_long(&p, ran);
}
