/*
 * The one interface that an engine fills in: a table of operations on objects.
 *
 * Rules
 *  1. A context holds a chain of engines. For each operation the first that has
 *     a function for it and does not decline does the work. SuiteSparse has
 *     every operation of SL_OPERATIONS but the traversal's and declines none.
 *  2. "Not mine" is said before any work, by a NULL in the table or by
 *     `declines`; it is an answer, counted and traced. An error from an
 *     operation is final: nobody else is asked.
 *  3. An operation gets clean input: the public function has checked
 *     arguments, shapes and contexts, and every object named by the call is
 *     held by the engine's store.
 *  4. After the operation, failed or not, the dispatcher marks the call's outputs
 *     as written, which drops the copies in other stores. An engine never does so
 *     itself.
 *  5. Operations report failure with sl_fail on call->ctx. They neither print
 *     nor exit. After a failure each output is still a valid object.
 *  6. Stores are shared: engines that work on the same memory name the same
 *     store, and objects pass between them without a copy.
 */
#ifndef SEMLA_ENGINE_H
#define SEMLA_ENGINE_H

#include <semla/object.h>

/* X(NAME, name): the name is what SEMLA_TRACE prints. */
#define SL_OPERATIONS(X)                                                                           \
    /* products: a and b in the order of the call; semiring */                                     \
    X(VXM, vxm)                                                                                    \
    X(MXV, mxv)                                                                                    \
    X(MXM, mxm)                                                                                    \
    /* elementwise: a, b; binary */                                                                \
    X(EWISE_ADD, ewise_add)                                                                        \
    X(EWISE_MULT, ewise_mult)                                                                      \
    X(EWISE_UNION, ewise_union) /* scalar stands for a missing a, beta for a missing b */          \
    X(KRONECKER, kronecker)                                                                        \
    /* a; unary, binary with scalar (its x or its y), or index with scalar (the thunk) */          \
    X(APPLY, apply)                                                                                \
    X(APPLY_FIRST, apply_first)                                                                    \
    X(APPLY_SECOND, apply_second)                                                                  \
    X(APPLY_INDEX, apply_index)                                                                    \
    X(SELECT, select)                                                                              \
    /* a; monoid; the sum comes back in `scalar`, or in out */                                     \
    X(REDUCE, reduce)                                                                              \
    X(REDUCE_ROWS, reduce_rows)                                                                    \
    /* a or scalar; rows, nrows, cols, ncols */                                                    \
    X(ASSIGN, assign)                                                                              \
    X(ASSIGN_SCALAR, assign_scalar)                                                                \
    X(ASSIGN_ROW, assign_row)       /* a vector into row `row`; mask of a row's length */          \
    X(ASSIGN_COLUMN, assign_column) /* likewise into column `col` */                               \
    X(EXTRACT, extract)                                                                            \
    X(EXTRACT_COLUMN, extract_column) /* the column's number is `col` */                           \
    X(TRANSPOSE, transpose)                                                                        \
    X(DIAG, diag) /* vector to matrix or back; the diagonal's number is `offset` */                \
    /* out; rows, cols, values, count; binary is dup, or NULL */                                   \
    X(BUILD, build)                                                                                \
    /* a; into tuple_rows, tuple_cols, tuple_values; count as in the API */                        \
    X(TUPLES, tuples)                                                                              \
    /* of several processes: a; the rows that sl_context_local_range gives to this one, into       \
     * arrays */                                                                                   \
    X(SLICE, slice)                                                                                \
    /* out or a; row, col, scalar. get returns SL_NO_VALUE where none is */                        \
    X(SET, set)                                                                                    \
    X(GET, get)                                                                                    \
    X(REMOVE, remove)                                                                              \
    X(RESIZE, resize)           /* out; to nrows, ncols. out has its old shape still */            \
    X(NVALS, nvals)             /* a; into count */                                                \
    X(LOCAL_NVALS, local_nvals) /* of several processes: a; what this one has, into count */       \
    X(IS_PATTERN, is_pattern)   /* a; into scalar, a bool */                                       \
    /* arrays: moved into out, which is empty; moved out of out, whose contents are                \
     * nothing to anybody then; copied from a. Of the latter two, into arrays->format */           \
    X(TAKE, take)                                                                                  \
    X(GIVE, give)                                                                                  \
    X(COPY_OUT, copy_out)                                                                          \
    /* a matrix, b vector; the entries of a in the rows of b's pattern: count */                   \
    X(ROW_ENTRIES, row_entries)                                                                    \
    /* optional: what an engine prepares of the matrix `a` for traversals */                       \
    X(OPTIMIZE, optimize)                                                                          \
    /* optional, all for the `edges` that the engine generates itself (edge_generator.h): into     \
     * out, an empty matrix; into out and `also`, empty vectors; of parents `a` from `row`, into                 \
     * tree. cols, where not NULL: of an undirected graph the piece with the rows from rows[0] on              \
     * and before rows[1], and with the columns in `ncols` such ranges. rows, where not NULL: of             \
     * the vertices those of that range */                                                                   \
    X(GENERATE, generate)                                                                          \
    X(EDGE_DEGREES, edge_degrees)                                                                  \
    X(CHECK_TREE, check_tree)                                                                      \
    /* optional: an engine without them gets the loop of la/closure.c and the                      \
     * plain form of la/advance.c. `traversal` */                                                  \
    X(ADVANCE, advance)                                                                            \
    X(CLOSURE, closure)

