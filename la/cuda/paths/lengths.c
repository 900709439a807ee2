/* Rows sorted by length: made from a matrix at first use and kept with it. O(entries) time, with scratch of two arrays
 * of the entries, or of those of a segment. */
#include "cuda/paths/lengths.h"

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/operations/vector_kernels.h"
#include "cuda/operations/vector_result.h"
#include "cuda/paths/lengths_kernels.h"
#include "cuda/paths/paths_tuning.h"
#include "cuda/reorder/degree_order.h"
#include "cuda/reorder/renumber_rows.h"

enum { SAMPLE = 1024 /* lengths that the typical length is chosen from */ };

bool sl_cuda_uses_lengths(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_type type = call->operators.semiring->result;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    return t->shortest_paths && (t->options->parent || !A || !A->pinned) &&
           (type == SL_INT32 || type == SL_INT64 || type == SL_FP32 || type == SL_FP64);
}

void sl_cuda_free_vertex_order(cuda_vertex_order *order)
{
    if (order->shared) {
        sl_cuda_drop_order(order->shared);
    } else {
        sl_cuda_free(order->old_id);
        sl_cuda_free(order->new_id);
    }
    sl_cuda_free(order->short_bits);
    *order = (cuda_vertex_order){.used = 0};
}

static void release(void *data)
{
    cuda_lengths *lengths = data;
    sl_cuda_free(lengths->start);
    sl_cuda_free(lengths->index);
    sl_cuda_free(lengths->length);
    sl_cuda_free_vertex_order(&lengths->order);
    sl_free(lengths);
}

static void place(sl_placement *placement, const void *data)
{
    const cuda_lengths *lengths = data;
    const bool ordered = lengths->order.old_id != NULL;
    const uint64_t starts = ordered ? lengths->rows : lengths->cols,
                   start = lengths->start ? (starts + 1) * sizeof *lengths->start : 0;
    const uint64_t ids = lengths->order.shared ? 0 : lengths->rows + lengths->cols,
                   order = (ids + cuda_words(lengths->cols)) * sizeof *lengths->order.old_id;
    placement->device_bytes += lengths->nnz * (sizeof *lengths->index + (lengths->narrow ? 4 : 8)) +
                               start + (ordered ? order : 0);
}

const cuda_derived_kind sl_cuda_row_lengths_kind = {
    .name = "sorted rows", .release = release, .place = place};
const cuda_derived_kind sl_cuda_column_lengths_kind = {
    .name = "sorted columns", .release = release, .place = place};

double sl_cuda_bucket_width(sl_type type, double typical, uint64_t edges, double factor)
{
    const bool whole = type == SL_INT32 || type == SL_INT64;
    const double width = factor * (edges < DENSE_MANY_EDGES ? typical : typical / 2);
    return whole && width < 1 ? 1 : width;
}

