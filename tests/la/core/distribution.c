/* Distributions of indices over the ranks of a grid (la/engine/distribution.h): every index has one
 * owner and one local index, and blocks have similar lengths. */
#include <semla/distribution.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t state;

static uint64_t draw(uint64_t bound)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 11) % bound;
}

/* Small sizes, sizes around multiples of units, and large sizes. */
static uint64_t draw_size(void)
{
    switch (draw(4)) {
    case 0:
        return draw(40);
    case 1:
        return 1024 * draw(60) + draw(3);
    case 2:
        return draw(200000);
    default:
        return ((uint64_t)1 << 60) - draw(1000);
    }
}

/* An index at the begin or end of a block, or anywhere. */
static uint64_t draw_index(const sl_distribution *p)
{
    uint64_t begin = sl_distribution_begin(p, draw(sl_distribution_blocks(p)));
    if (draw(2) && begin < p->size)
        return begin;
    return draw(2) && begin > 0 ? begin - 1 : draw(p->size);
}

static void check_local_blocks(const sl_local_blocks *s, uint64_t index)
{
    uint64_t local = sl_local_index(s, index);
    assert_true(sl_local_blocks_contain(s, index));
    assert_true(local < sl_local_blocks_length(s));
    assert_int_equal(sl_global_index(s, local), index);
    uint32_t part = sl_local_blocks_find(s, index);
    assert_int_equal(part, sl_local_blocks_find_local(s, local));
    assert_true(sl_local_blocks_begin(s, part) <= local &&
                local < sl_local_blocks_begin(s, part + 1));
}

/* An index is in the local blocks of one rank, one grid column and one grid row. */
static void check_index(const sl_distribution *p, uint64_t index)
{
    uint32_t block = sl_distribution_block(p, index), rank = sl_distribution_owner(p, index);
    assert_true(sl_distribution_begin(p, block) <= index &&
                index < sl_distribution_begin(p, block + 1));
    assert_int_equal(sl_distribution_block_of(p, rank), block);
    uint32_t owners = 0, columns = 0, rows = 0;
    for (uint32_t i = 0; i < p->rows; i++)
        for (uint32_t j = 0; j < p->cols; j++) {
            sl_local_blocks own = sl_local_vector_blocks(p, i, j);
            owners += sl_local_blocks_contain(&own, index);
            if (sl_local_blocks_contain(&own, index)) {
                assert_int_equal(rank, i * p->cols + j);
                check_local_blocks(&own, index);
            }
        }
    for (uint32_t j = 0; j < p->cols; j++) {
        sl_local_blocks local = sl_local_row_blocks(p, j);
        columns += sl_local_blocks_contain(&local, index);
        if (sl_local_blocks_contain(&local, index))
            check_local_blocks(&local, index);
    }
    for (uint32_t i = 0; i < p->rows; i++) {
        sl_local_blocks local = sl_local_column_blocks(p, i);
        rows += sl_local_blocks_contain(&local, index);
        if (sl_local_blocks_contain(&local, index))
            check_local_blocks(&local, index);
    }
    assert_int_equal(owners, 1);
    assert_int_equal(columns, 1);
    assert_int_equal(rows, 1);
}

/* Blocks are consecutive, differ by at most a unit, and begin at multiples of the unit. */
static void check_blocks(const sl_distribution *p)
{
    uint64_t least = UINT64_MAX, most = 0, sum = 0;
    for (uint32_t b = 0; b < sl_distribution_blocks(p); b++) {
        uint64_t length = sl_distribution_length(p, b);
        least = length < least ? length : least;
        most = length > most ? length : most;
        assert_int_equal(sl_distribution_begin(p, b), sum);
        assert_true(length == 0 || sl_distribution_begin(p, b) % p->unit == 0);
        sum += length;
    }
    assert_int_equal(sum, p->size);
    /* The last block may lack part of a unit as well. */
    assert_true(most - least < 2 * p->unit);
    assert_true(p->unit == 1 || 16 * (most - least) < 2 * most);
}

static void random_distributions(void **unused)
{
    for (uint64_t trial = 0; trial < 3000; trial++) {
        state = trial;
        draw(2);
        sl_distribution p =
            sl_distribution_make(draw_size(), 1 + (uint32_t)draw(9), 1 + (uint32_t)draw(9));
        check_blocks(&p);
        for (int k = 0; k < 6 && p.size > 0; k++)
            check_index(&p, draw_index(&p));
    }
}

/* Every index of small dimensions, on every rank: local indices are 0, 1, 2, ... */
static void all_indices_of_small_dimensions(void **unused)
{
    for (uint64_t size = 0; size < 70; size++)
        for (uint32_t r = 1; r < 5; r++)
            for (uint32_t c = 1; c < 5; c++) {
                sl_distribution p = sl_distribution_make(size, r, c);
                check_blocks(&p);
                for (uint32_t i = 0; i < r; i++) {
                    sl_local_blocks local = sl_local_column_blocks(&p, i);
                    uint64_t next = 0;
                    for (uint64_t x = 0; x < size; x++)
                        if (sl_local_blocks_contain(&local, x))
                            assert_int_equal(sl_local_index(&local, x), next++);
                    assert_int_equal(sl_local_blocks_length(&local), next);
                }
                for (uint64_t x = 0; x < size; x++)
                    check_index(&p, x);
            }
}

/* The blocks of figure 1 of Bisson et al.: (m R + i, j), and j R + i for vertices. */
static void blocks_are_those_of_the_paper(void **unused)
{
    sl_distribution p = sl_distribution_make(600, 2, 3);
    sl_local_blocks targets = sl_local_column_blocks(&p, 1), sources = sl_local_row_blocks(&p, 2),
                    own = sl_local_vector_blocks(&p, 1, 2);
    assert_int_equal(sl_local_blocks_length(&targets), 300);
    assert_int_equal(sl_global_index(&targets, 0), 100);
    assert_int_equal(sl_global_index(&targets, 100), 300);
    assert_int_equal(sl_global_index(&targets, 299), 599);
    assert_int_equal(sl_local_blocks_length(&sources), 200);
    assert_int_equal(sl_global_index(&sources, 0), 400);
    assert_int_equal(sl_global_index(&own, 0), 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_distributions),
        cmocka_unit_test(all_indices_of_small_dimensions),
        cmocka_unit_test(blocks_are_those_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
