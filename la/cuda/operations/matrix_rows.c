/* What operations on matrices share: matching entries, filters, unions, the write through mask
 * and accumulator. */
#include "cuda/operations/matrix_rows.h"

sl_status sl_cuda_rows_of(cuda_rows *rows, sl_object *object, bool transposed)
{
    cuda_matrix *A = cuda_matrix_of(object);
    if (transposed)
        CUDA_TRY(sl_cuda_transposed(&A, object, A));
    *rows = (cuda_rows){.type = object->type,
                        .nrows = transposed ? object->ncols : object->nrows,
                        .nnz = A->nnz,
                        .start = A->start,
                        .index = A->index,
                        .values = A->values};
    return SL_OK;
}

sl_status sl_cuda_rows_cast(cuda_scratch *s, cuda_rows *rows, sl_type type)
{
    sl_type from = rows->type;
    void *made;
    rows->type = type;
    if (from == type || !rows->values)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &made, rows->nnz * sl_type_size(type)));
    const void *values = rows->values;
    rows->values = made;
    return cuda_launched(s, "kernel cast", sl_cuda_cast(made, type, values, from, NULL, rows->nnz));
}

sl_status sl_cuda_rows_fill(cuda_scratch *s, cuda_rows *rows)
{
    if (rows->values)
        return SL_OK;
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), rows->type);
    CUDA_TRY(sl_cuda_scratch_take(s, &rows->values, rows->nnz * sl_type_size(rows->type)));
    return cuda_launched(s, "kernel fill",
                         sl_cuda_fill(rows->values, &one.as, sl_type_size(rows->type), rows->nnz));
}

static sl_status sum_few(cuda_scratch *s, uint64_t *sum, uint64_t *terms, uint64_t count)
{
    unsigned long long stamp, last = 0;
    cuda_stamped_count *pinned = sl_cuda_lock_stamped(&stamp);
    const sl_status status =
        cuda_launched(s, "scan", sl_cuda_scan_few(terms, (uint32_t)count, pinned, stamp));
    CUDA_TRY(sl_cuda_unlock_stamped(s->call->ctx, "scan", status, &last, 1));
    *sum = last;
    return SL_OK;
}

sl_status sl_cuda_sum(cuda_scratch *s, uint64_t *sum, uint64_t *terms, uint64_t count)
{
    *sum = 0;
    if (count == 0)
        return SL_OK;
    if (count <= SCAN_FEW)
        return sum_few(s, sum, terms, count);
    CUDA_TRY(sl_cuda_sum_ends(s->call->ctx, &s->arena, terms, count));
    return sl_cuda_fetch(s->call->ctx, "scan", sum, terms + count - 1, sizeof *sum);
}

static sl_status allocate(cuda_scratch *s, cuda_rows *to, bool values)
{
    CUDA_TRY(sl_cuda_scratch_take(s, &to->start, (to->nrows + 1) * sizeof *to->start));
    CUDA_TRY(sl_cuda_scratch_take(s, &to->index, to->nnz * sizeof *to->index));
    to->values = NULL;
    return values ? sl_cuda_scratch_take(s, &to->values, to->nnz * sl_type_size(to->type)) : SL_OK;
}

sl_status sl_cuda_take_kept(cuda_scratch *s, cuda_kept *kept, uint64_t nnz)
{
    CUDA_TRY(sl_cuda_scratch_take(s, &kept->bits, cuda_words(nnz) * sizeof *kept->bits));
    return sl_cuda_scratch_take(s, &kept->ends, cuda_words(nnz) * sizeof *kept->ends);
}

/* After a kernel has chosen: sums kept->ends; *count is the number of entries that are kept. Waits. */
static sl_status sum_kept(cuda_scratch *s, uint64_t *count, cuda_kept *kept, uint64_t nnz)
{
    return sl_cuda_sum(s, count, kept->ends, cuda_words(nnz));
}

sl_status sl_cuda_rows_filter(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                              cuda_kept *kept)
{
    cuda_rows made = *from;
    CUDA_TRY(sum_kept(s, &made.nnz, kept, from->nnz));
    CUDA_TRY(allocate(s, &made, from->values != NULL));
    const cuda_matrix_rows rows = sl_cuda_view_rows(from);
    CUDA_TRY(cuda_launched(s, "kernel filter",
                           sl_cuda_filter(made.start, made.index, made.values, kept, &rows)));
    *to = made;
    return SL_OK;
}

sl_status sl_cuda_rows_keep_flagged(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                                    const bool *flag)
{
    cuda_kept kept;
    CUDA_TRY(sl_cuda_take_kept(s, &kept, from->nnz));
    CUDA_TRY(cuda_launched(s, "kernel keep_flagged", sl_cuda_keep_flagged(&kept, flag, from->nnz)));
    return sl_cuda_rows_filter(s, to, from, &kept);
}

