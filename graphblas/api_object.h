/*
 * The objects of the GraphBLAS API, and how each function checks them, calls semla and reports errors.
 *
 * A handle points to a struct that begins with a header. The header's `magic` says which kind of object it is, so that
 * a handle that was freed or never made is recognised. Objects are counted: an operator holds its types, a semiring
 * its monoid and operator, a vector its type, so that they may be freed in any order. The objects of the table
 * (GrB_PLUS_FP64) are static and are not counted.
 *
 * One context of semla holds all objects. A mutex admits one thread at a time to it, since GraphBLAS lets threads work
 * on different objects at the same time and a context does not. The context is freed by GrB_finalize, or with the last
 * object that was not freed before.
 */
#ifndef SEMLA_GRB_OBJECT_H
#define SEMLA_GRB_OBJECT_H

#include "GraphBLAS.h"

#include <semla/la.h>

/* The kinds, as values of `magic`. */
typedef enum {
    GRB_FREED = 0,
    GRB_TYPE = 0x67726201,
    GRB_UNARY_OP,
    GRB_BINARY_OP,
    GRB_INDEX_OP,
    GRB_INDEX_BINARY_OP,
    GRB_MONOID,
    GRB_SEMIRING,
    GRB_DESCRIPTOR,
    GRB_SCALAR,
    GRB_VECTOR,
    GRB_MATRIX,
    GRB_VECTOR_BUFFERED, /* a vector and a matrix with single entries apart: see buffer.h */
    GRB_MATRIX_BUFFERED,
    GRB_GLOBAL
} grb_kind;

typedef struct {
    grb_kind magic;
    int references;     /* 0: an object of the table, which is never freed */
    const char *symbol; /* "GrB_PLUS_FP64"; NULL for an object that the program made */
    char *name;         /* set by the program (GrB_NAME), or NULL; owned */
    char *error;        /* message of the last call that failed on this object, or NULL; owned */
} grb_header;

struct semla_grb_type {
    grb_header header;
    sl_type code; /* the type of semla that stores its values */
    size_t size;  /* of a value, in bytes */
    bool user;    /* user-defined: its values are cast to no other type */
    GrB_Type_Code api_code;
    const char *c_name; /* "double"; "" if it is not known */
};

struct semla_grb_unary_op {
    grb_header header;
    sl_unary_op op;
    GrB_Type z, x;          /* x is NULL for a positional operator, which does not read values */
    GrB_IndexUnaryOp index; /* computes a positional operator, with the thunk `offset`; or NULL */
    int64_t offset;
};

struct semla_grb_binary_op {
    grb_header header;
    sl_binary_op op;
    GrB_Type z, x, y;
    struct grb_indexed *indexed; /* the operator reads indices, too (indexed.h), or NULL */
};

struct semla_grb_index_op {
    grb_header header;
    sl_index_op op;
    GrB_Type z, x, thunk; /* x is NULL if values are not read */
};

struct semla_grb_index_binary_op {
    grb_header header;
    GxB_index_binary_function f;
    GrB_Type z, x, y, theta;
};

struct semla_grb_monoid {
    grb_header header;
    sl_monoid monoid;
    GrB_BinaryOp op;
};

struct semla_grb_semiring {
    grb_header header;
    sl_semiring semiring;
    GrB_Monoid add;
    GrB_BinaryOp multiply;
};

struct semla_grb_descriptor {
    grb_header header;
    unsigned flags; /* of sl_descriptor_get, and how vectors are read as lists: see lists.h */
};

struct semla_grb_scalar {
    grb_header header;
    GrB_Type type;
    bool present;    /* false: the scalar is empty */
    sl_scalar value; /* of type->code; of a user-defined type at `bytes` */
    max_align_t bytes[];
};

/*
 * A vector and a matrix have the same members, of which one has v and the other A. Programs of
 * SuiteSparse:GraphBLAS pass a matrix of one column as a vector, and a vector as a matrix;
 * grb_convert then turns the object into the other kind.
 */
#define GRB_COLLECTION                                                                             \
    grb_header header;                                                                             \
    GrB_Type type;                                                                                 \
    sl_vector *v;                                                                                  \
    sl_matrix *A;                                                                                  \
    struct grb_buffer *buffer; /* or NULL */                                                       \
    int32_t orientation /* the hint GrB_STORAGE_ORIENTATION_HINT of a matrix; semla stores rows */
struct semla_grb_vector {
    GRB_COLLECTION;
};
struct semla_grb_matrix {
    GRB_COLLECTION;
};

struct semla_grb_global {
    grb_header header;
    sl_context
        *ctx; /* NULL before GrB_init, and after GrB_finalize when the last object was freed */
    bool initialised;
    bool buffers; /* single entries are written together: the context has several processes */
    bool copies;  /* single entries and rows are read from copies: several processes, or a GPU */
    GrB_Mode mode;
    size_t objects; /* objects made by the program that were not freed */
    int32_t orientation;
};

extern struct semla_grb_global grb_global;

