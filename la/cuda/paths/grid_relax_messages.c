/*
 * The exchanges of a closure. The outbox has two slots for the vertices that are expanded, which
 * two rounds use in turn, a slot for each member of the grid row for candidates, on a grid of one
 * row two of them, which rounds use in turn, too, and behind them the numbers of candidates. A
 * reduction over all processes between two rounds, before which each process has waited for its
 * reads, lets a slot be written again.
 */
#include "cuda/paths/grid_relax_run.h"

enum { COUNT, WORDS }; /* words of a message */

char *sl_cuda_grid_relax_near(const cuda_grid_relax *r)
{
    return r->links->outbox + r->number % 2 * r->box.slot + r->box.middle;
}

/* In the outbox of this or another process: the slot for candidates of a round for a member, and their number. */
static uint64_t fold_offset(const cuda_grid_relax *r, uint64_t round, uint32_t member)
{
    const uint64_t members = r->x->grid->cols;
    return (2 + round % r->box.fold_sets * members + member) * r->box.slot + r->box.middle;
}

static uint64_t count_offset(const cuda_grid_relax *r, uint64_t round, uint32_t member)
{
    const uint64_t members = r->x->grid->cols;
    return (2 + r->box.fold_sets * members) * r->box.slot +
           (round % r->box.fold_sets * members + member) * sizeof(uint64_t);
}

static char *fold_slot(const cuda_grid_relax *r, uint32_t member)
{
    return r->links->outbox + fold_offset(r, r->number, member);
}

/* The bytes of the ids before the middle of a message, and of the message. */
static uint64_t id_bytes(uint64_t count)
{
    return cuda_grid_aligned(count * sizeof(uint32_t));
}

static cuda_parcel parcel_of(const cuda_grid_relax *r, const char *middle, uint64_t count)
{
    const uint64_t size = sl_type_size(r->g.own.p.type);
    return (cuda_parcel){.bytes = count ? id_bytes(count) + count * size : 0,
                         .offset = (uint64_t)(middle - r->links->outbox) - id_bytes(count),
                         .words = {[COUNT] = count}};
}

void sl_cuda_grid_relax_swap(cuda_grid_relax *r, sl_grid_line line, sl_relax_phase phase)
{
    const double began = sl_seconds();
    sl_device_traffic *t = &r->x->traffic[phase];
    r->status = sl_cuda_grid_swap(r->links, r->s.call->ctx, line, r->links->sent,
                                  r->links->received, r->status);
    t->transport = r->links->transport->name;
    t->seconds += sl_seconds() - began;
    for (uint32_t m = 0; m < sl_device_grid_members(r->x->grid, line); m++) {
        const uint64_t bytes = r->links->received[m].bytes;
        t->messages += bytes > 0;
        t->bytes += bytes;
        t->host_bytes += r->links->transport->stages ? bytes : 0;
    }
}

/* Calls `read` with the messages received along a line, GRID_RELAX_MESSAGES at a time, and *own, or nothing, in the
 * place of this process's. begin: the first id of each member's message, or NULL. */
static void read_messages(cuda_grid_relax *r, sl_grid_line line, const grid_relax_message *own,
                          const sl_local_blocks *begin,
                          void (*read)(cuda_grid_relax *, const grid_relax_messages *))
{
    const uint32_t members = sl_device_grid_members(r->x->grid, line),
                   place = sl_device_grid_place(r->x->grid, line);
    grid_relax_messages some = {.count = 0};
    for (uint32_t m = 0; m < members && r->status == SL_OK; m++) {
        const cuda_parcel *p = &r->links->received[m];
        if (m == place ? own != NULL : p->bytes > 0) {
            grid_relax_message *next = &some.of[some.count++];
            const uint64_t count = m == place ? 0 : p->words[COUNT];
            *next = m == place
                        ? *own
                        : (grid_relax_message){.middle = (const char *)p->data + id_bytes(count),
                                               .count = count};
            next->begin = begin ? sl_local_blocks_begin(begin, m) : 0;
        }
        if (some.count > 0 && (some.count == GRID_RELAX_MESSAGES || m + 1 == members)) {
            read(r, &some);
            some.count = 0;
        }
    }
}

/* ---- expand ------------------------------------------------------------------------------------- */

static void arrive(cuda_grid_relax *r, const grid_relax_messages *messages)
{
    if (r->sorted)
        RELAX_LAUNCH(r, "arrive", sl_cuda_grid_paths_arrive(&r->p, messages));
    else
        RELAX_LAUNCH(r, "arrive", sl_cuda_grid_relax_arrive(&r->g, messages));
}

