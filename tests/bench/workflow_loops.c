/* Components by FastSV (Zhang, Azad, Hu 2020), and distances by products over min_plus (Bellman 1958): products of full
 * vectors and operations on vectors, until nothing changes. */
#include "workflow_loops.h"

static sl_vector *new_vector(const workflow_graph *g, sl_type type)
{
    sl_vector *v;
    MUST(g->ctx, sl_vector_new(&v, g->ctx, type, sl_matrix_nrows(g->A)));
    return v;
}

static void copy(const workflow_graph *g, sl_vector *to, const sl_vector *from)
{
    MUST(g->ctx, sl_vector_assign(to, NULL, NULL, from, SL_ALL, 0, NULL));
}

/* Whether the full vectors differ; scratch: of their type. */
static bool differ(const workflow_graph *g, sl_vector *scratch, const sl_vector *u,
                   const sl_vector *v)
{
    const sl_type type = sl_vector_type(u);
    sl_scalar most;
    MUST(g->ctx, sl_vector_ewise_mult(scratch, NULL, NULL, sl_binary_op_get(SL_BINARY_ISNE, type),
                                      u, v, NULL));
    MUST(g->ctx, sl_vector_reduce(&most, NULL, sl_monoid_get(SL_MONOID_MAX, type), scratch));
    return sl_scalar_cast(most, SL_BOOL).as.bool_;
}

/* f: a neighbour or itself in the same component, by which trees are joined; gp: f of f. */
sl_vector *workflow_labels(const workflow_graph *g)
{
    sl_context *ctx = g->ctx;
    sl_vector *f = new_vector(g, SL_INT64), *gp = new_vector(g, SL_INT64),
              *least = new_vector(g, SL_INT64), *parent = new_vector(g, SL_INT64),
              *next = new_vector(g, SL_INT64), *scratch = new_vector(g, SL_INT64);
    bool more = true;
    MUST(ctx, sl_vector_assign_scalar(f, NULL, NULL, sl_scalar_int64(0), SL_ALL, 0, NULL));
    MUST(ctx, sl_vector_apply_index(f, NULL, NULL, SL_ROWINDEX_INT64, f, sl_scalar_int64(0), NULL));
    copy(g, gp, f);
    copy(g, least, f);
    while (more) {
        MUST(ctx, sl_mxv(least, NULL, SL_MIN_INT64, SL_MIN_SECOND_INT64, g->A, gp, NULL));
        copy(g, parent, f);
        MUST(ctx,
             sl_vector_scatter(f, NULL, SL_MIN_INT64, SL_MIN_MONOID_INT64, least, parent, NULL));
        MUST(ctx, sl_vector_ewise_add(f, NULL, NULL, SL_MIN_INT64, f, least, NULL));
        MUST(ctx, sl_vector_ewise_add(f, NULL, NULL, SL_MIN_INT64, f, gp, NULL));
        MUST(ctx, sl_vector_gather(next, NULL, NULL, f, f, NULL));
        more = differ(g, scratch, gp, next);
        copy(g, gp, next);
    }
    sl_vector_free(f);
    sl_vector_free(least);
    sl_vector_free(parent);
    sl_vector_free(next);
    sl_vector_free(scratch);
    return gp;
}

sl_vector *workflow_distances(const workflow_graph *g, uint64_t source)
{
    sl_context *ctx = g->ctx;
    const sl_type type = sl_matrix_type(g->lengths);
    const sl_scalar none =
        sl_scalar_cast(sl_scalar_int64((int64_t)1 << (sl_type_size(type) * 6)), type);
    sl_vector *distance = new_vector(g, type), *before = new_vector(g, type),
              *scratch = new_vector(g, type);
    MUST(ctx, sl_vector_assign_scalar(distance, NULL, NULL, none, SL_ALL, 0, NULL));
    MUST(ctx, sl_vector_set(distance, source, sl_scalar_int64(0)));
    do {
        copy(g, before, distance);
        MUST(ctx, sl_vxm(distance, NULL, sl_binary_op_get(SL_BINARY_MIN, type),
                         sl_semiring_get(SL_SEMIRING_MIN_PLUS, type), before, g->lengths, NULL));
    } while (differ(g, scratch, distance, before));
    MUST(ctx, sl_vector_select(distance, NULL, NULL, sl_index_op_get(SL_INDEX_VALUELT, type),
                               distance, none, NULL));
    sl_vector_free(before);
    sl_vector_free(scratch);
    return distance;
}
