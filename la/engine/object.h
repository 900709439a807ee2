/*
 * What stands behind sl_context, sl_matrix and sl_vector. For la/ and its
 * engines; everyone else sees opaque types.
 */
#ifndef SEMLA_OBJECT_H
#define SEMLA_OBJECT_H

#include <semla/direction.h>
#include <semla/la.h>

struct sl_account;
struct sl_engine;
struct sl_store;

enum {
    SL_MAX_ENGINES = 4, /* in one context's chain */
    SL_MAX_STORES = 3   /* kinds of memory: the host's, a device's, a grid's */
};

struct sl_context {
    const struct sl_engine *chain[SL_MAX_ENGINES]; /* NULL after the last */
    bool forced;                                   /* SEMLA_ENGINE: only chain[0] computes */
    bool trace;                                    /* SEMLA_TRACE=dispatch */
    int threads;                                   /* 0: what OpenMP gives */
    void *host;                                    /* what la/suitesparse/ keeps between calls, */
    void *team;                                    /* and for the number of threads */
    void *grid;                                    /* what dist/ keeps: the ranks */
    struct sl_account *account;                    /* where memory is counted, or NULL */
    sl_context_counts counts;
    char message[512];
};

typedef enum { SL_SYMMETRY_UNKNOWN, SL_SYMMETRIC, SL_NOT_SYMMETRIC } sl_symmetry;

/*
 * The common head of matrices and vectors (a vector has ncols == 1). The
 * entries live in stores: held[s] is the handle that store number s knows them
 * by, NULL where they are not. Several stores may hold the same contents; none
 * holding anything means that the object is empty. Who writes drops the others.
 */
typedef struct sl_object {
    sl_context *ctx;
    bool is_matrix;
    sl_type type;
    uint64_t nrows, ncols;
    void *held[SL_MAX_STORES];
} sl_object;

struct sl_matrix {
    sl_object object; /* first, so that a matrix's address is its object's */
    /* What was found out; forgotten at the next write. */
    sl_symmetry symmetry;
    bool weighed; /* `range` is known, of the values */
    sl_value_range range;
    sl_matrix *transpose; /* the pattern's transpose, where it is not symmetric */
    /*
     * What each engine of the context keeps for this matrix, by the engine's position in ctx->chain;
     * NULL: nothing. Private to the engine, which frees it by sl_engine.forget_prepared. Dropped
     * when the matrix is written. See sl_matrix_prepared.
     */
    void *prepared[SL_MAX_ENGINES];
};

struct sl_vector {
    sl_object object;
};

/*
 * Something that a user defined. Its descriptor points here by `user`. What engines
 * make of it is kept by the numbers of their stores, as objects' contents are.
 */
typedef enum {
    SL_USER_UNARY_OP,
    SL_USER_BINARY_OP,
    SL_USER_INDEX_OP,
    SL_USER_MONOID,
    SL_USER_SEMIRING
} sl_user_kind;

typedef struct sl_user_s {
    sl_user_kind kind;
    sl_context *ctx;
    unsigned references; /* the caller's, and one of each that is made of it */
    struct sl_user_s *parts[2];
    void *held[SL_MAX_STORES];
    union {
        struct sl_unary_op_s unary;
        struct sl_binary_op_s binary;
        struct sl_index_op_s index;
        struct sl_monoid_s monoid;
        struct sl_semiring_s semiring;
    } as;
    const char *source; /* or NULL */
    char name[];        /* and the source behind it */
} sl_user;

/* An object as engines take it. Inputs are const to callers, but an engine may
 * finish their pending work or convert their form, so the const ends here. */
static inline sl_object *sl_object_of_matrix(const sl_matrix *A)
{
    return (sl_object *)A;
}
static inline sl_object *sl_object_of_vector(const sl_vector *v)
{
    return (sl_object *)v;
}

/* Sees that `store` holds the object's contents, bringing them from another
 * store if need be; makes an empty handle for an empty object. */
sl_status sl_object_migrate(sl_object *object, const struct sl_store *store);

/* What the contents take where they are, in one of the stores that have them; 0: nobody has. */
uint64_t sl_object_bytes(const sl_object *object);

/* After a write through `store`: drops all other copies and what was known. */
void sl_object_modified(sl_object *object, const struct sl_store *store);

/* How a vector is to be kept from now on: a hint to its store. */
typedef enum { SL_FORM_ANY, SL_FORM_LIST, SL_FORM_BITMAP } sl_form;
sl_status sl_object_prefer(sl_object *vector, sl_form form);

/* After a failure: drops the copy that `store` holds if the failure broke it. */
void sl_object_drop_broken(sl_object *object, const struct sl_store *store);

/*
 * The slot of `A` in which `engine` keeps what it prepared for the matrix; the slot holds NULL at
 * first and after every write. NULL if the engine is not in the chain of A's context. Engines are
 * told apart by their forget_prepared, so a copy of an engine's table has the engine's slot.
 */
void **sl_matrix_prepared(sl_matrix *A, const struct sl_engine *engine);

/* Gives an empty object the contents of another of its type and shape. */
sl_status sl_object_copy_contents(sl_object *to, const sl_object *from);

/* False if no store has heard of the object: it is empty. */
static inline bool sl_object_has_contents(const sl_object *object)
{
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++)
        if (object->held[slot])
            return true;
    return false;
}

/* Drops every copy: the object is empty. */
void sl_object_empty(sl_object *object);

/*
 * The matrix whose rows are A's columns, pattern only: A itself if it is
 * symmetric, else its kept transpose. With make == false *At is NULL where
 * that is not known yet. Owned by A.
 */
sl_status sl_matrix_transpose_pattern(sl_matrix **At, sl_matrix *A, bool make);

/* The counts of a plan for the cost model, for a graph of `vertices` and `edges`, and the default costs. */
sl_level_counts sl_plan_counts(const sl_plan *plan, uint64_t vertices, uint64_t edges);
extern const sl_direction_policy sl_plan_policy;
/* Sets direction and pull_edges of a plan from its counts, by the default costs. */
void sl_plan_decide(sl_plan *plan, uint64_t vertices, uint64_t edges);

/* True if a first step settles an entry: see traversal.h. */
bool sl_semiring_settles(sl_semiring semiring);

/* True if the closure is a search: parents, or over bool what is reached. Only the
 * matrix's pattern is read then. */
bool sl_semiring_is_search(sl_semiring semiring);

/* True if some part of it is the user's own and not in the table. */
bool sl_semiring_is_user_defined(sl_semiring semiring);

/*
 * A block of the host's that an engine has from elsewhere, as pinned memory, counts for whom this
 * thread's allocations do, until it is discharged: false where a limit does not allow it.
 */
bool sl_charge_block(const void *memory, size_t size);
void sl_discharge_block(const void *memory);

/* True after sl_set_allocator. */
bool sl_allocator_is_custom(void);

/* Wall clock, in seconds from some fixed time. */
double sl_seconds(void);

#endif
