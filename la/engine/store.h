/*
 * A store: one kind of memory (the host's, a GPU's, a grid's) and how objects are kept in it. The
 * contents of an object are in one or several stores; each store knows them by a handle of its own
 * (sl_object.held). Contents pass from one store to another through arrays on the host.
 */
#ifndef SEMLA_STORE_H
#define SEMLA_STORE_H

#include <semla/for_module.h>
#include <semla/object.h>

/* The entries of a vector as arrays of the vector's size; or of a matrix as arrays with an element for
 * each place, row by row. */
typedef struct {
    uint64_t size;
    int8_t *present; /* [size]: 1 where there is an entry, else 0 */
    void *values;    /* [size], of the vector's type; unspecified where there is no entry */
    uint64_t nvals;
} sl_bitmap;

/* The numbers of the stores. */
typedef enum { SL_SLOT_HOST, SL_SLOT_CUDA, SL_SLOT_GRID } sl_slot;

typedef struct sl_store {
    const char *name;
    unsigned slot; /* index into sl_object.held: an sl_slot; unique, less than SL_MAX_STORES */
    sl_memory memory;

    /* Creates a handle of an empty object with the type and shape of `object`. */
    sl_status (*create)(void **handle, const sl_object *object);
    /* Creates a handle with the same contents as `source`, which is a handle of `object`. */
    sl_status (*copy)(void **handle, const sl_object *object, void *source);
    void (*release)(const sl_object *object, void *handle);
    /* The size of the contents in bytes, for sl_context_counts.bytes_copied. */
    uint64_t (*bytes)(const sl_object *object, void *handle);
    /* An estimate of the number of entries, O(1), without finishing deferred work. */
    uint64_t (*entries)(const sl_object *object, void *handle);
    /* May be NULL: it always is. Whether the number of entries is known, so that no device is waited for. */
    bool (*is_counted)(const sl_object *object, void *handle);
    /* Copies the contents to arrays from sl_malloc, sorted. A vector is one row: its indices are
     * csr->index and csr->start is {0, nvals}. csr->values NULL: every value is 1. */
    sl_status (*export_arrays)(sl_csr *csr, const sl_object *object, void *handle);
    /* Creates a handle from such arrays; on success the arrays belong to the store. */
    sl_status (*import_arrays)(void **handle, const sl_object *object, sl_csr *csr);

    /* May be NULL. False if a failed operation destroyed the contents: the handle can only be
     * released. */
    bool (*intact)(const sl_object *object, void *handle);
    /* May be NULL. Completes the work that the store deferred on a handle. */
    sl_status (*finish)(const sl_object *object, void *handle);
    /* May be NULL. Keeps a vector in this form from now on. */
    sl_status (*prefer)(const sl_object *vector, void *handle, sl_form form);
    /* May be NULL. Waits for the operations queued on the vector, and fills in the view's device,
     * stream, nvals, values and present. SL_UNSUPPORTED if the vector is not kept in such arrays.
     */
    sl_status (*lend)(sl_vector_view *view, const sl_object *vector, void *handle);
    /* May be NULL. Adds the memory that the matrix uses to the answer of sl_matrix_placement. */
    void (*place)(sl_placement *placement, const sl_object *matrix, void *handle);

    /* May be NULL. Sets the number of threads of the context's operations; 0: OpenMP's default. */
    sl_status (*set_threads)(sl_context *ctx, int threads);
    /* May be NULL. Called before and after all work for a context that has a number of threads. */
    void (*enter)(sl_context *ctx);
    void (*leave)(sl_context *ctx);
    /* May be NULL. From now on allocates host memory by sl_malloc only and frees it as soon as it
     * is unused, so that it can be counted. SL_UNSUPPORTED if that is impossible. */
    sl_status (*expose_memory)(sl_context *ctx);

    /* The following are NULL unless the memory is the host's. */

    /* Lends a matrix's own arrays until the matrix is next written. values NULL: all entries have
     * the same value, which is not told; the pattern alone is lent. */
    sl_status (*view)(sl_csr *lent, const sl_object *object, void *handle);
    /* Whether a vector is kept as a list of its entries, and not as arrays of its size. */
    bool (*is_list)(const sl_object *vector, void *handle);
    /* The indices of a vector's entries, in no order, in an array from sl_malloc; NULL on failure. */
    sl_status (*copy_indices)(uint64_t **indices, uint64_t *count, const sl_object *vector,
                              void *handle);
    /* Moves a vector's own arrays out as a bitmap. Until `close` moves them back, which must
     * follow, nothing else may use the vector. */
    sl_status (*open)(sl_bitmap *arrays, const sl_object *object, void *handle);
    /* Moves arrays from sl_malloc into the vector or matrix; they replace its contents, if any. */
    sl_status (*close)(sl_bitmap *arrays, const sl_object *object, void *handle);
} sl_store;

/* Host memory: GraphBLAS objects of la/suitesparse/. */
SL_FOR_MODULE extern const sl_store sl_store_host;

/* The store with that slot among the stores of the context's engines, or NULL. */
const sl_store *sl_store_of_slot(const sl_context *ctx, unsigned slot);

/* The handle by which `store` keeps an object; NULL: it does not. */
static inline void *sl_handle(const sl_object *object, const sl_store *store)
{
    return object->held[store->slot];
}

/*
 * Begin and end work in a store for a context: sets the store's number of threads, and makes memory
 * that the calling thread allocates count for the context. sl_store_leave takes the return value of
 * the matching sl_store_enter. Calls nest.
 */
SL_FOR_MODULE sl_context *sl_store_enter(const sl_store *store, sl_context *ctx);
SL_FOR_MODULE void sl_store_leave(const sl_store *store, sl_context *ctx, sl_context *previous);

/* For a store that keeps its objects in an inner context, called by its expose_memory: both
 * contexts use the account of `inner`. ctx must not have an account. */
SL_FOR_MODULE void sl_context_share_account(sl_context *ctx, sl_context *inner);

#endif