sl_status sl_cuda_rows_keep_matched(cuda_scratch *s, uint64_t **partner, cuda_kept *kept,
                                    const cuda_rows *A, const cuda_rows *B, const bool *truth,
                                    bool complement)
{
    CUDA_TRY(sl_cuda_take_kept(s, kept, A->nnz));
    if (partner)
        CUDA_TRY(sl_cuda_scratch_take(s, partner, A->nnz * sizeof **partner));
    const cuda_match m = {.A = sl_cuda_view_rows(A),
                          .B = sl_cuda_view_rows(B),
                          .truth = truth,
                          .complement = complement,
                          .kept = *kept,
                          .partner = partner ? *partner : NULL};
    return cuda_launched(s, "kernel match", sl_cuda_match(&m));
}

/* The entries of A for which B has one, found from B's side. */
static sl_status pick(cuda_scratch *s, cuda_rows *to, const cuda_rows *A, const cuda_rows *B)
{
    const size_t size = sl_type_size(A->type);
    cuda_rows picked = *B;
    uint64_t *partner;
    cuda_kept kept;
    picked.type = A->type;
    picked.values = NULL;
    CUDA_TRY(sl_cuda_rows_keep_matched(s, &partner, &kept, B, A, NULL, false));
    if (A->values) {
        CUDA_TRY(sl_cuda_scratch_take(s, &picked.values, B->nnz * size));
        CUDA_TRY(cuda_launched(
            s, "kernel gather_partners",
            sl_cuda_gather_partners(picked.values, A->values, partner, size, B->nnz)));
    }
    return sl_cuda_rows_filter(s, to, &picked, &kept);
}

/* Whether so few entries are worth a further pass, if it replaces one over the others. */
static bool is_much_less(uint64_t entries, uint64_t others)
{
    return entries < others / 4;
}

/* The entries that the mask allows; or those that it does not. Takes the time of the side with fewer entries, unless
 * the others are asked for. */
static sl_status restrict_to(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                             const cuda_rows *mask, bool complement)
{
    cuda_rows allowed = *mask;
    cuda_kept kept;
    if (complement || !is_much_less(mask->nnz, from->nnz)) {
        CUDA_TRY(sl_cuda_rows_keep_matched(s, NULL, &kept, from, mask, mask->values, complement));
        return sl_cuda_rows_filter(s, to, from, &kept);
    }
    if (mask->values)
        CUDA_TRY(sl_cuda_rows_keep_flagged(s, &allowed, mask, mask->values));
    return pick(s, to, from, &allowed);
}

/* Where the entries of one matrix are in another: those without a partner are `alone`, `count` of them. */
typedef struct {
    uint64_t *partner, count;
    cuda_kept alone;
} matched_rows;

static sl_status match_rows(cuda_scratch *s, matched_rows *m, const cuda_rows *A,
                            const cuda_rows *B)
{
    CUDA_TRY(sl_cuda_rows_keep_matched(s, &m->partner, &m->alone, A, B, NULL, true));
    return sum_kept(s, &m->count, &m->alone, A->nnz);
}

/* m: B in A. */
static sl_status unite(cuda_scratch *s, cuda_rows *to, const cuda_rows *A, const cuda_rows *B,
                       const matched_rows *m)
{
    cuda_rows a = *A, b = *B, made = *A;
    if (a.values || b.values) {
        CUDA_TRY(sl_cuda_rows_fill(s, &a));
        CUDA_TRY(sl_cuda_rows_fill(s, &b));
    }
    made.nnz = a.nnz + m->count;
    made.allowed = A->allowed && B->allowed;
    CUDA_TRY(allocate(s, &made, a.values != NULL));
    cuda_union u = {.nrows = a.nrows,
                    .a_nnz = a.nnz,
                    .b_nnz = b.nnz,
                    .a_start = a.start,
                    .b_start = b.start,
                    .alone = m->alone,
                    .a_index = a.index,
                    .b_index = b.index,
                    .a_values = a.values,
                    .b_values = b.values,
                    .start = made.start,
                    .index = made.index,
                    .values = made.values};
    *to = made;
    return cuda_launched(s, "kernel unite", sl_cuda_unite(&u, sl_type_size(made.type)));
}

sl_status sl_cuda_rows_unite(cuda_scratch *s, cuda_rows *to, const cuda_rows *A, const cuda_rows *B)
{
    matched_rows m;
    CUDA_TRY(match_rows(s, &m, B, A));
    return unite(s, to, A, B, &m);
}

