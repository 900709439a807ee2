/* Surveys: what a search's step found, listed and counted before anybody asks. */
#include <stdatomic.h>

#include "working.h"

uint64_t sl_cuda_serial(void)
{
    static atomic_uint_fast64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

void sl_cuda_drop_survey(cuda_vector *v)
{
    if (!v->survey)
        return;
    sl_cuda_free(v->survey->list);
    sl_cuda_give_counts(v->survey->counts);
    sl_free(v->survey);
    v->survey = NULL;
}

/* Queues the passes; `counts` are the device's. */
static sl_status queue(sl_context *ctx, cuda_survey *survey, cuda_counts *counts,
                       const cuda_vector *v, uint64_t n, const cuda_matrix *M, const uint32_t *todo)
{
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&survey->list, n * sizeof *survey->list));
    CUDA_TRY(sl_cuda_zero(ctx, counts, sizeof *counts));
    CUDA_TRY(sl_cuda_status(ctx, "kernel survey",
                            sl_cuda_survey(survey->list, counts, M->start, v->bits, cuda_words(n),
                                           todo, cuda_words(n), cuda_processors(),
                                           cuda_stream())));
    return sl_cuda_download(ctx, survey->counts, counts, sizeof *counts);
}

void sl_cuda_order_survey(sl_context *ctx, cuda_vector *v, uint64_t n, const cuda_matrix *M,
                          const uint32_t *todo)
{
    sl_cuda_drop_survey(v);
    cuda_survey *survey = sl_calloc(1, sizeof *survey);
    if (!survey)
        return;
    survey->serial = M->serial;
    survey->counts = sl_cuda_take_counts();
    void *counts;
    if (!survey->counts || sl_cuda_alloc(ctx, &counts, sizeof(cuda_counts)) != SL_OK) {
        if (survey->counts)
            sl_cuda_give_counts(survey->counts);
        sl_free(survey);
        return;
    }
    v->survey = survey;
    if (queue(ctx, survey, counts, v, n, M, todo) != SL_OK)
        sl_cuda_drop_survey(v);
    sl_cuda_free(counts);
}

sl_status sl_cuda_get_survey(sl_context *ctx, cuda_survey **survey, cuda_vector *v,
                             const cuda_matrix *M)
{
    *survey = v->survey;
    if (!v->survey || (M && v->survey->serial != M->serial)) {
        *survey = NULL;
        return SL_OK;
    }
    if (!v->survey->there)
        CUDA_TRY(sl_cuda_wait(ctx, "kernel survey"));
    v->survey->there = true;
    return SL_OK;
}
