/* Status codes, contexts, their resources, descriptors, and the allocator. */
#ifndef SEMLA_CONTEXT_H
#define SEMLA_CONTEXT_H

#include <semla/semirings.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The result of a function: 0 is success, a negative value an error, a positive value a normal
 * answer. */
typedef enum {
    SL_OK = 0,
    SL_NO_VALUE = 1,      /* the entry does not exist */
    SL_INVALID = -1,      /* an argument that is always wrong: NULL, an unknown code */
    SL_OUT_OF_RANGE = -2, /* an index outside its object */
    SL_MISMATCH = -3,     /* shapes, types or contexts that do not match */
    SL_NO_MEMORY = -4,    /* out of memory; the program may free objects and go on */
    SL_IO = -5,           /* a file could not be opened, read or written */
    SL_SYNTAX = -6,       /* the contents of a file do not follow its format */
    SL_UNSUPPORTED = -7,  /* valid, but no engine of the context supports it */
    SL_ENGINE_FAULT = -8, /* an engine failed: its library or device reported an error */
    SL_CANCELLED = -9     /* the call was cancelled: see <semla/progress.h> */
} sl_status;

/* A short description of a status code: a static string, never NULL. */
const char *sl_status_string(sl_status status);

/* The library's version, "MAJOR.MINOR.PATCH". */
const char *sl_version(void);

/* ---- context ------------------------------------------------------------ */

/*
 * A context selects the engines that run a program's operations, and keeps the message of the last
 * failure. Every object belongs to the context in which it was created and must be freed before the
 * context.
 *
 * Threads: one thread at a time may use a context and its objects, also for reading, because
 * reading may finish pending work. Different threads may use different contexts at the same time.
 * Exceptions: sl_context_cancel, sl_context_resume and sl_context_is_cancelled (<semla/progress.h>)
 * may be called while another thread uses the context, and sl_context_get_memory once a limit was
 * set. Functions without a context or object may be called from any thread.
 *
 * fork: a child has none of its parent's threads, and OpenMP would wait for them. If the parent had
 * computed on several threads, created a grid, or used a GPU, then in the child new contexts and
 * every operation fail with SL_UNSUPPORTED, and objects can only be freed. A child may compute if
 * its parent had not, or had a single thread. Call fork while no other thread uses the library. The
 * parent is not affected.
 */
typedef struct sl_context sl_context;

/* The engines of a context, in the order in which they are tried. */
typedef enum {
    SL_ENGINE_AUTO,        /* all engines that are available: a GPU for what is large enough */
    SL_ENGINE_SUITESPARSE, /* SuiteSparse:GraphBLAS alone */
    SL_ENGINE_OPENMP,      /* semla's own traversal kernels on all cores, then SuiteSparse */
    SL_ENGINE_CUDA,        /* one NVIDIA GPU, then SuiteSparse */
    SL_ENGINE_COUNT
} sl_engine_choice;

/*
 * Creates a context.
 *
 * ctx     out: the new context, owned by the caller; NULL on failure
 * choice  the engines to use. With SL_ENGINE_AUTO and a GPU, each operation runs on the host or on
 *         the GPU by the expected times: from the kind of operation, the number of entries, and the
 *         copies of operands that are in the other memory. With another choice the named engine
 *         runs every operation that it supports, whatever the size.
 *
 * Environment: SEMLA_ENGINE=NAME overrides `choice` and disables fallbacks: only the engine NAME
 * computes, and an operation that it does not support returns SL_UNSUPPORTED. SuiteSparse still
 * fills and reads objects. SEMLA_TRACE=dispatch prints to stderr, for each operation, the engine
 * that ran it, why engines before it did not, the expected times if it was chosen by size, and the
 * cost. SEMLA_TRACE=counts prints the counts of sl_context_get_counts when a context is freed; that
 * of a grid is followed by the context of the rank's own blocks. Other words are errors.
 *
 * Errors: SL_INVALID (ctx NULL, unknown choice, unknown SEMLA_ENGINE or SEMLA_TRACE),
 * SL_UNSUPPORTED (the engine is not available here, or the process is a child of fork that may not
 * compute, see above), SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_context_create(sl_context **ctx, sl_engine_choice choice);

/* Frees a context. Its objects must have been freed before. NULL is allowed. */
void sl_context_free(sl_context *ctx);