/* ---- the way into semla ------------------------------------------------------------- */

/* Admits the calling thread to the context. */
void grb_lock(void);
void grb_unlock(void);

/* The code of a status of semla. Stores the context's message in the object (may be NULL), and unlocks. */
GrB_Info grb_finish(grb_header *object, sl_status status);

/* Calls a function of semla for an object: GrB_Info of `call`, which is an expression of type sl_status. */
#define GRB_RUN(object, call) (grb_lock(), grb_finish(&(object)->header, (call)))

/* Stores a message in the object (may be NULL) and returns `info`. */
GrB_Info grb_fail(grb_header *object, GrB_Info info, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- checks --------------------------------------------------------------------------- */

#define GRB_TRY(call)                                                                              \
    do {                                                                                           \
        GrB_Info grb_info = (call);                                                                \
        if (grb_info != GrB_SUCCESS)                                                               \
            return grb_info;                                                                       \
    } while (0)

/* Fails with GrB_PANIC outside of GrB_init and GrB_finalize. */
#define GRB_INITIALISED()                                                                          \
    do {                                                                                           \
        if (!grb_global.initialised)                                                               \
            return GrB_PANIC;                                                                      \
    } while (0)

/* Writes the single entries of a buffered object, and turns a matrix of one column into a vector, or a vector into a
 * matrix. An error if the object is not of `kind` then: GrB_NULL_POINTER if it is NULL, GrB_INVALID_OBJECT if it was
 * freed, otherwise GrB_UNINITIALIZED_OBJECT; GrB_PANIC outside of GrB_init and GrB_finalize. */
GrB_Info grb_convert(grb_header *object, grb_kind kind);

/* Fails if the object is NULL or not of the kind. */
static inline GrB_Info grb_check(const void *object, grb_kind kind)
{
    return object && ((const grb_header *)object)->magic == kind
               ? GrB_SUCCESS
               : grb_convert((grb_header *)object, kind);
}

/* The same for a function that needs neither the entries of a vector or matrix nor changes them: a
 * buffered object stays buffered. */
static inline GrB_Info grb_check_kept(const void *object, grb_kind kind)
{
    const grb_kind buffered = kind == GRB_VECTOR ? GRB_VECTOR_BUFFERED : GRB_MATRIX_BUFFERED;
    if ((kind == GRB_VECTOR || kind == GRB_MATRIX) && object &&
        ((const grb_header *)object)->magic == buffered)
        return GrB_SUCCESS;
    return grb_check(object, kind);
}

static inline GrB_Info grb_check_optional(const void *object, grb_kind kind)
{
    return object ? grb_check(object, kind) : GrB_SUCCESS;
}

/* A value of `from` can be converted to `to`: both are predefined, or they are the same type. */
static inline bool grb_casts(GrB_Type from, GrB_Type to)
{
    return from == to || (!from->user && !to->user);
}

/* Output, mask, accumulator and descriptor of an operation that writes a result of type `result`. */
GrB_Info grb_check_vector_output(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Type result,
                                 GrB_Descriptor desc);
GrB_Info grb_check_matrix_output(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Type result,
                                 GrB_Descriptor desc);
/* The same for a row or a column of a matrix, whose mask is a vector. */
GrB_Info grb_check_line_output(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Type result,
                               GrB_Descriptor desc);
/* Fails with GrB_DOMAIN_MISMATCH if `from` cannot be cast to `to`; `what` names the value. */
GrB_Info grb_check_domain(grb_header *output, GrB_Type from, GrB_Type to, const char *what);

/* A list of indices as semla takes it. */
typedef struct {
    const uint64_t *indices; /* SL_ALL, an array of the program, or `range` */
    uint64_t length;         /* SL_RANGE with `range` */
    uint64_t range[3];
} grb_list;

/* Fails unless the list is GrB_ALL, an array of `count` indices, or a range (GxB_RANGE, GxB_STRIDE, GxB_BACKWARDS). */
GrB_Info grb_check_list(grb_list *list, grb_header *output, const GrB_Index *indices,
                        GrB_Index count);
/* The number of indices of a list; `all` for SL_ALL. */
uint64_t grb_list_count(const grb_list *list, uint64_t all);

/* The name of a type in messages. */
const char *grb_type_text(GrB_Type type);

/* What semla takes for an optional argument. */
static inline sl_vector *grb_vector_of(GrB_Vector object)
{
    return object ? object->v : NULL;
}

static inline sl_matrix *grb_matrix_of(GrB_Matrix object)
{
    return object ? object->A : NULL;
}

static inline sl_binary_op grb_operator_of(GrB_BinaryOp object)
{
    return object ? object->op : NULL;
}

#define GRB_OPERATION_FLAGS                                                                        \
    (SL_REPLACE | SL_COMPLEMENT | SL_STRUCTURE | SL_TRANSPOSE_A | SL_TRANSPOSE_B)
static inline sl_descriptor grb_flags_of(GrB_Descriptor object)
{
    return object ? sl_descriptor_get(object->flags & GRB_OPERATION_FLAGS) : NULL;
}

/* The flags of a descriptor that transpose an operand. */
static inline unsigned grb_turns_of(GrB_Descriptor object)
{
    return object ? object->flags & (SL_TRANSPOSE_A | SL_TRANSPOSE_B) : 0;
}

/* ---- lifetimes ---------------------------------------------------------------------------- */

/* Allocates an object of `size` bytes, with one reference; NULL if memory is short. */
void *grb_new(size_t size, grb_kind kind);
/* The same, with a name that the program gives the object; NULL: none. */
void *grb_new_named(size_t size, grb_kind kind, const char *name);
/* Checks the arguments of a function that makes an operator, whose address the program wants at `handle`: its
 * `count` types, and whether there is a `function`. */
GrB_Info grb_begin_operator(void *handle, bool function, const GrB_Type *types, int count);
/* A copy of a text, for the members of a header that own one; NULL if memory is short. */
char *grb_copy_text(const char *text);
/* Adds a reference to an object and returns it. */
void *grb_hold(void *object);
/* Completes a new object whose part in semla was made under the lock: sets *handle to it, or frees it if `status` is
 * a failure. Unlocks. */
GrB_Info grb_created(void **handle, void *object, sl_status status);
/* Removes a reference; frees the object with the last one. NULL is allowed. */
void grb_release(void *object);

/* ---- values --------------------------------------------------------------------------------- */

/* A value that a program passes: of a predefined type, or by address of some user-defined type. */
typedef struct {
    GrB_Type type;     /* NULL: user-defined, not known */
    sl_scalar scalar;  /* if bytes is NULL */
    const void *bytes; /* the address of a user-defined value */
    bool udt;          /* passed by address, which may be NULL */
    bool empty;        /* a scalar without a value */
} grb_value;

/* The value of a scalar. */
grb_value grb_value_of_scalar(GrB_Scalar s);
/* Converts a value for use as `type`, in the type that it has; GrB_DOMAIN_MISMATCH if it cannot be cast. */
GrB_Info grb_resolve(sl_scalar *scalar, grb_header *output, GrB_Type type, const grb_value *value);

/* A scalar of semla through which it returns a value of `type`: to x, if the type is user-defined. */
static inline sl_scalar grb_room(GrB_Type type, void *x)
{
    return type->user ? sl_scalar_other(type->code, x) : (sl_scalar){.type = type->code};
}

/* Casts `count` values from one type to another. */
void grb_cast_values(void *to, sl_type to_type, const void *from, sl_type from_type,
                     uint64_t count);

/* Sets a scalar to a value, which is cast to its type. */
GrB_Info grb_scalar_set(GrB_Scalar s, const grb_value *value);
/* Casts a value of type `from` to `type` and stores it at x, where it may be; `type` NULL: the
 * user-defined type `from`. GrB_DOMAIN_MISMATCH: it cannot be cast; the message goes to
 * `object`. */
GrB_Info grb_store(void *x, GrB_Type type, grb_header *object, GrB_Type from, sl_scalar value);

/* The predefined type of a C type in the names of functions; NULL for UDT. */
#define GRB_TYPE_BOOL   GrB_BOOL
#define GRB_TYPE_INT8   GrB_INT8
#define GRB_TYPE_INT16  GrB_INT16
#define GRB_TYPE_INT32  GrB_INT32
#define GRB_TYPE_INT64  GrB_INT64
#define GRB_TYPE_UINT8  GrB_UINT8
#define GRB_TYPE_UINT16 GrB_UINT16
#define GRB_TYPE_UINT32 GrB_UINT32
#define GRB_TYPE_UINT64 GrB_UINT64
#define GRB_TYPE_FP32   GrB_FP32
#define GRB_TYPE_FP64   GrB_FP64
#define GRB_TYPE_UDT    NULL

/* clang-format off */
#define GRB_VALUE(T, name, C)                                                                                          \
    static inline grb_value grb_value_##T(C x)                                                                         \
    {                                                                                                                  \
        return (grb_value){.type = GrB_##T, .scalar = sl_scalar_##name(x)};                                            \
    }
GRB_VALUE(BOOL, bool, bool)
GRB_VALUE(INT8, int8, int8_t)
GRB_VALUE(INT16, int16, int16_t)
GRB_VALUE(INT32, int32, int32_t)
GRB_VALUE(INT64, int64, int64_t)
GRB_VALUE(UINT8, uint8, uint8_t)
GRB_VALUE(UINT16, uint16, uint16_t)
GRB_VALUE(UINT32, uint32, uint32_t)
GRB_VALUE(UINT64, uint64, uint64_t)
GRB_VALUE(FP32, fp32, float)
GRB_VALUE(FP64, fp64, double)
#undef GRB_VALUE
static inline grb_value grb_value_UDT(const void *x)
{
    return (grb_value){.bytes = x, .udt = true};
}
/* clang-format on */

#endif
