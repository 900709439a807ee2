/*
 * Products of a pattern and a full vector over plus, on prepared graphs: every engine compared with
 * SuiteSparse. Values are small integers, so that sums are exact in any order. The graphs have rows
 * of all classes of the GPU's kernel, and short rows only.
 */
#define _POSIX_C_SOURCE 200112L
#include <stdlib.h>
#include <string.h>

#include <semla/engine.h>

#include "edge_builder.h"
#include "graphs.h"
#include "host_and_engine.h"

/* Masks by their structure: of three quarters of the indices, the complement of a quarter, and of a quarter; by
 * their values, of which some are true, as a bitmap and as a list. */
typedef enum { NO_MASK, MOST, NOT_FEW, FEW, VALUES, VALUES_OF_LIST, MASKINGS } masking;

/* A product on both sides; A is symmetric. */
typedef struct {
    sl_type type;
    bool vxm, accumulates;
    bool full;        /* u has all entries */
    bool result_full; /* w has all entries, otherwise a third of them or none */
    bool result_same; /* all of one value */
    bool aliased;     /* w is u */
    masking mask;
    sl_semiring ring;
    unsigned flags;
} product;

/* Products with a mask that the GPU summed over tiles. */
static unsigned masked_tiles;

static sl_vector *vector_of(sl_context *ctx, uint64_t n, const product *p)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, p->type, n));
    if (p->result_full)
        OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(7), SL_ALL, 0, NULL));
    for (uint64_t k = 0; p->full && !p->result_same && k < n; k += 3)
        OK(ctx, sl_vector_set(v, k, sl_scalar_fp64((double)(k % 5))));
    return v;
}

/* u(k) = k % 16, at all k or, if not full, at all but every fifth. */
static sl_vector *operand_of(sl_context *ctx, uint64_t n, const product *p)
{
    uint64_t count = 0, *index = malloc((n + 1) * sizeof *index);
    double *value = malloc((n + 1) * sizeof *value);
    sl_vector *v, *cast;
    for (uint64_t k = 0; k < n; k++)
        if (p->full || k % 5) {
            index[count] = k;
            value[count++] = (double)(k % 16);
        }
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, n));
    OK(ctx, sl_vector_build(v, index, value, count, SL_PLUS_FP64));
    OK(ctx, sl_vector_new(&cast, ctx, p->type, n));
    OK(ctx, sl_vector_assign(cast, NULL, NULL, v, SL_ALL, 0, NULL));
    sl_vector_free(v);
    free(index);
    free(value);
    return cast;
}

static sl_vector *mask_of(sl_context *ctx, uint64_t n, masking kind)
{
    sl_vector *mask = NULL;
    if (kind == NO_MASK)
        return NULL;
    OK(ctx, sl_vector_new(&mask, ctx, SL_BOOL, n));
    for (uint64_t k = 0; k < n; k++) {
        const bool quarter = k % 4 == 1;
        if (kind == VALUES           ? k % 8 != 0
            : kind == VALUES_OF_LIST ? k % 64 < 2
                                     : quarter == (kind != MOST))
            OK(ctx, sl_vector_set(mask, k, sl_scalar_bool(quarter && kind >= VALUES)));
    }
    return mask;
}

static sl_arrays product_of(sl_context *ctx, const sl_matrix *A, const product *p)
{
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *u = operand_of(ctx, n, p), *own = vector_of(ctx, n, p), *w = p->aliased ? u : own;
    sl_binary_op accum = p->accumulates ? sl_binary_op_get(SL_BINARY_PLUS, p->type) : NULL;
    sl_descriptor desc = sl_descriptor_get(p->flags);
    sl_vector *mask = mask_of(ctx, n, p->mask);
    sl_arrays out;
    if (p->vxm)
        OK(ctx, sl_vxm(w, mask, accum, p->ring, u, A, desc));
    else
        OK(ctx, sl_mxv(w, mask, accum, p->ring, A, u, desc));
    masked_tiles += mask && ctx == engine && ctx->library && strcmp(ctx->library, "tiles") == 0;
    sl_vector_free(mask);
    OK(ctx, sl_vector_copy_out(&out, w, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &out));
    sl_vector_free(u);
    sl_vector_free(own);
    return out;
}

