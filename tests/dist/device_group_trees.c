/* Search trees with faults of every kind, validated by the devices that generated the graph. */
#include "device_graphs.h"

/* A fault: vertex v gets this parent, or loses its entry. */
typedef struct {
    sl_tree_fault fault;
    uint64_t vertex;
    int64_t parent; /* SL_UNREACHED: the entry is removed */
} wrong;

static sl_tree_check checked(const graph_pair *g, const sl_generator *model, sl_vector *tree,
                             const wrong *w, uint64_t root)
{
    sl_vector *spoilt;
    sl_tree_check check;
    assert_ok(g->ctx, sl_vector_dup(&spoilt, tree));
    if (w->parent == SL_UNREACHED)
        assert_ok(g->ctx, sl_vector_remove(spoilt, w->vertex));
    else
        assert_ok(g->ctx, sl_vector_set(spoilt, w->vertex, sl_scalar_int64(w->parent)));
    assert_ok(g->ctx, sl_generator_check_tree(&check, spoilt, model, root));
    sl_vector_free(spoilt);
    return check;
}

/* A graph as plain arrays, and the levels of a search. */
typedef struct {
    sl_csr rows;
    int64_t *level;
} plain;

static bool are_neighbours(const plain *p, uint64_t u, uint64_t v)
{
    for (uint64_t e = p->rows.start[u]; e < p->rows.start[u + 1]; e++)
        if (p->rows.index[e] == v)
            return true;
    return false;
}

/* The first vertex of a level that is, or is not, a neighbour of v; n if there is none. */
static uint64_t find(const plain *p, int64_t level, uint64_t v, bool neighbour)
{
    uint64_t u = 0;
    while (u < p->rows.nrows && (p->level[u] != level || are_neighbours(p, v, u) != neighbour))
        u++;
    return u;
}

/* A vertex of level 2 without children that has a neighbour of level 2; n if there is none. */
static uint64_t find_low(const plain *p)
{
    for (uint64_t v = p->rows.nrows; v-- > 0;)
        if (p->level[v] == 2 && find(p, 3, v, true) == p->rows.nrows &&
            find(p, 2, v, true) < p->rows.nrows)
            return v;
    return p->rows.nrows;
}

static plain plain_of(const sl_matrix *A, const search_result *r)
{
    plain p;
    assert_ok(local, sl_matrix_copy_csr(&p.rows, A));
    assert_ok(local, sl_search_array(&p.level, r->level));
    return p;
}

static void free_plain(plain *p)
{
    sl_free(p->level);
    sl_free(p->rows.start);
    sl_free(p->rows.index);
    sl_free(p->rows.values);
}

/* The first seed of a graph in which a search from vertex 0 reaches such a vertex: in some graphs
 * vertex 0 is isolated. */
static uint64_t suitable_seed(sl_generator model, const search_case *q)
{
    for (model.seed = 4;; model.seed++) {
        sl_matrix *A = make(local, &model, false);
        search_result r = run_search(local, A, q);
        plain p = plain_of(A, &r);
        const bool suits = find_low(&p) < p.rows.nrows;
        free_plain(&p);
        free_result(&r);
        sl_matrix_free(A);
        if (suits)
            return model.seed;
    }
}

void try_trees(const char *transport)
{
    sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = device_scale()};
    const search_case q = {.semiring = SL_ANY_SECONDI_INT64, .sources = 1};
    graph_pair g;
    model.seed = suitable_seed(model, &q);
    setenv("SEMLA_DIST", transport, 1);
    open_graph_pair(&g, &model, false);
    const uint64_t root = 0;
    search_result got = run_search(g.ctx, g.A, &q), right = run_search(local, g.local_A, &q);
    uint64_t reached;
    assert_ok(local, sl_vector_nvals(&reached, right.pi));
    plain p = plain_of(g.local_A, &right);
    const uint64_t deep = find_low(&p), near = find(&p, 1, root, true),
                   far = find(&p, 1, deep, false);
    const uint64_t sibling = find(&p, 2, deep, true), lone = find(&p, SL_UNREACHED, root, false);
    assert_true(near < g.n && far < g.n && lone < g.n);
    sl_scalar parent;
    assert_ok(local, sl_vector_get(&parent, right.pi, deep));
    const wrong trees[] = {
        {SL_TREE_VALID, deep, parent.as.int64_},
        {SL_TREE_NO_ROOT, root, (int64_t)near},
        {SL_TREE_NO_PARENT, deep, (int64_t)lone},
        {SL_TREE_NO_PARENT, deep, (int64_t)g.n},
        {SL_TREE_NO_PARENT, deep, -3},
        {SL_TREE_CYCLE, deep, (int64_t)deep},
        {SL_TREE_LEAVES, deep, SL_UNREACHED},
        {SL_TREE_NO_EDGE, deep, (int64_t)far},
        {SL_TREE_SKIPS, deep, (int64_t)sibling}, /* then its edge from level 1 skips a level */
    };
    for (size_t k = 0; k < sizeof trees / sizeof *trees; k++) {
        const sl_tree_check check = checked(&g, &model, got.pi, &trees[k], root);
        assert_int_equal(check.fault, trees[k].fault);
        if (check.fault == SL_TREE_VALID)
            assert_int_equal(check.reached, reached);
    }
    unsetenv("SEMLA_DIST");
    free_plain(&p);
    free_result(&got);
    free_result(&right);
    close_graph_pair(&g);
}