/* The message of the context's last failure, "" before the first. Owned by the context and
 * overwritten by the next failure; never NULL. */
const char *sl_context_message(const sl_context *ctx);

/*
 * Stores a formatted message (as printf) in the context and returns `status`, for code that builds
 * on the library: `return sl_fail(ctx, SL_INVALID, "...")`. Allocates nothing. ctx may be NULL: no
 * message is stored.
 */
sl_status sl_fail(sl_context *ctx, sl_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/*
 * Makes all processes of a context agree on the outcome of a step that may fail on one of them.
 * Returns `status` in a context of one process. On a grid of MPI ranks (<semla/dist.h>) returns, on
 * every rank, the failure of the lowest rank that has one, with its message; otherwise `status`.
 * Collective.
 */
sl_status sl_agree(sl_context *ctx, sl_status status);

/*
 * Makes all processes of a context agree on the arguments of a collective function. Every
 * collective function of the library does so before it returns an error or does any work; code that
 * builds on the library calls it at the same place.
 *
 * ctx       the context; NULL is a context of one process
 * status    what this process found when it checked its own arguments
 * function  the name of the function, for messages
 * format    as of printf: a line "NAME VALUE\n" for each argument that must be the same on all
 *           processes. Of a list, pass a hash: "sources #%016llx\n" (sl_list_hash); messages do not
 *           print values that begin with '#'. At most 4,000 bytes of the lines are compared.
 *
 * Returns `status` in a context of one process, where nothing is formatted. On a grid of MPI ranks
 * a failure is handled as by sl_agree. If the ranks called different functions or a line differs,
 * all ranks return SL_MISMATCH, with a message that names a rank and the argument. Collective.
 * Cost: one reduction of three words.
 */
sl_status sl_agree_arguments(sl_context *ctx, sl_status status, const char *function,
                             const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* A hash of a list of `count` numbers, for sl_agree_arguments; 0 in a context of one process, where
 * the list is not read, and for NULL. */
unsigned long long sl_list_hash(const sl_context *ctx, const uint64_t *list, uint64_t count);

/*
 * Concatenates the data of all processes of a context, in order of rank, on every process.
 * Collective.
 *
 * status  the caller's status so far; a failure of any process is returned on all, as by sl_agree
 * all     out: new array from sl_malloc, owned by the caller; NULL on failure
 * starts  out, may be NULL: array of sl_context_processes + 1 elements; the data of process k is
 *         bytes starts[k] to starts[k + 1] - 1 of *all
 * mine    the data of this process, `bytes` bytes
 *
 * Errors: `status`, SL_NO_MEMORY.
 */
sl_status sl_gather(sl_context *ctx, sl_status status, void **all, uint64_t *starts,
                    const void *mine, uint64_t bytes);

/* A contiguous part of a file. */
typedef struct {
    uint64_t offset;   /* from the beginning of the file, in bytes */
    uint64_t count;    /* bytes */
    const void *bytes; /* may be NULL if count is 0 */
} sl_file_part;

/*
 * Writes parts of an existing file that all processes of the context see. Each process writes
 * `count` parts, and no two parts overlap. On a grid the parts are on the disk when the call
 * returns. Collective. Errors: SL_IO.
 */
sl_status sl_write_extents(sl_context *ctx, const char *path, const sl_file_part *extents,
                           size_t count);

/* The number of processes that share the context's objects: 1, or the number of ranks of a grid. */
uint64_t sl_context_processes(const sl_context *ctx);

/*
 * Divides the indices 0 to count - 1 among the processes of a context: this process has *begin to
 * *end - 1. Use it where every process has the same data and each element may be passed once only,
 * as to sl_matrix_build. In a context of one process the range is 0 to count - 1. begin and end may be
 * NULL. Not collective.
 */
void sl_context_local_range(const sl_context *ctx, uint64_t count, uint64_t *begin, uint64_t *end);

/* The name of engine number `position` in the context's chain, from 0; NULL past the end. On a grid
 * number 0 is "grid", followed by the engines of this rank. */
const char *sl_context_engine(const sl_context *ctx, size_t position);

/* Counts since the context was created. */
typedef struct {
    uint64_t operations;   /* operations that engines ran */
    uint64_t fallbacks;    /* of these, run by an engine other than the chain's first: it did not
                              support them, or SL_ENGINE_AUTO chose the host by size. Operations
                              that only fill or read an object in the memory of the first engine,
                              or read one where its contents are, do not count. On a grid:
                              operations that fell back in part on this rank, from the first
                              of the rank's engines */
    uint64_t copies;       /* objects copied from one memory to another; on a grid by this
                              rank */
    uint64_t bytes_copied; /* size of these objects */
} sl_context_counts;
/* Reads the counts; all are 0 if ctx is NULL. */
void sl_context_get_counts(const sl_context *ctx, sl_context_counts *counts);

/* One operation that an engine ran. Texts are valid during the call of the function below. */
typedef struct {
    const char *operation;     /* "vxm" */
    const char *operator_name; /* of the semiring, monoid or operator; "-": none */
    const char *engine;        /* that ran it */
    const char *reason;        /* why it fell back; "" if it did not */
    /* It counts as a fallback: it, or a part of it on this rank of a grid, ran on another engine than the
     * first; or the devices of a grid were not used; or the host called the operator for an operation on a device. */
    bool fell_back;
    sl_status status;      /* its result */
    double started;        /* seconds of the clock CLOCK_MONOTONIC */
    double seconds;        /* wall clock, with the copies between memories */
    uint64_t bytes_copied; /* from one memory to another, before it ran */
} sl_operation_record;

/* Receives a record. `data` is the pointer that sl_context_set_observer got. It must not call the
 * library with the context or its objects. */
typedef void (*sl_operation_function)(void *data, const sl_operation_record *record);

/*
 * Sets a function that is called after each operation of the context, in the thread that runs it:
 * for profiles and timelines. An algorithm or a search runs one or more operations; an operation
 * that an engine builds from others of the same context is reported after these.
 *
 * ctx       the context
 * function  the function; NULL removes it
 * data      passed to the function; may be NULL; must outlive the function's use
 *
 * On a grid each rank has its own function. Not collective. Cost: two readings of the clock for
 * each operation. Errors: SL_INVALID (ctx NULL).
 */
sl_status sl_context_set_observer(sl_context *ctx, sl_operation_function function, void *data);

/* ---- threads and memory of a context --------------------------------------- */

/*
 * Sets the number of threads that operations of the context may use, 1 to 4096; 0, the default,
 * means OpenMP's own number (OMP_NUM_THREADS, or all cores). Other contexts are not affected. With
 * SuiteSparse before version 8, build, extract_tuples, dup, the reduction to a scalar, and the
 * assembly of single `set` calls always use OpenMP's number. Errors: SL_INVALID, SL_NO_MEMORY; the
 * number is then unchanged. Not collective.
 */
sl_status sl_context_set_threads(sl_context *ctx, int threads);

/*
 * The number of threads that the context's operations use, at least 1. For parallel regions of code
 * that builds on the library: `#pragma omp parallel num_threads(sl_context_threads(ctx))`.
 */
int sl_context_threads(const sl_context *ctx);

/*
 * Limits the host memory of a context.
 *
 * bytes  the limit, in bytes requested from the allocator; 0: no limit, but memory is counted
 *
 * Counted, from the first call of this function on: objects of the context, temporary memory of its
 * operations, arrays moved into it, arrays that it returned until they are freed, and pinned memory
 * that a GPU reads. Not counted: a GPU's own memory, objects that came through <semla/grb.h>, and
 * what the caller allocates itself. A limit below the memory in use frees nothing.
 *
 * An operation that would pass the limit fails with SL_NO_MEMORY; its message names the bytes in
 * use, the bytes asked for, and the limit. After memory is freed or the limit is raised the context
 * works as before. On a grid each rank has its own limit, and all ranks fail if one does;
 * collective.
 *
 * Cost: about 50 ns per allocated block. SuiteSparse before version 9 keeps no pool of free blocks
 * from then on, in the whole process.
 *
 * Errors: SL_INVALID, SL_NO_MEMORY; SL_UNSUPPORTED if the program initialised GraphBLAS itself,
 * because GraphBLAS then does not allocate through this library.
 */
sl_status sl_context_set_memory_limit(sl_context *ctx, uint64_t bytes);

/* The counted memory of a context, in bytes. */
typedef struct {
    uint64_t limit; /* 0: no limit */
    uint64_t used;  /* in use now; 0 before the first sl_context_set_memory_limit */
    uint64_t peak;  /* the maximum of `used` since then */
} sl_context_memory;
/* Reads the counts; all are 0 if ctx is NULL. */
void sl_context_get_memory(const sl_context *ctx, sl_context_memory *memory);

/*
 * Makes memory that the calling thread allocates by sl_malloc count for `ctx`, or, if ctx is NULL,
 * for no context. Returns the context that it counted for until now, which the caller restores
 * before ctx is freed. The library's functions do this themselves. Code that builds on the library
 * calls it, in each allocating thread, so that its arrays count too:
 *
 *     sl_context *previous = sl_context_charge(ctx);
 *     ...
 *     sl_context_charge(previous);
 */
sl_context *sl_context_charge(sl_context *ctx);

/*
 * Reads the energy meter of the first engine of the context that has one.
 *
 * joules  out: energy used since a fixed moment in the past; take the difference of two calls. A
 *         GPU's meter counts the whole board, including other programs, and is updated every 20 to
 *         100 ms.
 *
 * Errors: SL_INVALID; SL_UNSUPPORTED if no engine has a meter or it cannot be read. Not collective.
 */
sl_status sl_context_energy(sl_context *ctx, double *joules);

/* ---- engines ------------------------------------------------------------------ */

/* A description of one engine of this build. */
typedef struct {
    const char *name;               /* as SEMLA_ENGINE takes it: "suitesparse" */
    const char *description;        /* one line */
    const char *version;            /* of the library that it uses; "": none */
    bool present;                   /* usable on this machine */
    const char *unavailable_reason; /* why it is not usable, or "" */
    sl_engine_choice choice;        /* the choice with which it is the first engine */
} sl_engine_info;

/* Describes engine number `position` of this build, from 0. SL_NO_VALUE past the last; SL_INVALID.
 */
sl_status sl_engine_describe(size_t position, sl_engine_info *info);

/* ---- descriptor --------------------------------------------------------- */

/*
 * A set of flags that modify how an operation reads its inputs and writes its output. Descriptors
 * are constants, one for each set of flags; they are neither created nor freed. NULL is the empty
 * set.
 */
typedef const struct sl_descriptor_s *sl_descriptor;

/* Flags of a descriptor. */
enum {
    SL_REPLACE = 1,     /* clear the output before the masked result is written */
    SL_COMPLEMENT = 2,  /* use the complement of the mask */
    SL_STRUCTURE = 4,   /* use the mask's pattern and ignore its values */
    SL_TRANSPOSE_A = 8, /* use the first input transposed */
    SL_TRANSPOSE_B = 16 /* use the second input transposed */
};

/* The descriptor with these flags; NULL if `flags` has an unknown bit. */
sl_descriptor sl_descriptor_get(unsigned flags);
/* The flags of a descriptor; 0 for NULL. */
unsigned sl_descriptor_flags(sl_descriptor desc);

/* ---- memory ------------------------------------------------------------- */

/* Allocation functions with the contracts of the C library. */
typedef struct {
    void *(*malloc)(size_t size);                /* as malloc */
    void *(*calloc)(size_t count, size_t size);  /* as calloc */
    void *(*realloc)(void *memory, size_t size); /* as realloc */
    void (*free)(void *memory);                  /* as free */
} sl_allocator;

/*
 * Makes the library and SuiteSparse allocate through these functions, which must be safe to call
 * from several threads. Call it before the first context is created and before any other function
 * of the library. Once all objects and contexts are freed, no block is left, except about ten small
 * ones that SuiteSparse 8 and later keep from the first context until GrB_finalize. Errors:
 * SL_INVALID if a member is NULL or a context was created already.
 */
sl_status sl_set_allocator(const sl_allocator *allocator);

/* The library's allocator. Arrays that are passed to the library for good, and arrays that it
 * returns, are allocated and freed by these functions. */
void *sl_malloc(size_t size);
void *sl_calloc(size_t count, size_t size);
void *sl_realloc(void *memory, size_t size);
void sl_free(void *memory); /* NULL is allowed */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
