/*
 * Contexts on a grid of MPI ranks. Each rank holds a block of every object, and an engine of its
 * own works on the block. An operation of <semla/operations.h> exchanges its operands, runs on the
 * blocks, and exchanges its results.
 *
 * Every function that takes such a context or one of its objects and returns a status is collective
 * unless its documentation says otherwise: all ranks call it, in the same order, with the same
 * arguments. Functions that only free, or that return a type, a shape, a context or a message, are
 * not collective. The tuples of a build, the tuples in sl_edges, and the arrays that receive results
 * are the only arguments that may differ between ranks.
 *
 * A collective function agrees on its arguments before it works or returns an error, so a wrong
 * argument on one rank does not leave the others waiting. It returns the same status on every rank:
 * if ranks fail, all return the status and the message of the failing rank of least number. If
 * arguments are valid but differ, or ranks called different functions, all return SL_MISMATCH with
 * a message that names a rank and the argument (sl_agree_arguments). An exception: if all objects
 * passed are NULL, a rank cannot know the context. The error is then its own, and the other ranks
 * wait.
 *
 * Differences from a context of one process:
 *   - sl_matrix_build and sl_vector_build accept any tuples on any rank and send them to their
 *     owners. If every rank has all tuples, each passes the tuples in the range that
 *     sl_context_local_range returns. `dup` combines tuples of equal indices in the order of the
 *     ranks that passed them.
 *   - sl_matrix_extract_tuples and sl_vector_extract_tuples return to each rank the entries that it
 *     owns; the capacity passed and the number returned count these.
 *   - An operation that the grid does not implement fails with SL_UNSUPPORTED and its name. No
 *     operation gathers an object implicitly; use sl_grid_gather_matrix and sl_grid_gather_vector.
 */
#ifndef SEMLA_DIST_H
#define SEMLA_DIST_H

#include <mpi.h>

#include <semla/arrays.h>
#include <semla/world.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Creates a context on the ranks of a communicator, arranged as a grid of R = rows by C = cols.
 *
 * ctx         out: the context. It must be freed before MPI is finalised.
 * comm        an intracommunicator; it is duplicated and may be freed afterwards.
 * rows, cols  the shape; rows * cols is the number of ranks. If one is 0, it follows from the
 *             other; if both are 0, the default shape is used.
 * local       the engines of each rank, as for sl_context_create. Of several GPUs of a host, each
 *             rank uses the one with its number on that host, unless the program has selected
 *             another device.
 *
 * The default shape minimises the expected cost of a search, 2 (R - 1) + 4 (C - 1) + 9 (C - 1) / C.
 * The terms are what a rank receives in bitmaps of a block: frontiers along its column, missing
 * vertices passed along its row during pulls, and parents. The result is p x 1 for up to 9 ranks, 5
 * x 2 for 10, 8 x 2 for 16, 16 x 4 for 64 and 128 x 64 for 8192. If every rank has a GPU, and there
 * are at most 16 ranks, the default is the squarest grid with at least as many columns as rows: 1 x
 * 2, 2 x 2, 2 x 4, 4 x 4. Searches by these GPUs take as long on every shape, and other operations
 * exchange the least there.
 *
 * If MPI is not initialised, it is initialised with MPI_THREAD_FUNNELED and finalised at the exit
 * of the process. MPI is called only by the thread that calls the library.
 *
 * Errors: SL_INVALID if ctx is NULL, the communicator is null or an intercommunicator, the shape
 * does not match the number of ranks, or `local` is unknown; SL_NO_MEMORY; SL_UNSUPPORTED if the
 * local engines are not available, the module or MPI cannot be loaded, or a rank runs another
 * version or another build of semla (sl_mpi_describe says why, and names the rank); SL_ENGINE_FAULT
 * if MPI fails. On error *ctx is NULL. Collective over comm.
 */
sl_status sl_grid_context_create(sl_context **ctx, MPI_Comm comm, int rows, int cols,
                                 sl_engine_choice local);

