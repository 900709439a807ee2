/* Makes a vector of messages. */
#include "vector_parcel_kernels.h"
#include "vector_slices.h"

static uint64_t length_of(const cuda_joined *j, uint32_t k)
{
    return j->begin[k + 1] - j->begin[k];
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

static sl_status open_bitmap(cuda_joined *j)
{
    const sl_scalar value = known_value(j);
    CUDA_TRY(sl_cuda_new_vector(&j->vector, &j->like));
    if (has_values(j) || j->spread == SL_SPREAD_INDICES)
        return SL_OK;
    return sl_cuda_status(j->like.ctx, "kernel fill",
                          sl_cuda_fill(j->vector->values, &value.as, sl_type_size(j->like.type),
                                       j->like.nrows, cuda_processors(), cuda_stream()));
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
        j->parcel[k].to = place(j, j->vector->values, j->begin[k]);
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
                            sl_cuda_write_row(j->vector->list->start, entries, cuda_stream())));
    return j->spread == SL_SPREAD_ZEROS ? sl_cuda_zero(j->like.ctx, j->vector->list->values,
                                                       entries * sl_type_size(j->like.type))
                                        : SL_OK;
}

sl_status sl_cuda_joined_open(cuda_joined *j)
{
    uint64_t entries = 0;
    bool lists = true, full = true;
    for (uint32_t k = 0; k < j->count; k++) {
        const uint64_t form = j->parcel[k].words[SLICE_FORM];
        entries += j->parcel[k].words[SLICE_ENTRIES];
        lists = lists && (form == SLICE_LIST || form == SLICE_EMPTY);
        full = full && (form == SLICE_FULL || length_of(j, k) == 0);
    }
    CUDA_TRY(entries == 0 || (lists && sl_cuda_fits_list(&j->like, entries)) ? open_list(j, entries)
             : full                                                          ? open_full(j)
                                                                             : open_bitmap(j));
    j->vector->nvals = entries;
    return SL_OK;
}

/* ---- the entries ------------------------------------------------------------------------------------ */

static sl_status number(const cuda_joined *j, void *values, const uint32_t *index, uint32_t k,
                        uint64_t count)
{
    const sl_local_blocks *b = j->numbers;
    const uint64_t base = sl_distribution_begin(&b->of, b->first + (uint64_t)k * b->stride);
    return sl_cuda_status(
        j->like.ctx, "kernel number_entries",
        sl_cuda_number_entries(values, index, base, count, cuda_processors(), cuda_stream()));
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
    void *values = place(j, j->vector->values, j->begin[k]);
    if (j->vector->bits)
        CUDA_TRY(sl_cuda_status(j->like.ctx, "kernel join_bits",
                                sl_cuda_join_bits(j->vector->bits, j->begin[k], bits, length,
                                                  cuda_processors(), cuda_stream())));
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
                            sl_cuda_join_list(j->vector->bits, j->vector->values, j->begin[k],
                                              index, from, sl_type_size(j->like.type), count,
                                              cuda_processors(), cuda_stream())));
    return j->spread == SL_SPREAD_INDICES
               ? number(j, place(j, j->vector->values, j->begin[k]), NULL, k, length_of(j, k))
               : SL_OK;
}

/* Adds a list behind the `at` entries that a list has. */
static sl_status append_list(cuda_joined *j, uint32_t k, uint64_t at)
{
    cuda_matrix *list = j->vector->list;
    const uint32_t *index = (const uint32_t *)j->parcel[k].data;
    const uint64_t count = j->parcel[k].words[SLICE_ENTRIES];
    CUDA_TRY(sl_cuda_status(j->like.ctx, "kernel shift_indices",
                            sl_cuda_shift_indices(list->index + at, index, (uint32_t)j->begin[k],
                                                  count, cuda_processors(), cuda_stream())));
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

sl_status sl_cuda_joined_fill(cuda_joined *j)
{
    uint64_t at = 0;
    if (j->vector->same)
        return SL_OK;
    for (uint32_t k = 0; k < j->count; k++) {
        CUDA_TRY(fill_one(j, k, at));
        at += j->parcel[k].words[SLICE_ENTRIES];
    }
    return SL_OK;
}

sl_status sl_cuda_joined_close(sl_vector **made, cuda_joined *j, sl_status status)
{
    *made = NULL;
    if (status == SL_OK)
        status = sl_vector_new(made, j->like.ctx, j->like.type, j->like.nrows);
    if (status == SL_OK)
        sl_object_of_vector(*made)->held[sl_store_cuda.slot] = j->vector;
    else
        sl_cuda_free_vector(j->vector);
    j->vector = NULL;
    return status;
}