static sl_status find_longest(cuda_scratch *s, cuda_lengths *made, const cuda_length_rows *A)
{
    sl_context *ctx = s->call->ctx;
    unsigned long long *longest, length;
    CUDA_TRY(sl_cuda_scratch_take(s, &longest, sizeof *longest));
    CUDA_TRY(sl_cuda_zero(ctx, longest, sizeof *longest));
    CUDA_TRY(cuda_launched(s, "kernel longest_row", sl_cuda_lengths_longest(A, longest)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel longest_row", &length, longest, sizeof length));
    made->longest = length;
    return SL_OK;
}

/* Whether some length needs 64 bits. */
static sl_status find_wide(bool *wide, cuda_scratch *s, const cuda_length_rows *A)
{
    sl_context *ctx = s->call->ctx;
    unsigned *found, read;
    CUDA_TRY(sl_cuda_scratch_take(s, &found, sizeof *found));
    CUDA_TRY(sl_cuda_zero(ctx, found, sizeof *found));
    CUDA_TRY(cuda_launched(s, "kernel check_lengths", sl_cuda_lengths_check(A, found)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel check_lengths", &read, found, sizeof read));
    *wide = read;
    return SL_OK;
}

/* Determines `narrow` and `mirrored`. */
static sl_status examine(cuda_scratch *s, cuda_lengths *made, const cuda_length_rows *A,
                         sl_symmetry symmetry)
{
    const cuda_matrix_rows rows = {.start = A->start,
                                   .index = A->index,
                                   .values = A->values,
                                   .size = sl_type_size(A->type),
                                   .nrows = A->rows,
                                   .nnz = A->nnz};
    bool wide;
    CUDA_TRY(find_wide(&wide, s, A));
    made->narrow = !wide;
    made->mirrored = false;
    return symmetry == SL_NOT_SYMMETRIC
               ? SL_OK
               : sl_cuda_find_mirrors(&made->mirrored, s->call->ctx, &rows, A->type);
}

static sl_status find_typical(cuda_scratch *s, cuda_lengths *made, const cuda_length_rows *A)
{
    sl_context *ctx = s->call->ctx;
    double *sample, lengths[SAMPLE];
    CUDA_TRY(sl_cuda_scratch_take(s, &sample, sizeof lengths));
    CUDA_TRY(cuda_launched(s, "kernel sample_lengths", sl_cuda_lengths_sample(A, sample, SAMPLE)));
    CUDA_TRY(sl_cuda_download(ctx, lengths, sample, sizeof lengths));
    CUDA_TRY(sl_cuda_wait(ctx, "kernel sample_lengths"));
    made->typical = sl_typical_length(lengths, SAMPLE, (double)A->nnz / (double)A->rows);
    return SL_OK;
}

/* Sorts rows by keys, which are the lengths in 32 (narrow) or 64 bits. */
static sl_status sort_by(cuda_scratch *s, const cuda_length_rows *A, bool narrow, const void *keys,
                         uint32_t *index, void *length)
{
    void *scratch;
    size_t bytes = 0;
    CUDA_TRY(cuda_launched(s, "scratch of a segmented sort",
                           sl_cuda_lengths_sort(NULL, &bytes, A, narrow, keys, length, index)));
    CUDA_TRY(sl_cuda_arena_scratch(s->call->ctx, &s->arena, &scratch, bytes));
    return cuda_launched(s, "segmented sort",
                         sl_cuda_lengths_sort(scratch, &bytes, A, narrow, keys, length, index));
}

sl_status sl_cuda_sort_lengths(cuda_scratch *s, const cuda_length_rows *A, bool narrow, void *keys,
                               uint32_t *index, void *length)
{
    CUDA_TRY(cuda_launched(s, "kernel make_keys", sl_cuda_lengths_keys(A, narrow, keys)));
    return sort_by(s, A, narrow, keys, index, length);
}

/* The arrays of `entries` sorted entries, which are kept. */
static sl_status new_entries(sl_context *ctx, cuda_lengths *made, uint64_t entries)
{
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made->index, entries * sizeof *made->index));
    return sl_cuda_alloc(ctx, &made->length, entries * (made->narrow ? 4 : 8));
}

/* Everything but the sorted entries. *rows: the matrix with its lengths in the type of the sums,
 * which may be in scratch. */
static sl_status describe_rows(cuda_scratch *s, cuda_lengths *made, sl_symmetry symmetry,
                               cuda_length_rows *rows)
{
    const sl_object *object = s->call->a;
    const cuda_matrix *A = cuda_matrix_of(object);
    void *cast;
    *rows = (cuda_length_rows){.rows = object->nrows,
                               .nnz = A->nnz,
                               .start = A->start,
                               .index = A->index,
                               .values = A->values,
                               .type = made->type};
    if (A->nnz == 0) {
        made->typical = 1;
        made->narrow = made->mirrored = true;
        return SL_OK;
    }
    if (A->values && object->type != made->type) {
        CUDA_TRY(sl_cuda_scratch_take(s, &cast, A->nnz * sl_type_size(made->type)));
        CUDA_TRY(
            cuda_launched(s, "kernel cast",
                          sl_cuda_cast(cast, made->type, A->values, object->type, NULL, A->nnz)));
        rows->values = cast;
    }
    CUDA_TRY(examine(s, made, rows, symmetry));
    CUDA_TRY(find_longest(s, made, rows));
    return find_typical(s, made, rows);
}

static sl_status describe(cuda_scratch *s, cuda_lengths *made, sl_symmetry symmetry)
{
    cuda_length_rows rows;
    return describe_rows(s, made, symmetry, &rows);
}

/* The rows of A from `first` on that have at most `most` entries together: *segment, whose first entry is `from`. */
static sl_status choose_segment(cuda_length_rows *segment, cuda_scratch *s,
                                const cuda_length_rows *A, uint64_t first, uint64_t most)
{
    sl_context *ctx = s->call->ctx;
    const size_t size = sl_type_size(A->type);
    const uint64_t from = segment->from + segment->nnz;
    uint32_t *found, last = (uint32_t)A->rows;
    uint64_t end = A->nnz;
    if (end - from > most) {
        CUDA_TRY(sl_cuda_arena_scratch(ctx, &s->arena, (void **)&found, sizeof *found));
        CUDA_TRY(sl_cuda_find_segment(ctx, &last, A->start, (uint32_t)first, (uint32_t)A->rows,
                                      most, found));
        CUDA_TRY(sl_cuda_fetch(ctx, "kernel rows_within", &end, A->start + last, sizeof end));
    }
    *segment =
        (cuda_length_rows){.rows = last - first,
                           .nnz = end - from,
                           .start = A->start + first,
                           .from = from,
                           .index = A->index + from,
                           .values = A->values ? (const char *)A->values + from * size : NULL,
                           .type = A->type};
    return SL_OK;
}

/* Sorts the rows of A, as many at once as there is memory for. */
static sl_status sort_segments(cuda_scratch *s, cuda_lengths *made, const cuda_length_rows *A)
{
    const size_t size = made->narrow ? 4 : 8;
    const uint64_t most = sl_cuda_segment(A->nnz, made->longest, 2 * size + sizeof *made->index);
    cuda_length_rows segment = {.nnz = 0};
    void *keys;
    CUDA_TRY(sl_cuda_scratch_take(s, &keys, most * size));
    for (uint64_t first = 0; first < A->rows; first += segment.rows) {
        CUDA_TRY(choose_segment(&segment, s, A, first, most));
        CUDA_TRY(sl_cuda_sort_lengths(s, &segment, made->narrow, keys, made->index + segment.from,
                                      (char *)made->length + segment.from * size));
    }
    return SL_OK;
}

static sl_status make(cuda_scratch *s, cuda_lengths *made, sl_symmetry symmetry)
{
    cuda_length_rows rows;
    CUDA_TRY(describe_rows(s, made, symmetry, &rows));
    if (rows.nnz == 0)
        return SL_OK;
    CUDA_TRY(new_entries(s->call->ctx, made, rows.nnz));
    return sort_segments(s, made, &rows);
}

/* Transposes the sorted rows of the matrix: into rows of `index` and `length`, which are scratch. */
static sl_status transpose_rows(cuda_scratch *s, cuda_lengths *made, const cuda_lengths *rows,
                                uint32_t *index, void *length)
{
    const sl_object *object = s->call->a;
    const cuda_matrix *A = cuda_matrix_of(object);
    const cuda_matrix_rows from = {.start = A->start,
                                   .index = rows->index,
                                   .values = rows->length,
                                   .size = made->narrow ? 4 : 8,
                                   .nrows = object->nrows,
                                   .ncols = object->ncols,
                                   .nnz = A->nnz};
    return sl_cuda_transpose_rows(object->ctx, made->start, index, length, &from);
}

/* The columns, from the sorted rows. Lengths are their own keys. */
static sl_status make_columns(cuda_scratch *s, cuda_lengths *made, sl_symmetry symmetry)
{
    const sl_object *object = s->call->a;
    sl_context *ctx = s->call->ctx;
    const cuda_matrix *A = cuda_matrix_of(object);
    const cuda_lengths *rows = cuda_lengths_of(A);
    uint32_t *index;
    void *length;
    made->narrow = rows->narrow;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made->start, (object->ncols + 1) * sizeof *made->start));
    if (A->nnz == 0)
        return sl_cuda_zero(ctx, made->start, (object->ncols + 1) * sizeof *made->start);
    CUDA_TRY(sl_cuda_scratch_take(s, &index, A->nnz * sizeof *index));
    CUDA_TRY(sl_cuda_scratch_take(s, &length, A->nnz * (made->narrow ? 4 : 8)));
    CUDA_TRY(transpose_rows(s, made, rows, index, length));
    const cuda_length_rows columns = {.rows = object->ncols,
                                      .nnz = A->nnz,
                                      .start = made->start,
                                      .index = index,
                                      .type = made->type};
    CUDA_TRY(new_entries(ctx, made, A->nnz));
    return sort_by(s, &columns, made->narrow, length, made->index, made->length);
}

