/*
 * Explores an unknown graph: its components, the largest one as a matrix of its own, bounds of its
 * diameter, and the vertex with the highest betweenness centrality.
 */
#include <semla/algorithms.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

/* Lists the *count vertices of the largest component. */
static sl_status largest(uint64_t **member, uint64_t *count, const sl_vector *component)
{
    uint64_t n = sl_vector_size(component), *label, *size, best = 0;
    label = sl_malloc(n * sizeof *label);
    size = sl_calloc(n, sizeof *size);
    *member = sl_malloc(n * sizeof **member);
    sl_status status = label && size && *member ? SL_OK : SL_NO_MEMORY;
    if (status == SL_OK)
        status = sl_vector_extract_tuples(NULL, label, &n, component);
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        size[label[v]]++;
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        best = size[v] > size[best] ? v : best;
    *count = 0;
    for (uint64_t v = 0; status == SL_OK && v < n; v++)
        if (label[v] == best)
            (*member)[(*count)++] = v;
    sl_free(label);
    sl_free(size);
    return status;
}

int main(void)
{
    const sl_generator model = {
        .model = SL_MODEL_UNIFORM, .vertices = 2000, .edges = 1800, .seed = 7};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    const sl_betweenness_options normalised = {.normalised = true};
    sl_edges edges = {0};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL, *core = NULL;
    sl_vector *component = NULL, *between = NULL, *highest = NULL;
    uint64_t *member = NULL, sample[64], n, central, one = 1;
    sl_diameter d;
    sl_scalar top;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_generate(&edges, ctx, &model));
    TRY(sl_matrix_from_edges(&A, ctx, &edges, &undirected));

    /* the largest component as a matrix; vertex member[k] becomes vertex k */
    TRY(sl_components(&component, A));
    TRY(largest(&member, &n, component));
    TRY(sl_matrix_new(&core, ctx, SL_BOOL, n, n));
    TRY(sl_matrix_extract(core, NULL, NULL, A, member, n, member, n, NULL));
    TRY(sl_matrix_promise_symmetric(core)); /* because A is symmetric */
    printf("%d vertices, %d in the largest component\n", (int)sl_matrix_nrows(A), (int)n);

    TRY(sl_pseudo_diameter(&d, core, NULL));
    printf("diameter %d to %d; vertices %d and %d are %d apart\n", (int)d.lower, (int)d.upper,
           (int)member[d.ends[0]], (int)member[d.ends[1]], (int)d.lower);

    /* betweenness, estimated from 64 searches */
    for (uint64_t k = 0; k < 64; k++)
        sample[k] = k * n / 64;
    TRY(sl_betweenness(&between, core, sample, 64, &normalised));
    TRY(sl_vector_reduce(&top, NULL, SL_MAX_MONOID_FP64, between));
    TRY(sl_vector_new(&highest, ctx, SL_FP64, n));
    TRY(sl_vector_select(highest, NULL, NULL, SL_VALUEEQ_FP64, between, top, NULL));
    TRY(sl_vector_extract_tuples(&central, NULL, &one, highest));
    printf("vertex %d has the highest betweenness: %.1f %%\n", (int)member[central],
           100 * top.as.fp64_);
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_free(member);
    sl_edges_free(&edges);
    sl_vector_free(component);
    sl_vector_free(between);
    sl_vector_free(highest);
    sl_matrix_free(core);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