typedef enum {
#define X(NAME, name) SL_OP_##NAME,
    SL_OPERATIONS(X)
#undef X
        SL_OP_COUNT
} sl_operation;

/* The operands of advance and closure. */
typedef struct {
    sl_object *pi;
    sl_object *q;
    sl_object *delta; /* advance; may be q */
    sl_matrix *A;     /* the call's `a`, with what is known of its pattern */
    sl_direction direction;
    sl_iteration *step;                /* advance: what was done, or NULL */
    const sl_closure_options *options; /* closure; never NULL */
    /* Closure: it starts at options->source. pi, q and level have one entry each, at the source; pi's
     * value there is the source itself if the semiring computes parents, level's is 0. */
    bool from_source;
} sl_traversal;

/* One call of an operation; members that an operation does not name are 0. */
typedef struct sl_call {
    sl_operation op;
    sl_context *ctx;
    sl_object *out;
    sl_object *mask; /* NULL: all */
    sl_object *a, *b;
    sl_binary_op accum; /* NULL: overwrite */
    sl_semiring semiring;
    sl_monoid monoid;
    sl_unary_op unary;
    sl_binary_op binary;
    sl_index_op index;
    unsigned flags;   /* SL_REPLACE, ... */
    unsigned purpose; /* optimize: SL_FOR_TRAVERSAL, ... */
    sl_scalar scalar, beta;
    const uint64_t *rows, *cols; /* NULL: all, save in build */
    uint64_t nrows, ncols;       /* how many indices */
    bool rows_range, cols_range; /* the list is {begin, end, step}: see SL_RANGE */
    uint64_t row, col;
    int64_t offset;
    const void *values;
    uint64_t count;
    uint64_t *tuple_rows, *tuple_cols;
    void *tuple_values;
    sl_arrays *arrays;
    sl_traversal *traversal;
    const char *how; /* what the engine has to say of how it was done, for the trace; or NULL */
    const struct sl_edge_generator *edges;
    sl_object *also; /* a second output, of EDGE_DEGREES */
    sl_tree_check *tree;
} sl_call;

/* A vector's entries as arrays: present[i] is 1 where there is an entry. */
typedef struct {
    uint64_t size;
    int8_t *present; /* size */
    void *values;    /* size, of the vector's type; unspecified where not present */
    uint64_t nvals;
} sl_bitmap;

/*
 * A kind of memory and how objects live in it. Handles are the store's own.
 * import and export are how contents pass from one store to another: rows and
 * values on the host, a vector being one column, tuples sorted.
 */