/* *kept: the data of a kind, made by `make_kept` unless it is there in the type of the call's result. */
static sl_status keep(cuda_lengths **kept, const cuda_derived_kind *kind, const sl_call *call,
                      sl_symmetry symmetry,
                      sl_status (*make_kept)(cuda_scratch *, cuda_lengths *, sl_symmetry))
{
    const sl_type type = call->operators.semiring->result;
    cuda_matrix *A = cuda_matrix_of(call->a);
    cuda_scratch s = {.call = (sl_call *)call};
    *kept = cuda_find_derived(A->derived, kind);
    if (*kept && (*kept)->type == type)
        return SL_OK;
    sl_cuda_drop_derived(&A->derived, kind);
    *kept = NULL;
    cuda_lengths *made = sl_calloc(1, sizeof *made);
    if (!made)
        return cuda_no_host_memory(call->ctx);
    made->type = type;
    made->rows = call->a->nrows;
    made->cols = call->a->ncols;
    made->nnz = A->nnz;
    sl_status status = make_kept(&s, made, symmetry);
    sl_cuda_scratch_release(&s);
    if (status != SL_OK) {
        release(made);
        return status;
    }
    CUDA_TRY(sl_cuda_keep_derived(call->ctx, &A->derived, kind, made));
    sl_cuda_spare_derived(A->derived, kind);
    *kept = made;
    return SL_OK;
}

