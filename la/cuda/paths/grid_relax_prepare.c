/* Preparation of a closure: operands on the device, arrays, parameters. */
#include "cuda/data/frontier_list.h"
#include "cuda/paths/grid_relax_run.h"
#include "cuda/search/part/search_vectors.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void sl_cuda_grid_relax_size(cuda_grid_relax *r, uint64_t *outbox, uint64_t *inbox)
{
    const sl_device_grid *grid = r->x->grid;
    const uint64_t length = sl_distribution_length(&r->x->rows.of, 0);
    const uint64_t longest = grid->rows > grid->cols ? grid->rows : grid->cols;
    r->box.middle = cuda_grid_aligned(length * sizeof(uint32_t));
    r->box.slot = r->box.middle +
                  cuda_grid_aligned(length * sl_type_size(r->s.call->operators.semiring->result));
    r->box.fold_sets = grid->rows == 1 ? 2 : 1;
    const uint64_t folds = (uint64_t)r->box.fold_sets * grid->cols;
    *outbox = (2 + folds) * r->box.slot + cuda_grid_aligned(folds * sizeof(uint64_t));
    *inbox = longest * r->box.slot;
}

static sl_status migrate(const cuda_grid_relax *r)
{
    const sl_call *call = r->s.call;
    const sl_traversal *t = call->traversal;
    sl_object *const vectors[] = {t->pi, t->q, sl_object_of_vector(r->options->level),
                                  (sl_object *)sl_object_of_vector(r->options->targets)};
    CUDA_TRY(sl_object_migrate(call->a, &sl_store_cuda));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (vectors[k])
            CUDA_TRY(sl_cuda_migrate_bitmap(vectors[k], NULL, true));
    return SL_OK;
}

/* The matrix's values in the operator's type, if the operator reads them. */
static sl_status take_lengths(cuda_grid_relax *r, const cuda_matrix *A)
{
    const sl_call *call = r->s.call;
    const sl_binary_op multiply = call->operators.semiring->multiply;
    void *made;
    if (!multiply->reads_y || !A->values)
        return SL_OK;
    r->g.block.p.values = A->values;
    if (call->a->type == multiply->type)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &made, A->nnz * sl_type_size(multiply->type)));
    r->g.block.p.values = made;
    return cuda_launched(
        &r->s, "kernel cast",
        sl_cuda_cast(made, multiply->type, A->values, call->a->type, NULL, A->nnz));
}

static sl_status set_product(cuda_grid_relax *r)
{
    const sl_call *call = r->s.call;
    const sl_semiring semiring = call->operators.semiring;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    relax_params *x = &r->g.block;
    x->n = call->a->ncols;
    x->edge_bits = sl_cuda_edge_bits(call->a->nrows, A->nnz);
    if (x->edge_bits == 0)
        return sl_fail(call->ctx, SL_UNSUPPORTED,
                       "cuda: closure of %" PRIu64 " vertices and %" PRIu64 " edges",
                       call->a->nrows, A->nnz);
    x->p = (cuda_product){.nnz = A->nnz,
                          .rows = call->a->nrows,
                          .start = A->start,
                          .index = A->index,
                          .type = semiring->multiply->type,
                          .kind = CUDA_VALUES,
                          .add = (int)semiring->add->op->code,
                          .multiply = (int)semiring->multiply->code};
    const sl_scalar neutral = sl_cuda_neutral_value(semiring->add);
    memcpy(&x->p.neutral, &neutral.as, sizeof x->p.neutral);
    r->g.own = *x;
    return take_lengths(r, A);
}

