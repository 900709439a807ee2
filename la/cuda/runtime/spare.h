/*
 * Spare data: data on the device that can be made again, such as the transpose that is kept with a matrix. Where memory
 * is short they are freed: of the same context alone, first what was used longest ago, and nothing that the running
 * call has used. Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_SPARE_H
#define SEMLA_CUDA_SPARE_H

#include <semla/engine.h>

/* Part of a structure with such data. */
typedef struct cuda_spare {
    const sl_context *ctx;
    uint64_t used;                        /* the number of the last call that used the data */
    void (*release)(struct cuda_spare *); /* frees the data, not the structure */
    struct cuda_spare *previous, *next;   /* in the list of all; NULL: it is not in the list */
} cuda_spare;

/* Around each call of the engine, and each transfer to the device; calls within calls belong to the outermost. */
void sl_cuda_begin_call(void);
void sl_cuda_end_call(void);
/* The number of the calling thread's call, or of its last one. */
uint64_t sl_cuda_call_number(void);

/* From now on the data may be freed; ctx and release are set. Allowed if they are in the list. */
void sl_cuda_offer_spare(cuda_spare *spare);
/* From now on they may not. Allowed if they are not in the list. */
void sl_cuda_withdraw_spare(cuda_spare *spare);
/* Frees the data of the context that were used longest ago, by an earlier call. False: there are none. */
bool sl_cuda_release_oldest_spare(const sl_context *ctx);

#endif
