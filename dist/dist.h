/*
 * Contexts over a grid of MPI ranks: each rank has a block of every object and an engine
 * of its own that works on it, and the operations of <semla/operations.h> are exchanges
 * between the ranks and operations on the blocks.
 *
 * In such a context every function that takes it or its objects is collective, save those
 * that say otherwise and those that only free, or tell type, shape, context or message.
 * That is: all ranks call it, in the same order, with the same arguments. Only the tuples
 * of a build are each rank's own. Functions return the same status on every rank: where
 * one fails, on whatever rank, all fail with what the first of the failing ranks says.
 * An argument from which a rank cannot tell the context (every object NULL) is that
 * rank's own error.
 *
 * What differs from a context of one process:
 *   - sl_matrix_build and sl_vector_build take any tuples from any rank, and send them to
 *     their owners. A program in which every rank has all tuples gives on each what
 *     sl_context_local_range says. dup combines tuples of equal indices in the order of the
 *     ranks that gave them.
 *   - sl_matrix_extract_tuples and sl_vector_extract_tuples give each rank the entries
 *     that it owns; the room, and the number returned, are of these.
 *   - What the grid cannot do is SL_UNSUPPORTED with its name. Nothing is gathered
 *     silently: sl_grid_gather_... are there for it.
 */
#ifndef SEMLA_DIST_H
#define SEMLA_DIST_H

#include <mpi.h>

#include <semla/arrays.h>
#include <semla/layout.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Makes a context over the ranks of a communicator, in a grid of rows x cols. 0 and 0:
 * the default. One of the two 0: the other tells.
 *
 * The default is the grid of R x C = p ranks on which searches are expected to cost least, by
 * 2 (R - 1) + 4 (C - 1) + 9 (C - 1) / C: what a rank receives of frontiers along its column, of what
 * pulls pass on along its row in turn, and of parents. So it is p x 1 for up to 9 ranks, where a
 * pull takes no turns, then 5 x 2 (10), 8 x 2 (16), 16 x 4 (64), 128 x 64 (8192). Where every rank has a
 * GPU to work on, and there are at most 16, it is one column: then each rank has all edges into its
 * vertices, as searches by GPUs want them. `local` is the
 * choice of engines on each rank, as sl_context_create has it; of several GPUs of a host a rank
 * takes the one of its number there, unless the program has made another current.
 *
 * The communicator is duplicated and may be freed. Where MPI was not initialised it is,
 * with MPI_THREAD_FUNNELED, and finalised when the process exits; what others have
 * initialised is left to them. MPI is only called by the thread that calls the library.
 * A context has to be freed before MPI is finalised.
 *
 * Collective. Errors: SL_INVALID (ctx NULL, a communicator that is null or has two
 * groups, rows and cols that do not make the number of ranks, unknown choice),
 * SL_NO_MEMORY, SL_UNSUPPORTED (the local engines are not here), SL_ENGINE_FAULT (MPI
 * fails).
 */
sl_status sl_grid_context_create(sl_context **ctx, MPI_Comm comm, int rows, int cols,
                                 sl_engine_choice local);

/* Where this rank stands. */
typedef struct {
    int rank, size; /* in the context's communicator */
    int rows, cols; /* the grid's */
    int row, col;   /* this rank's place: rank == row * cols + col */
    const char
        *transport; /* static: what the last search exchanged data by: see SEMLA_DIST below */
} sl_grid_info;
/* SL_INVALID: NULL, or not a context of a grid. Not collective. */
sl_status sl_grid_describe(sl_grid_info *info, const sl_context *ctx);
/* Who has what of an object: <semla/layout.h>. */

/*
 * Gathers an object on one rank: there *arrays is filled, as of sl_matrix_copy_out, in the
 * format SL_FORMAT_COO, sorted by row, then column, or of a vector in SL_FORMAT_LIST; on
 * the others it is zeroed. The values are there also of a pattern. Collective.
 * Errors: SL_INVALID (NULL, no such rank, not of a grid), SL_NO_MEMORY.
 */
sl_status sl_grid_gather_matrix(sl_arrays *arrays, const sl_matrix *A, int root);
sl_status sl_grid_gather_vector(sl_arrays *arrays, const sl_vector *v, int root);

/*
 * What this rank has received for searches (sl_closure over a semiring of parents or over
 * any_pair, and all that is made of it), by what it was for and how it was written:
 *
 *     phase      "expand" frontiers along grid columns; "share" visited vertices along grid
 *                rows; "fold" what a push found, along rows to the owners; "pass" what is
 *                missing, from rank to rank of a row during a pull; "parents" at the end;
 *                "counts" sums over all ranks
 *     codec      "bitmap", "list", "vlq" of sets of vertices; "values" of parents; "plain"
 *
 * The environment's SEMLA_DIST switches parts of a search off, to see what they are good
 * for: words with commas between them, the same on every rank. nocodecs: sets travel as lists of
 * four bytes to a vertex. novisited: visited vertices are not shared along rows. nodeferred:
 * what is found travels with its parent, instead of parents being fetched at the end.
 * noorder: vertices are not numbered by falling degree for searches for any parent.
 * nodevices: GPUs do not search together, each rank's processor does.
 *
 * GPUs write sets by kernels of their own, as the same messages, where frontiers go by nccl, mpi
 * or hosts (below) between several hosts. Within one host making messages takes longer than
 * sending bitmaps and lists as they are, and so they are sent; codecs has messages made there
 * too, nocodecs nowhere.
 *
 * GPUs search together on a grid of any shape, for any parent and without targets: each for the
 * vertices of its rank, of which sl_matrix_optimize(A, SL_FOR_TRAVERSAL), or else the first search,
 * brings it all edges. On a grid of one column it has them; else they come from its grid row,
 * through the hosts, save of a matrix that the GPUs have made themselves (sl_matrix_generate), and
 * make again. By what the finds of each get to the others is the first of these that works, or the
 * one that SEMLA_DIST names:
 *
 *     peers      kernels write into each other's memory (one host; CUDA IPC)
 *     copies     the same by copies, to neighbours on both sides at once
 *     nccl       NCCL, where it is found when the program runs (SEMLA_NCCL names its file)
 *     mpi        MPI, where it says that it reads the memory of GPUs
 *     hosts      memory of the hosts, through MPI
 *
 * sl_grid_info.transport says which it was; "mpi": no GPU took part.
 */
typedef struct {
    const char *phase, *codec; /* static */
    uint64_t bytes;            /* received in that phase by that codec */
    uint64_t messages;         /* received in that phase, by any */
    double seconds;            /* that this rank waited in that phase */
} sl_grid_traffic;

/* Entry number `position`, from 0, of the sums since the context was made or they were
 * reset; SL_NO_VALUE past the last. SL_INVALID: NULL, or not a context of a grid. Neither is
 * collective. */
sl_status sl_grid_get_traffic(sl_grid_traffic *traffic, const sl_context *ctx, size_t position);
/* Sets them to 0. SL_INVALID: NULL, or not a context of a grid. */
sl_status sl_grid_reset_traffic(sl_context *ctx);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
