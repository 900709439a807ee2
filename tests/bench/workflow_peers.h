/*
 * Times of other programs for bench_workflows, in milliseconds, as X(GRAPH, ALGORITHM, PROGRAM, MS).
 *
 * Measured on 2026-11-22 on one H200 (cuGraph 26.10, Gunrock) and on the 16 cores of its host (GAP),
 * on graphs of the same models and sizes: Kronecker graphs of edge factor 16, a grid of side 2,048,
 * and a lattice of side 4,096 with 65 % of its edges; integer lengths 1 to 255; 16 sources. PageRank
 * ends at 1e-6, for GAP at 1e-4.
 */
#ifndef SEMLA_BENCH_WORKFLOW_PEERS_H
#define SEMLA_BENCH_WORKFLOW_PEERS_H

#define WORKFLOW_PEERS(X)                                                                          \
    X("kronecker:22", "bfs", "cuGraph", 2.7)                                                       \
    X("kronecker:22", "bfs", "GAP", 13.3)                                                          \
    X("kronecker:22", "sssp", "Gunrock", 21.9)                                                     \
    X("kronecker:22", "sssp", "GAP", 205)                                                          \
    X("kronecker:22", "components", "cuGraph", 25.9)                                               \
    X("kronecker:22", "components", "GAP", 25)                                                     \
    X("kronecker:22", "pagerank", "cuGraph", 19.2)                                                 \
    X("kronecker:22", "pagerank", "GAP", 190)                                                      \
    X("kronecker:22", "triangles", "cuGraph", 676)                                                 \
    X("kronecker:22", "triangles", "GAP", 7053)                                                    \
    X("kronecker:22", "betweenness", "cuGraph", 454)                                               \
    X("kronecker:22", "betweenness", "GAP", 2940)                                                  \
    X("kronecker:24", "bfs", "cuGraph", 4.3)                                                       \
    X("kronecker:24", "sssp", "cuGraph", 78)                                                       \
    X("kronecker:24", "components", "cuGraph", 51)                                                 \
    X("kronecker:24", "components", "GAP", 89)                                                     \
    X("kronecker:24", "pagerank", "cuGraph", 66)                                                   \
    X("kronecker:24", "pagerank", "GAP", 988)                                                      \
    X("kronecker:24", "triangles", "cuGraph", 4264)                                                \
    X("kronecker:24", "betweenness", "cuGraph", 1853)                                              \
    X("grid:2048", "bfs", "Gunrock", 425)                                                          \
    X("grid:2048", "bfs", "GAP", 61)                                                               \
    X("grid:2048", "sssp", "Gunrock", 317)                                                         \
    X("grid:2048", "sssp", "GAP", 80)                                                              \
    X("grid:2048", "components", "cuGraph", 37)                                                    \
    X("grid:2048", "components", "GAP", 8.9)                                                       \
    X("grid:2048", "pagerank", "cuGraph", 3.0)                                                     \
    X("grid:2048", "betweenness", "cuGraph", 3090)                                                 \
    X("lattice:4096", "bfs", "cuGraph", 1787)                                                      \
    X("lattice:4096", "bfs", "GAP", 174)                                                           \
    X("lattice:4096", "sssp", "Gunrock", 888)                                                      \
    X("lattice:4096", "sssp", "GAP", 250)                                                          \
    X("lattice:4096", "components", "cuGraph", 67)                                                 \
    X("lattice:4096", "components", "GAP", 104)                                                    \
    X("lattice:4096", "pagerank", "cuGraph", 27)

#endif