/* Positional operators (firsti, ...) of entries that both matrices have. */
static sl_status combine_positions(cuda_scratch *s, void *z, sl_binary_op op, const cuda_rows *A)
{
    bool rows = op->code == SL_BINARY_FIRSTI || op->code == SL_BINARY_SECONDI;
    return cuda_launched(
        s, "kernel positions",
        sl_cuda_positions(z, op->type, rows, A->start, A->index, A->nnz, A->nrows));
}

sl_status sl_cuda_rows_combine(cuda_scratch *s, cuda_rows *both, sl_binary_op op,
                               const cuda_rows *at, const cuda_rows *other, const uint64_t *partner,
                               bool other_first)
{
    const uint64_t nnz = at->nnz, size = sl_type_size(other->type);
    cuda_rows own = *at, theirs = {.type = other->type, .nnz = nnz};
    *both = *at;
    both->type = op->result;
    CUDA_TRY(sl_cuda_scratch_take(s, &both->values, nnz * sl_type_size(op->result)));
    if (op->positional)
        return combine_positions(s, both->values, op, at);
    if (other->values) {
        CUDA_TRY(sl_cuda_scratch_take(s, &theirs.values, nnz * size));
        CUDA_TRY(cuda_launched(
            s, "kernel gather_partners",
            sl_cuda_gather_partners(theirs.values, other->values, partner, size, nnz)));
    }
    CUDA_TRY(sl_cuda_rows_cast(s, &own, other_first ? op->type_y : op->type));
    CUDA_TRY(sl_cuda_rows_cast(s, &theirs, other_first ? op->type : op->type_y));
    CUDA_TRY(sl_cuda_rows_fill(s, &own));
    CUDA_TRY(sl_cuda_rows_fill(s, &theirs));
    cuda_ewise e = {.n = nnz,
                    .values = both->values,
                    .a_values = other_first ? theirs.values : own.values,
                    .b_values = other_first ? own.values : theirs.values};
    return sl_cuda_combine(s, &e, op, (sl_scalar){0}, (sl_scalar){0});
}

/* ---- sums: from the side of B or T, which is often the smaller one ---- */

/* Writes the values of entries that have partners to where these are in the union. */
static sl_status write_matched(cuda_scratch *s, cuda_rows *to, const cuda_rows *both,
                               const matched_rows *m)
{
    return cuda_launched(s, "kernel scatter_matched",
                         sl_cuda_scatter_matched(to->values, both->values, m->partner, &m->alone,
                                                 sl_type_size(to->type), both->nnz));
}

sl_status sl_cuda_rows_add(cuda_scratch *s, cuda_rows *to, sl_binary_op op, const cuda_rows *A,
                           const cuda_rows *B, const cuda_rows *a, const cuda_rows *b)
{
    cuda_rows both;
    matched_rows m;
    CUDA_TRY(match_rows(s, &m, B, A));
    CUDA_TRY(sl_cuda_rows_combine(s, &both, op, B, A, m.partner, true));
    CUDA_TRY(unite(s, to, a, b, &m));
    return write_matched(s, to, &both, &m);
}

/* Z = C accum T in C's type; entries that only one has are cast. Without a mask the output itself becomes Z if it has
 * all of T's entries. */
static sl_status accumulate(cuda_scratch *s, cuda_rows *Z, const cuda_rows *C, const cuda_rows *T)
{
    const sl_call *call = s->call;
    const cuda_matrix *out = cuda_matrix_of(call->out);
    const bool masked = call->mask || (call->flags & SL_COMPLEMENT);
    cuda_rows c = *C, t = *T, both;
    matched_rows m;
    CUDA_TRY(match_rows(s, &m, T, C));
    CUDA_TRY(sl_cuda_rows_combine(s, &both, call->accum, T, C, m.partner, true));
    CUDA_TRY(sl_cuda_rows_cast(s, &both, C->type));
    CUDA_TRY(sl_cuda_rows_fill(s, &c));
    CUDA_TRY(sl_cuda_rows_cast(s, &t, c.type));
    *Z = c;
    if (m.count > 0 || masked || out->pinned) {
        CUDA_TRY(sl_cuda_rows_fill(s, &t));
        CUDA_TRY(unite(s, Z, &c, &t, &m));
    }
    return write_matched(s, Z, &both, &m);
}

/* An array that the output may own: a block of the scratch is detached, any other is copied. */
static sl_status detach_or_copy(cuda_scratch *s, void **mine, void *array, uint64_t bytes)
{
    *mine = NULL;
    if (!array)
        return SL_OK;
    if (sl_cuda_scratch_detach(s, array)) {
        *mine = array;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_alloc(s->call->ctx, mine, bytes));
    return sl_cuda_copy(s->call->ctx, *mine, array, bytes);
}