typedef struct sl_store {
    const char *name;
    unsigned slot; /* the store's number in sl_object.held: unique, < SL_MAX_STORES */
    sl_memory memory;
    /* A new handle for an empty object. */
    sl_status (*create)(void **handle, const sl_object *object);
    /* A new handle with the same contents as `source`, a handle of `object`. */
    sl_status (*copy)(void **handle, const sl_object *object, void *source);
    void (*release)(const sl_object *object, void *handle);
    /* Bytes that the contents take, for the count of copies. */
    uint64_t (*bytes)(const sl_object *object, void *handle);
    /* The contents as arrays from sl_malloc: a vector's indices are in csr->index
     * and csr->start is {0, nvals}, as of one row. values NULL: all 1. */
    sl_status (*export_arrays)(sl_csr *csr, const sl_object *object, void *handle);
    /* A new handle of such arrays, which it takes over on success. */
    sl_status (*import_arrays)(void **handle, const sl_object *object, sl_csr *csr);

    /* May be NULL: false if a failed operation has cost the handle its contents, so
     * that it can only be released. */
    bool (*intact)(const sl_object *object, void *handle);

    /* May be NULL: does now what the store put off on a handle. */
    sl_status (*finish)(const sl_object *object, void *handle);

    /* May be NULL: keeps a vector in this form from now on. */
    sl_status (*prefer)(const sl_object *vector, void *handle, sl_form form);

    /* May be NULL: fills in a view's device, stream, nvals, values and present, when all
     * that was queued on them is done. SL_UNSUPPORTED where they are not such arrays. */
    sl_status (*lend)(sl_vector_view *view, const sl_object *vector, void *handle);

    /* May be NULL: adds what a matrix takes here, as sl_matrix_placement has it. */
    void (*place)(sl_placement *placement, const sl_object *matrix, void *handle);

    /* May be NULL: has operations for the context use so many threads; 0: as many as
     * OpenMP gives. */
    sl_status (*set_threads)(sl_context *ctx, int threads);
    /* May be NULL: around all that is done for a context with a number of its own. */
    void (*enter)(sl_context *ctx);
    void (*leave)(sl_context *ctx);

    /* May be NULL: from here on all memory on the host comes from sl_malloc and goes
     * back as soon as it is free, so that it can be counted. SL_UNSUPPORTED if not. */
    sl_status (*expose_memory)(sl_context *ctx);

    /* Host memory only, else NULL. */

    /* A matrix's own arrays, lent until the matrix is next written. values NULL: one
     * value stands for all, and which is not told; only the pattern is lent then. */
    sl_status (*view)(sl_csr *lent, const sl_object *object, void *handle);
    /* The number of a vector's entries. */
    sl_status (*nvals)(uint64_t *nvals, const sl_object *object, void *handle);
    /* A vector's own arrays as a bitmap, moved out and moved back. Between the
     * two the vector may not be used; `close` must follow, with the arrays. */
    sl_status (*open)(sl_bitmap *arrays, const sl_object *object, void *handle);
    /* Also alone, with other arrays from sl_malloc in place of what the vector holds. */
    sl_status (*close)(sl_bitmap *arrays, const sl_object *object, void *handle);
} sl_store;

/* How sets of vertices are written on their way between processes: the first byte of a message, as
 * dist/codecs/codec.h has it. */
typedef enum { SL_GROUP_BITMAP, SL_GROUP_LIST, SL_GROUP_VLQ, SL_GROUP_CODECS } sl_group_codec;

/*
 * Processes that work together, as an engine sees them that need not know how they talk. All
 * functions are collective; memory is the host's. Who has them keeps the team until the
 * engine has left it.
 */
typedef struct sl_device_group {
    void *of; /* for the functions */
    int rank, size;
    bool one_host;      /* all of them are on one */
    bool reads_devices; /* gather takes a device's memory too */
    const char *forced; /* the transport that the user asks for, or NULL */
    bool coded;         /* what leaves the devices' reach is worth making short */
    void **kept;        /* what the engine keeps for the team; NULL at first */
    /* Puts `bytes` of each process in order of rank into `all`. */
    sl_status (*gather)(const struct sl_device_group *team, const void *own, void *all,
                        uint64_t bytes);
    /* What all processes make of what each says, as sl_agree. */
    sl_status (*agree)(const struct sl_device_group *team, sl_status status);
    /* The codec of a message of so many ids below `limit`, and the most bytes behind its head,
     * which does not fall as the count grows. Not collective. */
    sl_group_codec (*choose)(const struct sl_device_group *team, uint64_t count, uint64_t limit,
                             uint64_t *most);
} sl_device_group;

/* What a search of a team moved, as this process received it. */
typedef struct {
    const char *transport;           /* static */
    uint64_t bytes[SL_GROUP_CODECS]; /* of frontiers, by how they were written */
    uint64_t letters;                /* messages with counts */
    uint64_t step_count_bytes;       /* of each */
    double seconds;                  /* in exchanges, waiting included */
} sl_device_group_report;

