/* Progress of long calls, and how to cancel them. */
#ifndef SEMLA_PROGRESS_H
#define SEMLA_PROGRESS_H

#include <semla/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Cancellation. A call that computes, reads, writes or generates asks before each operation,
 * between the levels or iterations of a traversal, and between blocks of a file or of generated
 * edges whether it is cancelled. It is if sl_context_cancel was called, or if the context's
 * progress function says so. It then returns SL_CANCELLED and frees what it allocated. An output
 * that the call would have created is NULL; an object that it was updating is valid and has
 * unspecified contents; a file that it was writing is unchanged. The context and its objects can be
 * used again. SuiteSparse computes a product of matrices and a Kronecker product that take longer than
 * about a second in pieces of rows, and is asked between two pieces. A call is not interrupted within
 * another operation of SuiteSparse, such as a sort, nor within one launch of a kernel on a GPU.
 *
 * On a grid of MPI ranks a cancellation on one rank is SL_CANCELLED on all of them.
 */

/*
 * Makes all calls that use the context return SL_CANCELLED until sl_context_resume: calls that are
 * running and calls that begin later. May be called from any thread and from a signal handler, on
 * one rank or several. Freeing objects, reading sizes and types and sl_context_message still work.
 * NULL is allowed. O(1).
 */
void sl_context_cancel(sl_context *ctx);

/* Ends the effect of sl_context_cancel. May be called from any thread. NULL is allowed. */
void sl_context_resume(sl_context *ctx);

/* True between sl_context_cancel and sl_context_resume; false for NULL. May be called from any
 * thread. */
bool sl_context_is_cancelled(const sl_context *ctx);

/* How far a call has come. */
typedef struct {
    const char *operation; /* what runs: "betweenness", "read", "mxm"; a static string */
    uint64_t done;         /* units done: sources, iterations, edges, ... */
    uint64_t total;        /* of this number; 0: unknown */
} sl_progress;

/*
 * A progress function. `data` is the pointer that sl_context_set_progress got; `progress` is valid
 * during the call. Returns 0 to go on; any other value cancels the running call, and has no effect
 * on later calls. Of this library's functions it may call sl_context_cancel, sl_context_resume,
 * sl_context_is_cancelled and sl_context_get_memory only, as locks may be held.
 */
typedef int (*sl_progress_function)(void *data, const sl_progress *progress);

/*
 * Sets the context's progress function, which long calls run in the calling thread.
 *
 * ctx       the context
 * function  the function; NULL removes it
 * data      passed to the function; may be NULL; must outlive the function's use
 * seconds   the least time between two calls of the function, which is measured to 4 ms; 0: it is
 *           called whenever the library asks, thousands of times a second
 *
 * On a grid each rank has its own function, and ranks may differ. Not collective.
 * Cost: about 5 ns for each operation. Errors: SL_INVALID (ctx NULL, seconds negative or not a
 * number); nothing is changed then.
 */
sl_status sl_context_set_progress(sl_context *ctx, sl_progress_function function, void *data,
                                  double seconds);

/*
 * For code that builds on the library: asks whether the call is cancelled, and runs the progress
 * function if it is time. Call it between steps of a loop that calls no operations, in the thread
 * that uses the context.
 *
 * ctx        the context; NULL: SL_OK
 * operation  what runs, a static string, reported unless a sl_progress_begin is in effect
 *
 * Not collective: on a grid pass the status to sl_agree, or to a collective function.
 * Errors: SL_CANCELLED.
 */
sl_status sl_interrupted(sl_context *ctx, const char *operation);

/*
 * For code that builds on the library: reports *progress instead of the names of single operations
 * until sl_progress_end. The caller updates `done` of it in its loop. No effect inside another call
 * that has begun. `progress` belongs to the caller. ctx may be NULL.
 */
void sl_progress_begin(sl_context *ctx, sl_progress *progress);

/* Ends what sl_progress_begin has begun with the same *progress; otherwise no effect. */
void sl_progress_end(sl_context *ctx, const sl_progress *progress);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