/* The level vector, and a copy of the targets' bitmap, which may be that of pi or level. */
static sl_status set_options(cuda_grid_relax *r)
{
    relax_params *own = &r->g.own;
    const sl_object *targets = sl_object_of_vector(r->options->targets);
    const uint64_t bytes = cuda_words(own->n) * sizeof(uint32_t);
    uint32_t *copy;
    if (r->options->level) {
        const sl_object *level = sl_object_of_vector(r->options->level);
        r->level = cuda_vector_of(level);
        own->level = (cuda_integers){r->level->values, level->type == SL_INT32};
        own->level_bits = r->level->bits;
    }
    if (!targets)
        return SL_OK;
    cuda_vector *v = cuda_vector_of(targets);
    CUDA_TRY(sl_cuda_count_entries(targets, v));
    r->targets = v->nvals;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &copy, bytes));
    own->targets = copy;
    return sl_cuda_copy(r->s.call->ctx, copy, v->bits, bytes);
}

static sl_status set_own(cuda_grid_relax *r)
{
    const sl_traversal *t = r->s.call->traversal;
    relax_params *own = &r->g.own;
    const uint64_t bytes = cuda_words(t->pi->nrows) * sizeof *own->next_bits;
    r->pi = cuda_vector_of(t->pi);
    own->n = t->pi->nrows;
    own->p.bits = r->pi->bits;
    own->p.t_values = r->pi->values;
    r->values = cuda_vector_of(t->q)->values;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &own->next_bits, bytes));
    CUDA_TRY(sl_cuda_copy(r->s.call->ctx, own->next_bits, cuda_vector_of(t->q)->bits, bytes));
    return set_options(r);
}

static sl_status set_block(cuda_grid_relax *r)
{
    sl_context *ctx = r->s.call->ctx;
    relax_params *x = &r->g.block;
    const uint64_t rows = x->p.rows, bits = cuda_words(x->n) * sizeof *x->next_bits;
    const size_t size = sl_type_size(x->p.type);
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->p.t_values, x->n * size + sizeof(uint32_t)));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->p.bits, bits));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->next_bits, bits));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->frontier_values, rows * size));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->frontier[0].list, rows * sizeof(uint32_t)));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->frontier[0].ends, rows * sizeof(uint64_t)));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &x->state, sizeof *x->state));
    CUDA_TRY(sl_cuda_zero(ctx, x->p.bits, bits));
    CUDA_TRY(sl_cuda_zero(ctx, x->next_bits, bits));
    x->p.u_values = x->frontier_values;
    return SL_OK;
}

sl_status sl_cuda_grid_relax_set_members(cuda_grid_relax *r)
{
    sl_context *ctx = r->s.call->ctx;
    const uint32_t members = r->x->grid->cols;
    uint64_t *begin = sl_malloc((members + 1) * sizeof *begin), *on_device;
    if (!begin)
        return cuda_no_host_memory(ctx);
    for (uint32_t m = 0; m <= members; m++)
        begin[m] = sl_local_blocks_begin(&r->x->cols, m);
    sl_status status = sl_cuda_scratch_take(&r->s, &on_device, (members + 1) * sizeof *begin);
    if (status == SL_OK)
        status = sl_cuda_upload(ctx, on_device, begin, (members + 1) * sizeof *begin);
    sl_free(begin);
    CUDA_TRY(status);
    r->g.members = members;
    r->g.own_begin = sl_local_blocks_begin(&r->x->cols, r->x->grid->j);
    r->g.col_begin = on_device;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &r->g.counts, sizeof *r->g.counts));
    return sl_cuda_zero(ctx, r->g.counts, sizeof *r->g.counts);
}

/* Without buckets each round takes all vertices that wait. */
static void set_limit(cuda_grid_relax *r)
{
    const double degree = (double)r->x->edges / (double)r->x->vertices;
    r->limit = r->buckets ? -INFINITY : INFINITY;
    r->width = r->x->delta * GRID_RELAX_WIDTH * r->x->mean_length / (degree * degree);
}

sl_status sl_cuda_grid_relax_prepare(cuda_grid_relax *r)
{
    CUDA_TRY(migrate(r));
    CUDA_TRY(set_product(r));
    CUDA_TRY(set_own(r));
    CUDA_TRY(set_block(r));
    CUDA_TRY(sl_cuda_grid_relax_set_members(r));
    set_limit(r);
    return cuda_launched(&r->s, "kernel begin", sl_cuda_grid_relax_begin(&r->g));
}
