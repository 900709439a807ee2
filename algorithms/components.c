/*
 * Connected components in three phases.
 *   1. A breadth-first search from a vertex of greatest degree: it usually reaches nearly all of a
 * giant component (Slota, Rajamanickam, Madduri, "BFS and Coloring-based Parallel Algorithms for
 *      Strongly Connected Components and Related Problems", IPDPS 2014).
 *   2. Undirected graphs only: up to 8 iterations of label propagation, which complete small
 * components.
 *   3. FastSV (Zhang, Azad, Hu, SIAM PP 2020): a forest of parents; its trees are hooked onto
 *      neighbours of lesser index and flattened, until each component is a star around its least
 * vertex.
 *
 * The forest is an int64 vector, parent(v), with a copy as an array for extract and for the matrix
 * of hooks. On a grid no process holds the array; hooks are built from each process's range.
 * O(edges) per round of FastSV.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { PROPAGATION_ITERATIONS = 8 };

/* The forest of FastSV. Vectors and the array are owned. */
typedef struct {
    const sl_matrix *A;
    bool symmetric;
    uint64_t n;                      /* vertices */
    sl_vector *parent, *grandparent; /* int64, an element per vertex */
    sl_vector *least;                /* the least grandparent of a neighbour so far, int64 */
    sl_vector *next;                 /* the next grandparents */
    sl_vector *changed;              /* where `next` differs */
    sl_vector *settled;              /* pattern: vertices of complete components; or NULL */
    uint64_t *parent_array;          /* the parents as an array; NULL on a grid */
    bool on_grid;                    /* several processes */
} forest;

static sl_status no_memory(const forest *f)
{
    return sl_fail(sl_matrix_context(f->A), SL_NO_MEMORY, "components: no memory for the parents");
}

static sl_status read_parents(forest *f)
{
    uint64_t count = f->n;
    if (f->on_grid)
        return SL_OK;
    if (!f->parent_array)
        f->parent_array = sl_malloc((f->n + 1) * sizeof(uint64_t));
    return f->parent_array ? sl_vector_extract_tuples(NULL, f->parent_array, &count, f->parent)
                           : no_memory(f);
}

/* make_hooks on a grid: each process builds the rows of its range. */
static sl_status make_hooks_on_grid(sl_matrix **hooks, const forest *f)
{
    sl_context *ctx = sl_matrix_context(f->A);
    uint64_t count = 0, *from = NULL, *to = NULL;
    sl_status status;
    TRY(sl_vector_extract_tuples(NULL, NULL, &count, f->parent));
    from = sl_malloc((count + 1) * sizeof *from);
    to = sl_malloc((count + 1) * sizeof *to);
    TRY(sl_agree(ctx, from && to ? SL_OK : no_memory(f)));
    TRY(sl_vector_extract_tuples(from, to, &count, f->parent));
    TRY(sl_matrix_new(hooks, ctx, SL_BOOL, f->n, f->n));
    TRY(sl_matrix_build(*hooks, from, to, NULL, count, NULL));
out:
    sl_free(from);
    sl_free(to);
    return status;
}

/* The matrix with one entry (v, parent(v)) in each row v. It takes the array of parents. */
static sl_status make_hooks(sl_matrix **hooks, forest *f)
{
    if (f->on_grid)
        return make_hooks_on_grid(hooks, f);
    sl_csr rows = {.nrows = f->n, .ncols = f->n, .type = SL_BOOL, .index = f->parent_array};
    rows.start = sl_malloc((f->n + 1) * sizeof(uint64_t));
    if (!rows.start)
        return no_memory(f);
    for (uint64_t v = 0; v <= f->n; v++)
        rows.start[v] = v;
    sl_status status = sl_matrix_take_csr(hooks, sl_matrix_context(f->A), &rows);
    f->parent_array = rows.index; /* NULL unless sl_matrix_take_csr failed */
    sl_free(rows.start);
    return status;
}

/*
 * Phase 1. The vertices that the search reaches become one star. In an undirected graph they are a
 * whole component; *more is false if there is no other.
 */
static sl_status search_from_hub(forest *f, bool *more)
{
    sl_vector *degrees = NULL, *reached = NULL;
    sl_closure_options options = {.from_source = true};
    uint64_t first, count;
    sl_status status;
    TRY(sl_degrees(&degrees, f->A));
    TRY(sl_first_of_extreme(&options.source, degrees, SL_MAX_MONOID_INT64));
    TRY(sl_vector_new(&reached, sl_matrix_context(f->A), SL_BOOL, f->n));
    TRY(sl_closure(reached, NULL, f->A, SL_ANY_PAIR_BOOL, &options));
    TRY(sl_first_index(&first, reached));
    TRY(sl_vector_assign_scalar(f->parent, reached, NULL, sl_scalar_int64((int64_t)first), SL_ALL,
                                0, sl_descriptor_get(SL_STRUCTURE)));
    TRY(sl_vector_nvals(&count, reached));
    *more = !f->symmetric || count < f->n;
    if (f->symmetric) {
        f->settled = reached;
        reached = NULL;
    }
out:
    sl_vector_free(reached);
    sl_vector_free(degrees);
    return status;
}

