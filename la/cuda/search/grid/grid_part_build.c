/* Construction of a part, its boxes and its release. Each step ends with an agreement of all ranks on
 * errors. */
#include "cuda/search/grid/grid_part_build.h"
#include "cuda/generate/generated_block.h"

/* ---- boxes ---------------------------------------------------------------------------------- */

/* A message is a bitmap unless a list is shorter (grid_messages.c); answers have at most one parent
 * for each id of the other blocks of a row when sent, and one for each own id when received. */
cuda_grid_boxes sl_cuda_grid_boxes(const cuda_grid_part *part)
{
    const uint32_t R = part->grid->rows, C = part->grid->cols, longest = R > C ? R : C;
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

/* ---- construction ------------------------------------------------------------------------------ */

static sl_status take_host_memory(cuda_grid_build *m)
{
    const uint32_t R = m->grid->rows, C = m->grid->cols, longest = R > C ? R : C;
    const uint64_t block = m->blocks->length;
    m->part = sl_calloc(1, sizeof *m->part);
    if (m->part) {
        m->part->scratch.parcels =
            sl_calloc(2 * (uint64_t)longest, sizeof *m->part->scratch.parcels);
        m->part->scratch.asked = sl_calloc(C, sizeof *m->part->scratch.asked);
        m->part->scratch.sets = sl_calloc(longest, sizeof *m->part->scratch.sets);
    }
    m->out = sl_malloc((block + 1) * sizeof *m->out);
    m->in = sl_malloc((block + 1) * sizeof *m->in);
    m->lines = sl_malloc((longest * block + 1) * sizeof *m->lines);
    m->parcels = sl_calloc(2 * (uint64_t)C, sizeof *m->parcels);
    return m->part && m->part->scratch.parcels && m->part->scratch.asked && m->part->scratch.sets &&
                   m->out && m->in && m->lines && m->parcels
               ? SL_OK
               : cuda_no_host_memory(m->ctx);
}

/* The entries on the device; *made is to be freed if they had to be generated. */
static sl_status find_entries(cuda_grid_build *m, cuda_matrix **made, sl_object *block)
{
    CUDA_TRY(sl_object_migrate(block, &sl_store_cuda));
    cuda_matrix *A = cuda_matrix_of(block);
    if (!cuda_has_rows(A)) {
        CUDA_TRY(sl_cuda_regenerate(made, block, A));
        A = *made;
    }
    m->entries = A;
    m->part->edges = A->nnz;
    return SL_OK;
}

static void describe(cuda_grid_build *m)
{
    const sl_device_grid_blocks *blocks = m->blocks;
    cuda_grid_part *part = m->part;
    part->grid = m->grid;
    part->own_n = (uint32_t)(blocks->row_begin[m->grid->i + 1] - blocks->row_begin[m->grid->i]);
    m->rows = blocks->row_begin[m->grid->rows];
    m->cols = blocks->col_begin[m->grid->cols];
}

static sl_status make(cuda_grid_build *m, cuda_matrix **made, sl_object *block)
{
    describe(m);
    CUDA_TRY(cuda_grid_agree(m->grid, find_entries(m, made, block)));
    CUDA_TRY(sl_cuda_grid_degrees(m));
    CUDA_TRY(sl_cuda_grid_ids(m));
    CUDA_TRY(cuda_grid_agree(m->grid, sl_cuda_grid_edges(m)));
    CUDA_TRY(sl_cuda_grid_firsts(m));
    CUDA_TRY(cuda_grid_agree(
        m->grid, sl_cuda_alloc_pinned(m->ctx, (void **)&m->part->counts,
                                      sizeof *m->part->counts +
                                          m->grid->cols * sizeof *m->part->counts->slice)));
    const cuda_grid_boxes boxes = sl_cuda_grid_boxes(m->part);
    return sl_cuda_grid_links_open(&m->part->links, m->grid, m->ctx, boxes.outbox, boxes.inbox);
}

static void free_build(cuda_grid_build *m)
{
    void *const device[] = {m->row_length, m->col_length, m->row_id, m->col_id,
                            m->degree,     m->order,      m->own_id};
    for (size_t k = 0; k < sizeof device / sizeof *device; k++)
        sl_cuda_free(device[k]);
    sl_cuda_arena_release(&m->arena);
    sl_free(m->out);
    sl_free(m->in);
    sl_free(m->lines);
    sl_free(m->parcels);
}

void sl_cuda_grid_part_free(void *made)
{
    cuda_grid_part *part = made;
    if (!part)
        return;
    void *const device[] = {part->word_degree,    part->first_vertex,  part->out.start,
                            part->in.start,       part->out.index,     part->in.index,
                            part->no_in_edges,    part->row_of_source, part->own_word_degree,
                            part->numbered.words, part->numbered.id,   part->numbered.first};
    for (size_t k = 0; k < sizeof device / sizeof *device; k++)
        sl_cuda_free(device[k]);
    for (int k = 0; k < ELL_SLOTS; k++)
        sl_cuda_free(part->slot[k]);
    sl_cuda_arena_release(&part->workspace);
    sl_cuda_set_workspace_free(&part->coder);
    sl_cuda_free_pinned(part->counts);
    sl_free(part->scratch.parcels);
    sl_free(part->scratch.asked);
    sl_free(part->scratch.sets);
    sl_free(part);
}

sl_status sl_cuda_grid_part_create(void **out, sl_object *block, const sl_device_grid *grid,
                                   const sl_device_grid_blocks *blocks)
{
    cuda_grid_build m = {.ctx = block->ctx, .grid = grid, .blocks = blocks};
    cuda_matrix *generated = NULL;
    *out = NULL;
    sl_status status = cuda_grid_agree(grid, take_host_memory(&m));
    if (status == SL_OK)
        status = make(&m, &generated, block);
    sl_cuda_free_matrix(generated);
    free_build(&m);
    if (status == SL_OK)
        *out = m.part;
    else
        sl_cuda_grid_part_free(m.part);
    return status;
}
