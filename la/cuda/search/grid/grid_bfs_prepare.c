/* Preparation of a two-dimensional search: vectors on the device, arrays, costs. */
#include <string.h>

#include "cuda/operations/generator.h"
#include "cuda/runtime/traversal_switches.h"
#include "cuda/search/device/launch.h"
#include "cuda/search/grid/grid_bfs_run.h"
#include "cuda/search/grid/grid_tuning.h"
#include "cuda/search/row/multi_gpu_tuning.h"

/* The bits of the numbers of columns. */
static unsigned column_bits(uint64_t columns)
{
    unsigned bits = 0;
    while ((columns - 1) >> bits)
        bits++;
    return bits;
}

static sl_status allocate(cuda_grid_run *r)
{
    cuda_part *part = r->part;
    grid_bfs *s = &r->s;
    const uint64_t R = part->grid->rows, C = part->grid->cols, longest = R > C ? R : C;
    const uint64_t targets = part->targets / 8, sources = part->sources / 8, own = part->stride / 8;
    const bool encodes = r->exchange->encodes;
    const cuda_array arrays[] = {{&s->frontier, R > 1 ? sources : 0},
                                 {&s->visited, targets},
                                 {&s->previous, targets},
                                 {&s->found, encodes ? targets : 0},
                                 {&s->arrived, encodes ? longest * own : 0},
                                 {&s->parent, part->targets * sizeof *s->parent},
                                 {&s->own_visited, encodes ? own : 0},
                                 {&r->next[0], encodes ? own : 0},
                                 {&r->next[1], encodes ? own : 0},
                                 {&s->own_reached, own},
                                 {&s->own_depth, part->stride * sizeof *s->own_depth},
                                 {&s->parent_is_first, targets},
                                 {&s->own_parents, own * (1 + column_bits(C))},
                                 {&s->list, part->sources * sizeof *s->list},
                                 {&s->ends, part->sources * sizeof *s->ends},
                                 {&r->counts, 2 * sizeof *r->counts},
                                 {&s->slice_counts, C * sizeof *s->slice_counts}};
    return sl_cuda_arena_arrays(r->call->ctx, &part->workspace, arrays,
                                sizeof arrays / sizeof *arrays);
}

/* Sets that travel as bitmaps are in the outbox, where the other processes read them. */
static void place_in_outbox(cuda_grid_run *r)
{
    char *outbox = r->part->links->outbox;
    for (int k = 0; k < 2; k++)
        r->next[k] = (uint32_t *)(outbox + r->boxes.set[k]);
    r->s.own_visited = (uint32_t *)(outbox + r->boxes.visited);
    r->s.found = (uint32_t *)(outbox + r->boxes.fold);
    r->s.arrived = NULL;
}

/* Bitmaps within a host: the largest takes less time than counts, heads and encoding. */
static const cuda_grid_exchange *exchange_for(const cuda_part *part)
{
    return part->links->transport->mapped && !part->grid->group->encodes ? &sl_cuda_grid_bitmaps
                                                                         : &sl_cuda_grid_messages;
}

static void set_graph(cuda_grid_run *r)
{
    const cuda_part *part = r->part;
    r->s = (grid_bfs){.rows = part->grid->rows,
                      .cols = part->grid->cols,
                      .i = part->grid->i,
                      .j = part->grid->j,
                      .stride = part->stride,
                      .words = part->words,
                      .own_n = part->own_n,
                      .own_with_edges = part->own_with_edges,
                      .expanded = part->expanded,
                      .out_start = part->out_start,
                      .in_start = part->in.start,
                      .out_index = part->out.index,
                      .in_index = part->in.index,
                      .has_in_edges = r->kept->has_in_edges,
                      .row_of_source = part->row_of_source,
                      .own_word_degree = part->own_word_degree,
                      .numbered = part->numbered.words,
                      .numbered_id = part->numbered.id,
                      .numbered_first = part->numbered.first,
                      .column_bits = column_bits(part->grid->cols),
                      .first_vertex = r->kept->first_vertex,
                      .word_degree = part->word_degree,
                      .edge_bits = sl_cuda_bits_for(part->edges + 1)};
}

/* Costs of a level as one device has them, times the processes that do the same work: every row of
 * the frontier is looked up by the R processes of a column; a target is searched by the C of a row. */
static void set_policy(cuda_grid_run *r, const cuda_switches *on)
{
    const double columns = r->part->grid->cols;
    r->policy = on->policy;
    r->policy.row = (double)GROUP_ROW_COST * r->part->grid->rows;
    r->policy.edge *= columns;
    r->policy.vertex *= columns;
    r->policy.bit *= columns;
}

static void forget_parents(grid_bfs *s)
{
    s->parent = s->parent_is_first = s->own_parents = NULL;
    s->column_bits = 0;
}

static void set_vectors(cuda_grid_run *r)
{
    const cuda_search_vectors *v = &r->vectors;
    r->to = (grid_bfs_vectors){.whole = v->whole,
                               .source = v->source,
                               .source_parent = (long long)r->options->source,
                               .pi = v->to_pi.bits,
                               .q = v->whole ? NULL : v->q->bits,
                               .parent = v->parent,
                               .reached = v->reached,
                               .level_bits = v->to_level.bits,
                               .level = v->depth};
}

sl_status sl_cuda_grid_prepare(cuda_grid_run *r)
{
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, r->call->ctx));
    set_graph(r);
    set_policy(r, &on);
    set_vectors(r);
    r->s.hub_words = on.hubs ? sl_cuda_bfs_hub_words(r->part->sources / 32) : 0;
    for (int k = 0; k < ELL_SLOTS && on.ell; k++)
        r->s.slot[k] = r->part->slot[k];
    memcpy(r->s.slot_count, r->part->slot_count, sizeof r->s.slot_count);
    r->boxes = sl_cuda_grid_boxes(r->part);
    r->exchange = exchange_for(r->part);
    CUDA_TRY(allocate(r));
    if (!r->exchange->encodes)
        place_in_outbox(r);
    if (!r->call->operators.semiring->result_is_index)
        forget_parents(&r->s);
    if (!r->vectors.level)
        r->s.own_depth = NULL;
    return SL_OK;
}