/*
 * Phase 2. Propagates labels over the vertices that are not settled for a few iterations: the
 * parent of a vertex becomes the least vertex within that many edges. *more is false if the labels
 * converged.
 */
static sl_status propagate_labels(forest *f, bool *more)
{
    sl_iteration_log log = {0};
    sl_closure_options options = {
        .bounded = true, .max_iterations = PROPAGATION_ITERATIONS, .log = &log};
    sl_vector *open = NULL;
    sl_status status;
    TRY(sl_vector_new(&open, sl_matrix_context(f->A), SL_INT64, f->n));
    TRY(sl_vector_apply(open, f->settled, NULL, SL_IDENTITY_INT64, f->parent,
                        sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    TRY(sl_closure(f->parent, open, f->A, SL_MIN_FIRST_INT64, &options));
    *more = log.count == PROPAGATION_ITERATIONS;
out:
    sl_iteration_log_clear(&log);
    sl_vector_free(open);
    return status;
}

static sl_status make_forest(forest *f)
{
    sl_status status;
    TRY(sl_vector_dup(&f->grandparent, f->parent));
    TRY(sl_vector_dup(&f->least, f->parent));
    TRY(sl_vector_dup(&f->next, f->parent));
    TRY(sl_vector_new(&f->changed, sl_matrix_context(f->A), SL_BOOL, f->n));
    TRY(read_parents(f));
out:
    return status;
}

static void free_forest(forest *f)
{
    sl_vector_free(f->grandparent);
    sl_vector_free(f->least);
    sl_vector_free(f->next);
    sl_vector_free(f->changed);
    sl_vector_free(f->settled);
    sl_free(f->parent_array);
}

/* next = parent(parent) */
static sl_status find_grandparents(forest *f)
{
    if (!f->on_grid)
        return sl_vector_extract(f->next, NULL, NULL, f->parent, f->parent_array, f->n, NULL);
    sl_matrix *hooks = NULL;
    sl_status status;
    TRY(make_hooks_on_grid(&hooks, f));
    TRY(sl_mxv(f->next, NULL, NULL, SL_MIN_SECOND_INT64, hooks, f->parent, NULL));
out:
    sl_matrix_free(hooks);
    return status;
}

/* One round of FastSV. *more is false if no grandparent changed. */
static sl_status hook_and_flatten(forest *f, bool *more)
{
    sl_descriptor unsettled = sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT);
    sl_matrix *hooks = NULL;
    sl_scalar any;
    sl_status status;
    TRY(make_hooks(&hooks, f));

    /* least = min(least, grandparents of the neighbours) */
    TRY(sl_mxv(f->least, f->settled, SL_MIN_INT64, SL_MIN_SECOND_INT64, f->A, f->grandparent,
               f->settled ? unsettled : NULL));
    if (!f->symmetric)
        TRY(sl_vxm(f->least, NULL, SL_MIN_INT64, SL_MIN_FIRST_INT64, f->grandparent, f->A, NULL));
    /* parent(parent(v)) = min(itself, least(v)); parent = min(parent, least, grandparent) */
    TRY(sl_vxm(f->parent, NULL, SL_MIN_INT64, SL_MIN_FIRST_INT64, f->least, hooks, NULL));
    TRY(sl_vector_ewise_add(f->parent, NULL, SL_MIN_INT64, SL_MIN_INT64, f->least, f->grandparent,
                            NULL));
    /* grandparent = parent(parent) */
    TRY(read_parents(f));
    TRY(find_grandparents(f));
    TRY(sl_vector_ewise_mult(f->changed, NULL, NULL, SL_NE_INT64, f->next, f->grandparent, NULL));
    TRY(sl_vector_reduce(&any, NULL, SL_LOR_MONOID_BOOL, f->changed));
    *more = any.as.bool_;
    sl_vector *old = f->grandparent;
    f->grandparent = f->next;
    f->next = old;
out:
    sl_matrix_free(hooks);
    return status;
}

sl_status sl_components(sl_vector **component, const sl_matrix *A)
{
    if (component)
        *component = NULL;
    sl_status status = sl_require_output("components", A, component, "component");
    status = AGREE(A, status, "components", "component %d\n", component != NULL);
    if (status != SL_OK)
        return status;
    forest f = {.A = A, .n = sl_matrix_nrows(A)};
    f.on_grid = sl_context_processes(sl_matrix_context(A)) > 1;
    uint64_t edges;
    bool more = false;
    TRY(sl_matrix_is_symmetric(&f.symmetric, A));
    TRY(sl_matrix_nvals(&edges, A));
    TRY(sl_vector_indices(&f.parent, A));
    if (edges > 0)
        TRY(search_from_hub(&f, &more));
    if (more && f.symmetric)
        TRY(propagate_labels(&f, &more));
    if (more)
        TRY(make_forest(&f));
    while (more)
        TRY(hook_and_flatten(&f, &more));
out:
    free_forest(&f);
    sl_return_vector(component, f.parent, status);
    return status;
}
