/* What was prepared for searches, shortest paths and products, kept with the matrix until it is written. */
#include "dist/search/prepared.h"

#include "dist/grid/blocks.h"
#include "dist/search/device_search.h"
#include "dist/search/warm_up.h"

typedef struct {
    sl_local_graph *graphs[2]; /* for processors: ids ascending, and in degree order; or NULL */
    void *parts[2];            /* for GPUs, in one dimension and in two; or NULL */
    unsigned products;         /* of sl_count_products */
    sl_whole_rows whole_rows;  /* for shortest paths by GPUs */
    sl_matrix *transposed;     /* the block of the transpose; or NULL */
    const sl_device_searches *devices;
} prepared;

static const sl_search_kind kinds[] = {SL_BY_GROUP, SL_BY_GRID}; /* of `parts` */

void sl_grid_forget_prepared(void *kept)
{
    prepared *p = kept;
    for (int order = 0; order < 2; order++) {
        if (p->graphs[order])
            sl_local_graph_free(p->graphs[order]);
        sl_free(p->graphs[order]);
    }
    for (int k = 0; k < 2; k++)
        if (p->parts[k])
            sl_device_search_of(p->devices, kinds[k])->release_part(p->parts[k]);
    sl_matrix_free(p->whole_rows.matrix);
    sl_matrix_free(p->transposed);
    sl_free(p);
}

void sl_grid_describe_prepared(sl_placement *placement, const void *kept)
{
    const prepared *p = kept;
    const sl_matrix *const matrices[] = {p->whole_rows.matrix, p->transposed};
    for (int k = 0; k < 2; k++) {
        sl_placement rows = {.device_bytes = 0};
        if (p->parts[k])
            sl_device_search_of(p->devices, kinds[k])->describe_part(placement, p->parts[k]);
        if (matrices[k])
            sl_matrix_placement(&rows, matrices[k]);
        placement->device_bytes += rows.device_bytes;
        placement->host_bytes += rows.host_bytes;
    }
}

/* The prepared data of a matrix, empty at first. Collective; the ranks agree. */
static sl_status prepared_of(prepared **p, sl_matrix *A, sl_grid *grid)
{
    void **slot = sl_matrix_prepared(A, sl_grid_forget_prepared);
    if (!*slot) {
        prepared *made = sl_calloc(1, sizeof *made);
        sl_status status =
            made ? SL_OK : sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory");
        status = sl_grid_agree(grid, status);
        if (status != SL_OK) {
            sl_free(made);
            return status;
        }
        made->devices = grid->search.devices;
        *slot = made;
    }
    *p = *slot;
    return SL_OK;
}

void *sl_kept_part(sl_matrix *A, sl_search_kind kind)
{
    const prepared *kept = *sl_matrix_prepared(A, sl_grid_forget_prepared);
    return kept ? kept->parts[kind == SL_BY_GRID] : NULL;
}

/* Builds the local graph of a matrix. Collective; the ranks agree. */
static sl_status make_local_graph(sl_local_graph **out, sl_matrix *A, sl_grid *grid,
                                  bool degree_order)
{
    sl_object *piece = sl_grid_block(&A->object);
    sl_csr rows = {0};
    sl_local_graph *graph = NULL;
    sl_status status = sl_object_migrate(piece, &sl_store_host);
    if (status == SL_OK)
        status = sl_store_host.view(&rows, piece, sl_handle(piece, &sl_store_host));
    if (status != SL_OK) {
        status = sl_grid_local_failed(grid, status);
        sl_object_drop_broken(piece, &sl_store_host);
    } else if (!(graph = sl_malloc(sizeof *graph)))
        status = sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory");
    status = sl_grid_agree(grid, status);
    if (status == SL_OK)
        status = sl_local_graph_make(graph, grid, A->object.nrows, &rows,
                                     A->symmetry == SL_SYMMETRIC, degree_order);
    if (status == SL_OK)
        *out = graph;
    else
        sl_free(graph);
    return status;
}

sl_status sl_prepared_local_graph(sl_local_graph **graph, sl_matrix *A, sl_grid *grid,
                                  bool degree_order)
{
    prepared *kept;
    SL_TRY(prepared_of(&kept, A, grid));
    if (!kept->graphs[degree_order])
        SL_TRY(make_local_graph(&kept->graphs[degree_order], A, grid, degree_order));
    *graph = kept->graphs[degree_order];
    return SL_OK;
}

sl_status sl_count_products(unsigned **count, sl_matrix *A, sl_grid *grid)
{
    prepared *kept;
    SL_TRY(prepared_of(&kept, A, grid));
    *count = &kept->products;
    return SL_OK;
}

sl_status sl_prepared_whole_rows(sl_whole_rows **rows, sl_matrix *A, sl_grid *grid)
{
    prepared *kept;
    SL_TRY(prepared_of(&kept, A, grid));
    *rows = &kept->whole_rows;
    return SL_OK;
}

sl_status sl_prepared_transposed(sl_matrix ***block, sl_matrix *A, sl_grid *grid)
{
    prepared *kept;
    SL_TRY(prepared_of(&kept, A, grid));
    *block = &kept->transposed;
    return SL_OK;
}

sl_status sl_prepared_part(void **part, sl_matrix *A, sl_grid *grid, sl_search_kind kind)
{
    prepared *kept;
    SL_TRY(prepared_of(&kept, A, grid));
    void **slot = &kept->parts[kind == SL_BY_GRID];
    *part = *slot;
    if (*part)
        return SL_OK;
    SL_TRY(sl_device_search_prepare(part, grid, A, kind));
    const sl_status status = sl_warm_up_part(*part, A, grid, kind);
    if (status == SL_OK) {
        *slot = *part;
        return SL_OK;
    }
    sl_device_search_of(grid->search.devices, kind)->release_part(*part);
    *part = NULL;
    return status;
}
