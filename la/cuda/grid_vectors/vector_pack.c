/* Packs slices of a vector as messages. */
#include "cuda/grid_vectors/vector_parcel_kernels.h"
#include "cuda/grid_vectors/vector_slices.h"
#include "cuda/runtime/sorting.h"

_Static_assert((int)CUDA_SLICES_AT_ONCE <= (int)CUDA_STAMPED_COUNTS, "a count for each slice");

static uint64_t length_of(const cuda_slices *s, uint32_t k)
{
    return s->begin[k + 1] - s->begin[k];
}

static size_t value_bytes(const cuda_slices *s)
{
    return s->values ? sl_type_size(s->object->type) : 0;
}

/* ---- counting ------------------------------------------------------------------------------------- */

static sl_status count_list(cuda_slices *s)
{
    sl_context *ctx = s->object->ctx;
    unsigned long long *first;
    uint64_t *begin;
    const uint64_t bytes = (s->count + 1) * sizeof *begin;
    CUDA_TRY(sl_cuda_make_list(s->object, s->vector));
    if (s->count == 1) { /* the whole vector */
        s->first[1] = s->entries[0] = s->vector->nvals;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_arena_take(ctx, &s->arena, &first, bytes));
    CUDA_TRY(sl_cuda_arena_take(ctx, &s->arena, &begin, bytes));
    CUDA_TRY(sl_cuda_upload(ctx, begin, s->begin, bytes));
    CUDA_TRY(sl_cuda_status(
        ctx, "kernel find_slices",
        sl_cuda_find_slices(first, begin, s->count + 1, s->vector->list->index, s->vector->nvals)));
    CUDA_TRY(sl_cuda_download(ctx, s->first, first, bytes));
    CUDA_TRY(sl_cuda_wait(ctx, "kernel find_slices"));
    for (uint32_t k = 0; k < s->count; k++)
        s->entries[k] = s->first[k + 1] - s->first[k];
    return SL_OK;
}

static sl_status count_bitmap(cuda_slices *s)
{
    sl_context *ctx = s->object->ctx;
    unsigned long long *entries;
    const uint64_t bytes = (s->count + 1) * sizeof *entries;
    CUDA_TRY(sl_cuda_arena_take(ctx, &s->arena, &entries, bytes));
    CUDA_TRY(sl_cuda_zero(ctx, entries, bytes));
    for (uint32_t k = 0; k < s->count; k++)
        CUDA_TRY(sl_cuda_status(
            ctx, "kernel count_slice",
            sl_cuda_count_slice(entries + k, s->vector->bits, s->begin[k], length_of(s, k))));
    CUDA_TRY(sl_cuda_download(ctx, s->entries, entries, bytes));
    return sl_cuda_wait(ctx, "kernel count_slice");
}

/* ---- forms ------------------------------------------------------------------------------------------ */

static uint64_t list_bytes(const cuda_slices *s, uint32_t k)
{
    return cuda_grid_aligned(s->entries[k] * sizeof(uint32_t)) + s->entries[k] * value_bytes(s);
}

static uint64_t bitmap_bytes(const cuda_slices *s, uint32_t k)
{
    return cuda_slice_bits_bytes(length_of(s, k)) + length_of(s, k) * value_bytes(s);
}

/* Makes a list a bitmap if a slice is so dense that a list of it is longer than a bitmap. */
static sl_status thin_lists(cuda_slices *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        if (list_bytes(s, k) > bitmap_bytes(s, k))
            return sl_cuda_make_bitmap(s->object, s->vector);
    return SL_OK;
}

/* Whether all slices are bitmaps and short, and so few that one kernel writes and counts their bits. A whole vector
 * with values may be shorter as a list, which its count tells. */
static bool fits_at_once(const cuda_slices *s)
{
    bool fits = s->vector->bits && (!s->values || (s->mapped && s->count > 1)) &&
                s->count <= CUDA_SLICES_AT_ONCE;
    for (uint32_t k = 0; k < s->count && fits; k++)
        fits = length_of(s, k) <= CUDA_SLICE_AT_ONCE_BITS;
    return fits;
}

