/*
 * The own vertices in the caller's order, and for each of them the first source in every grid column. Most vertices
 * are reached from the first source of the column that reaches them, so that the end of a search reads these
 * arrays in order, and in two dimensions other processes answer by one bit (grid_fetch_parents.c).
 *
 * First sources travel through the hosts, once for each graph, in C - 1 rounds: in round d each process
 * sends to the process d columns ahead the first sources of that process's vertices.
 */
#include "cuda/search/part/part_build.h"

/* How many own vertices are numbered: those with edges, in one dimension with in-edges. */
static uint64_t numbered(const cuda_part_build *m)
{
    return cuda_part_in_one_dimension(m) ? m->part->own_targets : m->part->own_with_edges;
}

enum { SPARE = 3 }; /* kernels read numbers in groups of four */

/* Numbers the own vertices that have an id in id[], in the caller's order. */
static sl_status number(cuda_part_build *m, const uint32_t *id)
{
    cuda_part *part = m->part;
    const uint64_t n = numbered(m);
    PART_ALLOCATE(m, part->numbered.words, cuda_words(part->own_n));
    PART_ALLOCATE(m, part->numbered.id, n + SPARE);
    CUDA_TRY(sl_cuda_zero(m->ctx, part->numbered.id + n, SPARE * sizeof *part->numbered.id));
    return sl_cuda_number_vertices(m->ctx,
                                   &(cuda_numbered_vertices){.numbered = part->numbered.words,
                                                             .new_ids = part->numbered.id,
                                                             .new_id = id,
                                                             .n = part->own_n});
}

static sl_status number_own(cuda_part_build *m)
{
    const cuda_part *part = m->part;
    uint32_t *limited;
    if (numbered(m) == part->own_with_edges)
        return number(m, cuda_part_own_id(part));
    PART_ALLOCATE(m, limited, part->own_n);
    sl_status status = cuda_part_check(
        m, "kernel limit_ids",
        sl_cuda_part_limit_ids(limited, cuda_part_own_id(part), part->own_n, part->own_targets));
    if (status == SL_OK)
        status = number(m, limited);
    sl_cuda_free(limited);
    return status;
}

/* m->degree receives the local rows of the first sources of the targets of a block. */
static sl_status look_up(cuda_part_build *m, uint32_t block)
{
    const cuda_part *part = m->part;
    const uint32_t n = part->cols == 1 ? part->slot_count[0] : part->stride;
    if (n < part->stride)
        CUDA_TRY(cuda_part_check(m, "cudaMemsetAsync",
                                 cudaMemsetAsync(m->degree + n, 0xff,
                                                 (part->stride - n) * sizeof *m->degree,
                                                 cuda_stream())));
    return cuda_part_check(m, "kernel first_rows",
                           sl_cuda_part_first_rows(m->degree,
                                                   part->slot[0] + (uint64_t)block * part->stride,
                                                   part->row_of_source, n));
}

/* The first sources in a grid column, of the own vertices in the caller's order. */
static sl_status collect(cuda_part_build *m, uint32_t column)
{
    const cuda_part *part = m->part;
    const uint64_t n = numbered(m);
    return cuda_part_check(m, "kernel order_values",
                           sl_cuda_order_values(part->numbered.first + column * n, m->degree,
                                                part->numbered.id, sizeof *m->degree, n));
}

/* How many ids of a block travel: the stride, a multiple of lines, may be more than a block has vertices. */
static uint64_t ids_of(const cuda_part_build *m)
{
    return m->part->stride < m->blocks->length ? m->part->stride : m->blocks->length;
}

static sl_status download(cuda_part_build *m, uint32_t to, uint32_t *sent)
{
    CUDA_TRY(look_up(m, to));
    CUDA_TRY(sl_cuda_download(m->ctx, sent, m->degree, ids_of(m) * sizeof *sent));
    return sl_cuda_wait(m->ctx, "first sources of a block");
}

static sl_status upload(cuda_part_build *m, uint32_t from, const uint32_t *received)
{
    CUDA_TRY(sl_cuda_upload(m->ctx, m->degree, received, ids_of(m) * sizeof *received));
    CUDA_TRY(collect(m, from));
    return sl_cuda_wait(m->ctx, "first sources of own vertices");
}

static sl_status exchange(cuda_part_build *m, uint32_t to, uint32_t from)
{
    const uint32_t C = m->part->cols;
    const uint64_t bytes = ids_of(m) * sizeof *m->lines;
    uint32_t *const sent = m->lines, *const received = m->lines + m->blocks->length;
    CUDA_TRY(cuda_grid_agree(m->grid, download(m, to, sent)));
    m->parcels[to] = (sl_parcel){sent, bytes};
    m->parcels[C + from] = (sl_parcel){received, bytes};
    const sl_status status =
        m->grid->exchange(m->grid, m->request->row, m->parcels, m->parcels + C);
    m->parcels[to] = m->parcels[C + from] = (sl_parcel){NULL, 0};
    CUDA_TRY(cuda_grid_agree(m->grid, status));
    return cuda_grid_agree(m->grid, upload(m, from, received));
}

static sl_status begin(cuda_part_build *m)
{
    cuda_part *part = m->part;
    const uint64_t room = (uint64_t)part->cols * numbered(m);
    CUDA_TRY(number_own(m));
    PART_ALLOCATE(m, m->degree, part->stride);
    PART_ALLOCATE(m, part->numbered.first, room + SPARE);
    CUDA_TRY(
        sl_cuda_zero(m->ctx, part->numbered.first + room, SPARE * sizeof *part->numbered.first));
    CUDA_TRY(look_up(m, m->j));
    return collect(m, m->j);
}

sl_status sl_cuda_part_firsts(cuda_part_build *m)
{
    const uint32_t C = m->part->cols, j = m->j;
    CUDA_TRY(cuda_grid_agree(m->grid, begin(m)));
    for (uint32_t d = 1; d < C; d++)
        CUDA_TRY(exchange(m, (j + d) % C, (j + C - d) % C));
    PART_FREE(m->degree);
    return SL_OK;
}