static void check(const graph *g, const product *p)
{
    sl_arrays expected = product_of(host, g->on_host, p), got = product_of(engine, g->tested, p);
    const size_t count = expected.nvals;
    if (got.nvals != count || memcmp(got.rows, expected.rows, count * sizeof *got.rows) != 0 ||
        memcmp(got.values, expected.values, count * sl_type_size(p->type)) != 0)
        fail_msg("%s: %s by %s%s%s of a %s vector%s%s differs: %d entries, expected %d", g->name,
                 p->ring->name, p->vxm ? "vxm" : "mxv", p->mask ? " with a mask" : "",
                 p->accumulates ? " with an accumulator" : "", p->full ? "full" : "sparse",
                 p->result_same   ? " to one value"
                 : p->result_full ? " to a full one"
                                  : "",
                 p->aliased ? ", itself," : "", (int)got.nvals, (int)count);
    sl_arrays_free(&expected);
    sl_arrays_free(&got);
}

/* Each semiring gets a third of the variants, on the next graph another third. */
static void check_graph(graph g)
{
    static unsigned graphs;
    const unsigned share = 3, turn = graphs++;
    const sl_semiring rings[] = {SL_PLUS_SECOND_FP64,  SL_PLUS_FIRST_FP64, SL_PLUS_TIMES_FP64,
                                 SL_PLUS_SECOND_FP32,  SL_PLUS_FIRST_FP32, SL_PLUS_TIMES_FP32,
                                 SL_PLUS_SECOND_INT64, SL_MIN_SECOND_FP64, SL_PLUS_FIRST_UINT32,
                                 SL_MAX_FIRST_INT32};
    const sl_type types[] = {SL_FP64, SL_FP64,  SL_FP64, SL_FP32,   SL_FP32,
                             SL_FP32, SL_INT64, SL_FP64, SL_UINT32, SL_INT32};
    for (size_t r = 0; r < sizeof rings / sizeof *rings; r++)
        for (unsigned how = 0; how < 128 * MASKINGS; how++) {
            const bool vxm = how & 1, full = how & 4, aliased = how & 32, same = how & 64;
            const masking mask = how / 128;
            if ((how + r + turn) % (mask ? 11 * share : share) != 0 ||
                (how & 16 && (!full || aliased)) || (aliased && !full) || (same && !(how & 16)))
                continue;
            const unsigned transposed = vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A,
                           by_values = how / 2 % 2 ? SL_COMPLEMENT : 0,
                           masked = mask == NO_MASK   ? 0
                                    : mask >= VALUES  ? by_values
                                    : mask == NOT_FEW ? SL_STRUCTURE | SL_COMPLEMENT
                                                      : SL_STRUCTURE,
                           replace = mask && how / 8 % 3 == 0 ? SL_REPLACE : 0;
            check(&g, &(product){.type = types[r],
                                 .ring = rings[r],
                                 .vxm = vxm,
                                 .accumulates = how & 2,
                                 .full = full,
                                 .result_full = how & 16,
                                 .result_same = same,
                                 .aliased = aliased,
                                 .mask = mask,
                                 .flags = (how & 8 ? transposed : 0) | masked | replace});
        }
    free_graph(&g);
}

static void check_model(const char *name, sl_generator generator)
{
    check_graph(
        graph_of_model(host, engine, name, &generator, SL_READ_SYMMETRIC, SL_FOR_TRAVERSAL));
}

static void check_large_model(const char *name, sl_generator generator)
{
    if (!is_reference())
        check_model(name, generator);
}

