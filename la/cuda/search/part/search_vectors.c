#include "cuda/search/part/search_vectors.h"

sl_status sl_cuda_migrate_bitmap(sl_object *vector, cuda_degree_order *order, bool values)
{
    CUDA_TRY(sl_object_migrate(vector, &sl_store_cuda));
    cuda_vector *v = cuda_vector_of(vector);
    CUDA_TRY(sl_cuda_bring_into_order(vector, v, order));
    if (values)
        CUDA_TRY(sl_cuda_write_values(vector, v));
    CUDA_TRY(sl_cuda_make_bitmap(vector, v));
    sl_cuda_set_order(v, order); /* of one without entries */
    return SL_OK;
}

/* The output on the device, in whatever form; NULL stays NULL. */
static sl_status migrate(cuda_vector **v, sl_object *vector)
{
    if (vector) {
        CUDA_TRY(sl_object_migrate(vector, &sl_store_cuda));
        *v = cuda_vector_of(vector);
    }
    return SL_OK;
}

/* New arrays for an output that is written whole, else those that it has as a bitmap. */
static sl_status take_arrays(cuda_bitmap *to, sl_object *vector, const cuda_vector *v, bool whole)
{
    if (!vector)
        return SL_OK;
    if (whole)
        return sl_cuda_new_bitmap(vector->ctx, to, vector->nrows, sl_type_size(vector->type));
    CUDA_TRY(sl_cuda_migrate_bitmap(vector, NULL, true));
    *to = (cuda_bitmap){v->bits, v->values};
    return SL_OK;
}

static sl_status open_all(cuda_search_vectors *v, const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    sl_object *const level = sl_object_of_vector(t->options->level);
    CUDA_TRY(migrate(&v->pi, t->pi));
    CUDA_TRY(migrate(&v->level, level));
    v->whole =
        t->from_source && cuda_is_host_list(v->pi) && (!level || cuda_is_host_list(v->level));
    v->source = v->whole && v->pi->nvals > 0 ? v->pi->host_list.index[0] : UINT64_MAX;
    CUDA_TRY(take_arrays(&v->to_pi, t->pi, v->pi, v->whole));
    CUDA_TRY(take_arrays(&v->to_level, level, v->level, v->whole));
    if (!v->whole) {
        CUDA_TRY(sl_cuda_migrate_bitmap(t->q, NULL, true));
        v->q = cuda_vector_of(t->q);
    }
    if (call->operators.semiring->result_is_index)
        v->parent = (cuda_integers){v->to_pi.values, t->pi->type == SL_INT32};
    else
        v->reached = v->to_pi.values;
    if (level)
        v->depth = (cuda_integers){v->to_level.values, level->type == SL_INT32};
    return SL_OK;
}

static void free_new(cuda_search_vectors *v)
{
    if (v->whole) {
        sl_cuda_free_bitmap(&v->to_pi);
        sl_cuda_free_bitmap(&v->to_level);
    }
}

sl_status sl_cuda_search_vectors_open(cuda_search_vectors *v, const sl_call *call)
{
    *v = (cuda_search_vectors){.q = NULL};
    const sl_status status = open_all(v, call);
    if (status != SL_OK)
        free_new(v);
    return status;
}

/* An output that has `added` entries more. */
static void note_entries(cuda_vector *v, uint64_t before, uint64_t added)
{
    sl_cuda_drop_frontier_list(v);
    v->nvals = before == CUDA_UNKNOWN || added == CUDA_UNKNOWN ? CUDA_UNKNOWN : before + added;
}

void sl_cuda_search_vectors_close(cuda_search_vectors *v, sl_status status, uint64_t nvals,
                                  uint64_t new_levels)
{
    const bool ok = status == SL_OK;
    if (v->whole && !ok) {
        free_new(v);
    } else if (v->whole) {
        sl_cuda_become_bitmap(v->pi, v->to_pi, nvals);
        if (v->level)
            sl_cuda_become_bitmap(v->level, v->to_level, nvals);
    } else {
        note_entries(v->pi, 0, ok ? nvals : CUDA_UNKNOWN);
        if (v->level)
            note_entries(v->level, v->level->nvals, ok ? new_levels : CUDA_UNKNOWN);
    }
}
