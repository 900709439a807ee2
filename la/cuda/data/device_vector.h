/* Private to the CUDA engine: vectors on the device. */
#ifndef SEMLA_CUDA_VECTOR_H
#define SEMLA_CUDA_VECTOR_H

#include <string.h>

#include "cuda/data/device_matrix.h"
#include "cuda/data/frontier_list.h"
#include "cuda/data/object_kernels.h"
#include "cuda/data/order.h"
#include "cuda/runtime/arena.h"

/* A write to<f> = f or to<f> = one, f being the vector that has it, which waits. */
typedef struct {
    struct cuda_vector *to;
    bool values; /* of f are written, else `one`: 8 bytes that begin with the value */
    uint64_t one;
    size_t size; /* of a value of `to` */
    /* The entries that `to` has without the write, if f has none of them; CUDA_UNKNOWN: not known. */
    uint64_t entries;
} cuda_waiting_write;

/*
 * A vector of n = object->nrows indices, in one of four forms:
 *
 *   bitmap     bits and values: any number of entries
 *   full       values, no bits: all n entries are present
 *   list       a matrix of one row: few entries
 *   host list  `host_list`, in host memory: at most CUDA_HOST_LIST_MAX entries; no device memory
 *
 * The number of entries is known except for a bitmap. engine.c converts a vector to a bitmap before
 * operations that do not support its form.
 *
 * A bitmap or a full vector may be in an order of vertices (order.h): then bit and value k belong to the vertex at
 * place k. Lists are always in the caller's order. engine.c brings the vectors of a call into one order.
 */
typedef struct cuda_vector {
    uint64_t nvals; /* entries, or CUDA_UNKNOWN: see sl_cuda_count_entries */
    uint32_t *bits; /* bitmap: cuda_words(n); else NULL */
    bool full;
    bool same; /* bitmap or full: every value is `same_value`, and is not in `values` yet */
    uint64_t same_value; /* 8 bytes that begin with the value */
    bool numbered; /* bitmap or full, of integers: every value is first_number plus the index of its
                      entry, and is not in `values` yet */
    int64_t first_number;
    /* Not NULL: a bitmap of integers in an order; the value of entry v is the caller's id of vertex found[v], and is
     * not in `values` yet. */
    uint32_t *found;
    /* Not NULL: the vector is full, and the operand or the result of one product
     * (grid_vectors/ordered_vectors.c). `values` has the values of the columns in this order, or
     * the values of the rows with entries. */
    const struct cuda_sum_order *in_order;
    void *values;             /* bitmap, full: n, unspecified where there is no entry */
    cuda_matrix *list;        /* list: a matrix of one row; else NULL */
    cuda_host_list host_list; /* host list: the entries, by ascending index */
    cuda_degree_order *order; /* of the arrays, which the vector co-owns; NULL: the caller's */
    uint64_t pattern;         /* a number of the present pattern of entries; 0: none was given */
    uint64_t disjoint_from; /* the number of a pattern with which v has no entry in common; or 0 */
    bool lent;              /* the arrays are lent until v is written: they stay as they are */
    unsigned single_writes; /* how often a single entry was set or removed: see entries.c */
    cuda_frontier_list *frontier_list; /* list of the entries beside the bitmap, or NULL */
    /* Writes of v's entries that wait; n: the size of v. */
    struct {
        uint64_t n;
        unsigned count;
        cuda_waiting_write write[CUDA_ENTRY_WRITES];
    } waiting;
    struct cuda_vector *waits_for; /* whose writes have one to v; or NULL */
} cuda_vector;

static inline cuda_vector *cuda_vector_of(const sl_object *object)
{
    return object->held[SL_SLOT_CUDA];
}
/* True for a list and a host list. */
static inline bool cuda_is_list(const cuda_vector *v)
{
    return !v->bits && !v->full;
}
static inline bool cuda_is_host_list(const cuda_vector *v)
{
    return cuda_is_list(v) && !v->list;
}
/* Whether the values are in the array `values`: see sl_cuda_write_values. */
static inline bool cuda_has_values(const cuda_vector *v)
{
    return v->values && !v->same && !v->numbered && !v->found;
}
/* ---- making and freeing ---- */

/* A vector without entries, as a host list or as a bitmap. */
sl_status sl_cuda_new_list(cuda_vector **made, const sl_object *object);
sl_status sl_cuda_new_vector(cuda_vector **made, const sl_object *object);
sl_status sl_cuda_copy_vector(cuda_vector **made, const sl_object *object, const cuda_vector *from);
/* NULL is allowed. */
void sl_cuda_free_vector(cuda_vector *v);
/* Removes all entries and frees all arrays: an empty host list. */
void sl_cuda_clear_vector(cuda_vector *v);
/* Device memory of the vector. */
uint64_t sl_cuda_vector_bytes(const sl_object *object, const cuda_vector *v);

/* Arrays of a bitmap vector that no vector owns yet; contents unspecified. */
typedef struct {
    uint32_t *bits;
    void *values;
} cuda_bitmap;
/* For n values of `size` bytes; both are NULL on failure. */
sl_status sl_cuda_new_bitmap(sl_context *ctx, cuda_bitmap *made, uint64_t n, size_t size);
void sl_cuda_free_bitmap(cuda_bitmap *b);

/* ---- conversion between forms ---- */

