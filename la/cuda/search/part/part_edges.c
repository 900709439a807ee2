/* The edges of a part: sorted by target for pulls, then transposed for pushes. */
#include "cuda/operations/generator.h"
#include "cuda/reorder/column_storage.h"
#include "cuda/reorder/renumber_rows.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/search/part/part_build.h"
#include "cuda/search/part/transpose_edges.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A part consists of two copies of the columns and arrays by vertex; scratch of so much that the peak is 1.25 times as
 * large is allowed, and takes the place of what is made later. */
uint64_t sl_cuda_part_keys(uint64_t entries, double copies)
{
    return cuda_keys_within((uint64_t)(copies * (double)(entries * sizeof(uint32_t))));
}

/* The offsets of rows from their lengths in m->degree, which is freed. */
static sl_status sum_lengths(cuda_part_build *m, uint64_t **start, uint32_t rows)
{
    PART_ALLOCATE(m, *start, (uint64_t)rows + 1);
    CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, *start, m->degree, rows));
    PART_FREE(m->degree);
    return SL_OK;
}

/* ---- by target ------------------------------------------------------------------------------ */

static sl_status sum_targets(cuda_part_build *m)
{
    cuda_part *part = m->part;
    PART_ALLOCATE(m, m->degree, part->targets);
    CUDA_TRY(sl_cuda_zero(m->ctx, m->degree, part->targets * sizeof *m->degree));
    CUDA_TRY(cuda_part_check(m, "kernel scatter",
                             sl_cuda_part_scatter(m->degree, m->col_length, m->col_id, m->cols)));
    PART_FREE(m->col_length);
    return sum_lengths(m, &part->in.start, part->targets);
}

static sl_status generate_by_target(const cuda_part_build *m, cuda_transposition *o)
{
    const cuda_part *part = m->part;
    const uint64_t *range = m->blocks->row_begin + m->i;
    cuda_generator c = {.ctx = m->ctx,
                        .source = m->source,
                        .rows = {range[0], range[1], m->col_id},
                        .cols = {0, m->rows, m->row_id}};
    const cuda_renumbering r = {.ctx = m->ctx,
                                .rows = part->own_targets,
                                .start = part->in.start,
                                .capacity = sl_cuda_part_keys(part->edges, 1.25),
                                .bits = o->bits,
                                .callback_data = o,
                                .put = sl_cuda_put_edges};
    CUDA_TRY(sl_cuda_wait(m->ctx, "transposition of a part"));
    return sl_cuda_recollect(&r, &c);
}

/* Copies the first sources of each target to arrays of their own. */
static sl_status fill_slots(cuda_part_build *m)
{
    cuda_part *part = m->part;
    for (int k = 0; k < ELL_SLOTS; k++)
        PART_ALLOCATE(m, part->slot[k], part->slot_count[k]);
    PART_ALLOCATE(m, part->word_degree, part->targets / 32);
    return cuda_part_check(m, "kernel fill_slots",
                           sl_cuda_part_fill_slots(part->slot, part->slot_count, part->word_degree,
                                                   part->in.start, part->in.index, part->targets));
}

/* Frees what only the sort by target needs, and the entries if nothing else needs them. */
static void release_entries(cuda_part_build *m)
{
    PART_FREE(m->row_id);
    if (m->col_id != cuda_part_own_id(m->part))
        sl_cuda_free(m->col_id);
    m->col_id = NULL;
    if (m->source || m->request->from->temporary)
        m->entries = NULL;
    if (m->request->from->temporary)
        sl_object_empty(m->request->from->edges);
}

sl_status sl_cuda_part_by_target(cuda_part_build *m)
{
    cuda_part *part = m->part;
    const cuda_matrix *from = m->entries;
    CUDA_TRY(sum_targets(m));
    PART_ALLOCATE(m, part->in.index, part->edges);
    cuda_transposition o = {.ctx = m->ctx,
                            .index = part->in.index,
                            .source = {.start = from->start,
                                       .index = from->index,
                                       .rows = m->rows,
                                       .entries = part->edges,
                                       .row_id = m->row_id,
                                       .column_id = m->col_id},
                            .bits = sl_cuda_bits_for(part->sources)};
    const uint64_t longest = part->cols == 1 ? m->longest : least(part->edges, part->sources);
    CUDA_TRY(m->source ? generate_by_target(m, &o)
                       : sl_cuda_transpose_edges(&o, part->targets, part->in.start, longest));
    release_entries(m);
    return fill_slots(m);
}

/* ---- by source ------------------------------------------------------------------------------ */

static sl_status sum_sources(cuda_part_build *m)
{
    cuda_part *part = m->part;
    PART_ALLOCATE(m, m->degree, part->sources);
    if (m->entries) {
        CUDA_TRY(cuda_part_check(
            m, "kernel degrees_of",
            sl_cuda_degrees_of(m->degree, part->row_of_source, m->entries->start, part->sources)));
    } else {
        CUDA_TRY(sl_cuda_zero(m->ctx, m->degree, part->sources * sizeof *m->degree));
        CUDA_TRY(cuda_part_check(m, "kernel count_columns",
                                 sl_cuda_count_columns(m->degree, part->in.index, part->edges)));
    }
    return sum_lengths(m, &part->out_start, part->sources);
}

/* Device bytes that stay free beside the out-edges: for the rest of the construction, and then for searches. */
static uint64_t bytes_kept_free(const cuda_part_build *m, uint64_t longest)
{
    const uint64_t searches = m->request->search_bytes(m->part);
    const uint64_t keys = sl_cuda_transpose_segment(m->part->edges, longest);
    const uint64_t scratch = 3 * sizeof(uint64_t) * keys;
    return scratch > searches ? scratch : searches;
}

static sl_status allocate_out(cuda_part_build *m, uint64_t longest)
{
    cuda_part *part = m->part;
    if (cuda_part_in_one_dimension(m))
        return sl_cuda_alloc_columns(m->ctx, &part->out, part->edges, bytes_kept_free(m, longest));
    part->out.view.host_begin = part->out.view.host_end = UINT64_MAX;
    PART_ALLOCATE(m, part->out.index, part->edges);
    return SL_OK;
}

sl_status sl_cuda_part_by_source(cuda_part_build *m)
{
    cuda_part *part = m->part;
    const uint64_t longest =
        least(part->edges, part->cols == 1 ? part->own_targets : part->targets);
    CUDA_TRY(sum_sources(m));
    CUDA_TRY(allocate_out(m, longest));
    cuda_transposition o = {.ctx = m->ctx,
                            .columns = &part->out,
                            .source = {.start = part->in.start,
                                       .index = part->in.index,
                                       .rows = part->targets,
                                       .entries = part->edges},
                            .bits = sl_cuda_bits_for(part->targets)};
    return sl_cuda_transpose_edges(&o, part->sources, part->out_start, longest);
}
