#include <stdio.h>
#include <string.h>

#include "output.h"
#include "parity.h"
#include "tree.h"

/* Counts a difference; gives it to be filled in if it is one of the first. */
static difference *note(parity_row *row, const yardstick *y, bool deterministic, int kind)
{
    row->levels = row->levels && kind != LEVEL_DIFFERS && kind != SEARCH_FAILED;
    row->parents = row->parents && kind != PARENT_DIFFERS && kind != SEARCH_FAILED;
    row->trees = row->trees && kind != TREE_INVALID && kind != SEARCH_FAILED;
    if (row->differences++ >= PARITY_SHOWN)
        return NULL;
    difference *d = &row->first[row->differences - 1];
    *d = (difference){.source = y->source, .deterministic = deterministic};
    d->kind = kind;
    return d;
}

static void compare_arrays(parity_row *row, const yardstick *y, bool deterministic, int kind,
                           const int64_t *expected, const int64_t *got)
{
    for (uint64_t v = 0; v < y->view->vertices; v++) {
        if (expected[v] == got[v])
            continue;
        difference *d = note(row, y, deterministic, kind);
        if (d) {
            d->vertex = v;
            d->expected = expected[v];
            d->got = got[v];
        }
    }
}

static sl_status compare_tree(parity_row *row, const yardstick *y, bool deterministic,
                              const tree *t)
{
    compare_arrays(row, y, deterministic, LEVEL_DIFFERS, y->level, t->level);
    if (deterministic) {
        compare_arrays(row, y, deterministic, PARENT_DIFFERS, y->parent, t->parent);
        return SL_OK;
    }
    sl_check_result verdict;
    sl_status status = sl_validate_search(&verdict, y->view, y->source, t->parent, t->level, -1);
    if (status != SL_OK || verdict.valid)
        return status;
    difference *d = note(row, y, deterministic, TREE_INVALID);
    if (d)
        snprintf(d->reason, sizeof d->reason, "%s", verdict.reason);
    return SL_OK;
}

static sl_status compare_search(parity_row *row, const sl_matrix *A, const yardstick *y,
                                bool deterministic)
{
    sl_vector *parent = NULL, *level = NULL;
    sl_bfs_options options = {.direction = row->direction, .deterministic = deterministic};
    double start = seconds_now();
    sl_status status = row->plain ? sl_bfs_plain(&parent, &level, A, y->source, deterministic)
                                  : sl_bfs(&parent, &level, A, y->source, &options);
    row->seconds += seconds_now() - start;
    row->searches++;
    tree t = {0};
    if (status == SL_OK) {
        status = tree_of_vectors(&t, parent, level);
        if (status == SL_OK)
            status = compare_tree(row, y, deterministic, &t);
    } else if (status != SL_NO_MEMORY) {
        difference *d = note(row, y, deterministic, SEARCH_FAILED);
        if (d)
            snprintf(d->reason, sizeof d->reason, "%s: %s", sl_status_string(status),
                     sl_context_message(sl_matrix_context(A)));
        status = SL_OK;
    }
    tree_free(&t);
    sl_vector_free(parent);
    sl_vector_free(level);
    return status;
}

/* True on all processes if the row has searched for long enough on one. */
static sl_status is_over(bool *over, sl_context *ctx, const parity_row *row, double limit)
{
    const uint8_t own = limit > 0 && row->searches > 0 && row->seconds >= limit;
    void *all;
    sl_status status = sl_gather(ctx, SL_OK, &all, NULL, &own, sizeof own);
    *over = status == SL_OK && memchr(all, 1, sl_context_processes(ctx));
    if (status == SL_OK)
        sl_free(all);
    return status;
}

sl_status parity_compare(parity_row *row, const sl_matrix *A, const yardstick *y, double limit)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_status status = SL_OK;
    bool over = false;
    for (int k = 0; k < 2 && status == SL_OK; k++) {
        status = is_over(&over, ctx, row, limit);
        if (status == SL_OK && !over)
            status = sl_agree(ctx, compare_search(row, A, y, k == 0));
    }
    return status;
}
