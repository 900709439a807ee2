/*
 * The exchange of the factors of a product of matrices, in C stages on a grid of R x C. In stage t
 * P(i,j) multiplies over the inner indices of grid column m = (j + t) mod C: it needs the columns
 * m of the blocks of A along grid column j, and the block of B on P(i,m). So in every stage each rank
 * sends its block of B to one rank, and nothing in the first. A stage's messages travel while the one
 * before is multiplied. If the factors are gathered, one stage has the inner indices of all grid columns. For
 * mxm.c.
 */
#ifndef SEMLA_DIST_STAGES_H
#define SEMLA_DIST_STAGES_H

#include "dist/operations/row_messages.h"

/* The grid column of the inner indices that a stage multiplies over on this rank. */
static inline uint32_t sl_summa_column(const sl_grid *grid, uint32_t stage)
{
    return ((uint32_t)grid->j + stage) % (uint32_t)grid->cols;
}
/* The member of the grid row that needs this rank's block of B in a stage. */
static inline uint32_t sl_summa_receiver(const sl_grid *grid, uint32_t stage)
{
    return (uint32_t)(grid->j + grid->cols - (int)stage) % (uint32_t)grid->cols;
}

typedef struct {
    sl_grid *grid;
    sl_row_messages a, b; /* this rank's: C parts of its block of A, one of B; owned */
    uint64_t *a_bytes;    /* [R C]: message m of member r of the grid column is r C + m */
    uint64_t *b_bytes;    /* [C]: the message of each member of the grid row */
    bool gathered;
    uint8_t *in[2];        /* received messages of the stages of even and of odd number */
    const uint8_t **parts; /* [R C + C]: scratch of sl_stages_a and sl_stages_b */
    MPI_Request *requests; /* requests of the stage under way */
    int count;             /* number of requests */
} sl_stages;

/*
 * Opens the exchange of x->a and x->b, which were encoded; `status` is this rank's so far. The factors are
 * gathered if `may_gather` on every rank and no rank receives much. On failure x can be closed.
 * Collective; the ranks agree.
 */
sl_status sl_stages_open(sl_stages *x, sl_grid *grid, bool may_gather, sl_status status);
void sl_stages_close(sl_stages *x);

/* Sends and receives the messages of a stage, without waiting for them; one stage at a time. */
sl_status sl_stages_begin(sl_stages *x, uint32_t stage);
/* Waits for them, and begins the next stage if there is one. */
sl_status sl_stages_end(sl_stages *x, uint32_t stage);

/* The messages of a stage that has ended, which are valid until the next stage ends: blocks of A by grid column and
 * grid row, blocks of B by grid column. The columns of a stage are one, or all. */
const uint8_t *const *sl_stages_a(sl_stages *x, uint32_t stage);
const uint8_t *const *sl_stages_b(sl_stages *x, uint32_t stage);

#endif