sl_status sl_cuda_slices_open(cuda_slices *s)
{
    CUDA_TRY(sl_object_migrate(s->object, &sl_store_cuda));
    s->vector = cuda_vector_of(s->object);
    s->first = sl_calloc(s->count + 1, sizeof *s->first);
    s->entries = sl_calloc(s->count + 1, sizeof *s->entries);
    if (!s->first || !s->entries)
        return cuda_no_host_memory(s->object->ctx);
    CUDA_TRY(sl_cuda_bring_into_order(s->object, s->vector, NULL));
    if (s->values)
        CUDA_TRY(sl_cuda_write_values(s->object, s->vector));
    if (s->vector->nvals == 0)
        return SL_OK;
    s->at_once = fits_at_once(s);
    if (s->at_once) {
        s->places.count = s->count;
        memcpy(s->places.begin, s->begin, (s->count + 1) * sizeof *s->begin);
        return SL_OK;
    }
    if (s->count == 1 && s->vector->bits) { /* the whole vector */
        CUDA_TRY(sl_cuda_count_entries(s->object, s->vector));
        s->entries[0] = s->vector->nvals;
        return SL_OK;
    }
    if (s->vector->bits)
        return count_bitmap(s);
    if (cuda_is_list(s->vector)) {
        CUDA_TRY(count_list(s));
        return thin_lists(s);
    }
    for (uint32_t k = 0; k < s->count; k++)
        s->entries[k] = length_of(s, k);
    return SL_OK;
}

void sl_cuda_slices_close(cuda_slices *s)
{
    sl_free(s->first);
    sl_free(s->entries);
    sl_cuda_arena_release(&s->arena);
}

static uint64_t form_of(const cuda_slices *s, uint32_t k)
{
    if (s->entries[k] == 0)
        return SLICE_EMPTY;
    if (s->at_once && s->values)
        return SLICE_BITMAP;
    if (s->entries[k] == length_of(s, k))
        return cuda_is_list(s->vector) ? SLICE_LIST : SLICE_FULL;
    if (s->at_once)
        return SLICE_BITMAP;
    return cuda_is_list(s->vector) || list_bytes(s, k) < bitmap_bytes(s, k) ? SLICE_LIST
                                                                            : SLICE_BITMAP;
}

/* ---- packing ------------------------------------------------------------------------------------------ */

/* Where the values of a message are that begins with `before` bytes of bits or indices. */
static char *values_at(const cuda_slices *s, char *to, uint64_t before)
{
    return s->values ? to + cuda_grid_aligned(before) : NULL;
}

/* Where the values of a bitmap are. */
static char *values_behind_bits(const cuda_slices *s, uint32_t k, char *to)
{
    return s->values ? to + cuda_slice_bits_bytes(length_of(s, k)) : NULL;
}

static sl_status copy_values(const cuda_slices *s, uint32_t k, void *to)
{
    const size_t size = sl_type_size(s->object->type);
    return to ? sl_cuda_copy(s->object->ctx, to,
                             (const char *)s->vector->values + s->begin[k] * size,
                             length_of(s, k) * size)
              : SL_OK;
}

static sl_status pack_bitmap(cuda_slices *s, uint32_t k, char *to)
{
    CUDA_TRY(sl_cuda_status(
        s->object->ctx, "kernel slice_bits",
        sl_cuda_slice_bits((uint32_t *)to, s->vector->bits, s->begin[k], length_of(s, k))));
    return copy_values(s, k, values_behind_bits(s, k, to));
}

/* The bits are written when the slices are completed. */
static sl_status pack_at_once(cuda_slices *s, uint32_t k, char *to)
{
    const size_t size = value_bytes(s);
    s->places.to[k] = (uint32_t *)to;
    if (!s->values || !to)
        return SL_OK;
    return sl_cuda_status(s->object->ctx, "kernel copy_present",
                          sl_cuda_copy_present(values_behind_bits(s, k, to),
                                               (const char *)s->vector->values + s->begin[k] * size,
                                               s->vector->bits, s->begin[k], size,
                                               length_of(s, k)));
}

static sl_status list_of_bits(cuda_slices *s, uint32_t k, char *to)
{
    sl_context *ctx = s->object->ctx;
    const uint64_t words = cuda_words(length_of(s, k));
    const size_t size = sl_type_size(s->object->type);
    uint32_t *bits;
    uint64_t *ends;
    CUDA_TRY(sl_cuda_arena_take(ctx, &s->arena, &bits, words * sizeof *bits));
    CUDA_TRY(sl_cuda_arena_take(ctx, &s->arena, &ends, words * sizeof *ends));
    CUDA_TRY(
        sl_cuda_status(ctx, "kernel slice_bits",
                       sl_cuda_slice_bits(bits, s->vector->bits, s->begin[k], length_of(s, k))));
    CUDA_TRY(sl_cuda_status(ctx, "kernel word_lengths", sl_cuda_word_lengths(ends, bits, words)));
    CUDA_TRY(sl_cuda_sum_ends(ctx, &s->arena, ends, words));
    return sl_cuda_status(
        ctx, "kernel list_slice",
        sl_cuda_list_slice((uint32_t *)to, values_at(s, to, s->entries[k] * sizeof(uint32_t)), ends,
                           bits, (const char *)s->vector->values + s->begin[k] * size, size,
                           words));
}

