/* Access to a vector's own memory, for libraries that take arrays, without a copy. */
#ifndef SEMLA_LEND_H
#define SEMLA_LEND_H

#include <semla/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Kinds of memory. */
typedef enum {
    SL_MEMORY_HOST, /* host memory */
    SL_MEMORY_CUDA, /* memory of an NVIDIA GPU */
    SL_MEMORY_COUNT /* number of kinds */
} sl_memory;

/* A vector's values as a dense array, and its pattern as a bitmap. */
typedef struct {
    sl_memory memory;        /* that the arrays are in */
    int device;              /* CUDA's ordinal of the GPU; 0 on the host */
    void *stream;            /* the cudaStream_t in which the library uses the arrays; NULL on the
                                host */
    sl_type type;            /* of the values */
    uint64_t size;           /* of the vector */
    uint64_t nvals;          /* number of entries */
    const void *values;      /* [size], of `type`; unspecified where there is no entry */
    const uint32_t *present; /* bit i % 32 of word i / 32 is 1 if entry i exists; NULL: every
                                entry exists */
} sl_vector_view;

/*
 * Gives read access to a vector's own arrays, without copying them.
 *
 * view    out: the arrays, owned by the vector; valid until the vector is next written or freed.
 *         Operations that only read the vector leave them valid.
 * v       on the host, every index must have an entry; on a GPU any vector will do
 * memory  the memory that the vector must be in; it is not copied to another
 *
 * Operations queued on the vector are complete when the function returns. A GPU's memory is reused
 * in the order of view->stream, so work in other streams must end before the vector is written or
 * freed. O(1), except for a vector that stores one value for all entries: the host then writes all
 * values.
 *
 * Errors, with *view zeroed: SL_INVALID (NULL, unknown memory), SL_UNSUPPORTED (on a grid; the
 * vector is not in that memory, or not stored as such an array), SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_vector_lend(sl_vector_view *view, const sl_vector *v, sl_memory memory);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
