#include "cuda/generate/generated_block.h"

#include <string.h>

#include "cuda/operations/vector_result.h"
#include "cuda/reorder/column_storage.h"
#include "cuda/runtime/sort_kernels.h"

sl_status sl_cuda_fill_rows(cuda_generator *c, cuda_matrix *A, uint32_t n, uint64_t expected,
                            uint64_t max_entries, bool with_columns)
{
    const unsigned bits = sl_cuda_bits_for(c->source->vertices);
    /* Vertex ids are scrambled, so each range of rows has its share of the entries. */
    const double share = expected ? 0.98 * (double)c->room / (double)expected : 1;
    const uint32_t rows = share < 1 ? (uint32_t)(share * n) + 1 : n;
    A->nnz = 0;
    for (uint32_t first = 0, last; first < n; first = last) {
        uint64_t *keys, count;
        last = n - first < rows ? n : first + rows;
        CUDA_TRY(sl_cuda_generator_rows(c, first, &last, bits, &keys, &count));
        CUDA_TRY(sl_cuda_status(
            c->ctx, "kernel starts_of_keys",
            sl_cuda_starts_of_keys(A->start + first, last - first, A->nnz, keys, count, bits)));
        /* All entries are in this range: allocate exactly as many. */
        if (with_columns && !A->index)
            CUDA_TRY(sl_cuda_alloc(c->ctx, (void **)&A->index,
                                   (last == n ? count : max_entries) * sizeof *A->index));
        if (with_columns)
            CUDA_TRY(sl_cuda_status(c->ctx, "kernel unpack_edges",
                                    sl_cuda_unpack_edges(A->index + A->nnz, keys, count, bits)));
        A->nnz += count;
    }
    return SL_OK;
}

sl_status sl_cuda_shrink_columns(sl_context *ctx, cuda_matrix *A, uint64_t room)
{
    const uint64_t bytes = A->nnz * sizeof *A->index;
    uint32_t *index;
    if (A->index && (A->nnz == room || bytes + GENERATE_FREE_BYTES > sl_cuda_free_bytes()))
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&index, bytes));
    const sl_status status = A->index ? sl_cuda_copy(ctx, index, A->index, bytes) : SL_OK;
    sl_cuda_free(A->index);
    A->index = index;
    return status;
}

sl_status sl_cuda_add_weights(const cuda_generator *c, cuda_matrix *A)
{
    const cuda_numbered_rows rows = {c->rows, c->cols, A->start, A->index};
    CUDA_TRY(sl_cuda_alloc(c->ctx, &A->values, (A->nnz + 1) * sizeof(double)));
    CUDA_TRY(
        sl_cuda_status(c->ctx, "weights",
                       cudaMemsetAsync(A->values, 0xff, A->nnz * sizeof(double), cuda_stream())));
    return sl_cuda_status(c->ctx, "kernel least_weights",
                          sl_cuda_least_weights(A->values, &rows, c->source));
}

sl_status sl_cuda_new_rows(cuda_matrix **made, const sl_object *object)
{
    CUDA_TRY(sl_cuda_new_matrix(made, object, 0, false));
    sl_cuda_free((*made)->index);
    (*made)->index = NULL;
    return SL_OK;
}

/* ---- pieces ------------------------------------------------------------------------------- */

static uint64_t columns_of(const cuda_generated_block *m)
{
    uint64_t all = 0;
    for (uint64_t k = 0; k < m->ranges; k++)
        all += m->cols[2 * k + 1] - m->cols[2 * k];
    return all;
}

/* Estimated number of tuples with an end in the block. */
static uint64_t expected_of(const cuda_generated_block *m)
{
    const double n = (double)m->source.vertices, rows = (double)(m->rows[1] - m->rows[0]);
    return (uint64_t)((double)sl_cuda_max_generated_entries(&m->source) * (rows / n) *
                      ((double)columns_of(m) / n));
}

/* Numbering of the block's columns. Several ranges need an array of all vertices, *new_id, which
 * the caller frees. */
static sl_status number_columns(sl_context *ctx, cuda_numbering *cols, uint32_t **new_id,
                                const cuda_generated_block *m)
{
    *new_id = NULL;
    *cols = (cuda_numbering){m->cols[0], m->cols[1], NULL};
    if (m->ranges == 1)
        return SL_OK;
    const uint64_t n = m->source.vertices;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)new_id, n * sizeof **new_id));
    CUDA_TRY(sl_cuda_status(ctx, "cudaMemsetAsync",
                            cudaMemsetAsync(*new_id, 0xff, n * sizeof **new_id, cuda_stream())));
    uint64_t number = 0;
    for (uint64_t k = 0; k < m->ranges; k++) {
        const uint64_t *range = m->cols + 2 * k, count = range[1] - range[0];
        CUDA_TRY(sl_cuda_status(ctx, "kernel number_range",
                                sl_cuda_number_range(*new_id + range[0], (uint32_t)number, count)));
        number += count;
    }
    *cols = (cuda_numbering){0, n, *new_id};
    return SL_OK;
}

