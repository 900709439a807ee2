/* Makes a vector of messages. */
#include "cuda/grid_vectors/vector_parcel_kernels.h"
#include "cuda/grid_vectors/vector_slices.h"

static uint64_t begin_of(const cuda_joined *j, uint32_t k)
{
    return j->overlap ? 0 : j->begin[k];
}

static uint64_t length_of(const cuda_joined *j, uint32_t k)
{
    return j->overlap ? j->begin[1] : j->begin[k + 1] - j->begin[k];
}

static bool has_values(const cuda_joined *j)
{
    return j->spread == SL_SPREAD_VALUES;
}

/* The value of all entries, if they are not received and not indices. */
static sl_scalar known_value(const cuda_joined *j)
{
    return sl_scalar_cast(sl_scalar_bool(j->spread == SL_SPREAD_PATTERN), j->like.type);
}

/* The address of value number `at`. */
static char *place(const cuda_joined *j, void *values, uint64_t at)
{
    return (char *)values + at * sl_type_size(j->like.type);
}

/* ---- the form ------------------------------------------------------------------------------------- */

/* Without bits set, unless all are written later. */
static sl_status open_bits(cuda_joined *j)
{
    cuda_bitmap made;
    if (!j->at_once)
        return sl_cuda_new_vector(&j->vector, &j->like);
    CUDA_TRY(sl_cuda_new_list(&j->vector, &j->like));
    CUDA_TRY(sl_cuda_new_bitmap(j->like.ctx, &made, j->like.nrows, sl_type_size(j->like.type)));
    sl_cuda_become_bitmap(j->vector, made, 0);
    return SL_OK;
}

static sl_status open_bitmap(cuda_joined *j)
{
    const sl_scalar value = known_value(j);
    CUDA_TRY(open_bits(j));
    if (!has_values(j) && j->spread != SL_SPREAD_INDICES)
        sl_cuda_give_value(j->vector, &value.as);
    return SL_OK;
}

static sl_status open_full(cuda_joined *j)
{
    unsigned long long same = 0;
    const sl_scalar value = known_value(j);
    CUDA_TRY(sl_cuda_new_list(&j->vector, &j->like));
    memcpy(&same, &value.as, sl_type_size(j->like.type));
    if (!has_values(j) && j->spread != SL_SPREAD_INDICES)
        return sl_cuda_make_same(&j->like, j->vector, &same);
    CUDA_TRY(sl_cuda_make_full(&j->like, j->vector));
    for (uint32_t k = 0; has_values(j) && k < j->count; k++)
        j->parcel[k].to = place(j, j->vector->values, begin_of(j, k));
    return SL_OK;
}

/* Values that are not ones need an array. */
static sl_status open_list(cuda_joined *j, uint64_t entries)
{
    const sl_object row = sl_cuda_row(&j->like, NULL);
    CUDA_TRY(sl_cuda_new_list(&j->vector, &j->like));
    if (entries == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_new_matrix(&j->vector->list, &row, entries, j->spread != SL_SPREAD_PATTERN));
    CUDA_TRY(sl_cuda_status(j->like.ctx, "kernel write_row",
                            sl_cuda_write_row(j->vector->list->start, entries)));
    return j->spread == SL_SPREAD_ZEROS ? sl_cuda_zero(j->like.ctx, j->vector->list->values,
                                                       entries * sl_type_size(j->like.type))
                                        : SL_OK;
}

/* Counts over all slices. */
typedef struct {
    uint64_t entries;
    uint32_t with_entries, lists, full; /* slices */
} slice_counts;

static slice_counts count_slices(const cuda_joined *j)
{
    slice_counts c = {0};
    for (uint32_t k = 0; k < j->count; k++) {
        const uint64_t form = j->parcel[k].words[SLICE_FORM];
        c.entries += j->parcel[k].words[SLICE_ENTRIES];
        c.with_entries += form != SLICE_EMPTY;
        c.lists += form == SLICE_LIST;
        c.full += form == SLICE_FULL || length_of(j, k) == 0;
    }
    return c;
}