sl_status sl_cuda_lengths(const cuda_lengths **lengths, const sl_call *call)
{
    const cuda_lengths *const old = cuda_lengths_of(cuda_matrix_of(call->a));
    cuda_lengths *kept;
    if (old && old->order.old_id)
        sl_cuda_drop_block_lengths(call);
    const sl_status status =
        keep(&kept, &sl_cuda_row_lengths_kind, call, call->traversal->A->symmetry, make);
    *lengths = kept;
    return status;
}

sl_status sl_cuda_block_lengths(const cuda_lengths **rows, const cuda_lengths **columns,
                                bool mirrored, const sl_call *call)
{
    cuda_lengths *kept = cuda_lengths_of(cuda_matrix_of(call->a));
    if (kept && kept->mirrored != mirrored)
        sl_cuda_drop_block_lengths(call);
    CUDA_TRY(
        keep(&kept, &sl_cuda_row_lengths_kind, call, SL_NOT_SYMMETRIC, mirrored ? describe : make));
    kept->mirrored = mirrored;
    *rows = kept;
    *columns = NULL;
    if (mirrored)
        return SL_OK;
    CUDA_TRY(keep(&kept, &sl_cuda_column_lengths_kind, call, SL_NOT_SYMMETRIC, make_columns));
    *columns = kept;
    return SL_OK;
}

