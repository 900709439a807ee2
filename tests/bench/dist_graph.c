/* The graph of bench_dist, generated on every rank, and its output. See dist_graph.h. */
#include "dist_graph.h"

#include <semla/bfs.h>
#include <semla/io.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int rank, size;

void must(sl_context *ctx, sl_status status, const char *what)
{
    if (status >= 0)
        return;
    fprintf(stderr, "rank %d: %s: %s: %s\n", rank, what, sl_status_string(status),
            sl_context_message(ctx));
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void rank0_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (rank == 0)
        vprintf(format, arguments);
    va_end(arguments);
}

void wait_for(sl_context *ctx, const sl_vector *result)
{
    const sl_type type = sl_vector_type(result);
    sl_scalar sum;
    MUST(ctx, sl_vector_reduce(&sum, NULL,
                               sl_monoid_get(type == SL_BOOL ? SL_MONOID_LOR : SL_MONOID_MIN, type),
                               result));
}

/* This rank's tuples of the graph, with local indices. */
static void keep_own(sl_edges *edges, const sl_grid *grid)
{
    const uint64_t n = edges->nrows;
    sl_local_blocks rows = sl_grid_rows(grid, n), columns = sl_grid_columns(grid, n);
    uint64_t room = 0, at = 0;
    for (int pass = 0; pass < 2; pass++) {
        sl_edges own = {.nrows = sl_local_blocks_length(&rows),
                        .ncols = sl_local_blocks_length(&columns),
                        .count = room,
                        .type = SL_BOOL};
        if (pass == 1) {
            own.row = sl_malloc((room + 1) * sizeof *own.row);
            own.col = sl_malloc((room + 1) * sizeof *own.col);
        }
        for (uint64_t e = 0; e < edges->count; e++)
            for (int turn = 0; turn < 2; turn++) {
                uint64_t u = turn ? edges->col[e] : edges->row[e];
                uint64_t v = turn ? edges->row[e] : edges->col[e];
                if (u == v || !sl_local_blocks_contain(&rows, u) ||
                    !sl_local_blocks_contain(&columns, v))
                    continue;
                room++;
                if (pass == 0)
                    continue;
                own.row[at] = sl_local_index(&rows, u);
                own.col[at++] = sl_local_index(&columns, v);
            }
        if (pass == 1) {
            sl_edges_free(edges);
            *edges = own;
        }
    }
}

void make_local_graph(sl_local_graph *b, sl_grid *grid, unsigned scale, bool degree_order)
{
    enum { AT_ONCE = 4 };
    sl_edges edges;
    sl_matrix *A;
    sl_csr rows;
    sl_context *ctx;
    MUST(NULL, sl_context_create(&ctx, SL_ENGINE_SUITESPARSE));
    for (int first = 0; first < size; first += AT_ONCE) {
        if (rank >= first && rank < first + AT_ONCE) {
            sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = scale, .seed = 1};
            MUST(ctx, sl_generate(&edges, ctx, &model));
            keep_own(&edges, grid);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MUST(ctx, sl_matrix_from_edges(&A, ctx, &edges, &(sl_read_options){0}));
    sl_edges_free(&edges);
    MUST(ctx, sl_matrix_copy_csr(&rows, A));
    sl_matrix_free(A);
    const double began = MPI_Wtime();
    MUST(grid->ctx, sl_local_graph_make(b, grid, UINT64_C(1) << scale, &rows, true, degree_order));
    MUST(grid->ctx, sl_local_graph_transpose(b, grid->ctx));
    rank0_printf("prepared in %.3f s\n", MPI_Wtime() - began);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_context_free(ctx);
}

uint64_t degree_of(const sl_local_graph *b, uint64_t v)
{
    uint64_t degree = 0;
    for (uint64_t k = 0; k < b->own_with_edges; k++)
        if (b->begin + sl_local_graph_own_offsets(b)[k] == v)
            degree = b->degree[k];
    MPI_Allreduce(MPI_IN_PLACE, &degree, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return degree;
}
