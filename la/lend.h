/* A vector's memory where it is, lent to libraries that take arrays without a copy. */
#ifndef SEMLA_LEND_H
#define SEMLA_LEND_H

#include <semla/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A kind of memory that a vector's values can be in. */
typedef enum {
    SL_MEMORY_HOST, /* the processor's */
    SL_MEMORY_CUDA, /* an NVIDIA GPU's */
    SL_MEMORY_COUNT /* how many there are */
} sl_memory;

/* A dense array of a vector's values, and where among them there are entries. */
typedef struct {
    sl_memory memory;        /* where the arrays are */
    int device;              /* CUDA's ordinal of the GPU; 0 on the host */
    void *stream;            /* the cudaStream_t in which the library works on the arrays; NULL on
                                the host */
    sl_type type;            /* of the values */
    uint64_t size;           /* of the vector */
    uint64_t nvals;          /* entries */
    const void *values;      /* size, of `type`; unspecified where there is no entry */
    const uint32_t *present; /* bit i % 32 of word i / 32 is 1 where there is an entry; NULL
                                where every index has one */
} sl_vector_view;

/*
 * Lends the vector's values in a kind of memory, where they are: nothing is copied
 * from one memory to another. On the host every index has to have an entry; a GPU
 * holds any vector as values with bits. All that was queued on them is done when
 * the function returns. O(1), save where one value stands for all: then the host
 * writes it out, which the vector keeps.
 *
 * The arrays are read-only and the vector's own. They are valid until the vector is
 * next written or freed; operations that read it leave them. Memory of a GPU is
 * used again in the order of `stream`, so work on it in other streams has to end
 * before the vector is written or freed.
 *
 * Errors: SL_INVALID (NULL, unknown memory), SL_UNSUPPORTED (on a grid; the vector is not in
 * that memory, or not as such an array), SL_NO_MEMORY, SL_ENGINE_FAULT; then *view
 * is zeroed.
 */
sl_status sl_vector_lend(sl_vector_view *view, const sl_vector *v, sl_memory memory);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
