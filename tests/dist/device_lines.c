/*
 * What the grid engine gives to the devices of a grid, tested without devices: exchanges along rows
 * and columns, the blocks of a matrix, and the selection of a search. An engine that records its calls
 * is added to each rank's local context.
 */
#include <string.h>

#include "dist/grid/blocks.h"
#include "dist/grid/rank_devices.h"
#include "ranks.h"

/* ---- the recording engine --------------------------------------------------------------------- */

static sl_grid *grid;           /* under test */
static uint64_t vertices;       /* of the matrix under test */
static unsigned made, searched; /* calls of make_part and search */
static sl_status make_status;   /* what make_part returns */

/* Checks the blocks against the distribution: local rows and columns are those of this rank, in the
 * order of the blocks. */
static void check_blocks(const sl_object *block, const sl_device_grid_blocks *b)
{
    const sl_distribution p = sl_grid_distribution(grid, vertices);
    const sl_local_blocks rows = sl_grid_rows(grid, vertices),
                          cols = sl_grid_columns(grid, vertices);
    assert_int_equal(b->row_begin[p.rows], block->nrows);
    assert_int_equal(b->col_begin[p.cols], block->ncols);
    for (uint32_t k = 0; k < p.rows; k++) {
        const uint64_t number = (uint64_t)grid->j * p.rows + k;
        assert_true(b->row_begin[k + 1] - b->row_begin[k] <= b->length);
        assert_int_equal(b->first_vertex[grid->j] + b->row_begin[k],
                         sl_distribution_begin(&p, number));
    }
    for (uint64_t r = 0; r < block->nrows; r += 1 + block->nrows / 50)
        assert_int_equal(b->first_vertex[grid->j] + r, sl_global_index(&rows, r));
    for (uint32_t k = 0; k < p.cols; k++) {
        const uint64_t number = (uint64_t)k * p.rows + (uint64_t)grid->i;
        assert_int_equal(b->col_begin[k + 1] - b->col_begin[k], sl_distribution_length(&p, number));
        if (b->col_begin[k] < b->col_begin[k + 1])
            assert_int_equal(sl_global_index(&cols, b->col_begin[k]),
                             sl_distribution_begin(&p, number));
        assert_int_equal(b->first_vertex[k], sl_distribution_begin(&p, (uint64_t)k * p.rows));
    }
}

static sl_status make_part(void **part, const sl_device_part_request *request)
{
    const sl_device_group *devices = request->grid->group;
    made++;
    check_blocks(request->edges, request->blocks);
    if (make_status != SL_OK)
        return devices->agree(devices, sl_fail(grid->local, make_status, "the block is too large"));
    *part = &made;
    return SL_OK;
}

static void release_part(void *part)
{
}

/* Searches nothing: the call must be one on this rank's blocks. */
static sl_status search(void *part, sl_call *call, sl_device_search_report *report)
{
    searched++;
    assert_ptr_equal(part, &made);
    assert_ptr_equal(call->ctx, grid->local);
    const sl_local_blocks own = sl_grid_own(grid, vertices);
    assert_int_equal(call->traversal->pi->nrows, sl_local_blocks_length(&own));
    assert_int_equal(call->traversal->q->nrows, sl_local_blocks_length(&own));
    *report = (sl_device_search_report){.transport = "recorded", .parent_bytes = 12};
    report->bytes[SL_GRID_FOLD][SL_GROUP_LIST] = 5;
    return SL_OK;
}

static void release_grid(const sl_device_grid *devices)
{
}

static const sl_device_searches searches = {
    .two_dimensions = {.make_part = make_part, .release_part = release_part, .search = search},
    .release_grid = release_grid};
static sl_engine recording;
static const sl_engine *complete; /* the local context's own engine */

static sl_context *open_grid(int rows, int cols)
{
    sl_context *ctx;
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
    grid = sl_grid_of(ctx);
    complete = grid->local->chain[0];
    recording = *complete;
    recording.devices.searches = &searches;
    grid->local->chain[0] = &recording;
    sl_grid_make_devices(grid);
    assert_non_null(grid->search.devices);
    made = searched = 0;
    make_status = SL_OK;
    return ctx;
}

