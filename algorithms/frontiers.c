/* Matrices of frontiers for sl_closures: one vertex in each row. */
#include "algorithms/frontiers.h"

#include <semla/graph_tools.h>

sl_status sl_frontiers_of(sl_matrix **frontiers, const char *name, const sl_matrix *A,
                          const uint64_t *sources, uint64_t first, uint64_t count)
{
    sl_context *ctx = sl_matrix_context(A);
    uint64_t *rows = sl_malloc(2 * (count + 1) * sizeof *rows), *cols = rows + count;
    sl_matrix *made = NULL;
    uint64_t begin, end;
    sl_status status;
    TRY(sl_agree(ctx,
                 rows ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for the sources", name)));
    TRY(sl_matrix_new(&made, ctx, SL_BOOL, count, sl_matrix_nrows(A)));
    sl_context_local_range(ctx, count, &begin, &end);
    for (uint64_t s = begin; s < end; s++) {
        rows[s] = s;
        cols[s] = sources ? sources[s] : first + s;
    }
    TRY(sl_matrix_build(made, rows + begin, cols + begin, NULL, end - begin, NULL));
out:
    sl_free(rows);
    sl_return_matrix(frontiers, made, status);
    return status;
}
