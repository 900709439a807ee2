/* A product of matrices while it runs. Private to mxm.c and mxm_devices.c. */
#ifndef SEMLA_DIST_SUMMA_H
#define SEMLA_DIST_SUMMA_H

#include "devices.h"
#include "stages.h"

typedef struct {
    sl_grid *grid;
    const sl_call *call;
    uint64_t m, k, n;
    sl_object *a, *b; /* this rank's blocks of the factors */
    sl_row_values of_a, of_b;
    sl_semiring semiring; /* in the local context */
    sl_semiring made;     /* the same if it was created here, else NULL */
    uint64_t
        *cut; /* [C + 1]: the local columns of `a` where the blocks of each grid column begin */
    uint64_t *shift; /* [R]: the inner index of a stage where the columns of each grid row begin */
    bool by_devices; /* blocks travel from device to device; else: */
    sl_stages stages;
    sl_matrix *sums;
} summa;

/* Whether this rank's block of B serves as it is in the first stage. */
static inline bool sl_summa_takes_own_b(const summa *s)
{
    return s->of_b == SL_ROW_VALUES || s->of_b == SL_ROW_PATTERN;
}

/* Decides whether blocks travel from device to device, and brings this rank's blocks to its device if
 * so. Collective; the ranks agree on `status`. */
sl_status sl_summa_choose_devices(summa *s, sl_status status);

/*
 * Makes the factors of a stage on this rank's device; *B stays NULL if this rank's block serves.
 * `inner`: the inner indices of the stage. Collective: a rank that has failed takes part with its status.
 */
sl_status sl_summa_exchange_devices(sl_matrix **A, sl_matrix **B, summa *s, uint32_t stage,
                                    const sl_local_blocks *inner, sl_status status);

#endif
