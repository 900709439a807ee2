/*
 * Connected components. A search from a vertex of greatest degree first, as it
 * usually finds nearly all of a great component (Slota, Rajamanickam, Madduri,
 * IPDPS 2014); in an undirected graph a few steps of label propagation, which end small
 * components; then FastSV (Zhang, Azad, Hu, SIAM PP 2020): a forest of parents,
 * whose trees are hooked onto lesser neighbours and made flat, until each
 * component is a star around its least vertex.
 */
#include <semla/algorithms.h>
#include <semla/graph_tools.h>

enum { SPREAD_STEPS = 8 };

typedef struct {
    const sl_matrix *A;
    bool symmetric;
    uint64_t n;
    sl_vector *parent, *grand; /* of each vertex; and its parent's parent */
    sl_vector *least;          /* of the neighbours' grandparents, so far */
    sl_vector *next, *changed;
    sl_vector *settled; /* vertices whose component is known, or NULL */
    uint64_t *up;       /* the parents as an array; of several processes this one's */
    bool shared;        /* by several processes */
} forest;

static sl_status no_memory(const forest *f)
{
    return sl_fail(sl_matrix_context(f->A), SL_NO_MEMORY, "components: no memory for the parents");
}

static sl_status read_parents(forest *f)
{
    uint64_t count = f->n;
    if (f->shared)
        return SL_OK;
    if (!f->up)
        f->up = sl_malloc((f->n + 1) * sizeof(uint64_t));
    return f->up ? sl_vector_extract_tuples(NULL, f->up, &count, f->parent) : no_memory(f);
}

/* The same where each process has some of the vertices. */
static sl_status make_shared_hooks(sl_matrix **hooks, const forest *f)
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

/* The matrix that has one entry (v, parent(v)) in each row; it takes the array. */
static sl_status make_hooks(sl_matrix **hooks, forest *f)
{
    if (f->shared)
        return make_shared_hooks(hooks, f);
    sl_csr rows = {.nrows = f->n, .ncols = f->n, .type = SL_BOOL, .index = f->up};
    rows.start = sl_malloc((f->n + 1) * sizeof(uint64_t));
    if (!rows.start)
        return no_memory(f);
    for (uint64_t v = 0; v <= f->n; v++)
        rows.start[v] = v;
    sl_status status = sl_matrix_take_csr(hooks, sl_matrix_context(f->A), &rows);
    f->up = rows.index; /* NULL unless that failed */
    sl_free(rows.start);
    return status;
}

/*
 * What a search reaches is one star of the forest from the start. In an
 * undirected graph it is a whole component, and *more is false if there is no other.
 */
static sl_status search_first(forest *f, bool *more)
{
    sl_vector *degrees = NULL, *reached = NULL, *hub = NULL;
    uint64_t first, count;
    sl_status status;
    TRY(sl_degrees(&degrees, f->A));
    TRY(sl_first_of_extreme(&first, degrees, SL_MAX_MONOID_INT64));
    TRY(sl_vector_with_entry(&reached, f->A, SL_BOOL, first, 1));
    TRY(sl_vector_dup(&hub, reached));
    TRY(sl_closure(reached, hub, f->A, SL_ANY_PAIR_BOOL, NULL));
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
    sl_vector_free(hub);
    sl_vector_free(reached);
    sl_vector_free(degrees);
    return status;
}

/*
 * What is left is mostly small: labels spread from vertex to vertex a few times. A parent
 * is then the least vertex within so many steps; *more is false if there was no further.
 */