/* ---- exchanges ---------------------------------------------------------------------------------- */

static int place(sl_grid_line line)
{
    return line == SL_ALONG_ROW ? grid->j : line == SL_ALONG_COLUMN ? grid->i : grid->rank;
}
static int members(sl_grid_line line)
{
    return line == SL_ALONG_ROW ? grid->cols : line == SL_ALONG_COLUMN ? grid->rows : grid->size;
}
/* The rank of member m. */
static int rank_of(sl_grid_line line, int m)
{
    return line == SL_ALONG_ROW      ? grid->i * grid->cols + m
           : line == SL_ALONG_COLUMN ? m * grid->cols + grid->j
                                     : m;
}

static void try_swap(const sl_device_grid *d, sl_grid_line line)
{
    const int count = members(line);
    int sent[2 * count], received[2 * count];
    for (int m = 0; m < count; m++) {
        sent[2 * m] = grid->rank;
        sent[2 * m + 1] = m;
    }
    assert_ok(grid->ctx, d->swap(d, line, sent, received, 2 * sizeof *sent));
    for (int m = 0; m < count; m++) {
        assert_int_equal(received[2 * m], rank_of(line, m));
        assert_int_equal(received[2 * m + 1], place(line));
    }
}

/* Bytes that rank `from` sends to `to`: none, or more the greater both are. */
static uint64_t bytes_between(int from, int to)
{
    return (from + to) % 3 == 0 ? 0 : (uint64_t)(1000 * from + 70 * to + 1);
}

/* By one call, or in two steps, between which a sum over all ranks is made. */
static void run_exchange(const sl_device_grid *d, sl_grid_line line, const sl_parcel *sent,
                         const sl_parcel *received, bool in_steps)
{
    void *pending;
    uint64_t ranks = 1;
    if (!in_steps) {
        assert_ok(grid->ctx, d->exchange(d, line, sent, received));
        return;
    }
    assert_ok(grid->ctx, d->begin_exchange(d, line, sent, received, &pending));
    assert_ok(grid->ctx, d->reduce(d, &ranks, 1, false));
    assert_int_equal(ranks, grid->size);
    assert_ok(grid->ctx, d->end_exchange(d, pending));
}

static void try_exchange(const sl_device_grid *d, sl_grid_line line, bool in_steps)
{
    const int count = members(line);
    sl_parcel sent[count], received[count];
    for (int m = 0; m < count; m++) {
        const int other = rank_of(line, m);
        sent[m].bytes = m == place(line) ? 0 : bytes_between(grid->rank, other);
        received[m].bytes = m == place(line) ? 0 : bytes_between(other, grid->rank);
        sent[m].data = malloc(sent[m].bytes + 1);
        received[m].data = calloc(received[m].bytes + 1, 1);
        memset(sent[m].data, 16 * grid->rank + other, sent[m].bytes);
    }
    run_exchange(d, line, sent, received, in_steps);
    for (int m = 0; m < count; m++) {
        const uint8_t *got = received[m].data;
        for (uint64_t k = 0; k < received[m].bytes; k++)
            assert_int_equal(got[k], (uint8_t)(16 * rank_of(line, m) + grid->rank));
        assert_int_equal(got[received[m].bytes], 0);
        free(sent[m].data);
        free(received[m].data);
    }
}

static void try_blocks(const sl_device_grid *d, sl_grid_line line)
{
    enum { LENGTH = 3 };
    const int count = members(line);
    uint32_t counts[count * LENGTH], own[LENGTH];
    for (int k = 0; k < count * LENGTH; k++)
        counts[k] = (uint32_t)(k + 100 * grid->rank);
    assert_ok(grid->ctx, d->sum_blocks(d, line, own, counts, LENGTH));
    for (int k = 0; k < LENGTH; k++) {
        uint32_t right = 0;
        for (int m = 0; m < count; m++)
            right += (uint32_t)(place(line) * LENGTH + k + 100 * rank_of(line, m));
        assert_int_equal(own[k], right);
    }
}

