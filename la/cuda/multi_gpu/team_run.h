/* Private to the teams: a search under way, and what the host does between its launches. */
#ifndef SEMLA_CUDA_TEAM_RUN_H
#define SEMLA_CUDA_TEAM_RUN_H

#include "team.h"

/* A search under way. */
typedef struct {
    cuda_part *part;
    cuda_device_group *team;
    sl_call *call;
    const sl_closure_options *options;
    cuda_vector *pi, *level;
    group_bfs_params s;
    unsigned blocks;
    bool ends;                         /* the next launch may be the last */
    sl_status status;                  /* this rank's first failure between launches */
    cuda_message sent[GROUP_MAX_RANKS];      /* messages of this step, of all ranks */
    uint64_t received[SL_GROUP_CODECS]; /* bytes, of messages */
    double seconds;                    /* in what the host exchanged */
} group_bfs_run;

/* Keeps this rank's first failure. */
void sl_cuda_group_keep_failure(group_bfs_run *r, sl_status status);
/* The most bytes that a rank's message takes in its slot. */
uint64_t sl_cuda_group_slot_bytes(const group_bfs_run *r);
/*
 * What a launch has ended for: letters, and then what ranks found, go to all. The number of the
 * round is not used again, whatever becomes of this search. Collective.
 */
void sl_cuda_group_exchange(group_bfs_run *r);

#endif
