/*
 * The state behind sl_context, sl_matrix and sl_vector, for la/ and the engines; to everyone else
 * these types are opaque.
 */
#ifndef SEMLA_OBJECT_H
#define SEMLA_OBJECT_H

#include <semla/for_module.h>
#include <semla/la.h>
#include <semla/user_types.h>

struct sl_account;
struct sl_engine;
struct sl_store;

enum {
    SL_MAX_ENGINES = 4, /* in one context's chain */
    SL_MAX_STORES = 3   /* kinds of memory: the host's, a GPU's, a grid's */
};

struct sl_context {
    const struct sl_engine *chain[SL_MAX_ENGINES]; /* in the order of preference; then NULL */
    bool forced;                                   /* SEMLA_ENGINE is set: only chain[0] computes */
    bool by_size;                                  /* SL_ENGINE_AUTO with a device: choice.h */
    bool trace;                                    /* SEMLA_TRACE=dispatch */
    int threads;                                   /* 0: OpenMP's default */
    void *host;                                    /* la/suitesparse/: the context's scalars */
    void *thread_state;                            /* la/suitesparse/: number of threads; or NULL */
    bool operators_held; /* la/suitesparse/: it needs the operators made there */
    void *grid;          /* the state of dist/; NULL: one process */
    bool of_rank;        /* the objects are blocks of the objects of a grid, on one rank of it */
    const char *library; /* or method that computed the running operation, for the trace; or NULL */
    struct sl_account *account; /* counts the context's host memory; NULL: memory is not counted */
    sl_context_counts counts;
    uint64_t device_rows; /* of the last operation's matrix, if it gained much by running on the
                             device: choice.h; else 0 */
    bool cancelled;       /* atomic; see sl_context_cancel */
    sl_progress_function progress; /* NULL: none */
    void *progress_data;
    double progress_interval, progress_next; /* seconds; `next` by the coarse clock */
    sl_operation_function observer;          /* after each operation; NULL: none */
    void *observer_data;
    const sl_progress *stage; /* progress of the outermost call that reports its own, or NULL */
    char message[512];        /* message of the last failure */
};

typedef enum { SL_SYMMETRY_UNKNOWN, SL_SYMMETRIC, SL_NOT_SYMMETRIC } sl_symmetry;

/*
 * The common part of a matrix and a vector; a vector has ncols == 1. held[s] is the handle of store
 * number s, NULL if that store does not have the contents. Several stores may have the same
 * contents; an object that no store has is empty. A write through one store releases the other
 * handles.
 */
typedef struct sl_object {
    sl_context *ctx;
    bool is_matrix;
    sl_type type;
    uint64_t nrows, ncols;
    /* Of a vector of integers: every value is known to be from 0 to this - 1. 0: unknown. A write
     * resets it. */
    uint64_t index_bound;
    uint32_t reads; /* operations that read the contents since they were written, if the context
                       chooses by size; more for a matrix that was built: choice.h */
    /* Of a vector: the value of each entry is known to be its index. A write resets it. */
    bool own_indices;
    void *held[SL_MAX_STORES];
} sl_object;

struct sl_matrix {
    sl_object object;    /* first member: a matrix's address is its object's address */
    const uint64_t *ids; /* of the vertices in messages; the caller's, or NULL */
    /* Properties found so far. A write resets them. */
    sl_symmetry symmetry;
    bool declared_symmetric; /* the symmetry was declared, not found */
    bool range_known;        /* `range` has been computed */
    sl_value_range range;
    sl_matrix *transpose; /* the transposed pattern, owned; NULL: not made, or symmetric */
    bool searched;        /* a search, or a product that could pull, has read the matrix */
    bool optimized;       /* it was prepared for searches, or the attempt failed */
    /*
     * What each engine of the context keeps for this matrix, by the engine's position in
     * ctx->chain; NULL: nothing. The engine frees it by its forget_prepared when the matrix is
     * written. See sl_matrix_prepared.
     */
    void *prepared[SL_MAX_ENGINES];
};

struct sl_vector {
    sl_object object;
};

typedef enum {
    SL_USER_TYPE,
    SL_USER_UNARY_OP,
    SL_USER_BINARY_OP,
    SL_USER_INDEX_OP,
    SL_USER_MONOID,
    SL_USER_SEMIRING
} sl_user_kind;

