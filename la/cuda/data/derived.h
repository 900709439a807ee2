/*
 * Data that a folder derives from an object of the device and keeps with it until the object
 * changes: the transpose of a matrix, its reordered graph, tiles of that graph, ... The object
 * holds a list, in which each piece is found by its kind. So it can release the pieces and tell
 * their memory without knowing the folders that make them. Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_DERIVED_H
#define SEMLA_CUDA_DERIVED_H

#include "cuda/runtime/device.h"
#include "cuda/runtime/spare.h"

/* One for each kind of data, static in the folder that makes it. */
typedef struct {
    const char *name; /* of the data, in messages */
    void (*release)(void *data);
    /* Adds the memory of the data to the answer of sl_matrix_placement. NULL: it has none on the device. */
    void (*place)(sl_placement *placement, const void *data);
} cuda_derived_kind;

typedef struct cuda_derived {
    cuda_spare spare;
    const cuda_derived_kind *kind;
    void *data; /* NULL: they gave way */
    struct cuda_derived *next;
} cuda_derived;

/* The data of a kind, or NULL. They stay until the end of the call. */
static inline void *cuda_find_derived(cuda_derived *list, const cuda_derived_kind *kind)
{
    while (list && list->kind != kind)
        list = list->next;
    if (list)
        list->spare.used = sl_cuda_call_number();
    return list ? list->data : NULL;
}

/* Keeps `data`, which belongs to the list from then on, in place of what the list has of this kind.
 * Releases `data` on failure: SL_NO_MEMORY. */
sl_status sl_cuda_keep_derived(sl_context *ctx, cuda_derived **list, const cuda_derived_kind *kind,
                               void *data);
/* From now on the data of a kind give way if memory is short (spare.h), as they can be made again from the entries. Not
 * on a rank of a grid: ranks agree on what they have. */
void sl_cuda_spare_derived(cuda_derived *list, const cuda_derived_kind *kind);
/* The data in the list no longer give way, as the entries are not kept. */
void sl_cuda_hold_derived(cuda_derived *list);
/* Releases the data of a kind, if the list has some. */
void sl_cuda_drop_derived(cuda_derived **list, const cuda_derived_kind *kind);
/* Releases the data that were kept after the piece `than`, if the list still has that. */
void sl_cuda_drop_newer_derived(cuda_derived **list, const cuda_derived *than);
/* Releases all data. */
void sl_cuda_drop_all_derived(cuda_derived **list);
/* Adds the memory of all data to `placement`. */
void sl_cuda_place_derived(sl_placement *placement, const cuda_derived *list);

#endif
