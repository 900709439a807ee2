/* The part of a search in two dimensions, with the memory of searches, and its boxes. */
#include "cuda/search/grid/grid_part.h"

#include "cuda/data/object_kernels.h"

/* A message is a bitmap unless a list is shorter (grid_messages.c); answers have at most one parent
 * for each id of the other blocks of a row when sent, and one for each own id when received. */
cuda_grid_boxes sl_cuda_grid_boxes(const cuda_part *part)
{
    const uint32_t R = part->rows, C = part->cols, longest = R > C ? R : C;
    cuda_grid_boxes b = {.slot = cuda_grid_aligned(part->stride / 8)};
    b.set[1] = b.slot;
    b.visited = 2 * b.slot;
    b.fold = 3 * b.slot;
    b.values = b.fold + C * b.slot;
    b.outbox = b.values + (C - 1) * cuda_grid_aligned(
                                        sl_cuda_grid_answer_bytes(part->words, true, part->stride));
    b.inbox = longest * b.slot;
    const uint64_t answers =
        C * cuda_grid_aligned(sl_cuda_grid_answer_bytes(part->words, true, 0)) +
        cuda_grid_aligned(part->stride * sizeof(uint32_t));
    b.inbox = b.inbox > answers ? b.inbox : answers;
    return b;
}

static sl_status take_host_memory(cuda_grid_part **made, sl_context *ctx,
                                  const sl_device_grid *grid)
{
    const uint32_t R = grid->rows, C = grid->cols, longest = R > C ? R : C;
    cuda_grid_part *kept = sl_calloc(1, sizeof *kept);
    *made = kept;
    if (kept) {
        kept->parcels = sl_calloc(2 * (uint64_t)longest, sizeof *kept->parcels);
        kept->asked = sl_calloc(C, sizeof *kept->asked);
        kept->sets = sl_calloc(longest, sizeof *kept->sets);
    }
    return kept && kept->parcels && kept->asked && kept->sets ? SL_OK : cuda_no_host_memory(ctx);
}

/* Arrays that only searches in two dimensions read. */
static sl_status add_arrays(cuda_grid_part *kept, sl_context *ctx, const uint64_t *first_vertex)
{
    cuda_part *part = kept->part;
    const uint64_t bytes = part->cols * sizeof *kept->first_vertex;
    sl_cuda_drop_order(part->order); /* numbers lead to ids here */
    part->order = NULL;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&kept->first_vertex, bytes));
    CUDA_TRY(sl_cuda_upload(ctx, kept->first_vertex, first_vertex, bytes));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&kept->has_in_edges, part->targets / 8));
    CUDA_TRY(
        sl_cuda_status(ctx, "kernel nonempty_rows",
                       sl_cuda_nonempty_rows(kept->has_in_edges, part->in.start, part->targets)));
    CUDA_TRY(sl_cuda_alloc_pinned(ctx, (void **)&kept->counts,
                                  sizeof *kept->counts + part->cols * sizeof *kept->counts->slice));
    return sl_cuda_wait(ctx, "construction of a part");
}

static sl_status create(cuda_grid_part *kept, const sl_device_part_request *from)
{
    sl_context *ctx = from->edges->ctx;
    const cuda_part_request request = {
        .from = from, .column = SL_ALONG_COLUMN, .row = SL_ALONG_ROW};
    CUDA_TRY(sl_cuda_part_create(&kept->part, &request));
    CUDA_TRY(cuda_grid_agree(from->grid, add_arrays(kept, ctx, from->blocks->first_vertex)));
    const cuda_grid_boxes boxes = sl_cuda_grid_boxes(kept->part);
    return sl_cuda_grid_links_open(&kept->part->links, from->grid, ctx, boxes.outbox, boxes.inbox);
}

void sl_cuda_grid_part_free(void *made)
{
    cuda_grid_part *kept = made;
    if (!kept)
        return;
    sl_cuda_part_free(kept->part);
    sl_cuda_free(kept->first_vertex);
    sl_cuda_free(kept->has_in_edges);
    sl_cuda_set_workspace_free(&kept->coder);
    sl_cuda_free_pinned(kept->counts);
    sl_free(kept->parcels);
    sl_free(kept->asked);
    sl_free(kept->sets);
    sl_free(kept);
}

void sl_cuda_grid_part_describe(sl_placement *placement, const void *made)
{
    sl_cuda_part_describe(placement, ((const cuda_grid_part *)made)->part);
}

sl_status sl_cuda_grid_part_create(void **out, const sl_device_part_request *from)
{
    cuda_grid_part *kept;
    *out = NULL;
    sl_status status =
        cuda_grid_agree(from->grid, take_host_memory(&kept, from->edges->ctx, from->grid));
    if (status == SL_OK)
        status = create(kept, from);
    if (status == SL_OK)
        *out = kept;
    else
        sl_cuda_grid_part_free(kept);
    return status;
}