static void test_exchanges(void **unused)
{
    for (int rows = 0, cols = 0; next_grid(&rows, &cols);) {
        sl_context *ctx = open_grid(rows, cols);
        const sl_device_grid *d = &grid->devices.grid;
        const uint64_t size = (uint64_t)grid->size, rank = (uint64_t)grid->rank;
        uint64_t sums[] = {rank, 1}, most[] = {rank, 7};
        for (sl_grid_line line = 0; line < SL_GRID_LINES; line++) {
            assert_int_equal(sl_device_grid_members(d, line), members(line));
            assert_int_equal(sl_device_grid_place(d, line), place(line));
            for (int m = 0; m < members(line); m++)
                assert_int_equal(sl_device_grid_number(d, line, (uint32_t)m), rank_of(line, m));
            try_swap(d, line);
            try_exchange(d, line, false);
            try_exchange(d, line, true);
            try_blocks(d, line);
        }
        assert_ok(ctx, d->reduce(d, sums, 2, false));
        assert_ok(ctx, d->reduce(d, most, 2, true));
        assert_int_equal(sums[0], size * (size - 1) / 2);
        assert_int_equal(sums[1], size);
        assert_int_equal(most[0], size - 1);
        assert_int_equal(most[1], 7);
        sl_context_free(ctx);
    }
}

/* A rank that is cancelled tells the engine, with a message. */
static void test_interrupted(void **unused)
{
    sl_context *ctx = open_grid(0, 0);
    const sl_device_grid *d = &grid->devices.grid;
    assert_int_equal(d->interrupted(d), SL_OK);
    sl_context_cancel(ctx);
    assert_int_equal(d->interrupted(d), SL_CANCELLED);
    assert_non_null(strstr(sl_context_message(grid->local), "closure"));
    sl_context_resume(ctx);
    assert_int_equal(d->interrupted(d), SL_OK);
    sl_context_free(ctx);
}

/* ---- selection ------------------------------------------------------------------------------------ */

/* Closures that fell back report the choice of the search as their reason. */
static void observe(void *unused, const sl_operation_record *record)
{
    if (strcmp(record->operation, "closure") == 0 && record->fell_back)
        assert_ptr_equal(record->reason, grid->search.note);
}

static sl_status search_path(sl_context *ctx, sl_matrix *A, sl_semiring semiring)
{
    sl_vector *pi, *q;
    assert_ok(ctx, sl_vector_new(&pi, ctx, SL_INT64, vertices));
    assert_ok(ctx, sl_vector_new(&q, ctx, SL_INT64, vertices));
    assert_ok(ctx, sl_vector_set(pi, 0, sl_scalar_int64(0)));
    assert_ok(ctx, sl_vector_set(q, 0, sl_scalar_int64(0)));
    sl_context_set_observer(ctx, observe, NULL);
    const sl_status status = sl_closure(pi, q, A, semiring, NULL);
    sl_context_set_observer(ctx, NULL, NULL);
    sl_vector_free(pi);
    sl_vector_free(q);
    return status;
}

static uint64_t fallbacks(sl_context *ctx)
{
    sl_context_counts counts;
    sl_context_get_counts(ctx, &counts);
    return counts.fallbacks;
}

static sl_matrix *path(sl_context *ctx, uint64_t n)
{
    sl_matrix *A;
    vertices = n;
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, n, n));
    assert_ok(ctx, sl_matrix_set(A, 0, n - 1, sl_scalar_bool(true)));
    return A;
}

/* The device group has no room for any rank, so two dimensions are the only search by devices. A part
 * is made once for each matrix, and traffic is counted. */