static void check_edges(const char *name, edge_builder *s, unsigned purpose)
{
    const sl_edges edges = edges_of(s);
    check_graph(graph_of_edges(host, engine, name, &edges, SL_READ_SYMMETRIC, purpose));
}

static void long_rows(void **state)
{
    (void)state;
    check_model("kronecker 8", (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 1, .scale = 8});
    check_large_model("kronecker 16",
                      (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 2, .scale = 16});
    check_model("star", (sl_generator){.model = SL_MODEL_STAR, .vertices = 20000});
    check_model(
        "uniform",
        (sl_generator){.model = SL_MODEL_UNIFORM, .seed = 3, .vertices = 1000, .edges = 50000});
}

/* Small graphs with tiles although they do not pay, and without any. */
static void tiles(void **state)
{
    static const char *const words[] = {"tiles", "notiles"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        setenv("SEMLA_TRAVERSAL", words[k], 1);
        masked_tiles = 0;
        check_model(words[k], (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 4, .scale = 9});
        check_model(words[k], (sl_generator){.model = SL_MODEL_STAR, .vertices = 3000});
        check_model(words[k],
                    (sl_generator){.model = SL_MODEL_ROAD, .seed = 5, .side = {30, 20, 0}});
        assert_true((masked_tiles > 0) == (k == 0 && tested.choice == SL_ENGINE_CUDA));
    }
    unsetenv("SEMLA_TRAVERSAL");
}

static void short_rows(void **state)
{
    (void)state;
    check_model("path", (sl_generator){.model = SL_MODEL_PATH, .vertices = 1000});
    check_model("grid", (sl_generator){.model = SL_MODEL_GRID, .side = {37, 21, 0}});
    check_model("cube", (sl_generator){.model = SL_MODEL_GRID, .side = {9, 8, 7}});
    check_model("road", (sl_generator){.model = SL_MODEL_ROAD, .seed = 2, .side = {30, 20, 0}});
    check_large_model("a large road",
                      (sl_generator){.model = SL_MODEL_ROAD, .seed = 3, .side = {270, 260, 0}});
}

/* Rows of 0 to 7 entries in a random order, prepared and not: rows of up to 4 entries are summed
 * without branches, also the last one, behind which there are no entries. */
static void rows_of_all_short_lengths(void **state)
{
    (void)state;
    enum { N = 3000 };
    edge_builder *s = test_calloc(1, sizeof *s);
    uint64_t state_of_lengths = 1;
    *s = (edge_builder){.n = N};
    for (uint64_t v = 0; v < N; v++) {
        state_of_lengths = state_of_lengths * 6364136223846793005u + 1442695040888963407u;
        for (uint64_t k = 0; k < (state_of_lengths >> 33) % 4; k++)
            add_edge(s, v, (v + 1 + (state_of_lengths >> 40) % 50 + 7 * k) % N);
    }
    check_edges("short rows", s, 0);
    check_edges("short rows, prepared", s, SL_FOR_TRAVERSAL);
    test_free(s);
}

static void degenerate(void **state)
{
    (void)state;
    edge_builder *s = test_calloc(1, sizeof *s);
    *s = (edge_builder){.n = 1};
    check_edges("a vertex", s, SL_FOR_TRAVERSAL);
    add_edge(s, 0, 0);
    check_edges("a loop", s, SL_FOR_TRAVERSAL);
    build_core_with_loops(s);
    check_edges("a core with loops", s, SL_FOR_TRAVERSAL);
    check_edges("a pruned core", s, SL_FOR_TRAVERSAL | SL_PRUNED);
    test_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_rows),  cmocka_unit_test(tiles),
        cmocka_unit_test(short_rows), cmocka_unit_test(rows_of_all_short_lengths),
        cmocka_unit_test(degenerate),
    };
    return compare_engines(tests, sizeof tests / sizeof *tests, true);
}
