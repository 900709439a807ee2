/* Compares the searches of one row of `semla parity` with the reference. */
#include <stdio.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/parity.h"
#include "cli/tree.h"

/* Counts a difference. Returns an element to fill in, or NULL if the row stores no more. */
static difference *add_difference(parity_row *row, const reference *ref, bool deterministic,
                                  int kind)
{
    row->levels = row->levels && kind != LEVEL_DIFFERS && kind != SEARCH_FAILED;
    row->parents = row->parents && kind != PARENT_DIFFERS && kind != SEARCH_FAILED;
    row->trees = row->trees && kind != TREE_INVALID && kind != SEARCH_FAILED;
    if (row->differences++ >= PARITY_SHOWN)
        return NULL;
    difference *d = &row->first[row->differences - 1];
    *d = (difference){.source = ref->source, .deterministic = deterministic};
    d->kind = kind;
    return d;
}

static void compare_arrays(parity_row *row, const reference *ref, bool deterministic, int kind,
                           const int64_t *expected, const int64_t *got)
{
    for (uint64_t v = 0; v < ref->view->vertices; v++) {
        if (expected[v] == got[v])
            continue;
        difference *d = add_difference(row, ref, deterministic, kind);
        if (d) {
            d->vertex = v;
            d->expected = expected[v];
            d->got = got[v];
        }
    }
}

static sl_status compare_tree(parity_row *row, const reference *ref, bool deterministic,
                              const tree *t)
{
    compare_arrays(row, ref, deterministic, LEVEL_DIFFERS, ref->level, t->level);
    if (deterministic) {
        compare_arrays(row, ref, deterministic, PARENT_DIFFERS, ref->parent, t->parent);
        return SL_OK;
    }
    sl_check_result verdict;
    sl_status status =
        sl_validate_search(&verdict, ref->view, ref->source, t->parent, t->level, -1);
    if (status != SL_OK || verdict.valid)
        return status;
    difference *d = add_difference(row, ref, deterministic, TREE_INVALID);
    if (d)
        snprintf(d->reason, sizeof d->reason, "%s", verdict.reason);
    return SL_OK;
}

static sl_status compare_search(parity_row *row, const sl_matrix *A, const reference *ref,
                                bool deterministic)
{
    sl_vector *parent = NULL, *level = NULL;
    sl_bfs_options options = {.direction = row->direction, .deterministic = deterministic};
    double start = seconds_now();
    sl_status status = row->plain ? sl_bfs_plain(&parent, &level, A, ref->source, deterministic)
                                  : sl_bfs(&parent, &level, A, ref->source, &options);
    row->seconds += seconds_now() - start;
    row->searches++;
    tree t = {0};
    if (status == SL_OK) {
        status = tree_of_vectors(&t, parent, level);
        if (status == SL_OK)
            status = compare_tree(row, ref, deterministic, &t);
    } else if (status != SL_NO_MEMORY) {
        difference *d = add_difference(row, ref, deterministic, SEARCH_FAILED);
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

/* Whether the row has reached the limit on any rank; the same result on all ranks. Collective. */
static sl_status is_over(bool *over, sl_context *ctx, const parity_row *row, double limit)
{
    const uint8_t local = limit > 0 && row->searches > 0 && row->seconds >= limit;
    void *all;
    sl_status status = sl_gather(ctx, SL_OK, &all, NULL, &local, sizeof local);
    *over = status == SL_OK && memchr(all, 1, sl_context_processes(ctx));
    if (status == SL_OK)
        sl_free(all);
    return status;
}

sl_status parity_compare(parity_row *row, const sl_matrix *A, const reference *ref, double limit)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_status status = SL_OK;
    bool over = false;
    for (int k = 0; k < 2 && status == SL_OK; k++) {
        status = is_over(&over, ctx, row, limit);
        if (status == SL_OK && !over)
            status = sl_agree(ctx, compare_search(row, A, ref, k == 0));
    }
    return status;
}
