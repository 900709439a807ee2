/* Makes, describes and frees what the engine keeps for a matrix. */
#include "prepared.h"

sl_status sl_openmp_prepared_of(sl_openmp_prepared **prepared, sl_matrix *A)
{
    void **slot = sl_matrix_prepared(A, &sl_engine_openmp);
    if (!*slot)
        *slot = sl_calloc(1, sizeof **prepared);
    *prepared = *slot;
    return *slot ? SL_OK
                 : sl_fail(A->object.ctx, SL_NO_MEMORY, "out of memory: graphs of a matrix");
}

void sl_compact_free(sl_compact *compact)
{
    sl_free(compact->index);
    sl_free(compact->start);
    sl_free(compact->label);
    sl_free(compact->place);
    sl_free(compact->first);
    sl_free(compact->tree.up);
    sl_free(compact->tree.root);
    sl_free(compact->tree.height);
    *compact = (sl_compact){0};
}

void sl_openmp_drop_unused(sl_matrix *A)
{
    void **slot = sl_matrix_prepared(A, &sl_engine_openmp);
    const sl_openmp_prepared *p = *slot;
    if (p && !p->compact.index && !p->by_degree.index && !p->scratch) {
        sl_openmp_forget_prepared(*slot);
        *slot = NULL;
    }
}

void sl_openmp_forget_prepared(void *prepared)
{
    sl_openmp_prepared *p = prepared;
    sl_compact_free(&p->compact);
    sl_compact_free(&p->by_degree);
    sl_free(p->scratch);
    sl_free(p);
}

void sl_openmp_describe_prepared(sl_placement *placement, const void *prepared)
{
    const sl_openmp_prepared *p = prepared;
    placement->pruned += p->by_degree.tree.count;
}