/* Bytes of `entries` entries: their columns and, if the edges have weights, their values. */
static uint64_t bytes_of_entries(const cuda_generated_block *m, uint64_t entries)
{
    return entries * (sizeof(uint32_t) + (m->source.weighted ? sizeof(double) : 0));
}

/* Entries are counted before they are stored: duplicates are frequent, so the number of tuples
 * is no useful bound. The keys take three times the memory of the columns: a part for searches by
 * several devices, which is made next, takes more. */
static sl_status count_and_fill(cuda_generator *c, cuda_matrix *A, const cuda_generated_block *m,
                                bool with_columns)
{
    const uint32_t n = (uint32_t)(m->rows[1] - m->rows[0]);
    const uint64_t keys = cuda_keys_within(3 * expected_of(m) * sizeof *A->index);
    CUDA_TRY(sl_cuda_generator_open(c, keys));
    CUDA_TRY(sl_cuda_fill_rows(c, A, n, expected_of(m), 0, false));
    if (!with_columns)
        return SL_OK;
    sl_cuda_generator_close(c);
    CUDA_TRY(sl_cuda_wait(c->ctx, "generation of a matrix"));
    CUDA_TRY(
        sl_cuda_check_room(c->ctx, "generate", m->source.count, bytes_of_entries(m, A->nnz), 0));
    CUDA_TRY(sl_cuda_alloc(c->ctx, (void **)&A->index, A->nnz * sizeof *A->index));
    CUDA_TRY(sl_cuda_generator_open(c, keys));
    CUDA_TRY(sl_cuda_fill_rows(c, A, n, expected_of(m), A->nnz, true));
    sl_cuda_generator_close(c);
    return m->source.weighted ? sl_cuda_add_weights(c, A) : SL_OK;
}

/* Fills A, which has no columns yet; without columns, only the lengths of its rows. */
static sl_status fill_block(sl_context *ctx, cuda_matrix *A, const cuda_generated_block *m,
                            bool with_columns)
{
    uint32_t *new_id;
    cuda_generator c = {.ctx = ctx, .source = &m->source, .rows = {m->rows[0], m->rows[1], NULL}};
    /* makes memory that was freed available */
    CUDA_TRY(sl_cuda_wait(ctx, "generation of a matrix"));
    sl_status status = number_columns(ctx, &c.cols, &new_id, m);
    if (status == SL_OK)
        status = count_and_fill(&c, A, m, with_columns);
    sl_cuda_generator_close(&c);
    sl_cuda_free(new_id);
    sl_status waited = sl_cuda_wait(ctx, "generation of a matrix");
    return status == SL_OK ? waited : status;
}

bool sl_cuda_fits_with_search(const cuda_generated_block *m)
{
    const uint64_t n = m->source.vertices, own = columns_of(m), entries = expected_of(m);
    return 3 * entries * sizeof(uint32_t) + n * (4 * sizeof(uint32_t) + 2 * sizeof(uint64_t)) +
               sl_cuda_reordered_bytes(own) + sl_cuda_search_reserve_bytes(own, own) <=
           sl_cuda_free_bytes();
}

/* Refuses a block that the device cannot hold before memory is allocated. */
static sl_status check_room(sl_context *ctx, const cuda_generated_block *m)
{
    const double n = (double)m->source.vertices, rows = (double)(m->rows[1] - m->rows[0]);
    const double least = (double)sl_cuda_least_generated_entries(&m->source) * (rows / n) *
                         ((double)columns_of(m) / n);
    return sl_cuda_check_room(
        ctx, "generate", m->source.count,
        bytes_of_entries(m, (uint64_t)least) + m->source.vertices * sizeof(uint32_t), 0);
}

static cuda_generated_block *new_model(const sl_call *call)
{
    const uint64_t ranges = call->cols.count;
    cuda_generated_block *m = sl_malloc(sizeof *m + 2 * ranges * sizeof *m->cols);
    if (!m)
        return NULL;
    m->source = *call->edges;
    m->ranges = ranges;
    memcpy(m->rows, call->rows.items, sizeof m->rows);
    memcpy(m->cols, call->cols.items, 2 * ranges * sizeof *m->cols);
    return m;
}

const cuda_derived_kind sl_cuda_generated_kind = {.name = "description of a generated graph",
                                                  .release = sl_free};
static const cuda_matrix_form description_form;

/* A matrix that consists of the description m alone, which belongs to it afterwards, also on failure. */
static sl_status new_description(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                                 cuda_generated_block *m)
{
    sl_status status = sl_cuda_new_formed_matrix(made, object, &description_form, nnz);
    if (status != SL_OK) {
        sl_free(m);
        return status;
    }
    status = sl_cuda_keep_derived(object->ctx, &(*made)->derived, &sl_cuda_generated_kind, m);
    if (status == SL_OK)
        return SL_OK;
    sl_cuda_free_matrix(*made);
    *made = NULL;
    return status;
}

