/* Makes a matrix from arrays of the program, and gets the levels of a search as an array. */
#include <semla/bfs.h>
#include <stdio.h>
#include <string.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

static uint64_t *copy(const uint64_t *from, size_t count)
{
    uint64_t *to = sl_malloc(count * sizeof *to);
    return to ? memcpy(to, from, count * sizeof *to) : NULL;
}

int main(void)
{
    /*  the path 0 - 1 - 2 - 3 and the isolated vertex 4, as compressed rows without values  */
    const uint64_t start[] = {0, 1, 3, 5, 6, 6}, cols[] = {1, 0, 2, 1, 3, 2};
    sl_arrays graph = {.format = SL_FORMAT_CSR,
                       .type = SL_BOOL,
                       .nrows = 5,
                       .ncols = 5,
                       .nvals = 6},
              levels = {0};
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *level = NULL;
    sl_status status;

    TRY(sl_context_create(&ctx, SL_ENGINE_AUTO));
    graph.start = copy(start, 6);
    graph.cols = copy(cols, 6);
    TRY(sl_matrix_take(&A, ctx, &graph)); /* moves the arrays into A after a check */
    TRY(sl_bfs(NULL, &level, A, 0, NULL));

    TRY(sl_vector_give(&levels, &level, SL_FORMAT_BITMAP)); /* moves the contents out */
    TRY(sl_arrays_expand(ctx, &levels));                    /* one value per vertex */
    const int64_t *value = levels.values;
    for (uint64_t v = 0; v < levels.nrows; v++)
        if (levels.present[v])
            printf("vertex %d: level %d\n", (int)v, (int)value[v]);
        else
            printf("vertex %d: not reached\n", (int)v);

    TRY(sl_matrix_give(&graph, &A, SL_FORMAT_CSC)); /* the same graph, by columns */
    printf("column 2 has rows");
    for (uint64_t e = graph.start[2]; e < graph.start[3]; e++)
        printf(" %d", (int)graph.rows[e]);
    printf("\n");
out:
    if (status != SL_OK)
        fprintf(stderr, "%s: %s\n", sl_status_string(status), sl_context_message(ctx));
    sl_arrays_free(&graph);
    sl_arrays_free(&levels);
    sl_vector_free(level);
    sl_matrix_free(A);
    sl_context_free(ctx);
    return status != SL_OK;
}
