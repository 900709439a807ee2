/* Construction of a part, and its release. Each step ends with an agreement of all ranks on errors. */
#include "cuda/search/part/part_build.h"

#include "cuda/generate/generated_block.h"

static sl_status take_host_memory(cuda_part_build *m)
{
    const sl_device_grid *grid = m->grid;
    const uint32_t R = sl_device_grid_members(grid, m->request->column),
                   C = sl_device_grid_members(grid, m->request->row), longest = R > C ? R : C;
    m->part = sl_calloc(1, sizeof *m->part);
    if (!cuda_part_in_one_dimension(m))
        m->lines = sl_malloc((longest + 1) * m->blocks->length * sizeof *m->lines + 1);
    m->parcels = sl_calloc(2 * (uint64_t)C, sizeof *m->parcels);
    if (!m->part || !m->parcels || !(m->lines || cuda_part_in_one_dimension(m)))
        return cuda_no_host_memory(m->ctx);
    m->part->grid = grid;
    m->part->rows = R;
    m->part->cols = C;
    m->i = sl_device_grid_place(grid, m->request->column);
    m->j = sl_device_grid_place(grid, m->request->row);
    m->part->own_n = (uint32_t)(m->blocks->row_begin[m->i + 1] - m->blocks->row_begin[m->i]);
    m->rows = m->blocks->row_begin[R];
    m->cols = m->blocks->col_begin[C];
    return SL_OK;
}

/* Whether the entries are to be generated from the tuples that the matrix was made of: in one dimension, if every
 * rank knows these. Collective. */
static sl_status find_tuples(cuda_part_build *m)
{
    const cuda_generated_block *generated = cuda_generated_of(m->entries);
    uint64_t lacks = !generated || !cuda_part_in_one_dimension(m);
    CUDA_TRY(m->grid->reduce(m->grid, &lacks, 1, true));
    m->source = lacks ? NULL : &generated->source;
    return SL_OK;
}

/* The entries on the device, generated if they exist as a description alone. */
static sl_status find_entries(cuda_part_build *m)
{
    const cuda_matrix *A = m->entries;
    if (m->source)
        return SL_OK;
    if (!cuda_has_rows(A)) {
        if (!cuda_generated_of(A))
            return sl_fail(m->ctx, SL_UNSUPPORTED,
                           "cuda: the matrix exists only in reordered form, and not every rank can "
                           "generate it again");
        CUDA_TRY(sl_cuda_regenerate(&m->made, m->request->from->edges, A));
        m->entries = m->made;
    }
    m->part->edges = m->entries->nnz;
    return SL_OK;
}

static sl_status build(cuda_part_build *m)
{
    CUDA_TRY(cuda_grid_agree(m->grid, sl_object_migrate(m->request->from->edges, &sl_store_cuda)));
    m->entries = cuda_matrix_of(m->request->from->edges);
    CUDA_TRY(cuda_grid_agree(m->grid, find_tuples(m)));
    CUDA_TRY(cuda_grid_agree(m->grid, find_entries(m)));
    CUDA_TRY(sl_cuda_part_degrees(m));
    CUDA_TRY(sl_cuda_part_ids(m));
    CUDA_TRY(cuda_grid_agree(m->grid, sl_cuda_part_by_target(m)));
    CUDA_TRY(sl_cuda_part_firsts(m));
    CUDA_TRY(cuda_grid_agree(m->grid, sl_cuda_part_by_source(m)));
    return cuda_grid_agree(m->grid, sl_cuda_wait(m->ctx, "construction of a part"));
}

static void free_build(cuda_part_build *m)
{
    void *const device[] = {
        m->col_length, m->in != m->col_length ? m->in : NULL,
        m->out,        m->out_bits,
        m->row_id,     m->part && m->col_id == cuda_part_own_id(m->part) ? NULL : m->col_id,
        m->degree};
    for (size_t k = 0; k < sizeof device / sizeof *device; k++)
        sl_cuda_free(device[k]);
    sl_cuda_arena_release(&m->arena);
    sl_cuda_free_matrix(m->made);
    sl_free(m->lines);
    sl_free(m->parcels);
}

void sl_cuda_part_free(cuda_part *part)
{
    if (!part)
        return;
    void *const device[] = {part->in.start,       part->in.index,    part->out_start,
                            part->out.index,      part->word_degree, part->row_of_source,
                            part->numbered.words, part->numbered.id, part->numbered.first,
                            part->own_word_degree};
    for (size_t k = 0; k < sizeof device / sizeof *device; k++)
        sl_cuda_free(device[k]);
    for (int k = 0; k < ELL_SLOTS; k++)
        sl_cuda_free(part->slot[k]);
    sl_cuda_free_pinned(part->out.pinned);
    sl_cuda_drop_order(part->order);
    sl_cuda_arena_release(&part->workspace);
    sl_free(part);
}

sl_status sl_cuda_part_create(cuda_part **part, const cuda_part_request *request)
{
    cuda_part_build m = {.ctx = request->from->edges->ctx,
                         .request = request,
                         .grid = request->from->grid,
                         .blocks = request->from->blocks};
    *part = NULL;
    sl_status status = cuda_grid_agree(m.grid, take_host_memory(&m));
    if (status == SL_OK)
        status = build(&m);
    free_build(&m);
    if (status == SL_OK)
        *part = m.part;
    else
        sl_cuda_part_free(m.part);
    return status;
}

void sl_cuda_part_describe(sl_placement *placement, const cuda_part *part)
{
    const cuda_graph *out = &part->out.view;
    const uint64_t far = part->out.pinned ? out->host_end - out->host_begin : 0;
    placement->device_bytes += sl_cuda_reordered_bytes(part->targets) +
                               (2 * part->edges - far) * sizeof(uint32_t) +
                               part->workspace.scratch_bytes + part->links->outbox_bytes;
    placement->host_bytes += far * sizeof(uint32_t);
}