/* The position of this rank in the grid of a context. */
typedef struct {
    int rank, size;        /* in the context's communicator */
    int rows, cols;        /* shape of the grid */
    int row, col;          /* position of this rank; rank == row * cols + col */
    const char *transport; /* static: what carried the frontiers of the last closure: "processors",
                              MPI between the memories of hosts; a name of sl_grid_traffic if GPUs
                              exchanged them; "none" if there was no closure yet */
} sl_grid_info;
/* Describes the grid. SL_INVALID: an argument is NULL or ctx has no grid. Not collective. */
sl_status sl_grid_describe(sl_grid_info *info, const sl_context *ctx);

/*
 * Distribution of objects (Bisson, Bernaschi, Mastrostefano, "Parallel Distributed Breadth First
 * Search on the Kepler Architecture", 2014, sections 2.2 and 3.1). The indices of a dimension are
 * divided into R C blocks of consecutive indices. The rank at (i, j) of the grid owns
 *   - of a vector: the entries of block j R + i;
 *   - of a matrix: the entries with a row in one of the blocks j R to j R + R - 1 and a
 *     column is in one of the blocks i, R + i, ..., (C - 1) R + i.
 *
 * The following functions take O(1) time. Errors: SL_INVALID if an argument
 * is NULL or the object's context has no grid; SL_OUT_OF_RANGE if the index is outside the object
 * or there is no such rank. On error the outputs are unchanged.
 */

/* *rank receives the rank that owns position (row, col) of a matrix, with or without an entry. Not
 * collective. */
sl_status sl_grid_matrix_owner(int *rank, const sl_matrix *A, uint64_t row, uint64_t col);
/* *rank receives the rank that owns position `index` of a vector, with or without an entry. Not
 * collective. */
sl_status sl_grid_vector_owner(int *rank, const sl_vector *v, uint64_t index);
/* *begin and *end receive the range of indices of a vector that a rank owns, without *end. Not
 * collective. */
sl_status sl_grid_vector_range(uint64_t *begin, uint64_t *end, const sl_vector *v, int rank);

/*
 * Gathers an object on one rank.
 *
 * arrays  out: on rank `root` the object as sl_matrix_copy_out returns it, in the format
 *         SL_FORMAT_COO, sorted by row and column, or for a vector in SL_FORMAT_LIST; with values
 *         even if all are equal. Zeroed on the other ranks.
 * root    a rank of the context.
 *
 * Errors: SL_INVALID if an argument is NULL, there is no such rank, or the context has no grid;
 * SL_NO_MEMORY. Collective.
 */
sl_status sl_grid_gather_matrix(sl_arrays *arrays, const sl_matrix *A, int root);
sl_status sl_grid_gather_vector(sl_arrays *arrays, const sl_vector *v, int root);

