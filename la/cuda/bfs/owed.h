/* Private to the steps of searches: what a search under way owes to vectors (owed.c). */
#ifndef SEMLA_CUDA_OWED_H
#define SEMLA_CUDA_OWED_H

#include "ahead.h"
#include "launches.h"
#include "owed_kernels.h"

/* What is owed to a vector: the finds of the steps from `since` to `last`, of which those up
 * to `written` are entries of it already. */
typedef struct {
    cuda_vector *v;
    sl_type type;
    cuda_bitmap room; /* for a vector that is a list still, unless it is replaced; or none */
    bool replaces;    /* the vector is the finds of `last` and nothing else: `count` of them */
    bool parents;     /* as values, else `value` and for each step `rise` more */
    unsigned long long value, rise;
    uint64_t since, written, last, count;
} cuda_owed;

struct cuda_ahead {
    cuda_launches l;
    bool under_way;
    /* The product that is repeated: the mask, and what its result's values are. */
    cuda_vector *mask;
    sl_type type;
    bool parents;
    unsigned long long one;
    uint64_t given;              /* steps that the program has had */
    uint64_t searched, launched; /* steps done, and those before the last launches */
    /* Those after `launched`: what they found, and (`records`) how they were done. */
    uint64_t count[BFS_LEVELS];
    bfs_level step[BFS_LEVELS];
    uint64_t entries;         /* of the mask at first, and of the steps given */
    uint64_t entries_then;    /* of the mask, with what all steps found */
    bool runs_ahead, records; /* or not; keeps how steps were done */
    bool outside;             /* the first frontier was not within the mask */
    uint64_t grant;           /* steps that the next launches may do */
    /* The last search ended as sl_bfs does, and with levels of so many bytes (0: without); so the
     * next one's launch writes vectors at its end, into rooms that the program's vectors get. */
    bool whole;
    size_t level_size;
    bool wide, ended;           /* the last launch was no cluster's; and it did write */
    cuda_bitmap spare;          /* for the levels, until there is a vector of them */
    unsigned penalty, sits_out; /* products that begin no search */
    unsigned vectors;
    cuda_owed vector[CUDA_AHEAD_VECTORS];
};

/* What is owed to the vector, or NULL. */
cuda_owed *sl_cuda_owed_to(cuda_ahead *a, const cuda_vector *v);
/* The same, new and nothing yet where there was none, if there is a new_id left for it. */
cuda_owed *sl_cuda_enlist(cuda_ahead *a, const sl_object *object);
bool sl_cuda_has_place(cuda_ahead *a, const cuda_vector *v);

/* Memory for what is owed to the vector, so that nothing is lost for want of it. */
sl_status sl_cuda_make_room(cuda_ahead *a, cuda_owed *e);

/* For a fresh search whose mask has been enlisted: it writes the program's vectors at its end,
 * if they are again what those of the last search were. */
void sl_cuda_expect_whole(cuda_ahead *a);

/* True if the vector still is the mask with the finds of all steps up to `last`. */
bool sl_cuda_is_mask(const cuda_ahead *a, const cuda_owed *e);
/* How many entries it will have, or CUDA_UNKNOWN. */
uint64_t sl_cuda_count_owed(const cuda_ahead *a, const cuda_owed *e);

/* Writes what is owed to one vector, or (NULL) to all. */
sl_status sl_cuda_write_owed(cuda_ahead *a, const cuda_owed *only);

/* The search is over, and the vectors get their entries: as it has found all, or as it is left
 * before that; a program that leaves each after too few steps does not begin one with each
 * product. */
sl_status sl_cuda_finish_found(cuda_ahead *a);
sl_status sl_cuda_leave_search(cuda_ahead *a);
/* The search is none: nothing is owed to anyone. */
void sl_cuda_drop_search(cuda_ahead *a);

/* A vector that a call reads gets its entries; one that it writes is then its own. NULL and
 * matrices are allowed. */
sl_status sl_cuda_put_in_place(const sl_object *object, bool written);
sl_status sl_cuda_put_all_in_place(const sl_call *call);

#endif