/* Converts to a bitmap. */
sl_status sl_cuda_make_bitmap(const sl_object *object, cuda_vector *v);
/* Writes the entries of a list or host list, and no others, to the arrays `to`, in that order; order->new_id NULL: in
 * the caller's. */
sl_status sl_cuda_scatter_entries(const sl_object *object, const cuda_vector *v,
                                  const cuda_order_view *order, const cuda_bitmap *to);
/* Gives every entry of a bitmap or a full vector the same value, which 8 bytes begin with, and writes no array. */
void sl_cuda_give_value(cuda_vector *v, const void *value);
/* Makes every entry present, with such a value. */
sl_status sl_cuda_make_same(const sl_object *object, cuda_vector *v, const void *value);
/* Gives every entry of a vector of int32 or int64 its index plus `first` as the value; only a host list is written. */
void sl_cuda_number_vector(const sl_object *object, cuda_vector *v, int64_t first);
/* Writes the array of such a vector, of one of one value, or of vertices that were found; other vectors stay. */
sl_status sl_cuda_write_values(const sl_object *object, cuda_vector *v);
/* Makes every entry present; the values of new entries are unspecified. */
sl_status sl_cuda_make_full(const sl_object *object, cuda_vector *v);
/* Converts a host list to a list on the device; other forms stay. */
sl_status sl_cuda_make_list(const sl_object *object, cuda_vector *v);
/* True if so many entries should be a list. */
bool sl_cuda_fits_list(const sl_object *object, uint64_t nvals);
/* Replaces the entries by the entries of `list`, which belongs to the vector afterwards, also on
 * failure. A list that is too long becomes a bitmap. */
sl_status sl_cuda_become_list(const sl_object *object, cuda_vector *v, cuda_matrix *list);
/* Replaces the entries by a bitmap of `nvals` entries, whose arrays belong to the vector afterwards. */
void sl_cuda_become_bitmap(cuda_vector *v, cuda_bitmap made, uint64_t nvals);
/* An object that describes a list: a matrix of one row. */
sl_object sl_cuda_row(const sl_object *vector, cuda_matrix *list);

/* Sets the order in which the arrays of v are. */
void sl_cuda_set_order(cuda_vector *v, cuda_degree_order *order);
/* Brings v into that order (NULL: the caller's). A list with entries becomes a bitmap for it. Cost: O(n), if arrays
 * are copied. v is unchanged on failure. */
sl_status sl_cuda_bring_into_order(const sl_object *object, cuda_vector *v,
                                   cuda_degree_order *order);

/* Single entries of a host list. Values are 8 bytes that begin with the value. set: false if the
 * list is full. get: false if there is no entry. */
bool sl_cuda_host_list_set(cuda_vector *v, uint64_t index, const void *value);
void sl_cuda_host_list_remove(cuda_vector *v, uint64_t index);
bool sl_cuda_host_list_get(const cuda_vector *v, uint64_t index, void *value);

/* ---- the frontier list ---- */

/* The list of v along M's rows (NULL: any matrix); waits for its counts; *list is NULL if v
 * has none. */
sl_status sl_cuda_get_frontier_list(sl_context *ctx, cuda_frontier_list **list, cuda_vector *v,
                                    const cuda_matrix *M);
/* The list of v if it is listed and its counts have arrived, without waiting; else NULL. */
const cuda_frontier_list *sl_cuda_listed(const cuda_vector *v);
/* Drops the list. */
void sl_cuda_forget_list(cuda_vector *v);
/* Drops the list, and what is known of the pattern, of a vector that has been written. */
void sl_cuda_drop_frontier_list(cuda_vector *v);

/* ---- writes that wait ---- */

/*
 * A write w<f> = f or w<f> = scalar of the entries of f, a bitmap, may wait (operations/assign.c): f notes it, and
 * the next operation that reads or changes w, or changes f, does it first, with all others that wait for f, in one
 * launch. A product of f that tests w as its mask does it in its own launch (products/pattern_product.c). Both
 * vectors are bitmaps of one context in the same order; the arrays of w have room, so a write that waits cannot
 * fail for want of memory.
 */

/* Does what waits for v, and what v waits for. */
sl_status sl_cuda_finish_writes(sl_context *ctx, cuda_vector *v);
/* The writes that wait for v. */
cuda_entry_writes sl_cuda_waiting_writes(const cuda_vector *v);
/* Forgets them: they are done. */
void sl_cuda_forget_writes(cuda_vector *v);

/* ---- reading ---- */

/* Makes v->nvals known; waits if the entries have to be counted. */
sl_status sl_cuda_count_entries(const sl_object *object, cuda_vector *v);
/* Indices and values of v->nvals (known) entries by ascending index, in memory of the arena. */
sl_status sl_cuda_list_entries(cuda_arena *arena, uint64_t **index, void **values,
                               const sl_object *object, cuda_vector *v);
/* The same to the host; either array may be NULL. Waits. */
sl_status sl_cuda_download_entries(uint64_t *index, void *values, const sl_object *object,
                                   cuda_vector *v);

/* To new host arrays of csr, and from csr's arrays. Waits, unless v becomes a host list. */
sl_status sl_cuda_export_vector(sl_csr *csr, const sl_object *object, cuda_vector *v);
sl_status sl_cuda_import_vector(const sl_object *object, cuda_vector *v, const sl_csr *csr);

#endif