void sl_cuda_grid_relax_expand(cuda_grid_relax *r)
{
    const uint32_t members = r->x->grid->rows;
    const grid_relax_message own = {.middle = sl_cuda_grid_relax_near(r),
                                    .count_at = &r->g.counts->taken};
    if (members > 1) {
        for (uint32_t m = 0; m < members; m++)
            r->links->sent[m] = parcel_of(r, own.middle, r->taken);
        sl_cuda_grid_relax_swap(r, SL_ALONG_COLUMN, SL_RELAX_EXPAND);
    }
    RELAX_DO(r, sl_cuda_zero(r->s.call->ctx, r->g.block.state, sizeof *r->g.block.state));
    read_messages(r, SL_ALONG_COLUMN, &own, &r->x->rows, arrive);
}

/* ---- fold --------------------------------------------------------------------------------------- */

static void merge(cuda_grid_relax *r, const grid_relax_messages *messages)
{
    RELAX_LAUNCH(r, "merge", sl_cuda_grid_relax_merge(&r->g, messages, (long long)r->number));
}

/* Reads how many candidates there are for each member, up to 8 at a time. */
static void describe_candidates(cuda_grid_relax *r)
{
    enum { AT_ONCE = 8 };
    const uint32_t members = r->x->grid->cols;
    unsigned long long counts[AT_ONCE] = {0};
    for (uint32_t m = 0; m < members; m++) {
        const uint32_t left = members - m, now = left < AT_ONCE ? left : AT_ONCE;
        if (m % AT_ONCE == 0)
            RELAX_DO(r, sl_cuda_fetch(r->s.call->ctx, "kernel collect", counts, r->g.folded + m,
                                      now * sizeof *counts));
        if (r->status == SL_OK)
            r->links->sent[m] = parcel_of(r, fold_slot(r, m), counts[m % AT_ONCE]);
    }
}

void sl_cuda_grid_collect_candidates(cuda_grid_relax *r)
{
    r->g.folded = (unsigned long long *)(r->links->outbox + count_offset(r, r->number, 0));
    RELAX_LAUNCH(r, "collect", sl_cuda_grid_relax_collect(&r->g, fold_slot(r, 0), r->box.slot));
}

void sl_cuda_grid_relax_fold(cuda_grid_relax *r)
{
    if (r->x->grid->cols == 1)
        return;
    sl_cuda_grid_collect_candidates(r);
    describe_candidates(r);
    sl_cuda_grid_relax_swap(r, SL_ALONG_ROW, SL_RELAX_FOLD);
    read_messages(r, SL_ALONG_ROW, NULL, NULL, merge);
}

void sl_cuda_grid_merge_mapped(cuda_grid_relax *r)
{
    const uint32_t members = r->x->grid->cols, place = r->x->grid->j;
    grid_relax_messages some = {.count = 0};
    for (uint32_t m = 0; m < members && r->status == SL_OK; m++) {
        const char *theirs = r->links->peer[sl_device_grid_number(r->x->grid, SL_ALONG_ROW, m)];
        if (m != place)
            some.of[some.count++] = (grid_relax_message){
                .middle = theirs + fold_offset(r, r->number - 1, place),
                .count_at =
                    (const unsigned long long *)(theirs + count_offset(r, r->number - 1, place))};
        if (some.count > 0 && (some.count == GRID_RELAX_MESSAGES || m + 1 == members)) {
            merge(r, &some);
            some.count = 0;
        }
    }
}

/* ---- a round ----------------------------------------------------------------------------------- */

void sl_cuda_grid_relax_log(cuda_grid_relax *r, double began)
{
    unsigned long long next = 0;
    if (!r->options->log)
        return;
    RELAX_DO(r, sl_cuda_fetch(r->s.call->ctx, "kernel push", &next, &r->g.block.state->next[0],
                              sizeof next));
    uint64_t sums[] = {r->taken, next & ((UINT64_C(1) << r->g.block.edge_bits) - 1)};
    const sl_status status = r->x->grid->reduce(r->x->grid, sums, 2, false);
    const sl_iteration done = {.direction = SL_PUSH,
                               .edges_exact = true,
                               .frontier = sums[0],
                               .edges = sums[1],
                               .seconds = sl_seconds() - began};
    RELAX_DO(r, status);
    if (r->status == SL_OK && sl_iteration_log_append(r->options->log, &done) != SL_OK)
        r->status = sl_fail(r->s.call->ctx, SL_NO_MEMORY,
                            "closure: out of memory for the log of iterations");
}

void sl_cuda_grid_relax_push_round(cuda_grid_relax *r)
{
    if (r->sorted && r->advanced)
        RELAX_LAUNCH(r, "continue_rows", sl_cuda_grid_paths_continue(&r->p));
    r->advanced = false;
    if (r->sorted)
        RELAX_LAUNCH(r, "push", sl_cuda_grid_paths_push(&r->p));
    else
        RELAX_LAUNCH(r, "push", sl_cuda_grid_relax_push(&r->g, (long long)r->number));
}