sl_status sl_cuda_joined_open(cuda_joined *j)
{
    const slice_counts c = count_slices(j);
    const bool disjoint = !j->overlap || c.with_entries <= 1;
    const bool lists = disjoint && c.lists == c.with_entries;
    const bool full = j->overlap ? c.full > 0 : c.full == j->count;
    j->at_once = (has_values(j) || j->spread == SL_SPREAD_PATTERN) && c.lists == 0 &&
                 j->count <= CUDA_SLICES_AT_ONCE;
    if (c.entries == 0 || (lists && sl_cuda_fits_list(&j->like, c.entries)))
        CUDA_TRY(open_list(j, c.entries));
    else
        CUDA_TRY(full ? open_full(j) : open_bitmap(j));
    if (!j->at_once || !j->vector->bits)
        j->mask = NULL;
    if (!j->vector->full)
        j->vector->nvals = disjoint && !j->mask ? c.entries : CUDA_UNKNOWN;
    return SL_OK;
}

/* ---- the entries ------------------------------------------------------------------------------------ */

static sl_status number(const cuda_joined *j, void *values, const uint32_t *index, uint32_t k,
                        uint64_t count)
{
    const sl_local_blocks *b = j->numbers;
    const uint64_t base = sl_distribution_begin(&b->of, b->first + (uint64_t)k * b->stride);
    return sl_cuda_status(j->like.ctx, "kernel number_entries",
                          sl_cuda_number_entries(values, index, base, count));
}

/* Copies the values of a message to their place in an array, unless they were moved there. */
static sl_status take_values(const cuda_joined *j, uint32_t k, uint64_t before, void *to,
                             uint64_t count)
{
    const uint8_t *from = j->parcel[k].data + cuda_grid_aligned(before);
    if (!has_values(j) || from == to)
        return SL_OK;
    return sl_cuda_copy(j->like.ctx, to, from, count * sl_type_size(j->like.type));
}

/* Adds a full slice, or one with bits, to a bitmap or a full vector. */
static sl_status fill_slice(cuda_joined *j, uint32_t k, const uint32_t *bits)
{
    const uint64_t length = length_of(j, k);
    void *values = place(j, j->vector->values, begin_of(j, k));
    if (j->vector->bits)
        CUDA_TRY(sl_cuda_status(j->like.ctx, "kernel join_bits",
                                sl_cuda_join_bits(j->vector->bits, begin_of(j, k), bits, length)));
    if (j->spread == SL_SPREAD_INDICES)
        return number(j, values, NULL, k, length);
    return take_values(j, k, bits ? cuda_words(length) * sizeof *bits : 0, values, length);
}

/* Adds a list to a bitmap. */
static sl_status scatter_list(cuda_joined *j, uint32_t k)
{
    const uint32_t *index = (const uint32_t *)j->parcel[k].data;
    const uint64_t count = j->parcel[k].words[SLICE_ENTRIES];
    const void *from =
        has_values(j) ? j->parcel[k].data + cuda_grid_aligned(count * sizeof *index) : NULL;
    CUDA_TRY(sl_cuda_status(j->like.ctx, "kernel join_list",
                            sl_cuda_join_list(j->vector->bits, j->vector->values, begin_of(j, k),
                                              index, from, sl_type_size(j->like.type), count)));
    return j->spread == SL_SPREAD_INDICES
               ? number(j, place(j, j->vector->values, begin_of(j, k)), NULL, k, length_of(j, k))
               : SL_OK;
}

/* Adds a list behind the `at` entries that a list has. */
static sl_status append_list(cuda_joined *j, uint32_t k, uint64_t at)
{
    cuda_matrix *list = j->vector->list;
    const uint32_t *index = (const uint32_t *)j->parcel[k].data;
    const uint64_t count = j->parcel[k].words[SLICE_ENTRIES];
    CUDA_TRY(sl_cuda_status(
        j->like.ctx, "kernel shift_indices",
        sl_cuda_shift_indices(list->index + at, index, (uint32_t)begin_of(j, k), count)));
    if (j->spread == SL_SPREAD_INDICES)
        return number(j, place(j, list->values, at), index, k, count);
    return take_values(j, k, count * sizeof *index, place(j, list->values, at), count);
}

