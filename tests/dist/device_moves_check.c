/* Compares objects of a grid with those of one process, and checks what passed through the hosts. */
#include <inttypes.h>

#include "device_moves.h"

void compare(const char *where, int number, bool is_matrix, const void *got, const void *right)
{
    sl_context *ctx = is_matrix ? sl_matrix_context(got) : sl_vector_context(got);
    uint64_t all, expected, count = 0;
    if (is_matrix)
        assert_ok(ctx, sl_matrix_nvals(&all, got));
    else
        assert_ok(ctx, sl_vector_nvals(&all, got));
    uint64_t *row = malloc((all + 1) * sizeof *row), *col = malloc((all + 1) * sizeof *col);
    int64_t *value = malloc((all + 1) * sizeof *value);
    count = all;
    if (is_matrix) {
        assert_ok(ctx, sl_matrix_extract_tuples(row, col, value, &count, got));
        assert_ok(local, sl_matrix_nvals(&expected, right));
    } else {
        assert_ok(ctx, sl_vector_extract_tuples(row, value, &count, got));
        assert_ok(local, sl_vector_nvals(&expected, right));
    }
    if (all != expected)
        fail_msg("%s: result %d: %" PRIu64 " entries, not %" PRIu64, where, number, all, expected);
    for (uint64_t k = 0; k < count; k++) {
        sl_scalar x = {0};
        const sl_status status =
            is_matrix ? sl_matrix_get(&x, right, row[k], col[k]) : sl_vector_get(&x, right, row[k]);
        if (status != SL_OK || x.as.int64_ != value[k])
            fail_msg("%s, rank %d: result %d: entry %" PRIu64 " differs", where, world_rank(),
                     number, k);
    }
    free(row);
    free(col);
    free(value);
}

uint64_t sum(uint64_t mine)
{
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return mine;
}

void check_traffic(const char *where, const sl_context *ctx, bool hosts, uint64_t copied)
{
    const sl_traffic *t = &sl_grid_of(ctx)->traffic;
    uint64_t by_hosts = 0;
    for (int k = 0; k < SL_PHASE_COUNT; k++)
        by_hosts += t->host_bytes[k];
    const uint64_t tuples = sum(t->bytes[SL_PHASE_TUPLES][SL_ENCODING_VALUES]);
    by_hosts = sum(by_hosts);
    if (hosts ? by_hosts < tuples : by_hosts > 0 || copied > 0)
        fail_msg("%s: %" PRIu64 " bytes through the hosts, %" PRIu64 " migrated", where, by_hosts,
                 copied);
}

uint64_t tuple_bytes(const sl_context *ctx)
{
    return sum(sl_grid_of(ctx)->traffic.bytes[SL_PHASE_TUPLES][SL_ENCODING_VALUES]);
}
