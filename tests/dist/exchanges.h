/* Counts the exchanges between ranks that the library begins, by the profiling interface of MPI. Included by one
 * file of a program, whose functions take the place of MPI's. */
#ifndef SEMLA_TEST_EXCHANGES_H
#define SEMLA_TEST_EXCHANGES_H

#include <mpi.h>

typedef struct {
    int reductions; /* agreements, mostly */
    int swaps;      /* of lengths and heads of messages */
    int rounds;     /* of messages from host to host */
} exchanges;

static exchanges exchanged; /* by this rank, so far */

int MPI_Allreduce(const void *sent, void *received, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    exchanged.reductions++;
    return PMPI_Allreduce(sent, received, count, type, op, comm);
}

int MPI_Alltoall(const void *sent, int send_count, MPI_Datatype send_type, void *received,
                 int count, MPI_Datatype type, MPI_Comm comm)
{
    exchanged.swaps++;
    return PMPI_Alltoall(sent, send_count, send_type, received, count, type, comm);
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    exchanged.rounds++;
    return PMPI_Waitall(count, requests, statuses);
}

/* Those since the last call. */
static inline exchanges new_exchanges(void)
{
    static exchanges before;
    const exchanges made = {exchanged.reductions - before.reductions,
                            exchanged.swaps - before.swaps, exchanged.rounds - before.rounds};
    before = exchanged;
    return made;
}

static inline void assert_exchanges(int reductions, int swaps, int rounds)
{
    const exchanges made = new_exchanges();
    assert_int_equal(made.reductions, reductions);
    assert_int_equal(made.swaps, swaps);
    assert_int_equal(made.rounds, rounds);
}

/*
 * The level of a search: level<q> = number; q<!level> = q A; the number of q's entries. Each operation without
 * messages has one agreement; a product has one before and one after its messages: q along grid
 * columns, the mask and the result along grid rows. `devices`: heads are swapped, devices move the
 * messages, and apply the mask to the result.
 */
static inline void assert_exchanges_of_level(sl_vector *level, sl_vector *q, const sl_matrix *A,
                                             int rows, int cols, bool devices)
{
    uint64_t count;
    sl_context *ctx = sl_vector_context(q);
    const sl_descriptor structure = sl_descriptor_get(SL_STRUCTURE),
                        others = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    const int messages = (rows > 1) + (devices ? 1 : 2) * (cols > 1);
    new_exchanges();
    assert_ok(ctx,
              sl_vector_assign_scalar(level, q, NULL, sl_scalar_int64(1), SL_ALL, 0, structure));
    assert_exchanges(1, 0, 0);
    assert_ok(ctx, sl_vxm(q, level, NULL, SL_ANY_PAIR_BOOL, q, A, others));
    assert_exchanges(2, devices ? messages : 0, devices ? 0 : messages);
    assert_ok(ctx, sl_vector_nvals(&count, q));
    assert_exchanges(1, 0, 0);
    assert_true(count > 0);
}

#endif