sl_status sl_cuda_replace_rows(cuda_scratch *s, const cuda_rows *Z)
{
    cuda_matrix *C = cuda_matrix_of(s->call->out);
    void *start = NULL, *index = NULL, *values = NULL;
    sl_status status = detach_or_copy(s, &start, Z->start, (Z->nrows + 1) * sizeof *Z->start);
    if (status == SL_OK)
        status = detach_or_copy(s, &index, Z->index, Z->nnz * sizeof *Z->index);
    if (status == SL_OK)
        status = detach_or_copy(s, &values, Z->values, Z->nnz * sl_type_size(Z->type));
    if (status != SL_OK) {
        sl_cuda_free(start);
        sl_cuda_free(index);
        sl_cuda_free(values);
        return status;
    }
    sl_cuda_drop_all_derived(&C->derived);
    sl_cuda_free(C->start);
    sl_cuda_free_entries(C);
    *C = (cuda_matrix){.nnz = Z->nnz,
                       .start = start,
                       .index = index,
                       .values = values,
                       .serial = sl_cuda_serial()};
    return SL_OK;
}

sl_status sl_cuda_rows_mask(cuda_scratch *s, cuda_rows *mask)
{
    const sl_call *call = s->call;
    if (!call->mask) { /* Without a mask, a complement allows nothing, as does an empty mask. */
        *mask = (cuda_rows){.nrows = call->out->nrows};
        uint64_t bytes = (mask->nrows + 1) * sizeof *mask->start;
        CUDA_TRY(sl_cuda_scratch_take(s, &mask->start, bytes));
        return sl_cuda_zero(call->ctx, mask->start, bytes);
    }
    CUDA_TRY(sl_cuda_rows_of(mask, call->mask, false));
    if (call->flags & SL_STRUCTURE)
        mask->values = NULL;
    return sl_cuda_rows_cast(s, mask, SL_BOOL);
}

sl_status sl_cuda_rows_under_mask(cuda_scratch *s, cuda_rows *rows, uint64_t entries)
{
    const sl_call *call = s->call;
    cuda_rows mask;
    if (!call->mask || (call->flags & SL_COMPLEMENT) ||
        !is_much_less(cuda_matrix_of(call->mask)->nnz, entries))
        return SL_OK;
    CUDA_TRY(sl_cuda_rows_mask(s, &mask));
    CUDA_TRY(restrict_to(s, rows, rows, &mask, false));
    rows->allowed = true;
    return SL_OK;
}

sl_status sl_cuda_write_masked_rows(cuda_scratch *s, const cuda_rows *result)
{
    const sl_call *call = s->call;
    bool complement = (call->flags & SL_COMPLEMENT) && call->mask;
    cuda_rows C, Z = *result, mask, kept, rest;
    CUDA_TRY(sl_cuda_rows_cast(s, &Z, call->out->type));
    if (!call->mask && !(call->flags & SL_COMPLEMENT))
        return sl_cuda_replace_rows(s, &Z);
    CUDA_TRY(sl_cuda_rows_mask(s, &mask));
    kept = Z;
    if (!Z.allowed)
        CUDA_TRY(restrict_to(s, &kept, &Z, &mask, complement));
    if (call->flags & SL_REPLACE)
        return sl_cuda_replace_rows(s, &kept);
    CUDA_TRY(sl_cuda_rows_of(&C, call->out, false));
    CUDA_TRY(restrict_to(s, &rest, &C, &mask, !complement));
    CUDA_TRY(sl_cuda_rows_unite(s, &Z, &kept, &rest));
    return sl_cuda_replace_rows(s, &Z);
}

/* The output keeps its entries, with new values, which are in its array or in the scratch. */
static sl_status keep_rows(cuda_scratch *s, const cuda_rows *Z)
{
    cuda_matrix *C = cuda_matrix_of(s->call->out);
    if (sl_cuda_scratch_detach(s, Z->values))
        C->values = Z->values;
    sl_cuda_drop_all_derived(&C->derived);
    C->serial = sl_cuda_serial();
    return SL_OK;
}

sl_status sl_cuda_write_rows(cuda_scratch *s, const cuda_rows *T)
{
    cuda_rows C, Z;
    if (!s->call->accum)
        return sl_cuda_write_masked_rows(s, T);
    CUDA_TRY(sl_cuda_rows_of(&C, s->call->out, false));
    CUDA_TRY(accumulate(s, &Z, &C, T));
    return Z.index == C.index ? keep_rows(s, &Z) : sl_cuda_write_masked_rows(s, &Z);
}
