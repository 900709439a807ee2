/*
 * A search on the grid: a closure over a semiring of searches. It copies the patterns of the operands to bitmaps,
 * runs the search on the ranks' processors (processor_search.h) or on their GPUs (device_search.h), as
 * search_select.h decides, and writes the visited vertices to the vectors.
 */
#include <stdlib.h>
#include <string.h>

#include "dist/grid/blocks.h"
#include "dist/grid/devices.h"
#include "dist/grid/dist_switches.h"
#include "dist/grid_operations.h"
#include "dist/search/device_search.h"
#include "dist/search/prepared.h"
#include "dist/search/processor_search.h"
#include "dist/search/search_operation.h"
#include "dist/search/search_select.h"

/* ---- vectors -------------------------------------------------------------------------- */

/* The operands of one search. They are opened before it, and closed even if it fails. */
typedef struct {
    sl_grid *grid;
    const sl_traversal *traversal;
    sl_search_task task;
    sl_bitmap pi, level; /* arrays of the vectors' blocks, moved out while `values` is not NULL */
    uint64_t *bits;      /* four bitmaps: visited, frontier, targets, reached */
    uint64_t words;
} work;

static sl_object *piece_on_host(work *w, const sl_object *object, sl_status *status)
{
    sl_object *piece = sl_grid_block(object);
    if (*status == SL_OK) {
        *status = sl_object_migrate(piece, &sl_store_host);
        if (*status != SL_OK)
            sl_grid_local_failed(w->grid, *status);
    }
    return piece;
}

/* Moves the arrays of a vector's block out. */
static sl_status open_vector(work *w, sl_bitmap *arrays, const sl_object *object)
{
    sl_status status = SL_OK;
    sl_object *piece = piece_on_host(w, object, &status);
    if (status == SL_OK)
        status = sl_store_host.open(arrays, piece, sl_handle(piece, &sl_store_host));
    if (status != SL_OK) {
        sl_object_drop_broken(piece, &sl_store_host);
        *arrays = (sl_bitmap){0};
    }
    return status == SL_OK ? SL_OK : sl_grid_local_failed(w->grid, status);
}

/* Moves them back if they were moved out. */
static sl_status close_vector(work *w, sl_bitmap *arrays, const sl_object *object)
{
    sl_object *piece = sl_grid_block(object);
    if (!arrays->present)
        return SL_OK;
    sl_status status = sl_store_host.close(arrays, piece, sl_handle(piece, &sl_store_host));
    sl_object_modified(piece, &sl_store_host);
    if (status != SL_OK)
        sl_object_drop_broken(piece, &sl_store_host);
    return status == SL_OK ? SL_OK : sl_grid_local_failed(w->grid, status);
}

/* Sets the bits of the entries of a vector's block. */
static sl_status read_pattern(work *w, uint64_t *bits, const sl_object *object)
{
    sl_csr list = {0};
    sl_status status = SL_OK;
    sl_object *piece = piece_on_host(w, object, &status);
    if (status == SL_OK)
        status = sl_store_host.export_arrays(&list, piece, sl_handle(piece, &sl_store_host));
    for (uint64_t k = 0; status == SL_OK && k < list.start[1]; k++)
        sl_bit_set(bits, list.index[k]);
    sl_free(list.start);
    sl_free(list.index);
    sl_free(list.values);
    return status == SL_OK ? SL_OK : sl_grid_local_failed(w->grid, status);
}

/* Opens all operands. It may fail on one rank alone, so the ranks agree on the status afterwards.
 */
static sl_status open_work(work *w)
{
    const sl_traversal *t = w->traversal;
    const sl_closure_options *o = t->options;
    w->bits = sl_calloc(4 * w->words, sizeof *w->bits);
    if (!w->bits)
        return sl_fail(w->grid->ctx, SL_NO_MEMORY, "closure: out of memory");
    SL_TRY(read_pattern(w, w->bits + w->words, t->q));
    if (o->targets)
        SL_TRY(read_pattern(w, w->bits + 2 * w->words, sl_object_of_vector(o->targets)));
    SL_TRY(open_vector(w, &w->pi, t->pi));
    for (uint64_t v = 0; v < w->pi.size; v++)
        if (w->pi.present[v])
            sl_bit_set(w->bits, v);
    return o->level ? open_vector(w, &w->level, sl_object_of_vector(o->level)) : SL_OK;
}

