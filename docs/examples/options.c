/* A breadth-first search with options: a tree that is the same on every engine, a target, and a
 * log. */
#include <semla/bfs.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    const uint64_t source = 0, target = 26;
    sl_iteration_log log = {0};
    sl_bfs_options options = {
        .deterministic = true, .targets = &target, .ntargets = 1, .log = &log};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *parent = NULL, *level = NULL;
    sl_scalar value;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    TRY(sl_matrix_read(&A, ctx, argc > 1 ? argv[1] : "graph.mtx", SL_READ_SYMMETRIC));
    TRY(sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    TRY(sl_bfs(&parent, &level, A, source, &options));

    for (size_t k = 0; k < log.count; k++)
        printf("level %zu: %s, frontier %d, %d edges%s\n", k,
               sl_direction_name(log.iterations[k].direction), (int)log.iterations[k].frontier,
               (int)log.iterations[k].edges, log.iterations[k].edges_exact ? "" : " at most");
    TRY(sl_vector_get(&value, level, target)); /* SL_NO_VALUE if it was not reached */
    printf("vertex %d at level %d:", (int)target, (int)value.as.int64_);
    for (uint64_t v = target; v != source; v = (uint64_t)value.as.int64_) {
        TRY(sl_vector_get(&value, parent, v));
        printf(" %d", (int)value.as.int64_);
    }
    printf("\n");
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_iteration_log_clear(&log);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
