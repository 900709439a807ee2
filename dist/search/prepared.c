#include "prepared.h"

#include "pieces.h"
#include "team.h"

typedef struct {
    sl_blocks *blocks[2]; /* for the hosts, ascending and by degree; or NULL */
    void *part;           /* for the devices, and whose it is; or NULL */
    const sl_device_group_search *searches;
} prepared;

static void free_prepared(void *kept)
{
    prepared *p = kept;
    for (int order = 0; order < 2; order++) {
        if (p->blocks[order])
            sl_blocks_free(p->blocks[order]);
        sl_free(p->blocks[order]);
    }
    if (p->part)
        p->searches->release(p->part);
    sl_free(p);
}

/* What the matrix keeps, nothing at first. Collective, the ranks agree on the result. */
static sl_status prepared_of(prepared **p, sl_matrix *A, sl_grid *grid)
{
    if (!A->prepared) {
        prepared *made = sl_calloc(1, sizeof *made);
        sl_status status =
            made ? SL_OK : sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory");
        status = sl_grid_agree(grid, status);
        if (status != SL_OK) {
            sl_free(made);
            return status;
        }
        made->searches = grid->searches;
        A->prepared = made;
        A->free_prepared = free_prepared;
    }
    *p = A->prepared;
    return SL_OK;
}

/* Makes a matrix's blocks. Collective, the ranks agree on the result. */
static sl_status make_blocks(sl_blocks **out, sl_matrix *A, sl_grid *grid, bool by_degree)
{
    sl_object *piece = sl_piece(&A->object);
    sl_csr rows = {0};
    sl_blocks *blocks = NULL;
    sl_status status = sl_object_migrate(piece, &sl_store_host);
    if (status == SL_OK)
        status = sl_store_host.view(&rows, piece, sl_handle(piece, &sl_store_host));
    if (status != SL_OK) {
        status = sl_grid_local_failed(grid, status);
        sl_object_drop_broken(piece, &sl_store_host);
    } else if (!(blocks = sl_malloc(sizeof *blocks)))
        status = sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory");
    status = sl_grid_agree(grid, status);
    if (status == SL_OK)
        status = sl_blocks_make(blocks, grid, A->object.nrows, &rows, by_degree);
    if (status == SL_OK)
        *out = blocks;
    else
        sl_free(blocks);
    return status;
}

sl_status sl_prepared_blocks(sl_blocks **blocks, sl_matrix *A, sl_grid *grid, bool by_degree)
{
    prepared *kept;
    SL_TRY(prepared_of(&kept, A, grid));
    if (!kept->blocks[by_degree])
        SL_TRY(make_blocks(&kept->blocks[by_degree], A, grid, by_degree));
    *blocks = kept->blocks[by_degree];
    return SL_OK;
}

sl_status sl_prepared_part(void **part, sl_matrix *A, sl_grid *grid)
{
    prepared *kept;
    SL_TRY(prepared_of(&kept, A, grid));
    if (!kept->part)
        SL_TRY(sl_grid_team_prepare(&kept->part, grid, &A->object));
    *part = kept->part;
    return SL_OK;
}
