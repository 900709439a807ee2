/*
 * Products over a pattern on grids of ranks with devices, of matrices that were prepared for searches in one
 * dimension: the parts of these multiply. Compared with SuiteSparse in one process, on hostile graphs, with vectors in
 * all forms and masks of all kinds, by every transport; and a search as a loop. Skipped without a GPU.
 */
#include "cuda/data/device_vector.h"
#include "device_places.h"
#include "dist/grid/grid.h"
#include "same.h"

static sl_context *host;

/* ---- graphs ---------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    uint64_t n;
    bool symmetric;
    uint64_t (*edge)(uint64_t k, uint64_t n, uint64_t *to); /* edge k: from, and *to */
    uint64_t edges;
} graph_case;

/* Vertices that 3 divides have no edges; vertex 1 has one to itself, and edges occur twice. */
static uint64_t some(uint64_t k, uint64_t n, uint64_t *to)
{
    const uint64_t from = k * 7919 % n;
    *to = k % 17 ? k * k % 499 * 7 / 5 % n : from;
    return from % 3 && *to % 3 ? from : (*to = 1);
}
static uint64_t from_hub(uint64_t k, uint64_t n, uint64_t *to)
{
    *to = k % n;
    return n / 2;
}
static uint64_t along_path(uint64_t k, uint64_t n, uint64_t *to)
{
    *to = k + 1;
    return k;
}
static uint64_t last_to_first(uint64_t k, uint64_t n, uint64_t *to)
{
    *to = 0;
    return n - 1;
}

static const graph_case graphs[] = {{"directed", 700, false, some, 4000},
                                    {"undirected", 700, true, some, 4000},
                                    {"dense", 130, true, some, 4000},
                                    {"hub", 3000, true, from_hub, 3000},
                                    {"path", 70, true, along_path, 69},
                                    {"directed path", 70, false, along_path, 69},
                                    {"one edge", 40, false, last_to_first, 1},
                                    {"loop of one vertex", 1, true, last_to_first, 1},
                                    {"no edges", 9, true, some, 0}};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

/* The edges of a case, both ways if it is symmetric. */
typedef struct {
    uint64_t count, *rows, *cols;
} edge_list;

static edge_list edges_of(const graph_case *g)
{
    edge_list e = {.count = 0};
    e.rows = malloc((2 * g->edges + 1) * sizeof *e.rows);
    e.cols = malloc((2 * g->edges + 1) * sizeof *e.cols);
    for (uint64_t k = 0; k < g->edges; k++) {
        uint64_t to, from = g->edge(k, g->n, &to);
        e.rows[e.count] = from;
        e.cols[e.count++] = to;
        if (!g->symmetric)
            continue;
        e.rows[e.count] = to;
        e.cols[e.count++] = from;
    }
    return e;
}

static sl_matrix *matrix_of(sl_context *ctx, const graph_case *g, const edge_list *e, bool prepared)
{
    bool symmetric;
    sl_matrix *A;
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, g->n, g->n));
    assert_ok(ctx, sl_matrix_build(A, e->rows, e->cols, NULL,
                                   ctx == host || world_rank() == 0 ? e->count : 0, SL_LOR_BOOL));
    if (ctx == host)
        assert_ok(ctx, sl_matrix_is_symmetric(&symmetric, A));
    if (prepared)
        assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    return A;
}

/* ---- vectors --------------------------------------------------------------------------------- */

enum { EMPTY, ONE, FEW, THIRD, FULL, FORMS };

/* The value of entry k is k % 3 != 1. */
static sl_vector *vector_of(sl_context *ctx, uint64_t n, unsigned form, uint64_t *random)
{
    const uint64_t first = test_random(random) % n, step = form == THIRD ? 3
                                                           : form == FEW ? n / 4 + 1
                                                                         : 1;
    uint64_t *index = malloc(n * sizeof *index), count = 0;
    bool *value = malloc(n * sizeof *value);
    sl_vector *v;
    for (uint64_t k = form == FULL ? 0 : first; form != EMPTY && k < n;
         k += form == ONE ? n : step) {
        index[count] = k;
        value[count++] = k % 3 != 1;
    }
    assert_ok(ctx, sl_vector_new(&v, ctx, SL_BOOL, n));
    assert_ok(ctx,
              sl_vector_build(v, index, value, ctx == host || world_rank() == 0 ? count : 0, NULL));
    free(index);
    free(value);
    return v;
}