static sl_status close_work(work *w)
{
    const sl_traversal *t = w->traversal;
    sl_status pi = close_vector(w, &w->pi, t->pi), level = SL_OK;
    if (t->options->level)
        level = close_vector(w, &w->level, sl_object_of_vector(t->options->level));
    sl_free(w->bits);
    return pi != SL_OK ? pi : level;
}

/* Makes the vertices reached entries of a vector. */
static void mark(sl_bitmap *arrays, const uint64_t *reached)
{
    for (uint64_t w = 0; 64 * w < arrays->size; w++)
        for (uint64_t left = reached[w]; left; left &= left - 1) {
            uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(left);
            arrays->nvals += !arrays->present[v];
            arrays->present[v] = 1;
        }
}

static void take_results(work *w)
{
    const uint64_t *reached = w->task.reached;
    bool *truth = w->task.parents ? NULL : w->pi.values;
    mark(&w->pi, reached);
    if (w->task.level.values)
        mark(&w->level, reached);
    for (uint64_t v = 0; truth && v < w->pi.size; v++)
        if (sl_bit_test(reached, v))
            truth[v] = true;
}

/* ---- the operation -------------------------------------------------------------------- */

/* The monoid that chooses a parent among the candidates of a level. */
static sl_monoid_code choice_of(const sl_call *call)
{
    return call->operators.semiring->result_is_index ? call->operators.semiring->add->code
                                                     : SL_MONOID_ANY;
}

/* Whether the search uses degree order: the least or greatest parent needs ascending ids. */
static bool degree_order(sl_monoid_code choice, unsigned switches)
{
    return choice == SL_MONOID_ANY && !(switches & SL_DIST_NOORDER);
}

static void describe(work *w, const sl_call *call, sl_local_graph *graph, unsigned switches)
{
    const sl_closure_options *o = call->traversal->options;
    const bool parents = call->operators.semiring->result_is_index;
    w->task = (sl_search_task){
        .grid = w->grid,
        .graph = graph,
        .threads = sl_context_threads(call->ctx),
        .switches = switches,
        .choice = choice_of(call),
        .direction = o->direction,
        .bounded = o->bounded,
        .max_iterations = o->max_iterations,
        .has_targets = o->targets != NULL,
        .until = o->until,
        .visited = w->bits,
        .frontier = w->bits + w->words,
        .targets = w->bits + 2 * w->words,
        .reached = w->bits + 3 * w->words,
        .parents = parents,
        .parent = {parents ? w->pi.values : NULL, call->traversal->pi->type == SL_INT32},
        .level = {o->level ? w->level.values : NULL,
                  o->level && sl_vector_type(o->level) == SL_INT32},
        .log = o->log,
        .traffic = &w->grid->traffic};
}

/* Searches on the ranks' processors. */
static sl_status search_on_processors(sl_call *call, sl_grid *grid, unsigned switches)
{
    sl_matrix *A = (sl_matrix *)call->a;
    sl_distribution p = sl_grid_distribution(grid, A->object.nrows);
    work w = {.grid = grid,
              .traversal = call->traversal,
              .words = sl_bits_words(sl_distribution_length(&p, 0)) + 1};
    sl_local_graph *graph = NULL;
    sl_status status = sl_grid_agree(grid, open_work(&w));
    if (status == SL_OK)
        status = sl_prepared_local_graph(&graph, A, grid, degree_order(choice_of(call), switches));
    if (status == SL_OK) {
        grid->search.transport = sl_transport_mpi.name;
        describe(&w, call, graph, switches);
        status = sl_search_run(&w.task);
    }
    if (status == SL_OK && w.task.complete)
        take_results(&w);
    sl_status closed = close_work(&w);
    return status == SL_OK ? closed : status;
}