static void test_selected(void **unused)
{
    static const uint64_t sizes[] = {1, 50, 4096, 100001};
    for (int rows = 0, cols = 0; next_grid(&rows, &cols);)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            sl_context *ctx = open_grid(rows, cols);
            sl_matrix *A = path(ctx, sizes[k]);
            sl_grid_info info;
            assert_ok(ctx, search_path(ctx, A, SL_ANY_SECONDI_INT64));
            assert_ok(ctx, search_path(ctx, A, SL_ANY_SECONDI_INT64));
            assert_int_equal(made, 1);
            assert_int_equal(searched, 3); /* the preparation searches once */
            assert_int_equal(fallbacks(ctx), 0);
            assert_ok(ctx, sl_grid_describe(&info, ctx));
            assert_string_equal(info.transport, "recorded");
            assert_int_equal(grid->traffic.bytes[SL_PHASE_FOLD][SL_CODEC_LIST], 10);
            assert_int_equal(grid->traffic.bytes[SL_PHASE_PARENTS][SL_ENCODING_VALUES], 24);
            assert_ok(ctx, search_path(ctx, A, SL_MIN_SECONDI_INT64));
            assert_int_equal(searched, 3); /* the preparation searches once */
            assert_int_equal(fallbacks(ctx), 1);
            sl_matrix_free(A);
            sl_context_free(ctx);
        }
}

/* A graph that is too large for devices is searched by processors, which counts as a fallback, unless
 * the search by devices was asked for. Other failures are errors. */
static void test_too_large(void **unused)
{
    sl_context *ctx = open_grid(0, 0);
    sl_matrix *A = path(ctx, 200);
    make_status = SL_UNSUPPORTED;
    assert_ok(ctx, search_path(ctx, A, SL_ANY_SECONDI_INT64));
    assert_int_equal(searched, 0);
    assert_int_equal(fallbacks(ctx), 1);
    assert_non_null(strstr(grid->search.note, "processors"));
    setenv("SEMLA_DIST", "2d", 1);
    assert_int_equal(search_path(ctx, A, SL_ANY_SECONDI_INT64), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "too large"));
    setenv("SEMLA_DIST", "1d", 1);
    assert_int_equal(search_path(ctx, A, SL_ANY_SECONDI_INT64), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "'1d'"));
    unsetenv("SEMLA_DIST");
    make_status = SL_NO_MEMORY;
    assert_int_equal(search_path(ctx, A, SL_ANY_SECONDI_INT64), SL_NO_MEMORY);
    assert_int_equal(fallbacks(ctx), 1);
    sl_matrix_free(A);
    sl_context_free(ctx);
}

/* ---- no room ---------------------------------------------------------------------------------------- */

static unsigned copies; /* blocks in the memory of the device of this rank */

/* The last rank has no room. */
static sl_status create_copy(void **handle, const sl_object *object)
{
    if (world_rank() == world_size() - 1)
        return sl_fail(object->ctx, SL_NO_MEMORY, "out of device memory");
    *handle = &copies;
    copies++;
    return SL_OK;
}

static sl_status import_copy(void **handle, const sl_object *object, sl_csr *csr)
{
    const sl_status status = create_copy(handle, object);
    if (status != SL_OK)
        return status;
    sl_free(csr->start);
    sl_free(csr->index);
    sl_free(csr->values);
    return SL_OK;
}

static void release_copy(const sl_object *object, void *handle)
{
    copies--;
}

static const sl_device_vectors no_vectors;
static const sl_store device_memory = {.name = "device",
                                       .slot = 1,
                                       .memory = SL_MEMORY_CUDA,
                                       .create = create_copy,
                                       .import_arrays = import_copy,
                                       .release = release_copy};

/* A search that devices do by products is one by processors if a block has no room on its device, which counts
 * as a fallback, and nothing stays on the devices. */
static void test_no_room(void **unused)
{
    sl_context *ctx = open_grid(0, 0);
    sl_matrix *A = path(ctx, 200);
    recording = (sl_engine){.name = "recording",
                            .devices.searches = &searches,
                            .devices.vectors = &no_vectors,
                            .store = &device_memory};
    grid->local->chain[0] = complete;
    grid->local->chain[1] = &recording;
    assert_ptr_equal(grid->device_engine, &recording);
    assert_ok(ctx, search_path(ctx, A, SL_MIN_SECONDI_INT64));
    assert_int_equal(fallbacks(ctx), 1);
    assert_int_equal(copies, 0);
    assert_non_null(strstr(grid->search.note, "no room"));
    sl_matrix_free(A);
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exchanges), cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_selected), cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_no_room)};
    return run_ranks("device_lines", tests, sizeof tests / sizeof *tests);
}