/*
 * Searches of several processes, each with a device of its own: what an engine may offer to
 * an engine of several processes. Each process has a part: all edges into its vertices, of a graph
 * whose vertices begin[rank] to begin[rank + 1] - 1 are its own. Vectors are of these. All
 * functions but seat and release are collective, and the processes agree on what they return.
 */
typedef struct {
    int most; /* processes of a team */
    /* This is process `number` on its host: before the engine's first use, so that each takes a
     * device of its own. */
    void (*seat)(unsigned number);
    /* Whether the engine can make a part of what it knows of `edges`, any piece of a matrix. */
    bool (*remembers)(const sl_object *edges);
    /* Makes a part of the pattern of `edges`, whose rows are all vertices and whose columns are
     * the own ones; or of any piece, if every process's is remembered. */
    sl_status (*make)(void **part, sl_object *edges, const sl_device_group *team,
                      const uint64_t *begin);
    void (*release)(void *part);
    /* Those that its searches number, of all processes. Not collective. */
    uint64_t (*vertices)(const void *part);
    /* A closure that searches, with any parent, without targets. Not done, and nothing changed,
     * where q is not within pi. */
    sl_status (*search)(void *part, sl_call *call, sl_device_group_report *report, bool *done);
    /* CHECK_TREE of the parents of all processes, of which call->a has this one's. */
    sl_status (*check_tree)(const sl_device_group *team, sl_call *call, const uint64_t *begin);
    /* Gives back what is kept for a team. */
    void (*leave)(const sl_device_group *team);
} sl_device_group_search;

/* Where a process stands among those of a context: number row * cols + col of a grid. */
typedef struct {
    uint32_t process, rows, cols;
} sl_grid_position;

/* 0 of 1 x 1 where a context is one process's. */
sl_grid_position sl_grid_position_of(const sl_context *ctx);

typedef struct sl_engine {
    const char *name;
    const char *description;
    sl_engine_choice choice;
    const char *(*version)(void);            /* of the library behind it, "" if none */
    const char *(*unavailable_reason)(void); /* why it cannot be used here, or NULL */
    sl_status (*start)(sl_context *ctx);     /* before a context's first use; repeatable */
    void (*stop)(sl_context *ctx);           /* after its last; may be NULL */
    /* NULL but in an engine of several processes, which does all of a context's work: what
     * all processes make of an operation of which this one says `status`; `call` is NULL
     * at an operation's end, and where the process did not come to it. See sl_agree. */
    sl_status (*agree)(sl_context *ctx, sl_status status, const sl_call *call);
    /* NULL but there too: sl_gather, of ranks that have agreed that none has failed. */
    sl_status (*gather)(sl_context *ctx, void **all, uint64_t *starts, const void *mine,
                        uint64_t bytes);
    /* NULL but there too: sl_write_extents. */
    sl_status (*write)(sl_context *ctx, const char *path, const sl_file_part *extents,
                       size_t count);
    /* NULL but there too: where this process stands. */
    sl_grid_position (*place)(const sl_context *ctx);
    const sl_store *store;
    const sl_device_group_search *team; /* NULL: searches are of one process */
    /* May be NULL: the energy of the engine's device, as sl_context_energy has it. */
    sl_status (*energy)(sl_context *ctx, double *joules);
    /* Why this call is not mine, in a few words, or NULL if it is. */
    const char *(*declines)(const sl_call *call);
    /* May be NULL, both: when a user defines something, makes what the engine keeps of
     * it in user->held[store->slot], and frees it; one engine for each store. */
    sl_status (*define)(sl_user *user);
    void (*forget)(sl_user *user);
    /* Frees what the engine keeps in its slot of a matrix (sl_matrix_prepared). May be NULL if the
     * engine keeps nothing there. */
    void (*forget_prepared)(void *prepared);
    /* May be NULL: adds what the engine keeps there to the answer of sl_matrix_placement. */
    void (*describe_prepared)(sl_placement *placement, const void *prepared);
    sl_status (*run[SL_OP_COUNT])(sl_call *call);
} sl_engine;

/* Host memory, kept by la/suitesparse/ as GraphBLAS objects. */
extern const sl_store sl_store_host;

/* All engines of this build, the fastest first, NULL at the end (engines.c). */
extern const sl_engine *const sl_engines[];

/* The store with that slot which objects of the context may be in, or NULL. */
const sl_store *sl_store_of_slot(const sl_context *ctx, unsigned slot);

