/* Contexts, status codes, descriptors and memory: what every object needs. */
#ifndef SEMLA_CONTEXT_H
#define SEMLA_CONTEXT_H

#include <semla/semirings.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* 0 is success; negative is a failure; positive is an answer that is neither. */
typedef enum {
    SL_OK = 0,
    SL_NO_VALUE = 1,      /* there is no entry at that index */
    SL_INVALID = -1,      /* an argument that can never be right (NULL, a bad code) */
    SL_OUT_OF_RANGE = -2, /* an index outside its object */
    SL_MISMATCH = -3,     /* shapes, types or contexts that do not fit together */
    SL_NO_MEMORY = -4,    /* memory ran out; free something and go on */
    SL_IO = -5,           /* a file could not be opened, read or written */
    SL_SYNTAX = -6,       /* a file's text is not what its format says */
    SL_UNSUPPORTED = -7,  /* valid, but no engine of the context can do it */
    SL_ENGINE_FAULT = -8  /* an engine failed for a reason of its own */
} sl_status;

/* A few words for a status code; never NULL, static. */
const char *sl_status_string(sl_status status);

/* The library's version, "0.1.0". */
const char *sl_version(void);

/* ---- context ------------------------------------------------------------ */

/*
 * A context holds a chain of engines and the message of its last failure.
 * Objects belong to the context they were made in and must be freed before it.
 * A context and its objects are used by one thread at a time, also for reading, as to
 * read an object may finish its pending work; they may pass from thread to thread.
 * Different contexts may be used by different threads at once. Of a context that
 * another thread uses, only sl_context_get_memory may be called, once it has had a
 * limit. Functions that take no context or object may be called from any thread:
 * sl_context_create, sl_malloc and its like, sl_engine_describe, the look-up of
 * operators; sl_set_allocator comes before them all.
 */
typedef struct sl_context sl_context;

/* What a context's chain of engines is made of. */
typedef enum {
    SL_ENGINE_AUTO,        /* every engine that is present, the fastest first */
    SL_ENGINE_SUITESPARSE, /* SuiteSparse:GraphBLAS alone */
    SL_ENGINE_OPENMP,      /* the host's traversal kernels, then SuiteSparse */
    SL_ENGINE_CUDA,        /* one NVIDIA GPU, then SuiteSparse */
    SL_ENGINE_COUNT
} sl_engine_choice;

/*
 * Makes a context, owned by the caller, in *ctx (NULL there on failure).
 * The environment may overrule `choice`: SEMLA_ENGINE=NAME has the engine NAME
 * alone compute, so that what it lacks is SL_UNSUPPORTED and never done
 * elsewhere; objects are still filled and read through SuiteSparse.
 * SEMLA_TRACE=dispatch prints to stderr, for each operation, who did it, why not
 * another, and what it cost.
 * Errors: SL_INVALID (ctx NULL, unknown choice, unknown SEMLA_ENGINE),
 * SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status sl_context_create(sl_context **ctx, sl_engine_choice choice);

/* Frees a context; NULL is allowed. */
void sl_context_free(sl_context *ctx);

/*
 * The message of the context's last failure ("" before the first): a static
 * buffer of the context, overwritten by the next failure. Never NULL.
 */
const char *sl_context_message(const sl_context *ctx);

/*
 * Records a formatted message and returns `status`, so that code written on
 * the public API fails as the library does: `return sl_fail(ctx, SL_INVALID,
 * "...")`. Needs no memory. ctx may be NULL: then only the status is kept.
 */
