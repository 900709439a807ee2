/* Private to the teams: a search under way, and what the host does between its launches. */
#ifndef SEMLA_CUDA_TEAM_RUN_H
#define SEMLA_CUDA_TEAM_RUN_H

#include "team.h"

/* A search under way. */
typedef struct {
    cuda_part *part;
    cuda_team *team;
    sl_call *call;
    const sl_closure_options *options;
    cuda_vector *pi, *level;
    cuda_team_search s;
    unsigned blocks;
    bool ends;                         /* the next launch may be the last */
    sl_status status;                  /* this rank's first failure between launches */
    cuda_message sent[TEAM_MOST];      /* messages of this step, of all ranks */
    uint64_t received[SL_TEAM_CODECS]; /* bytes, of messages */
    double seconds;                    /* in what the host exchanged */
} cuda_team_run;

/* Keeps this rank's first failure. */
void sl_cuda_team_note(cuda_team_run *r, sl_status status);
/* The most bytes that a rank's message takes in its slot. */
uint64_t sl_cuda_team_slot(const cuda_team_run *r);
/*
 * What a launch has ended for: letters, and then what ranks found, go to all. The number of the
 * round is not used again, whatever becomes of this search. Collective.
 */
void sl_cuda_team_exchange(cuda_team_run *r);

#endif
