/* A product of matrices while it runs. Private to mxm.c and mxm_devices.c. */
#ifndef SEMLA_DIST_SUMMA_H
#define SEMLA_DIST_SUMMA_H

#include <semla/device_matrices.h>

#include "dist/grid/devices.h"
#include "dist/operations/stages.h"

/* An array of `count` numbers and one more, and one of `count`, both in one allocation
 * (sl_device_numbers). */
typedef struct {
    uint64_t *begin, *first;
    uint32_t count;
} summa_numbers;

/* A factor that is made by an exchange. */
typedef struct {
    bool of_b; /* else of A */
    uint64_t nrows, ncols;
    sl_row_values values;
    sl_type type;                 /* of the values that travel */
    const summa_numbers *indices; /* SL_ROW_INDEX, SL_ROW_COLUMN: of its rows or columns */
} summa_factor;

/* The exchange from device to device that is under way, if there is one; else all zero. */
typedef struct {
    void *exchanges; /* private to the engine */
    unsigned count;
    summa_factor factor[SL_BLOCK_EXCHANGES];
    sl_device_block_exchange exchange[SL_BLOCK_EXCHANGES];
    summa_numbers inner, of_a, of_b; /* inner indices, rows of A, columns of B */
    summa_numbers *map;              /* [C]: the rows of the blocks of B that are gathered */
    sl_device_numbers *maps;         /* [C]: the same */
} summa_moving;

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
    uint64_t *shift; /* [R C]: scratch */
    bool may_gather; /* SEMLA_DIST does not have the word stages */
    bool gathered;   /* one stage has all inner indices */
    bool by_devices; /* blocks travel from device to device: */
    summa_moving moving;
    sl_stages stages; /* else */
    sl_matrix *sums;
} summa;

/* Whether this rank's blocks serve as they are where nothing else is needed. */
static inline bool sl_summa_takes_own_a(const summa *s)
{
    return s->of_a == SL_ROW_VALUES || s->of_a == SL_ROW_PATTERN;
}
static inline bool sl_summa_takes_own_b(const summa *s)
{
    return s->of_b == SL_ROW_VALUES || s->of_b == SL_ROW_PATTERN;
}

/* Decides whether blocks travel from device to device and whether they are gathered, and brings
 * this rank's blocks to its device if so. Collective; the ranks agree on `status`. */
sl_status sl_summa_choose_devices(summa *s, sl_status status);

/*
 * Begin and end the exchange of the factors of a stage, or of gathered ones, from device to device. Between them this
 * rank's device multiplies the factors of the stage before. The end makes the factors; *A or *B stays NULL if this
 * rank's block serves. Collective: a rank that has failed takes part with its status.
 */
sl_status sl_summa_begin_devices(summa *s, uint32_t stage, sl_status status);
sl_status sl_summa_end_devices(sl_matrix **A, sl_matrix **B, summa *s, uint32_t stage,
                               sl_status status);

/*
 * Products with a short left factor (mxm_short.c), which leave B where it is. `local` has this rank's blocks of the
 * factors. Collective; in sl_summa_short a failure may concern this rank alone.
 */
sl_status sl_summa_is_short(bool *is_short, const sl_call *call, const sl_call *local);
sl_status sl_summa_short(const sl_call *call, const sl_call *local);

#endif
