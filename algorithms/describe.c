/* Values of arguments and results: functions that the descriptions share. */
#include "algorithms/describe.h"

#include <math.h>

#include <semla/graph_tools.h>
#include <semla/random.h>

void *sl_whole_values(sl_status *status, const sl_vector *v)
{
    sl_arrays whole = {0};
    *status = sl_vector_copy_whole(&whole, v);
    void *values = whole.values;
    whole.values = NULL;
    sl_arrays_free(&whole);
    return values;
}

sl_status sl_take_list(sl_value *list, sl_vector *v)
{
    sl_status status = SL_OK;
    if (!v)
        return SL_OK;
    list->list = sl_whole_values(&status, v);
    list->count = sl_vector_size(v);
    list->given = status == SL_OK;
    sl_vector_free(v);
    return status;
}

sl_status sl_make_list(sl_value *value, uint64_t count)
{
    uint64_t *list = sl_calloc(count + 1, sizeof *list);
    *value = (sl_value){.given = list != NULL, .count = count, .list = list};
    return list ? SL_OK : SL_NO_MEMORY;
}

sl_status sl_make_ranking(sl_value *value, uint64_t count)
{
    double *numbers = sl_calloc(count + 1, sizeof *numbers);
    *value = (sl_value){.given = numbers != NULL, .count = count, .numbers = numbers};
    return numbers ? SL_OK : SL_NO_MEMORY;
}

sl_status sl_rank_integers(sl_value *value, const int64_t *values, uint64_t count)
{
    sl_status status = sl_make_ranking(value, count);
    for (uint64_t v = 0; status == SL_OK && v < count; v++)
        value->numbers[v] = (double)values[v];
    return status;
}

sl_status sl_draw_sources(sl_algorithm_call *call, int sources_at, int samples_at, int seed_at)
{
    sl_context *ctx = sl_matrix_context(call->A);
    const uint64_t n = sl_matrix_nrows(call->A), samples = call->arguments[samples_at].count;
    const uint64_t seed = call->arguments[seed_at].count;
    uint64_t count = 0;
    if (!call->arguments[samples_at].given)
        return SL_OK;
    uint64_t *vertices = sl_malloc((n + 1) * sizeof *vertices);
    sl_value *sources = &call->arguments[sources_at];
    sl_status status = vertices ? sl_make_list(sources, samples < n ? samples : n) : SL_NO_MEMORY;
    if (status != SL_OK)
        sl_fail(ctx, status, "%s: no memory for the sources", call->algorithm->name);
    status = sl_agree(ctx, status);
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        vertices[v] = v;
    for (uint64_t left = n; status == SL_OK && count < sources->count; left--) {
        uint64_t *chosen = &vertices[sl_random(seed, count) % left];
        sources->list[count++] = *chosen;
        *chosen = vertices[left - 1];
    }
    call->owned_sources = sources->list;
    sl_free(vertices);
    return status;
}

sl_status sl_summarise_groups(sl_value *top, sl_value *largest, sl_value *alone,
                              const sl_vector *group)
{
    const uint64_t n = sl_vector_size(group);
    uint64_t most = 0, single = 0;
    sl_status status;
    int64_t *number = sl_whole_values(&status, group);
    if (status == SL_OK)
        status = sl_make_ranking(top, n);
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        top->numbers[number[v]]++;
    for (uint64_t v = 0; status == SL_OK && v < n; v++) {
        const uint64_t size = (uint64_t)top->numbers[v];
        single += size == 1;
        most = size > most ? size : most;
        if (size == 0)
            top->numbers[v] = NAN;
    }
    *largest = sl_count_value(most);
    *alone = sl_count_value(single);
    sl_free(number);
    return status;
}