static sl_status fill_one(cuda_joined *j, uint32_t k, uint64_t at)
{
    const uint64_t form = j->parcel[k].words[SLICE_FORM];
    if (form == SLICE_EMPTY)
        return SL_OK;
    if (form == SLICE_LIST)
        return j->vector->list ? append_list(j, k, at) : scatter_list(j, k);
    return fill_slice(j, k, form == SLICE_BITMAP ? (const uint32_t *)j->parcel[k].data : NULL);
}

/* Has the kernel that joins slices count the entries, unless they are known. */
static sl_status count_joined(const cuda_joined *j, cuda_report *report)
{
    cuda_frontier_list *counted;
    if (j->vector->nvals != CUDA_UNKNOWN)
        return SL_OK;
    CUDA_TRY(sl_cuda_new_frontier_list(j->like.ctx, &counted, NULL));
    j->vector->frontier_list = counted;
    return sl_cuda_report_to(j->like.ctx, report, counted, sl_cuda_edge_bits(j->like.nrows, 0));
}

/* Copies the values of the entries of a slice. */
static sl_status take_present(const cuda_joined *j, uint32_t k)
{
    const uint64_t length = length_of(j, k), form = j->parcel[k].words[SLICE_FORM];
    void *to = place(j, j->vector->values, begin_of(j, k));
    if (!has_values(j) || form == SLICE_EMPTY)
        return SL_OK;
    if (form == SLICE_FULL)
        return take_values(j, k, 0, to, length);
    const uint8_t *data = j->parcel[k].data;
    return sl_cuda_status(j->like.ctx, "kernel copy_present",
                          sl_cuda_copy_present(to, data + cuda_slice_bits_bytes(length),
                                               (const uint32_t *)data, 0,
                                               sl_type_size(j->like.type), length));
}

static sl_status fill_at_once(const cuda_joined *j)
{
    cuda_report report = {.counter = NULL};
    cuda_joins_at_once slices = {.count = 0};
    for (uint32_t k = 0; k < j->count; k++) {
        const uint64_t form = j->parcel[k].words[SLICE_FORM];
        CUDA_TRY(take_present(j, k));
        if (form == SLICE_EMPTY)
            continue;
        const uint32_t n = slices.count++;
        slices.begin[n] = begin_of(j, k);
        slices.end[n] = begin_of(j, k) + length_of(j, k);
        slices.from[n] = form == SLICE_BITMAP ? (const uint32_t *)j->parcel[k].data : NULL;
    }
    slices.mask = j->mask;
    slices.complement = j->complement;
    CUDA_TRY(count_joined(j, &report));
    return sl_cuda_status(j->like.ctx, "kernel join_at_once",
                          sl_cuda_join_at_once(j->vector->bits, j->like.nrows, &slices, report));
}

sl_status sl_cuda_joined_fill(cuda_joined *j)
{
    uint64_t at = 0;
    if (j->vector->full && j->vector->same)
        return SL_OK;
    if (j->at_once && j->vector->bits)
        return fill_at_once(j);
    for (uint32_t k = 0; k < j->count; k++) {
        CUDA_TRY(fill_one(j, k, at));
        at += j->parcel[k].words[SLICE_ENTRIES];
    }
    return SL_OK;
}

sl_status sl_cuda_make_object(sl_vector **made, const sl_object *like, cuda_vector *v,
                              sl_status status)
{
    *made = NULL;
    if (status == SL_OK)
        status = sl_vector_new(made, like->ctx, like->type, like->nrows);
    if (status == SL_OK)
        sl_object_of_vector(*made)->held[SL_SLOT_CUDA] = v;
    else
        sl_cuda_free_vector(v);
    return status;
}

sl_status sl_cuda_joined_close(sl_vector **made, cuda_joined *j, sl_status status)
{
    status = sl_cuda_make_object(made, &j->like, j->vector, status);
    j->vector = NULL;
    return status;
}
