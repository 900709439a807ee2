/* A rank's partition of a graph: the part (part.h), its view for the search kernel, and the layout of the outboxes. */
#include "cuda/search/row/partition.h"

#include <string.h>

#include "cuda/data/object_kernels.h"
#include "cuda/reorder/column_storage.h"
#include "cuda/reorder/degree_order.h"

/* The layout of the ranks' blocks (group_memory). A list takes at most as many words as a rank's
 * bitmap. */
static group_memory block_layout(const cuda_part *part)
{
    group_memory b = {.bitmap_words = part->words * part->rows, .list_capacity = part->words};
    b.lists = 2 * b.bitmap_words * sizeof(uint32_t);
    b.bytes = b.lists + 2 * (uint64_t)part->rows * b.list_capacity * sizeof(uint32_t);
    return b;
}

/* The device bytes of searches: their vectors, the queue, and the blocks. */
static uint64_t search_bytes(const cuda_part *part)
{
    return sl_cuda_search_reserve_bytes(part->own_n, part->stride) +
           (uint64_t)part->sources * (sizeof(uint32_t) + sizeof(uint64_t)) +
           block_layout(part).bytes;
}

/* Converts row offsets to 32 bits. */
static sl_status narrow(sl_context *ctx, uint32_t **kept, uint64_t **start, uint32_t rows)
{
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)kept, ((uint64_t)rows + 1) * sizeof **kept));
    CUDA_TRY(sl_cuda_status(ctx, "kernel to_32_bits",
                            sl_cuda_to_32_bits(*kept, *start, (uint64_t)rows + 1)));
    sl_cuda_free(*start);
    *start = NULL;
    return SL_OK;
}

static sl_status set_offsets(cuda_partition *p, sl_context *ctx)
{
    cuda_part *part = p->part;
    p->view.wide = part->edges > UINT32_MAX || part->out.pinned;
    if (!p->view.wide) {
        CUDA_TRY(narrow(ctx, &p->in_start, &part->in.start, part->own_targets));
        CUDA_TRY(narrow(ctx, &p->out_start, &part->out_start, part->sources));
    }
    p->view.start = p->out_start ? (void *)p->out_start : part->out_start;
    p->view.in_start = p->in_start ? (void *)p->in_start : part->in.start;
    return SL_OK;
}

/* For vectors of products: the order that sums on the process's block use, too. */
static sl_status share_order(cuda_partition *p, const sl_object *block, sl_context *ctx)
{
    cuda_degree_order **order = &p->part->order;
    cuda_matrix *rows = sl_handle(block, &sl_store_cuda);
    if (p->symmetric && rows)
        CUDA_TRY(sl_cuda_share_own_order(ctx, rows, order));
    CUDA_TRY(sl_cuda_add_new_ids(ctx, *order));
    return sl_cuda_number_order(ctx, *order);
}

static sl_status set_view(cuda_partition *p, const sl_object *block, sl_context *ctx)
{
    const cuda_part *part = p->part;
    CUDA_TRY(share_order(p, block, ctx));
    p->view = sl_cuda_column_view(&part->out);
    p->view.n = part->own_targets;
    p->view.old_n = part->own_n;
    p->view.edges = part->edges;
    p->view.old_id = part->row_of_source;
    p->view.new_id = cuda_part_own_id(part);
    p->view.numbered = part->numbered.words;
    p->view.numbered_new_id = part->numbered.id;
    p->view.numbered_first = part->numbered.first;
    p->view.in_index = part->in.index;
    p->view.word_degree = part->word_degree;
    memcpy(p->view.slot_count, part->slot_count, sizeof part->slot_count);
    for (int k = 0; k < ELL_SLOTS; k++)
        p->view.slot[k] = part->slot[k];
    p->memory = block_layout(part);
    p->edges = (cuda_matrix){.nnz = part->edges, .serial = sl_cuda_serial()};
    CUDA_TRY(set_offsets(p, ctx));
    return sl_cuda_wait(ctx, "construction of a partition");
}

void sl_cuda_partition_free(void *made)
{
    cuda_partition *p = made;
    if (!p)
        return;
    sl_cuda_part_free(p->part);
    sl_cuda_free(p->in_start);
    sl_cuda_free(p->out_start);
    sl_free(p);
}

void sl_cuda_partition_describe(sl_placement *placement, const void *made)
{
    sl_cuda_part_describe(placement, ((const cuda_partition *)made)->part);
}

sl_status sl_cuda_partition_create(void **out, const sl_device_part_request *from)
{
    sl_context *ctx = from->edges->ctx;
    const sl_device_grid *row = from->grid;
    const cuda_part_request request = {
        .from = from, .column = SL_ALONG_ROW, .row = SL_ALONG_COLUMN, .search_bytes = search_bytes};
    cuda_partition *p = sl_calloc(1, sizeof *p);
    *out = NULL;
    sl_status status = cuda_grid_agree(row, p ? SL_OK : cuda_no_host_memory(ctx));
    if (status == SL_OK) {
        p->row = row;
        p->vertices = from->blocks->row_begin[row->cols];
        p->symmetric = from->blocks->symmetric;
        status = sl_cuda_part_create(&p->part, &request);
    }
    if (status == SL_OK)
        status = cuda_grid_agree(row, set_view(p, from->block, ctx));
    if (status == SL_OK)
        status = sl_cuda_grid_links_open(&p->part->links, row, ctx, p->memory.bytes, 0);
    if (status == SL_OK)
        *out = p;
    else
        sl_cuda_partition_free(p);
    return status;
}