/* ---- the choice of the search -------------------------------------------------------------- */

/* Prepares the matrix for the search that is selected; if the graph is too large for it, for the
 * next. *part: of searches by devices. */
static sl_status prepare_selected(sl_selection *s, void **part, sl_matrix *A, sl_grid *grid)
{
    sl_status status = SL_OK;
    do {
        status = s->kind == SL_BY_PROCESSORS ? SL_OK : sl_prepared_part(part, A, grid, s->kind);
    } while (status == SL_UNSUPPORTED && sl_select_next(s, grid, A->object.nrows));
    return status;
}

/* Moves the operands of products to the devices; if they have no room, the next search is selected. */
static sl_status move_operands(sl_selection *s, const sl_call *call, sl_grid *grid)
{
    const sl_traversal *t = call->traversal;
    const sl_closure_options *o = t->options;
    const sl_object *const operands[] = {call->a, t->pi, t->q, sl_object_of_vector(o->targets),
                                         sl_object_of_vector(o->level)};
    const sl_status status =
        sl_grid_move_to_devices(grid, operands, sizeof operands / sizeof *operands);
    const bool no_room = status == SL_NO_MEMORY || status == SL_UNSUPPORTED;
    return no_room && sl_select_next(s, grid, call->a->nrows) ? SL_OK : status;
}

/* *few: arrays with an element for each vertex, which the searches have, would be much larger than the graph.
 * Collective. */
static sl_status find_few(bool *few, const sl_matrix *A)
{
    sl_grid *grid = sl_grid_of(A->object.ctx);
    uint64_t entries;
    *few = sl_has_few_entries(A->object.nrows, 0);
    if (!*few)
        return SL_OK;
    sl_status status =
        sl_matrix_nvals(&entries, (const sl_matrix *)sl_grid_block((sl_object *)&A->object));
    if (status < 0)
        status = sl_grid_local_failed(grid, status);
    SL_TRY(sl_grid_agree_sum(grid, status, &entries));
    *few = sl_has_few_entries(A->object.nrows, entries);
    return SL_OK;
}

sl_status sl_grid_search(bool *by_products, sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_matrix *A = (sl_matrix *)call->a;
    sl_selection s;
    void *part = NULL;
    SL_TRY(find_few(by_products, A));
    if (*by_products)
        return SL_OK;
    const bool any = choice_of(call) == SL_MONOID_ANY && !call->traversal->options->targets;
    SL_TRY(sl_select_search(&s, grid, A->object.nrows, any,
                            call->traversal->options->direction == SL_PULL));
    if (s.kind == SL_BY_PRODUCTS)
        SL_TRY(move_operands(&s, call, grid));
    else
        SL_TRY(prepare_selected(&s, &part, A, grid));
    call->outcome.note = grid->search.note;
    call->outcome.fell_back = s.fell_back;
    *by_products = s.kind == SL_BY_PRODUCTS;
    if (*by_products)
        return SL_OK;
    if (s.kind == SL_BY_PROCESSORS)
        return search_on_processors(call, grid, s.switches);
    return sl_device_search_run(part, grid, call, s.kind);
}

sl_status sl_grid_optimize(sl_call *call)
{
    sl_matrix *A = (sl_matrix *)call->a;
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_selection s;
    sl_local_graph *graph;
    void *part;
    bool few;
    if (A->object.nrows != A->object.ncols) /* searches need a square matrix */
        return SL_OK;
    SL_TRY(find_few(&few, A));
    if (few)
        return SL_OK;
    SL_TRY(sl_select_search(&s, grid, A->object.nrows, true, false));
    SL_TRY(prepare_selected(&s, &part, A, grid));
    call->outcome.note = grid->search.note;
    if (s.kind != SL_BY_PROCESSORS)
        return SL_OK;
    SL_TRY(sl_prepared_local_graph(&graph, A, grid, degree_order(SL_MONOID_ANY, s.switches)));
    return sl_local_graph_transpose(graph, call->ctx);
}