/* A matrix with the entries of the block; m belongs to it afterwards, also on failure. */
static sl_status new_filled(cuda_matrix **made, const sl_object *object, cuda_generated_block *m)
{
    sl_status status = sl_cuda_new_rows(made, object);
    if (status == SL_OK)
        status = fill_block(object->ctx, *made, m, true);
    if (status != SL_OK) {
        sl_free(m);
    } else {
        status = sl_cuda_keep_derived(object->ctx, &(*made)->derived, &sl_cuda_generated_kind, m);
    }
    if (status == SL_OK)
        return SL_OK;
    sl_cuda_free_matrix(*made);
    *made = NULL;
    return status;
}

sl_status sl_cuda_generate_block(cuda_matrix **made, const sl_call *call)
{
    cuda_generated_block *m = new_model(call);
    *made = NULL;
    if (!m)
        return cuda_no_host_memory(call->ctx);
    const sl_status status = check_room(call->ctx, m);
    if (status != SL_OK) {
        sl_free(m);
        return status;
    }
    return !m->source.weighted && !sl_cuda_fits_with_search(m)
               ? new_description(made, call->out, CUDA_UNKNOWN, m)
               : new_filled(made, call->out, m);
}

/* ---- the form of a description ------------------------------------------------------------ */

static uint64_t bytes_of(const cuda_generated_block *m)
{
    return sizeof *m + 2 * m->ranges * sizeof *m->cols;
}

static sl_status copy(cuda_matrix **made, const sl_object *object, const cuda_matrix *A)
{
    const cuda_generated_block *from = cuda_generated_of(A);
    cuda_generated_block *m = sl_malloc(bytes_of(from));
    *made = NULL;
    if (!m)
        return cuda_no_host_memory(object->ctx);
    memcpy(m, from, bytes_of(from));
    return new_description(made, object, A->nnz, m);
}

static uint64_t bytes(const cuda_matrix *A)
{
    return bytes_of(cuda_generated_of(A));
}

/* The entries are generated for the export. */
static sl_status export_rows(sl_csr *csr, const sl_object *object, const cuda_matrix *A)
{
    cuda_matrix *made;
    CUDA_TRY(sl_cuda_regenerate(&made, object, A));
    const sl_status status = sl_cuda_export_matrix(csr, object, made);
    sl_cuda_free_matrix(made);
    return status;
}

static const cuda_matrix_form description_form = {
    .copy = copy, .bytes = bytes, .export_rows = export_rows};

void sl_cuda_keep_description(cuda_matrix *A)
{
    sl_cuda_free(A->start);
    sl_cuda_free_entries(A);
    A->start = NULL;
    A->form = &description_form;
    sl_cuda_hold_derived(A->derived);
}

sl_status sl_cuda_regenerate(cuda_matrix **made, const sl_object *object, const cuda_matrix *A)
{
    CUDA_TRY(sl_cuda_new_rows(made, object));
    sl_status status = fill_block(object->ctx, *made, cuda_generated_of(A), true);
    if (status == SL_OK)
        return SL_OK;
    sl_cuda_free_matrix(*made);
    *made = NULL;
    return status;
}

bool sl_cuda_has_room_for_entries(const cuda_matrix *A)
{
    const cuda_generated_block *m = cuda_generated_of(A);
    if (!m || cuda_has_rows(A))
        return false;
    const uint64_t entries = A->nnz == CUDA_UNKNOWN ? expected_of(m) : A->nnz,
                   starts = (m->rows[1] - m->rows[0] + 1) * sizeof *A->start;
    return bytes_of_entries(m, entries) + starts + 2 * (uint64_t)GENERATE_FREE_BYTES <=
           sl_cuda_free_bytes();
}

sl_status sl_cuda_generate_entries(const sl_object *object, cuda_matrix *A)
{
    cuda_matrix *made;
    CUDA_TRY(sl_cuda_regenerate(&made, object, A));
    A->nnz = made->nnz;
    A->start = made->start;
    A->index = made->index;
    A->values = made->values;
    A->form = NULL;
    made->start = NULL;
    made->index = NULL;
    made->values = NULL;
    sl_cuda_free_matrix(made);
    return SL_OK;
}

sl_status sl_cuda_count_generated_block(const sl_object *object, cuda_matrix *A)
{
    cuda_matrix *rows;
    if (A->nnz != CUDA_UNKNOWN)
        return SL_OK;
    CUDA_TRY(sl_cuda_new_rows(&rows, object));
    sl_status status = fill_block(object->ctx, rows, cuda_generated_of(A), false);
    if (status == SL_OK)
        A->nnz = rows->nnz;
    sl_cuda_free_matrix(rows);
    return status;
}