sl_status sl_fail(sl_context *ctx, sl_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/*
 * The status that all processes of a context have in common: of a context of one process
 * `status` itself; of a grid of MPI ranks (<semla/dist.h>) the failure of the first rank
 * that says one, with its message, else `status`. For code written on the public API that
 * may fail on one rank alone, so that no rank goes on without it. Collective.
 */
sl_status sl_agree(sl_context *ctx, sl_status status);

/*
 * Tells all processes of a context what each of them says: the bytes of process k are in
 * *all, an array from sl_malloc, from starts[k] to starts[k + 1]; `starts` has room for one
 * more than there are processes, or is NULL where that is known. Where a process has a failing
 * `status` all fail with it, as in sl_agree; *all is NULL then. Collective. Errors: `status`,
 * SL_NO_MEMORY.
 */
sl_status sl_gather(sl_context *ctx, sl_status status, void **all, uint64_t *starts,
                    const void *mine, uint64_t bytes);

/* A part of a file. */
typedef struct {
    uint64_t offset;   /* in the file, in bytes */
    uint64_t count;    /* bytes */
    const void *bytes; /* or NULL where count is 0 */
} sl_file_part;

/*
 * Writes parts of a file, which is there and which all processes see: `count` extents of
 * each, none over another. On a grid by MPI-IO, and the processes agree on the result.
 * Collective. Errors: SL_IO, SL_ENGINE_FAULT (MPI fails), SL_NO_MEMORY.
 */
sl_status sl_write_extents(sl_context *ctx, const char *path, const sl_file_part *extents,
                           size_t count);

/* The number of processes that share the context's objects; 1 but on a grid of MPI ranks. */
uint64_t sl_context_processes(const sl_context *ctx);

/*
 * Of `count` things that every process has, those that this one gives where each is to be
 * given once, as to sl_matrix_build: *begin to *end, the last not included. In a context
 * of one process that is all of them. Not collective.
 */
void sl_context_local_range(const sl_context *ctx, uint64_t count, uint64_t *begin, uint64_t *end);

/* The engines of the context's chain, in order: names, or NULL past the end. */
const char *sl_context_engine(const sl_context *ctx, size_t position);

/* Counts since the context was made. */
typedef struct {
    uint64_t operations;   /* operations that were dispatched */
    uint64_t fallbacks;    /* of these, done by another than the chain's first engine */
    uint64_t copies;       /* objects copied between an engine's memory and another's */
    uint64_t bytes_copied; /* and their size */
} sl_context_counts;
/* What was counted so far; all 0 for a NULL context. */
void sl_context_get_counts(const sl_context *ctx, sl_context_counts *counts);

/* ---- threads and memory of a context --------------------------------------- */

/*
 * The most threads that an operation of the context may use, 0 to 4096; 0, as it is
 * at first, is what OpenMP gives (OMP_NUM_THREADS, else all cores). Other contexts
 * keep theirs. SuiteSparse before its version 8 has no such number for build,
 * extract_tuples, dup, the reduction to a scalar, and the putting in order of entries
 * that were set one by one: these use what OpenMP gives. Errors: SL_INVALID,
 * SL_NO_MEMORY (as it was).
 */
sl_status sl_context_set_threads(sl_context *ctx, int threads);

/*
 * The number that was set, or, if that is 0, what OpenMP gives to this thread; at
 * least 1. Code with parallel regions of its own asks here:
 * `#pragma omp parallel num_threads(sl_context_threads(ctx))`.
 */
int sl_context_threads(const sl_context *ctx);

/*
 * Limits the memory on the host that counts for the context; 0: no limit. What is
 * counted, from the first call of this function on: objects made in the context,
 * what its operations allocate meanwhile, arrays that were moved into it, and arrays
 * that it handed out until they are freed, in bytes asked of the allocator, and pinned
 * memory in which a GPU reads what it has no room for. Not counted: a device's memory, contents
 * that came in by <semla/grb.h>, and what the caller allocates itself. A limit below what is in use
 * frees nothing.
 *
 * An operation that would pass the limit fails with SL_NO_MEMORY; the message has the
 * bytes in use, those asked for, and the limit. Once something was freed or the limit
 * raised, the context works as before. On a grid of MPI ranks every rank has a limit of its
 * own, and where one would pass it all fail; collective. Counting costs some 50 ns per block, and
 * has SuiteSparse before version 9 keep no pool of free blocks from then on, in the whole process.
 * Errors: SL_INVALID, SL_NO_MEMORY; SL_UNSUPPORTED if the program has initialised
 * GraphBLAS itself, as its allocations then do not pass through this library.
 */
sl_status sl_context_set_memory_limit(sl_context *ctx, uint64_t bytes);

/* Memory of a context, in bytes. */
typedef struct {
    uint64_t limit; /* 0: none */
    uint64_t used;  /* now; 0 before the first sl_context_set_memory_limit */
    uint64_t peak;  /* the most since then */
} sl_context_memory;
/* What is counted now; all 0 for a NULL context. */
void sl_context_get_memory(const sl_context *ctx, sl_context_memory *memory);

/*
 * Has what this thread allocates by sl_malloc from now on count for `ctx`, or with
 * NULL for nobody; returns for whom it counted before, which is to be put back, and
 * before ctx is freed. The library's functions do so themselves: this is for code
 * written on it whose arrays are to keep to the limit too, in each thread of a parallel
 * region that allocates.
 *
 *     sl_context *before = sl_context_charge(ctx);
 *     ...
 *     sl_context_charge(before);
 */
sl_context *sl_context_charge(sl_context *ctx);

/*
 * The energy in joules that the device of the context's first engine with a meter has
 * used since a moment that stays the same while the process runs: take the difference
 * of two calls. A GPU's is that of the whole board, by whoever uses it; it moves every
 * 20 to 100 ms. SL_UNSUPPORTED: no engine of the chain has a meter, or it cannot be
 * read, with the reason in the message. SL_INVALID.
 */
sl_status sl_context_energy(sl_context *ctx, double *joules);

/* ---- engines ------------------------------------------------------------------ */

/* What this build of the library knows of one engine. */
typedef struct {
    const char *name;        /* "suitesparse": what SEMLA_ENGINE takes */
    const char *description; /* one line */
    const char *version;     /* of the library behind it, or "" */
    bool present;            /* usable in this process */
    const char *unavailable_reason;     /* why it is not, or "" */
    sl_engine_choice choice; /* the context that it is first in */
} sl_engine_info;

/* Engine number `position`, from 0; SL_NO_VALUE past the last. */
sl_status sl_engine_describe(size_t position, sl_engine_info *info);

/* ---- descriptor --------------------------------------------------------- */

/*
 * How an operation reads its inputs and writes its output: a set of flags.
 * Descriptors are constants: there is one per set, never created or freed. NULL
 * is the empty set.
 */
typedef const struct sl_descriptor_s *sl_descriptor;

/* The flags of a descriptor. */
enum {
    SL_REPLACE = 1,     /* clear the output before the masked result is written */
    SL_COMPLEMENT = 2,  /* write where the mask is not */
    SL_STRUCTURE = 4,   /* the mask's pattern counts, not its values */
    SL_TRANSPOSE_A = 8, /* use the first input transposed */
    SL_TRANSPOSE_B = 16 /* use the second input transposed */
};

/* The descriptor of a set of flags; NULL if `flags` has an unknown bit. */
sl_descriptor sl_descriptor_get(unsigned flags);
/* The flags of a descriptor; 0 for NULL. */
unsigned sl_descriptor_flags(sl_descriptor desc);

/* ---- memory ------------------------------------------------------------- */

/* The four functions of the C library, or others with their contracts. */
typedef struct {
    void *(*malloc)(size_t size);                /* as malloc */
    void *(*calloc)(size_t count, size_t size);  /* as calloc */
    void *(*realloc)(void *memory, size_t size); /* as realloc */
    void (*free)(void *memory);                  /* as free */
} sl_allocator;

/*
 * Has the library, and SuiteSparse below it, allocate through these functions.
 * They must be safe to call from several threads. Once per process, before the
 * first context: SL_INVALID afterwards, or where a member is NULL.
 */
sl_status sl_set_allocator(const sl_allocator *allocator);

/* The library's allocator, for arrays that it hands over or takes. */
void *sl_malloc(size_t size);
void *sl_calloc(size_t count, size_t size);
void *sl_realloc(void *memory, size_t size);
void sl_free(void *memory); /* NULL is allowed */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
