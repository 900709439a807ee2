/*
 * Shared by the tests of operations that send entries to other ranks, on grids whose ranks have devices: a
 * program of such operations, its comparison with SuiteSparse in one process, and what passed through the
 * hosts.
 */
#ifndef SEMLA_TESTS_DIST_DEVICE_MOVES_H
#define SEMLA_TESTS_DIST_DEVICE_MOVES_H

#include "device_places.h"
#include "support.h"

extern sl_context *local; /* of this process alone, on the host */

/* ---- device_moves_program.c ---- */

enum { VECTORS = 8, SQUARES = 8, MATRICES = 10 };

typedef struct {
    sl_context *ctx;
    uint64_t n, *list;
    sl_vector *full, *some, *index; /* inputs */
    sl_matrix *A, *few;
    sl_vector *v[VECTORS];  /* results */
    sl_matrix *M[MATRICES]; /* the first SQUARES are n x n, the others Kronecker products */
} program;

void open_program(program *p, sl_context *ctx, uint64_t n); /* on a grid rank 0 passes the tuples */
void run_program(program *p);
void close_program(program *p);

/* ---- device_moves_check.c ---- */

/* This rank's entries are among those of the other object; the ranks have as many together. `where` and
 * `number` name the result in a message. */
void compare(const char *where, int number, bool is_matrix, const void *got, const void *right);

/* The sum over all ranks. */
uint64_t sum(uint64_t mine);

/* The bytes of tuples that all ranks have received since the traffic was reset. */
uint64_t tuple_bytes(const sl_context *ctx);

/* What passed through the hosts, and what did not. `copied`: bytes of blocks that have migrated. */
void check_traffic(const char *where, const sl_context *ctx, bool hosts, uint64_t copied);

/* ---- device_moves_sources.c ---- */

/* Closures of several sources: frontiers and results stay on the devices. */
void test_sources(void **unused);

#endif