enum { SL_USER_PARTS = 3 };

/* A user-defined type, operator, monoid or semiring. The public descriptor is in `as` and refers
 * back by its member `user`. */
typedef struct sl_user_s {
    sl_user_kind kind;
    sl_context *ctx;
    unsigned references; /* the user's, and one of each definition or object made of it */
    struct sl_user_s *parts[SL_USER_PARTS]; /* what it is made of, NULL where that is built in */
    void *held[SL_MAX_STORES]; /* what engines make of it, by the slot of their store */
    union {
        struct {
            sl_type code;
            sl_user_type entry; /* in the table of types */
        } type;
        struct sl_unary_op_s unary;
        struct sl_binary_op_s binary;
        struct sl_index_op_s index;
        struct sl_monoid_s monoid;
        struct sl_semiring_s semiring;
    } as;
    const char *source; /* C text of the function, or NULL; stored behind the name */
    char *values;       /* of a monoid of a user-defined type: identity and terminal value */
    char name[];
} sl_user;

/* Drops a reference to a definition, which may be NULL; the last one frees it. */
void sl_user_release(sl_user *user);

/* The definition of a type; NULL: it is built in. */
sl_user *sl_user_of_type(sl_type type);

/* Count an object of this type; a built-in type is not counted. */
void sl_type_hold(sl_type type);
void sl_type_release(sl_type type);

/* The object of a matrix or vector; NULL for NULL. Inputs are const to callers, but engines may
 * finish their pending work or convert their form, so const is dropped here. */
static inline sl_object *sl_object_of_matrix(const sl_matrix *A)
{
    return (sl_object *)A;
}
static inline sl_object *sl_object_of_vector(const sl_vector *v)
{
    return (sl_object *)v;
}

/* Makes the contents available in `store`: copies them from another store if necessary, and creates
 * an empty handle for an empty object. */
SL_FOR_MODULE sl_status sl_object_migrate(sl_object *object, const struct sl_store *store);

/* False if sl_interrupted would return SL_OK without asking. */
static inline bool sl_asks(const sl_context *context)
{
    return context->progress || __atomic_load_n(&context->cancelled, __ATOMIC_RELAXED);
}

/* The size of the contents in one of the stores that have them, in bytes; 0 if the object is empty.
 */
uint64_t sl_object_bytes(const sl_object *object);

/* Called after a write through `store`: releases the other stores' handles, and resets the matrix's
 * known properties and what engines prepared. */
SL_FOR_MODULE void sl_object_modified(sl_object *object, const struct sl_store *store);

/* True if so few rows of a matrix with `nvals` entries have one that time or memory for each row would be much
 * more than for each entry. */
static inline bool sl_has_few_entries(uint64_t nrows, uint64_t nvals)
{
    return nrows > (uint64_t)1 << 24 && nrows / 64 > nvals;
}

/* The form in which a store should keep a vector: a hint. */
typedef enum { SL_FORM_ANY, SL_FORM_LIST, SL_FORM_BITMAP } sl_form;
SL_FOR_MODULE sl_status sl_object_prefer(sl_object *vector, sl_form form);

/* Called after a failure: releases the handle of `store` if the failure destroyed its contents. */
SL_FOR_MODULE void sl_object_drop_broken(sl_object *object, const struct sl_store *store);

/*
 * The slot of `A` in which `engine` keeps what it prepared for the matrix; the slot holds NULL at
 * first and after every write. NULL if the engine is not in the chain of A's context. Engines are
 * identified by their forget_prepared, so a copy of an engine's table uses the engine's slot.
 */
SL_FOR_MODULE void **sl_matrix_prepared(sl_matrix *A, void (*forget_prepared)(void *prepared));

/* Releases the handle of `store`, if there is one. */
SL_FOR_MODULE void sl_object_drop(sl_object *object, const struct sl_store *store);

/* Copies the contents of `from` to the empty object `to` of the same type and shape. */
sl_status sl_object_copy_contents(sl_object *to, const sl_object *from);

/* False if no store has the object, which is empty then. */
static inline bool sl_object_has_contents(const sl_object *object)
{
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++)
        if (object->held[slot])
            return true;
    return false;
}

/* Releases every handle: the object is empty afterwards. */
void sl_object_empty(sl_object *object);

#endif