static sl_status list_of_list(cuda_slices *s, uint32_t k, char *to)
{
    sl_context *ctx = s->object->ctx;
    const cuda_matrix *list = s->vector->list;
    const size_t size = sl_type_size(s->object->type);
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), s->object->type);
    char *values = values_at(s, to, s->entries[k] * sizeof(uint32_t));
    CUDA_TRY(sl_cuda_status(ctx, "kernel shift_indices",
                            sl_cuda_shift_indices((uint32_t *)to, list->index + s->first[k],
                                                  0 - (uint32_t)s->begin[k], s->entries[k])));
    if (!values)
        return SL_OK;
    if (list->values)
        return sl_cuda_copy(ctx, values, (const char *)list->values + s->first[k] * size,
                            s->entries[k] * size);
    return sl_cuda_status(ctx, "kernel fill", sl_cuda_fill(values, &one.as, size, s->entries[k]));
}

/* A full slice is not copied if the caller names no place. */
static sl_status pack_full(cuda_slices *s, uint32_t k, char *to, cuda_parcel *parcel)
{
    if (!to && s->values)
        parcel->data = (const uint8_t *)s->vector->values + s->begin[k] * value_bytes(s);
    return to && s->values ? copy_values(s, k, to) : SL_OK;
}

/* What the receivers read: of a bitmap that they read in the outbox, the values of the entries alone. */
static uint64_t bytes_of(const cuda_slices *s, uint32_t k)
{
    switch (form_of(s, k)) {
    case SLICE_FULL:
        return length_of(s, k) * value_bytes(s);
    case SLICE_LIST:
        return list_bytes(s, k);
    case SLICE_BITMAP:
        return s->at_once ? cuda_slice_bits_bytes(length_of(s, k)) + s->entries[k] * value_bytes(s)
                          : bitmap_bytes(s, k);
    default:
        return 0;
    }
}

sl_status sl_cuda_slices_pack(cuda_slices *s, uint32_t k, char *to, cuda_parcel *parcel)
{
    const uint64_t form = s->at_once ? SLICE_BITMAP : form_of(s, k);
    parcel->data = (const uint8_t *)to;
    if (form == SLICE_EMPTY)
        return SL_OK;
    if (form == SLICE_FULL)
        return pack_full(s, k, to, parcel);
    if (!to && !(s->at_once && s->values))
        CUDA_TRY(sl_cuda_arena_take(s->object->ctx, &s->arena, &to,
                                    s->at_once ? bitmap_bytes(s, k) : bytes_of(s, k)));
    parcel->data = (const uint8_t *)to;
    if (s->at_once)
        return pack_at_once(s, k, to);
    if (form == SLICE_BITMAP)
        return pack_bitmap(s, k, to);
    return cuda_is_list(s->vector) ? list_of_list(s, k, to) : list_of_bits(s, k, to);
}

sl_status sl_cuda_slices_complete(cuda_slices *s)
{
    static const char *const what = "kernel slice_and_count";
    sl_context *ctx = s->object->ctx;
    if (!s->at_once)
        return sl_cuda_wait(ctx, "messages of a grid");
    unsigned long long stamp;
    cuda_stamped_count *pinned = sl_cuda_lock_stamped(&stamp);
    const sl_status launched = sl_cuda_status(
        ctx, what, sl_cuda_slice_and_count(pinned, stamp, &s->places, s->vector->bits));
    CUDA_TRY(sl_cuda_unlock_stamped(ctx, what, launched, s->entries, s->count));
    if (s->count == 1)
        s->vector->nvals = s->entries[0];
    return SL_OK;
}

sl_status sl_cuda_slices_keep(cuda_slices *s, uint32_t k, cuda_parcel *parcel)
{
    char *to;
    if (parcel->data || form_of(s, k) != SLICE_BITMAP)
        return SL_OK;
    CUDA_TRY(sl_cuda_arena_take(s->object->ctx, &s->arena, &to, bitmap_bytes(s, k)));
    parcel->data = (const uint8_t *)to;
    return pack_bitmap(s, k, to);
}

void sl_cuda_slices_describe(const cuda_slices *s, uint32_t k, cuda_parcel *parcel)
{
    parcel->words[SLICE_FORM] = form_of(s, k);
    parcel->words[SLICE_ENTRIES] = s->entries[k];
    parcel->bytes = bytes_of(s, k);
    if (s->at_once) /* read where it is, if the outboxes are mapped */
        parcel->set.count = s->entries[k];
}
