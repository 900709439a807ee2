/* Products of a pattern and a full vector on the reordered graph: when they apply, and the data that
 * they keep with it. */
#include "reordered_products.h"

/* True if the sum of a result is that of the vector's values, unchanged, by plus. */
static bool sums_values(const cuda_product *p)
{
    if (p->kind != CUDA_VALUES || p->add != SL_BINARY_PLUS || !p->u_values ||
        (p->type != SL_FP32 && p->type != SL_FP64))
        return false;
    switch (p->multiply) {
    case SL_BINARY_SECOND:
        return p->matrix_first;
    case SL_BINARY_FIRST:
        return !p->matrix_first;
    case SL_BINARY_TIMES:
        return !p->values;
    default:
        return false;
    }
}

bool sl_cuda_sums_neighbours(const cuda_product *p, const cuda_matrix *A)
{
    const cuda_reordered_graph *reordered = A->reordered;
    return reordered && !sl_cuda_is_pruned(reordered) && !reordered->pinned && sums_values(p) &&
           !p->allowed && !p->u_bits;
}

static sl_status classify(cuda_scratch *s, cuda_reordered_graph *reordered)
{
    void *classes;
    if (reordered->row_classes || reordered->ell4)
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(s->call->ctx, &classes, sizeof(cuda_row_classes)));
    sl_status status = cuda_launched(
        s, "kernel classify_rows", sl_cuda_classify_rows(classes, &reordered->view, cuda_stream()));
    if (status == SL_OK)
        reordered->row_classes = classes;
    else
        sl_cuda_free(classes);
    return status;
}

sl_status sl_cuda_neighbour_sums(cuda_scratch *s, const cuda_product *p, cuda_matrix *A,
                                 cuda_vector *onto, uint32_t *bits)
{
    cuda_reordered_graph *reordered = A->reordered;
    CUDA_TRY(classify(s, reordered));
    cuda_neighbour_sums sums = {.graph = reordered->view,
                                .classes = reordered->row_classes,
                                .type = p->type,
                                .u = p->u_values,
                                .t = onto ? onto->values : p->t_values,
                                .adds = onto != NULL,
                                .bits = bits};
    if (onto && onto->same && !sums.classes) {
        sums.adds_to_same = true;
        sums.same_value = onto->same_value;
        onto->same = false;
    }
    if (onto)
        CUDA_TRY(sl_cuda_write_same(s->call->out, onto));
    if (sums.classes) {
        CUDA_TRY(sl_cuda_sum_tiles(s, &sums.tiles, reordered));
        const uint64_t values = sums.graph.n + 32 * (uint64_t)sums.tiles->slices;
        CUDA_TRY(sl_cuda_scratch_take(s, &sums.ordered, values * sl_type_size(p->type)));
    }
    return cuda_launched(s, "kernel sum_neighbours",
                         sl_cuda_sum_neighbours(&sums, cuda_processors(), cuda_stream()));
}