const cuda_lengths *sl_cuda_kept_block_lengths(const sl_call *call)
{
    const cuda_matrix *A = cuda_matrix_of(call->a);
    const sl_type type = call->operators.semiring->result;
    const cuda_lengths *rows = A ? cuda_lengths_of(A) : NULL;
    if (!rows || rows->type != type)
        return NULL;
    const cuda_lengths *columns = cuda_column_lengths_of(A);
    const bool complete =
        rows->mirrored ? rows->order.old_id != NULL : columns && columns->type == type;
    return complete ? rows : NULL;
}

void sl_cuda_keep_ordered_rows(const sl_call *call, const cuda_lengths *ordered)
{
    cuda_lengths *kept = cuda_lengths_of(cuda_matrix_of(call->a));
    sl_cuda_free(kept->start);
    sl_cuda_free(kept->index);
    sl_cuda_free(kept->length);
    sl_cuda_free_vertex_order(&kept->order);
    kept->start = ordered->start; /* `narrow` and the like are kept */
    kept->index = ordered->index;
    kept->length = ordered->length;
    kept->order = ordered->order;
}

void sl_cuda_drop_block_lengths(const sl_call *call)
{
    cuda_matrix *A = cuda_matrix_of(call->a);
    if (!A)
        return;
    sl_cuda_drop_derived(&A->derived, &sl_cuda_row_lengths_kind);
    sl_cuda_drop_derived(&A->derived, &sl_cuda_column_lengths_kind);
    sl_cuda_drop_unused_orders(A);
}

/* Whether some length needs 64 bits; of a matrix of another type than the sums it is not examined. */
static sl_status are_wide(bool *wide, const sl_call *call)
{
    const cuda_matrix *A = cuda_matrix_of(call->a);
    const cuda_length_rows rows = {.rows = call->a->nrows,
                                   .nnz = A->nnz,
                                   .start = A->start,
                                   .index = A->index,
                                   .values = A->values,
                                   .type = call->operators.semiring->result};
    cuda_scratch s = {.call = (sl_call *)call};
    *wide = true;
    if (call->a->type != call->operators.semiring->result)
        return SL_OK;
    const sl_status status = find_wide(wide, &s, &rows);
    sl_cuda_scratch_release(&s);
    return status;
}

uint64_t sl_cuda_sort_bytes(uint64_t length)
{
    const uint64_t entry = sizeof(uint32_t) + length; /* in order, and again as CUB sorts it */
    return 16 + 2 * entry + length;
}

/* Bytes that block lengths take while they are made, for lengths of 4 or 8 bytes. */
static uint64_t bytes_needed(const sl_call *call, bool mirrored, uint64_t length)
{
    const uint64_t nnz = cuda_matrix_of(call->a)->nnz, entry = sizeof(uint32_t) + length;
    /* the sorted rows, their order, and a segment with the scratch of its sort; or the sorted rows, the transposed
     * ones, and the scratch of a transpose or a sort */
    return mirrored ? nnz * entry + 16 * call->a->ncols +
                          sl_cuda_least_segment(nnz, call->a->ncols) * sl_cuda_sort_bytes(length)
                    : nnz * (20 + 4 * length);
}

sl_status sl_cuda_has_room_for_block_lengths(bool *has, bool mirrored, uint64_t others,
                                             const sl_call *call)
{
    enum { PARTS = 16 }; /* one of them is left for what the pool cannot use */
    const uint64_t free = sl_cuda_free_bytes(), room = free - free / PARTS;
    bool wide = false;
    if (room < bytes_needed(call, mirrored, 8) + others)
        CUDA_TRY(are_wide(&wide, call));
    const uint64_t needed = bytes_needed(call, mirrored, wide ? 8 : 4) + others;
    *has = sl_cuda_make_room(call->ctx, needed + needed / (PARTS - 1));
    return SL_OK;
}