/*
 * Data that this rank received during searches (sl_closure over a semiring of parents or over
 * any_pair, and everything that calls it) and other operations, by phase of the exchange and by
 * encoding:
 *
 *     phase      "expand"   frontiers, along grid columns
 *                "share"    visited vertices, along grid rows
 *                "fold"     vertices reached by a push, along grid rows to their owners
 *                "pass"     vertices still missing, from rank to rank of a grid row during a pull
 *                "parents"  parents, along grid rows at the end of the search
 *                "counts"   sums over all ranks
 *                "operand"  of products: the vector, along the side of the matrix that is summed
 *                "mask"     of products: the mask, along the other side, to where it is used. If
 *                           there are so few products that this cannot pay, the mask is used by
 *                           the owners of the result alone
 *                "result"   of products: partial sums, along the other side to their owners
 *                "tuples"   entries that other operations send to the owners of their places
 *                "blocks"   of products of matrices: blocks of the operands
 *     codec      "bitmap", "list", "vlq" (not GPUs): sets of vertices and of other indices; "values": parents,
 *                and values of vectors; "plain": counts, and indices of blocks of 2^32 or more.
 *                Vectors that GPUs exchange are "values", with their bitmaps and lists
 *
 * If every rank has a GPU, and a block of an operand is in the memory of one, the GPUs exchange the data
 * of an operation, by the transports below. Otherwise the hosts do. Sizes of messages and statuses travel
 * by the hosts, and are not counted as bytes of a phase. Blocks that move between the memory of a host
 * and of its GPU are counted by sl_context_counts.bytes_copied.
 *
 * Environment. SEMLA_DIST is a list of words, separated by commas, the same on every rank. These
 * switch off parts of a search or of a product of matrices, so that their effect can be measured:
 *
 *     nocodecs     sets are sent as lists of 4 bytes per vertex
 *     novisited    visited vertices are not shared along grid rows
 *     nodeferred   a parent is sent with each vertex instead of being fetched at the end
 *     noorder      searches for any parent keep the caller's order of vertices, not degree order
 *     nodevices    each rank's processor searches, and the hosts exchange the data of other
 *                  operations, although there are GPUs
 *     codecs       GPUs of one host that search in two dimensions send sets as messages (see below)
 *     stages       products of matrices exchange their factors in stages, one for each grid column,
 *                  although there is room to gather them
 *
 * SEMLA_TRAVERSAL: an unknown word is SL_INVALID, as on other engines. Searches by processors of a
 * grid have none of its techniques and ignore the others, `kolganov` included; they choose
 * directions by their own cost model.
 *
 * GPUs send sets as bitmaps and lists. In two dimensions, and if the GPUs cannot read each other's
 * memory, a message has the shorter form, and its size travels first; else sets are bitmaps at known
 * places, unless the word `codecs` asks for messages.
 *
 * GPUs search together on a grid of any shape, for any parent and without targets, in one of two
 * ways. A cost rule (dist/search/search_choice.c) compares their expected times, or SEMLA_DIST asks
 * for one:
 *
 *     1d           each GPU has all edges into the vertices of its rank, and only frontiers are sent;
 *                  at most 16 ranks and 2^32 - 2 vertices
 *     2d           each GPU has the block of its rank; frontiers are expanded along grid columns, and
 *                  vertices reached are folded along grid rows. Any number of ranks; a block has less
 *                  than 2^31 vertices, and the vertices with edges of a grid row or column are less
 *                  than 2^31, too
 *
 * A search that is asked for but not possible is SL_UNSUPPORTED. If no search by GPUs is possible,
 * the processors search, which counts as a fallback (sl_context_get_counts). Searches for the least
 * or greatest parent, and searches with targets, run as products of the GPUs, unless they have to
 * pull or a GPU has no room for their operands. SEMLA_TRACE=dispatch prints the choice.
 *
 * In one dimension a rank has its edges on a grid of one column. On other grids
 * sl_matrix_optimize(A, SL_FOR_TRAVERSAL), or else the first search, exchanges them along grid rows;
 * a matrix that the GPUs generated (sl_matrix_generate) is generated again instead. Sets of vertices,
 * and operands of other operations, are sent by the first of these transports that works, or by the
 * one that SEMLA_DIST names:
 *
 *     peers      kernels access the memory of the other GPUs (one host; CUDA IPC)
 *     nccl       NCCL, if it is found at run time (SEMLA_NCCL names its file)
 *     hosts      host memory, through MPI
 */
typedef struct {
    const char *phase, *codec; /* static */
    uint64_t bytes;            /* received in this phase with this codec */
    uint64_t host_bytes; /* received in this phase by way of a host's memory, with any codec */
    uint64_t messages;   /* received in this phase, with any codec */
    double seconds;      /* time that this rank waited in this phase */
} sl_grid_traffic;

/*
 * Returns entry number `position`, counted from 0, of the sums since the context was created or the
 * sums were reset. SL_NO_VALUE: there is no such entry. SL_INVALID: an argument is NULL, or the
 * context has no grid. Not collective.
 */
sl_status sl_grid_get_traffic(sl_grid_traffic *traffic, const sl_context *ctx, size_t position);
/* Sets the sums to 0. SL_INVALID: ctx is NULL or has no grid. Not collective. */
sl_status sl_grid_reset_traffic(sl_context *ctx);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
