/* The searches of one engine from several roots. */
#include <math.h>

#include "cli/command_output.h"
#include "cli/page_call.h"

/* Whether the searches of an engine have taken their time, on any rank. */
static bool time_is_over(sl_context *ctx, double start, double limit)
{
    const uint8_t local = seconds_now() - start >= limit;
    uint8_t *all = NULL;
    bool over = local;
    if (sl_gather(ctx, SL_OK, (void **)&all, NULL, &local, 1) == SL_OK)
        for (uint64_t k = 0; k < sl_context_processes(ctx); k++)
            over = over || all[k];
    sl_free(all);
    return over;
}

/*
 * The searches of one engine. They follow each other in batches, without pauses in which a GPU or
 * caches could cool down, and are validated after each batch, whose results are kept until then.
 */
typedef struct {
    const sl_matrix *A;
    const page_graph *g;
    const page_options *o;
    page_call *calls;
    size_t size; /* of a batch */
    double start;
} batches;

/* As many searches as have results of 1 GB at most on each process. */
static size_t batch_size(const sl_matrix *A, size_t roots)
{
    const double most = 1e9;
    const double bytes = 2 * sizeof(int64_t) * ((double)sl_matrix_nrows(A) + 1) /
                         (double)sl_context_processes(sl_matrix_context(A));
    const double size = fmax(most / bytes, 1);
    return size < (double)roots ? (size_t)size : roots;
}

/* Searches from up to a batch of roots, one at least, until `limit` seconds after the start.
 * *done: how many. */
static sl_status run_batch(batches *b, size_t first, size_t *done, double limit)
{
    const vertex_list *roots = &b->g->roots;
    sl_status status = SL_OK;
    for (*done = 0; *done < b->size && first + *done < roots->count; ++*done) {
        if (*done > 0 && time_is_over(sl_matrix_context(b->A), b->start, limit))
            break;
        status =
            page_call_bfs(&b->calls[*done], b->A, roots->at[first + *done], b->o->direction, NULL);
        if (status != SL_OK)
            break;
    }
    return status;
}

static void free_batch(batches *b)
{
    for (size_t k = 0; k < b->size; k++)
        page_call_free(&b->calls[k]);
}

/* Validates the results of a batch and adds them to the array. */
static sl_status add_batch(cJSON *array, page_searches *result, sl_check_result *failure,
                           const batches *b, size_t first, size_t count)
{
    sl_status status = SL_OK;
    for (size_t k = 0; status == SL_OK && k < count; k++) {
        page_result s;
        const uint64_t root = b->g->roots.at[first + k];
        progress(&b->o->common, "%s: validating search %zu of %zu", result->engine, first + k + 1,
                 b->g->roots.count);
        progress_part(first + k, b->g->roots.count);
        status = page_examine(&s, &b->calls[k], b->A, b->g, root);
        if (status == SL_OK) {
            cJSON *object = json_object(array, NULL);
            json_vertex(object, "root", &b->g->names, root);
            json_number(object, "seconds", b->calls[k].seconds);
            json_number(object, "edges", s.edges);
            json_number(object, "teps", s.edges / b->calls[k].seconds);
            page_add_verdict(object, &s.verdict);
            result->searched++;
            result->valid += s.verdict.valid;
            result->seconds += b->calls[k].seconds;
            if (!s.verdict.valid && failure->valid)
                *failure = s.verdict;
        }
        tree_free(&s.t);
    }
    return status;
}

sl_status page_add_engine(cJSON *engines, page_searches *result, const sl_matrix *A,
                          const page_graph *g, const page_options *o)
{
    cJSON *engine = json_object(engines, NULL);
    json_text(engine, "name", result->engine);
    cJSON *array = json_array(engine, "roots");
    sl_check_result failure = {.valid = true};
    batches b = {A, g, o, NULL, batch_size(A, g->roots.count), seconds_now()};
    b.calls = sl_calloc(b.size, sizeof *b.calls);
    if (!b.calls)
        out_of_memory();

    /* The warm-up also tells how many searches there is time for. */
    progress(&o->common, "%s: searching", result->engine);
    size_t done, roots = g->roots.count;
    sl_status status = run_batch(&b, 0, &done, o->seconds / 2);
    if (status == SL_OK && done < b.size) {
        roots = done;
        b.size = done;
    }
    free_batch(&b);
    page_reset_traffic(sl_matrix_context(A));
    for (size_t first = 0; status == SL_OK && first < roots; first += done) {
        if (first > 0 && time_is_over(sl_matrix_context(A), b.start, o->seconds))
            break;
        status = run_batch(&b, first, &done, first > 0 ? o->seconds : INFINITY);
        if (status == SL_OK)
            status = add_batch(array, result, &failure, &b, first, done);
        free_batch(&b);
    }
    sl_free(b.calls);
    progress_end();
    json_count(engine, "searched", result->searched);
    json_count(engine, "valid", result->valid);
    if (!failure.valid)
        json_text(engine, "reason", failure.reason);
    return status;
}