static sl_status spread_labels(forest *f, bool *more)
{
    sl_iteration_log log = {0};
    sl_closure_options options = {.bounded = true, .max_iterations = SPREAD_STEPS, .log = &log};
    sl_vector *open = NULL;
    sl_status status;
    TRY(sl_vector_new(&open, sl_matrix_context(f->A), SL_INT64, f->n));
    TRY(sl_vector_apply(open, f->settled, NULL, SL_IDENTITY_INT64, f->parent,
                        sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    TRY(sl_closure(f->parent, open, f->A, SL_MIN_FIRST_INT64, &options));
    *more = log.count == SPREAD_STEPS;
out:
    sl_iteration_log_clear(&log);
    sl_vector_free(open);
    return status;
}

static sl_status make_forest(forest *f)
{
    sl_status status;
    TRY(sl_vector_dup(&f->grand, f->parent));
    TRY(sl_vector_dup(&f->least, f->parent));
    TRY(sl_vector_dup(&f->next, f->parent));
    TRY(sl_vector_new(&f->changed, sl_matrix_context(f->A), SL_BOOL, f->n));
    TRY(read_parents(f));
out:
    return status;
}

static void free_forest(forest *f)
{
    sl_vector_free(f->grand);
    sl_vector_free(f->least);
    sl_vector_free(f->next);
    sl_vector_free(f->changed);
    sl_vector_free(f->settled);
    sl_free(f->up);
}

/* next = parent(parent) */
static sl_status find_grandparents(forest *f)
{
    if (!f->shared)
        return sl_vector_extract(f->next, NULL, NULL, f->parent, f->up, f->n, NULL);
    sl_matrix *hooks = NULL;
    sl_status status;
    TRY(make_shared_hooks(&hooks, f));
    TRY(sl_mxv(f->next, NULL, NULL, SL_MIN_SECOND_INT64, hooks, f->parent, NULL));
out:
    sl_matrix_free(hooks);
    return status;
}

/* One round; *more is false if no vertex got a new grandparent. */
static sl_status hook_and_flatten(forest *f, bool *more)
{
    sl_descriptor open = sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT);
    sl_matrix *hooks = NULL;
    sl_scalar any;
    sl_status status;
    TRY(make_hooks(&hooks, f));

    /* least = min(least, the neighbours' grandparents) */
    TRY(sl_mxv(f->least, f->settled, SL_MIN_INT64, SL_MIN_SECOND_INT64, f->A, f->grand,
               f->settled ? open : NULL));
    if (!f->symmetric)
        TRY(sl_vxm(f->least, NULL, SL_MIN_INT64, SL_MIN_FIRST_INT64, f->grand, f->A, NULL));
    /* parent(parent(v)) = min(itself, least(v)); parent = min(parent, least, grand) */
    TRY(sl_vxm(f->parent, NULL, SL_MIN_INT64, SL_MIN_FIRST_INT64, f->least, hooks, NULL));
    TRY(sl_vector_ewise_add(f->parent, NULL, SL_MIN_INT64, SL_MIN_INT64, f->least, f->grand, NULL));
    /* grand = parent(parent) */
    TRY(read_parents(f));
    TRY(find_grandparents(f));
    TRY(sl_vector_ewise_mult(f->changed, NULL, NULL, SL_NE_INT64, f->next, f->grand, NULL));
    TRY(sl_vector_reduce(&any, NULL, SL_LOR_MONOID_BOOL, f->changed));
    *more = any.as.bool_;
    sl_vector *old = f->grand;
    f->grand = f->next;
    f->next = old;
out:
    sl_matrix_free(hooks);
    return status;
}

sl_status sl_components(sl_vector **component, const sl_matrix *A)
{
    if (component)
        *component = NULL;
    sl_status status = sl_require_square("components", A);
    if (status != SL_OK)
        return status;
    if (!component)
        return sl_fail(sl_matrix_context(A), SL_INVALID, "components: component is NULL");
    forest f = {.A = A, .n = sl_matrix_nrows(A)};
    f.shared = sl_context_processes(sl_matrix_context(A)) > 1;
    uint64_t edges;
    bool more = false;
    TRY(sl_matrix_is_symmetric(&f.symmetric, A));
    TRY(sl_matrix_nvals(&edges, A));
    TRY(sl_vector_indices(&f.parent, A));
    if (edges > 0)
        TRY(search_first(&f, &more));
    if (more && f.symmetric)
        TRY(spread_labels(&f, &more));
    if (more)
        TRY(make_forest(&f));
    while (more)
        TRY(hook_and_flatten(&f, &more));
out:
    free_forest(&f);
    sl_return_vector(component, f.parent, status);
    return status;
}
