/*
 * Exchanges along rows and columns of the grid: every peer receives what it was sent, with every
 * codec and with values, over many rounds. A malformed message is an error and blocks no rank.
 */
#include "dist/exchange/exchange.h"
#include "ranks.h"

enum { LIMIT = 300, ROUNDS = 14 };

static sl_context *ctx;
static sl_grid *grid;
static sl_traffic traffic;

static void open_grid(int rows, int cols)
{
    assert_int_equal(
        sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
    grid = sl_grid_of(ctx);
    traffic = (sl_traffic){0};
}

static sl_exchange open_exchange(unsigned allowed, bool posted, bool shared, bool values)
{
    sl_exchange x;
    sl_exchange_options options = {.transport = &sl_transport_mpi,
                                   .phase = SL_PHASE_FOLD,
                                   .comm = grid->row,
                                   .limit = LIMIT,
                                   .allowed = allowed,
                                   .posted = posted,
                                   .shared = shared,
                                   .values = values,
                                   .width = 9};
    assert_ok(ctx, sl_grid_agree(grid, sl_exchange_open(&x, grid, &traffic, &options)));
    return x;
}

static void close_exchange(sl_exchange *x)
{
    assert_int_equal(x->status, SL_OK);
    sl_exchange_close(x);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The set that column `from` sends to column `to` in a round: some multiples. */
static uint64_t make_set(uint32_t *list, int from, int to, int round)
{
    uint64_t count = 0;
    for (int v = (from + to) % 7; v < LIMIT; v += 1 + (3 * from + 5 * to + round) % 37)
        list[count++] = (uint32_t)v;
    return round % 11 == 0 ? 0 : count;
}

static void check_arrival(sl_exchange *x, sl_message *arrival, int to, int round)
{
    uint32_t right[LIMIT], list[LIMIT], values[LIMIT];
    uint64_t bits[(LIMIT + 63) / 64] = {0};
    uint64_t count = make_set(right, arrival->peer, to, round);
    assert_int_equal(sl_exchange_list(x, arrival, list), count);
    assert_memory_equal(list, right, count * sizeof *list);
    assert_int_equal(sl_exchange_bits(x, arrival, bits), count);
    assert_int_equal(sl_bits_count(bits, (LIMIT + 63) / 64), count);
    if (!x->options.values)
        return;
    sl_exchange_values(x, arrival, values);
    for (uint64_t k = 0; k < count; k++)
        assert_int_equal(values[k], (list[k] * 5 + (unsigned)arrival->peer) % 512);
}

static void make_values(uint32_t *values)
{
    for (uint32_t v = 0; v < LIMIT; v++)
        values[v] = (v * 5 + (uint32_t)grid->j) % 512;
}

static void put(sl_exchange *x, int to, int round)
{
    uint32_t list[LIMIT], values[LIMIT];
    sl_ids ids = {.limit = LIMIT, .list = list, .sorted = true};
    make_values(values);
    ids.count = make_set(list, grid->j, to, round);
    sl_exchange_send(x, to, &ids, values);
}

static void rounds(unsigned allowed, bool values)
{
    sl_exchange x = open_exchange(allowed, true, false, values);
    for (int round = 0; round < ROUNDS; round++) {
        sl_message arrival;
        int taken = 0;
        sl_exchange_begin(&x);
        for (int to = 0; to < grid->cols; to++)
            if (to != grid->j)
                put(&x, to, round);
        for (; sl_exchange_receive(&x, &arrival); taken++)
            check_arrival(&x, &arrival, grid->j, round);
        assert_int_equal(taken, grid->cols - 1);
    }
    close_exchange(&x);
}

static void test_rounds(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        open_grid(rows, cols);
        for (unsigned codec = 0; codec <= SL_CODEC_COUNT; codec++) {
            unsigned allowed = codec < SL_CODEC_COUNT ? 1U << codec : SL_CODECS_ALL;
            rounds(allowed, false);
            rounds(allowed, true);
        }
        uint64_t received = (uint64_t)(cols - 1) * 2 * (SL_CODEC_COUNT + 1) * ROUNDS;
        assert_int_equal(traffic.messages[SL_PHASE_FOLD], received);
        assert_int_equal(traffic.messages[SL_PHASE_EXPAND], 0);
        for (unsigned k = 0; k < SL_CODEC_COUNT; k++)
            assert_int_equal(traffic.bytes[SL_PHASE_FOLD][k] > 0, cols > 1);
        sl_context_free(ctx);
    }
}

/* One set for all peers; a pipeline from rank to rank; and a ring. */
static void test_other_ways(void **unused)
{
    open_grid(1, world_size());
    const int j = grid->j, C = grid->cols;
    uint32_t list[LIMIT], values[LIMIT], received[LIMIT];
    sl_message arrival;
    sl_ids ids = {.limit = LIMIT, .list = list, .sorted = true};

    sl_exchange x = open_exchange(SL_CODECS_ALL, true, true, false);
    for (int round = 1; round < ROUNDS; round++) {
        ids.count = make_set(list, j, j, round);
        sl_exchange_begin(&x);
        sl_exchange_send_all(&x, &ids);
        while (sl_exchange_receive(&x, &arrival))
            check_arrival(&x, &arrival, arrival.peer, round);
    }
    close_exchange(&x);

    x = open_exchange(SL_CODECS_ALL, true, false, false);
    for (int message = 1; message < ROUNDS; message++) {
        if (j > 0) {
            assert_true(sl_exchange_receive_from(&x, j - 1, &arrival));
            assert_int_equal(arrival.peer, j - 1);
            check_arrival(&x, &arrival, j, message);
            sl_exchange_release(&x);
        }
        if (j < C - 1)
            put(&x, j + 1, message);
    }
    close_exchange(&x);

    x = open_exchange(SL_CODECS_ALL, false, true, true);
    make_values(values);
    for (int step = 1; step < C; step++) {
        int to = (j + step) % C, from = (j + C - step) % C;
        ids.count = make_set(list, j, to, step);
        assert_true(sl_exchange_swap(&x, to, &ids, values, from, &arrival));
        check_arrival(&x, &arrival, j, step);
        uint64_t expected = arrival.coded.count;
        sl_exchange_swap_values(&x, to, &ids, values, from, received, expected);
        uint64_t count = make_set(list, from, j, step);
        assert_int_equal(count, expected);
        for (uint64_t k = 0; k < count; k++)
            assert_int_equal(received[k], (list[k] * 5 + (unsigned)from) % 512);
    }
    close_exchange(&x);
    sl_context_free(ctx);
}

/* Sends malformed bytes from the last rank to all others. */
static void test_garbage(void **unused)
{
    static const char *const garbage[] = {"", "\7\1\1", "\2\4\1", "\0\1"};
    open_grid(1, world_size());
    const bool bad = grid->j == grid->cols - 1;
    for (size_t g = 0; g < 4; g++) {
        uint32_t list[LIMIT];
        sl_message arrival;
        sl_exchange x = open_exchange(SL_CODECS_ALL, true, false, false);
        sl_exchange_begin(&x);
        for (int to = 0; to < grid->cols; to++) {
            if (to == grid->j)
                continue;
            if (!bad) {
                put(&x, to, 1);
                continue;
            }
            uint64_t bytes = g ? 3 : 0;
            memcpy(x.options.transport->buffer(x.link, to), garbage[g], bytes);
            assert_ok(ctx, x.options.transport->send(x.link, to, bytes));
        }
        while (sl_exchange_receive(&x, &arrival)) {
            uint64_t count = sl_exchange_list(&x, &arrival, list);
            assert_true(arrival.peer < grid->cols - 1 || count == 0);
        }
        assert_int_equal(x.status, bad || grid->cols == 1 ? SL_OK : SL_ENGINE_FAULT);
        if (x.status != SL_OK)
            assert_non_null(strstr(sl_context_message(ctx), "malformed message"));
        sl_exchange_close(&x);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    sl_context_free(ctx);
}

static void test_sizes(void **unused)
{
    open_grid(1, world_size());
    sl_exchange x;
    sl_exchange_options options = {.transport = &sl_transport_mpi,
                                   .phase = SL_PHASE_FOLD,
                                   .comm = grid->row,
                                   .limit = UINT64_C(1) << 31,
                                   .allowed = 1U << SL_CODEC_LIST};
    sl_status status = sl_exchange_open(&x, grid, &traffic, &options);
    if (grid->cols > 1) {
        assert_int_equal(status, SL_UNSUPPORTED);
        assert_non_null(strstr(sl_context_message(ctx), "too large for so few ranks"));
    } else {
        sl_exchange_close(&x);
    }
    sl_context_free(ctx);
}

/*
 * Receives are posted for two rounds, so the first two messages match posted receives before their
 * receiver asks for them. A probe sees only unmatched messages, in the order in which they were
 * sent: the first that it sees is the third.
 */
static void test_posted_ahead(void **unused)
{
    enum { AHEAD = 2, TAG = 99, ROOM = 64 };
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        open_grid(rows, cols);
        const sl_transport *by = &sl_transport_mpi;
        sl_link *link;
        sl_link_options options = {.comm = grid->row, .tag = TAG, .room = ROOM, .posted = true};
        assert_ok(ctx, sl_grid_agree(grid, by->open(&link, grid, &options)));
        for (int round = 0; round <= AHEAD; round++)
            for (int to = 0; to < cols; to++) {
                if (to == grid->j)
                    continue;
                uint8_t *buffer = by->buffer(link, to);
                assert_non_null(buffer);
                memset(buffer, round, ROOM);
                assert_ok(ctx, by->send(link, to, (uint64_t)round + 1));
            }
        bool *wanted = calloc((size_t)cols, sizeof *wanted);
        for (int from = 0; from < cols; from++) {
            if (from == grid->j)
                continue;
            MPI_Status status;
            int bytes;
            MPI_Probe(from, TAG, grid->row, &status);
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            assert_int_equal(bytes, AHEAD + 1);
            wanted[from] = true;
            for (int round = 0; round <= AHEAD; round++) {
                const uint8_t *in;
                uint64_t received;
                int peer;
                assert_ok(ctx, by->receive(link, wanted, &peer, &in, &received));
                assert_int_equal(peer, from);
                assert_int_equal(received, round + 1);
                assert_int_equal(in[0], round);
                assert_ok(ctx, by->release(link, peer));
            }
            wanted[from] = false;
        }
        free(wanted);
        MPI_Barrier(MPI_COMM_WORLD);
        by->close(link);
        MPI_Barrier(MPI_COMM_WORLD);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_posted_ahead), cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_other_ways),   cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_sizes),
    };
    return run_ranks("exchange", tests, sizeof tests / sizeof *tests);
}