/*
 * A context of these engines, at most SL_MAX_ENGINES, NULL behind the last; `grid` is for
 * the engine. For rooms that make contexts of an engine which is not in sl_engines.
 */
sl_status sl_context_create_of(sl_context **ctx, const sl_engine *const *chain, void *grid);

/* Around work in a store for a context: its number of threads, and whose memory it
 * is. What `enter` returns is for `leave`. The two nest. */
sl_context *sl_store_enter(const sl_store *store, sl_context *ctx);
void sl_store_leave(const sl_store *store, sl_context *ctx, sl_context *before);

/* For a store whose objects are made in an inner context, in its expose_memory: what counts for
 * the one counts for the other. `inner` has an account, ctx none. */
void sl_context_share_account(sl_context *ctx, sl_context *inner);

/* "vxm", ... */
const char *sl_operation_name(sl_operation op);

/*
 * Words of the environment variable SEMLA_TRAVERSAL. Each switches one technique of traversals
 * off (`no...`) or on, so that its gain can be measured; results do not change. An engine ignores
 * the words of techniques that it does not have. X(NAME, word)
 */
#define SL_SWITCHES(X)                                                                             \
    X(NOPERSISTENT, nopersistent)       /* one launch per level, not one per search */             \
    X(NOREORDER, noreorder)             /* search the matrix's own rows, not the reordered copy */ \
    X(NOELL, noell)                     /* no arrays of first neighbours (ELL slots) */            \
    X(NOPRUNING, nopruning)             /* sl_matrix_optimize keeps trees in the searched graph */ \
    X(NOHUBS, nohubs)                   /* no frontier bits of hubs in shared memory */            \
    X(NOBALANCE, nobalance)             /* push assigns rows, not equal numbers of edges */        \
    X(NOSMALLFRONTIER, nosmallfrontier) /* no separate kernel for small frontiers */               \
    X(NODELTA, nodelta)                 /* Bellman-Ford instead of delta-stepping */               \
    X(PINNED, pinned)                   /* half of a reordered graph's edges in host memory */     \
    X(KOLGANOV, kolganov)               /* choose directions by Kolganov's rule */

typedef enum {
#define X(NAME, name) SL_SWITCH_##NAME,
    SL_SWITCHES(X)
#undef X
        SL_SWITCH_COUNT
} sl_switch;

/* The value of SEMLA_TRAVERSAL. */
typedef struct {
    unsigned off;       /* one bit per word: see sl_switched */
    double alpha, beta; /* thresholds of Kolganov's rule (2018, figure 3); 0: rule not selected */
    double delta;       /* factor on the width of delta-stepping's buckets; 1 by default */
    double weight;      /* factor on the expected cost of a pull; 1 by default */
} sl_switches;

/*
 * Parses SEMLA_TRAVERSAL: words separated by commas, and alpha=NUMBER, beta=NUMBER,
 * weight=NUMBER, delta=NUMBER with numbers above 0. SL_INVALID names the first unknown word.
 */
sl_status sl_switches_read(sl_switches *switches, sl_context *ctx);

static inline bool sl_switched(unsigned off, sl_switch which)
{
    return off >> which & 1;
}

/* True if some operator of the call is the user's own, not one of the table. */
bool sl_call_has_user_operator(const sl_call *call);

/* True if some engine of the context has the operation and does not decline. */
bool sl_dispatch_supports(const sl_call *call);

/* Chooses the engine, brings the operands, runs, counts and traces. SL_UNSUPPORTED
 * where no engine takes the call. */
sl_status sl_dispatch(sl_call *call);

/* A vector's values as a host's array of int64, or of int32 if `narrow`. */
typedef struct {
    void *values; /* or NULL */
    bool narrow;
} sl_integers;

static inline int64_t sl_integer(const sl_integers numbers, uint64_t k)
{
    return numbers.narrow ? ((const int32_t *)numbers.values)[k]
                          : ((const int64_t *)numbers.values)[k];
}

static inline void sl_put_integer(const sl_integers numbers, uint64_t k, int64_t x)
{
    if (numbers.narrow)
        ((int32_t *)numbers.values)[k] = (int32_t)x;
    else
        ((int64_t *)numbers.values)[k] = x;
}

/* The handle by which `store` holds an object. */
static inline void *sl_handle(const sl_object *object, const sl_store *store)
{
    return object->held[store->slot];
}

#endif
