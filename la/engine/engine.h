/*
 * The interface that every engine implements: a table of operations on objects in the engine's
 * memory.
 *
 *  1. A context holds an ordered chain of engines. For each call, the first engine whose table has
 *     the operation and whose `declines` function returns NULL executes it. SuiteSparse has every
 *     operation except the classes PREPARATION, GENERATION and TRAVERSAL, and never
 *     declines; it is always last.
 *  2. An engine declines before it has done any work. Declining is counted and traced as a
 *     fallback. An error returned by an operation is final: no other engine is tried.
 *  3. Preconditions: the public function has checked the arguments, shapes and contexts, and the
 *     dispatcher has migrated every operand to the engine's store, except the output of GENERATE,
 *     whose contents the engine makes.
 *  4. Postconditions: whether the operation succeeds or fails, every output is a valid object. The
 *     dispatcher, not the engine, marks outputs as modified, which invalidates copies in other
 *     stores.
 *  5. Errors are reported by sl_fail on call->ctx. An engine never prints and never exits.
 *     A loop that may take long calls sl_interrupted between its steps, and returns its status.
 *  6. Engines that use the same memory name the same store; objects pass between them without a
 *     copy.
 *  7. What an engine derives from a matrix (a reordered graph, say) it keeps in its own slot of
 *     the matrix (sl_matrix_prepared). The slot is emptied when the matrix is written.
 *
 * This header includes all that an engine needs; the parts are call.h (operations and their
 * arguments), choice.h (SL_ENGINE_AUTO), store.h (memory), object.h (objects), dispatch.h,
 * device_group.h (processes with a device each), device_grid.h (searches by them),
 * traversal_support.h, switches.h (SEMLA_TRAVERSAL), integers.h and host.h.
 */
#ifndef SEMLA_ENGINE_H
#define SEMLA_ENGINE_H

#include <semla/agreement.h>
#include <semla/call.h>
#include <semla/choice.h>
#include <semla/device_grid.h>
#include <semla/device_group.h>
#include <semla/device_matrices.h>
#include <semla/device_relaxations.h>
#include <semla/device_tuples.h>
#include <semla/device_vectors.h>
#include <semla/dispatch.h>
#include <semla/for_module.h>
#include <semla/host.h>
#include <semla/integers.h>
#include <semla/object.h>
#include <semla/store.h>
#include <semla/switches.h>
#include <semla/traversal_support.h>

/* The position of a process among the processes of its context: it is number row * cols + col of a
 * grid of rows x cols. */
typedef struct {
    uint32_t process, rows, cols;
    uint32_t on_host; /* processes of the context on this host */
} sl_grid_position;

/* Process 0 of 1 x 1 if the context belongs to one process. */
sl_grid_position sl_grid_position_of(const sl_context *ctx);

/* What an engine does with several devices, for the engine of a grid. NULL: the engine does not have it. */
typedef struct {
    const sl_device_searches *searches;              /* device_grid.h */
    const struct sl_device_relaxations *relaxations; /* closures that relax: device_relaxations.h */
    /* Exchanges of operations. */
    const struct sl_device_vectors *vectors;   /* device_vectors.h */
    const struct sl_device_tuples *tuples;     /* device_tuples.h */
    const struct sl_device_matrices *matrices; /* device_matrices.h */
} sl_engine_devices;

typedef struct sl_engine {
    const char *name;
    const char *description;
    sl_engine_choice choice;
    const char *(*version)(void);            /* of the library that the engine uses; "": none */
    const char *(*unavailable_reason)(void); /* why the engine cannot be used here; NULL: it can */
    sl_status (*start)(sl_context *ctx);     /* before a context's first use; may be repeated */
    void (*stop)(sl_context *ctx);           /* after its last use; may be NULL */

    /* The next five are NULL except in the engine of a grid. */

    /* Agrees with the other processes on the outcome of an operation; `status` is this process's outcome. With a call
     * the processes compare its arguments, too; `call` is NULL at the end of an operation that began with such an
     * agreement, and if this process did not start it. See sl_agree. */
    sl_status (*agree)(sl_context *ctx, sl_status status, sl_call *call);
    /* Whether the call exchanges nothing between processes: it runs first, and one agreement on arguments and
     * status follows. After the agreement the count of an NVALS is the sum over all processes. */
    bool (*runs_first)(const sl_call *call);
    /* sl_agree_arguments; `text` is the function's name, a newline and the formatted lines. */
    sl_status (*agree_arguments)(sl_context *ctx, sl_status status, const char *text);
    /* sl_gather, after the processes have agreed that none has failed. */
    sl_status (*gather)(sl_context *ctx, void **all, uint64_t *starts, const void *mine,
                        uint64_t bytes);
    sl_grid_position (*position)(const sl_context *ctx);
    /* May be NULL. The context in which the engine runs operations on this process's parts: its
     * fallbacks and copies count for the outer context, too. */
    sl_context *(*inner)(const sl_context *ctx);

    const sl_store *store;
    sl_engine_devices devices;
    /* May be NULL. The energy of the engine's device: see sl_context_energy. */
    sl_status (*energy)(sl_context *ctx, double *joules);
    /* Why the engine does not execute this call, in a few words, or NULL if it does. */
    const char *(*declines)(const sl_call *call);
    /* May be NULL, both. `define` makes what the engine needs of a new user-defined operator,
     * monoid or semiring, in user->held[store->slot]; `forget` frees it. Of the engines that share
     * a store, one defines. */
    sl_status (*define)(sl_user *user);
    void (*forget)(sl_user *user);
    /* Frees what the engine keeps in its slot of a matrix. NULL: the engine keeps nothing there. */
    void (*forget_prepared)(void *prepared);
    /* May be NULL. Adds what the slot holds to the answer of sl_matrix_placement. */
    void (*describe_prepared)(sl_placement *placement, const void *prepared);
    sl_status (*run[SL_OP_COUNT])(sl_call *call);
} sl_engine;

/* All engines of this build, the fastest first, then NULL (la/engines.c). */
SL_FOR_MODULE extern const sl_engine *const sl_engines[];

/* Allocates a context without engines. SL_INVALID (SEMLA_TRACE), SL_NO_MEMORY. */
sl_status sl_context_blank(sl_context **ctx);
/* Starts the engines of its chain. status: of choosing them; on failure ctx is freed. */
sl_status sl_context_start(sl_context **out, sl_context *ctx, sl_status status);

/*
 * Creates a context of these engines, at most SL_MAX_ENGINES, with NULL after the last. `grid` is
 * the grid engine's state. For engines that are not in sl_engines.
 */
SL_FOR_MODULE sl_status sl_context_create_of(sl_context **ctx, const sl_engine *const *chain,
                                             void *grid);

#endif