/* ---- one product ----------------------------------------------------------------------------- */

/* The objects of the grid or of the host. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *u, *mask, *w;
} side;

typedef struct {
    sl_semiring semiring;
    bool mxv, in_place;
    unsigned flags; /* of the mask */
} product;

static void multiply(side *s, const product *p)
{
    const sl_descriptor desc = sl_descriptor_get(p->flags);
    sl_vector *w = p->in_place ? s->u : s->w;
    if (p->mxv)
        assert_ok(s->ctx, sl_mxv(w, s->mask, NULL, p->semiring, s->A, s->u, desc));
    else
        assert_ok(s->ctx, sl_vxm(w, s->mask, NULL, p->semiring, s->u, s->A, desc));
}

static bool some_is_ordered(const sl_vector *v)
{
    const sl_object *block = sl_grid_block(sl_object_of_vector(v));
    int ordered = block->held[SL_SLOT_CUDA] && cuda_vector_of(block)->order;
    MPI_Allreduce(MPI_IN_PLACE, &ordered, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return ordered;
}

/* On rank 0: each value is a vertex of `from` with an edge to the entry. */
static void check_ids(const sl_vector *w, const sl_vector *from, const edge_list *e, bool turned)
{
    sl_arrays found, u;
    assert_ok(sl_vector_context(w), sl_grid_gather_vector(&found, w, 0));
    if (world_rank() == 0) {
        assert_ok(host, sl_vector_copy_out(&u, from, SL_FORMAT_LIST));
        assert_ok(host, sl_arrays_expand(host, &u));
        for (uint64_t k = 0; k < found.nvals; k++) {
            const uint64_t id = found.type == SL_INT32 ? (uint64_t)((int32_t *)found.values)[k]
                                                       : (uint64_t)((int64_t *)found.values)[k];
            bool is_edge = false, is_entry = false;
            for (uint64_t j = 0; j < e->count; j++)
                is_edge |= (turned ? e->cols : e->rows)[j] == id &&
                           (turned ? e->rows : e->cols)[j] == found.rows[k];
            for (uint64_t j = 0; j < u.nvals; j++)
                is_entry |= u.rows[j] == id;
            assert_true(is_edge && is_entry);
        }
        sl_arrays_free(&u);
    }
    sl_arrays_free(&found);
}

/* The same pattern, with the value 1 everywhere. */
static sl_vector *ones_of(const sl_vector *v)
{
    sl_context *ctx = sl_vector_context(v);
    sl_vector *ones;
    assert_ok(ctx, sl_vector_new(&ones, ctx, SL_BOOL, sl_vector_size(v)));
    assert_ok(ctx, sl_vector_assign_scalar(ones, v, NULL, sl_scalar_bool(true), SL_ALL, 0,
                                           sl_descriptor_get(SL_STRUCTURE)));
    return ones;
}

static void compare(side *sides, const product *p, const sl_vector *from, const edge_list *e,
                    const char *what)
{
    const sl_vector *got = p->in_place ? sides[0].u : sides[0].w,
                    *right = p->in_place ? sides[1].u : sides[1].w;
    sl_vector *pattern = ones_of(got), *right_pattern = ones_of(right);
    assert_same_vectors(pattern, right_pattern, what);
    if (p->semiring->result_is_index)
        check_ids(got, from, e, p->mxv);
    else
        assert_same_vectors(got, right, what);
    sl_vector_free(pattern);
    sl_vector_free(right_pattern);
}

/* One product; of_mask: FORMS for none. Returns whether its result was in an order. */
static bool try_product(side *sides, const graph_case *g, const edge_list *e, unsigned form,
                        unsigned of_mask, uint64_t *random)
{
    static const unsigned kinds[] = {0, SL_STRUCTURE, SL_COMPLEMENT, SL_STRUCTURE | SL_COMPLEMENT};
    const sl_semiring semirings[] = {SL_ANY_PAIR_BOOL,
                                     sl_semiring_get(SL_SEMIRING_ANY_PAIR, SL_FP32),
                                     SL_ANY_SECONDI_INT64, SL_ANY_SECONDI_INT32};
    const uint64_t seed = *random;
    product p = {.semiring = semirings[test_random(random) % 4],
                 .mxv = g->symmetric && test_random(random) % 2,
                 .flags = of_mask < FORMS ? SL_REPLACE | kinds[test_random(random) % 4] : 0};
    p.in_place = p.semiring == SL_ANY_PAIR_BOOL && test_random(random) % 2;
    char what[120];
    for (int k = 0; k < 2; k++) {
        uint64_t state = seed;
        sides[k].u = vector_of(sides[k].ctx, g->n, form, &state);
        sides[k].mask = of_mask < FORMS ? vector_of(sides[k].ctx, g->n, of_mask, &state) : NULL;
        assert_ok(sides[k].ctx, sl_vector_new(&sides[k].w, sides[k].ctx, p.semiring->result, g->n));
    }
    place(sl_object_of_vector(sides[0].u));
    snprintf(what, sizeof what, "%s: %s, form %u, mask %u, flags %u%s", g->name, p.semiring->name,
             form, of_mask, p.flags, p.mxv ? ", mxv" : "");
    sl_vector *from;
    assert_ok(host, sl_vector_dup(&from, sides[1].u));
    for (int k = 0; k < 2; k++)
        multiply(&sides[k], &p);
    const bool ordered = some_is_ordered(p.in_place ? sides[0].u : sides[0].w);
    compare(sides, &p, from, e, what);
    sl_vector_free(from);
    for (int k = 0; k < 2; k++) {
        sl_vector_free(sides[k].u);
        sl_vector_free(sides[k].mask);
        sl_vector_free(sides[k].w);
    }
    return ordered;
}

/* ---- a search -------------------------------------------------------------------------------- */

/* Levels from a vertex, with reads of single entries, and an extract, in between. */
static sl_vector *search(side *s, uint64_t n, uint64_t source)
{
    const sl_descriptor unvisited = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    uint64_t left = 1;
    sl_vector *level, *q, *part;
    sl_scalar value;
    assert_ok(s->ctx, sl_vector_new(&level, s->ctx, SL_INT32, n));
    assert_ok(s->ctx, sl_vector_new(&q, s->ctx, SL_BOOL, n));
    assert_ok(s->ctx, sl_vector_new(&part, s->ctx, SL_INT32, n / 2 - n / 4));
    assert_ok(s->ctx, sl_vector_set(q, source, sl_scalar_bool(true)));
    for (int32_t number = 0; left > 0; number++) {
        assert_ok(s->ctx, sl_vector_assign_scalar(level, q, NULL, sl_scalar_int32(number), SL_ALL,
                                                  0, sl_descriptor_get(SL_STRUCTURE)));
        assert_ok(s->ctx, sl_vxm(q, level, NULL, SL_ANY_PAIR_BOOL, q, s->A, unvisited));
        if (number % 4 == 2)
            assert_ok(s->ctx, sl_vector_extract(part, NULL, NULL, level,
                                                (uint64_t[]){n / 4, n / 2, 1}, SL_RANGE, NULL));
        if (number % 3 == 1)
            assert_true(sl_vector_get(&value, level, source) == SL_OK && value.as.int32_ == 0);
        assert_ok(s->ctx, sl_vector_nvals(&left, q));
    }
    sl_vector_free(q);
    sl_vector_free(part);
    return level;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void try_graph(sl_context *ctx, const graph_case *g, unsigned trials)
{
    edge_list e = edges_of(g);
    side sides[] = {{.ctx = ctx, .A = matrix_of(ctx, g, &e, true)},
                    {.ctx = host, .A = matrix_of(host, g, &e, false)}};
    uint64_t random = g->n + 77;
    const bool ordered = try_product(sides, g, &e, FULL, FORMS, &random);
    assert_int_equal(ordered, g->edges > 0);
    for (unsigned k = 0; k < trials; k++) {
        const unsigned form = test_random(&random) % FORMS;
        try_product(sides, g, &e, form, test_random(&random) % (FORMS + 1), &random);
    }
    for (uint64_t source = g->n / 2; source < g->n; source += g->n / 2 + 1) {
        sl_vector *got = search(&sides[0], g->n, source), *right = search(&sides[1], g->n, source);
        assert_same_vectors(got, right, g->name);
        sl_vector_free(got);
        sl_vector_free(right);
    }
    sl_matrix_free(sides[0].A);
    sl_matrix_free(sides[1].A);
    free(e.rows);
    free(e.cols);
}

static void test_products(void **unused)
{
    static const char *const words[] = {"1d,peers", "1d,nccl", "1d,hosts"};
    const unsigned trials = (unsigned)test_number("SEMLA_TEST_TRIALS", 24);
    for (int rows = 0, cols; next_grid(&rows, &cols);)
        for (size_t k = 0; k < 3; k++) {
            sl_context *ctx;
            assert_ok(NULL,
                      sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
            const bool available = is_available(ctx, k);
            setenv("SEMLA_DIST", words[k], 1);
            for (size_t g = 0; available && g < GRAPHS; g++)
                try_graph(ctx, &graphs[g], k == 0 ? trials : trials / 4 + 1);
            sl_context_free(ctx);
            unsetenv("SEMLA_DIST");
        }
}

/* Products with many terms make the parts of a matrix that was not prepared, and find out that it is symmetric;
 * products with few, or of another kind, do not. */
static void test_unprepared(void **unused)
{
    const graph_case *g = &graphs[1];
    const sl_descriptor under = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE);
    setenv("SEMLA_DIST", "1d", 1);
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        edge_list e = edges_of(g);
        uint64_t random = 5;
        sl_matrix *A = matrix_of(ctx, g, &e, false);
        sl_vector *all = vector_of(ctx, g->n, FULL, &random),
                  *one = vector_of(ctx, g->n, ONE, &random), *w, *sums;
        assert_ok(ctx, sl_vector_new(&w, ctx, SL_BOOL, g->n));
        assert_ok(ctx, sl_vector_new(&sums, ctx, SL_INT64, g->n));
        place(sl_object_of_matrix(A));
        for (unsigned k = 0; k < 63; k++) {
            assert_ok(ctx, sl_vxm(w, all, NULL, SL_ANY_PAIR_BOOL, all, A, under));
            assert_ok(ctx, sl_vxm(w, all, NULL, SL_ANY_PAIR_BOOL, one, A, under));
            assert_ok(ctx, sl_vxm(sums, all, NULL, SL_PLUS_PAIR_INT64, all, A, under));
            assert_false(some_is_ordered(w));
        }
        for (unsigned k = 0; k < 2; k++)
            assert_ok(ctx, sl_mxv(w, all, NULL, SL_ANY_PAIR_BOOL, A, all, under));
        assert_true(some_is_ordered(w));
        sl_vector_free(all);
        sl_vector_free(one);
        sl_vector_free(w);
        sl_vector_free(sums);
        sl_matrix_free(A);
        free(e.rows);
        free(e.cols);
        sl_context_free(ctx);
    }
    unsetenv("SEMLA_DIST");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products),
                                       cmocka_unit_test(test_unprepared)};
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    const int failures = run_ranks("device_part_products", tests, sizeof tests / sizeof *tests);
    sl_context_free(host);
    return failures;
}
