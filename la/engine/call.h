/*
 * The operations that engines implement, and the arguments of one call. A public function of la/
 * checks its arguments, fills in an sl_call and passes it to sl_dispatch (dispatch.h).
 */
#ifndef SEMLA_CALL_H
#define SEMLA_CALL_H

#include <semla/for_module.h>
#include <semla/object.h>

struct sl_edge_generator;

/*
 * What kind of work an operation does. ACCESS fills and reads objects, almost without computing; where
 * SEMLA_ENGINE lets one engine alone compute, SuiteSparse still does it. SuiteSparse has the
 * operations of all classes but PREPARATION, GENERATION and TRAVERSAL.
 */
typedef enum {
    SL_CLASS_PRODUCT,
    SL_CLASS_ELEMENTWISE,
    SL_CLASS_REDUCTION,
    SL_CLASS_ASSIGNMENT, /* assign, extract, gather, scatter */
    SL_CLASS_STRUCTURAL, /* transpose, diagonals, sort */
    SL_CLASS_ACCESS,
    SL_CLASS_PREPARATION, /* sl_matrix_optimize */
    SL_CLASS_GENERATION,  /* matrices and checks from edges that the engine generates
                             (edge_generator.h) */
    SL_CLASS_TRAVERSAL    /* la/traversal/ iterates over other operations where it is missing */
} sl_operation_class;

/*
 * The table of operations: X(NAME, name, CLASS). `name` is what SEMLA_TRACE prints. Each comment
 * names the members of sl_call, its operators and its settings that the operation reads and writes,
 * besides out, mask, accum and flags, which every operation with an output has.
 */
#define SL_OPERATIONS(X)                                                                                \
    /* a and b in the order of the public function; semiring */                                         \
    X(VXM, vxm, PRODUCT)                                                                                \
    X(MXV, mxv, PRODUCT)                                                                                \
    X(MXM, mxm, PRODUCT)                                                                                \
    /* a, b; binary */                                                                                  \
    X(EWISE_ADD, ewise_add, ELEMENTWISE)                                                                \
    X(EWISE_MULT, ewise_mult, ELEMENTWISE)                                                              \
    /* also scalar, which replaces a missing entry of a, and beta, which replaces one of b */           \
    X(EWISE_UNION, ewise_union, ELEMENTWISE)                                                            \
    X(KRONECKER, kronecker, PRODUCT)                                                                    \
    /* a; unary */                                                                                      \
    X(APPLY, apply, ELEMENTWISE)                                                                        \
    /* a; binary; scalar is the operator's first or second input */                                     \
    X(APPLY_FIRST, apply_first, ELEMENTWISE)                                                            \
    X(APPLY_SECOND, apply_second, ELEMENTWISE)                                                          \
    /* a; index; scalar is the thunk */                                                                 \
    X(APPLY_INDEX, apply_index, ELEMENTWISE)                                                            \
    X(SELECT, select, ELEMENTWISE)                                                                      \
    /* a; monoid; the result is written to scalar (reduce) or out (reduce_rows) */                      \
    X(REDUCE, reduce, REDUCTION)                                                                        \
    X(REDUCE_ROWS, reduce_rows, REDUCTION)                                                              \
    /* vectors a and b; binary makes the terms, unary (or NULL) changes them; monoid; writes       \
     * scalar, and to count a number that is 0 if there are no terms */    \
    X(REDUCE_PAIR, reduce_pair, REDUCTION)                                                              \
    /* a or scalar; rows, cols */                                                                       \
    X(ASSIGN, assign, ASSIGNMENT)                                                                       \
    X(ASSIGN_SCALAR, assign_scalar, ASSIGNMENT)                                                         \
    /* the vector a becomes part of row `row` or column `col`; the mask has that row's length */        \
    X(ASSIGN_ROW, assign_row, ASSIGNMENT)                                                               \
    X(ASSIGN_COLUMN, assign_column, ASSIGNMENT)                                                         \
    /* a; rows, cols; extract_column reads column `col` */                                              \
    X(EXTRACT, extract, ASSIGNMENT)                                                                     \
    X(EXTRACT_COLUMN, extract_column, ASSIGNMENT)                                                       \
    /* a; the vector b of indices, of a (gather) or of out (scatter); monoid combines the values of\
     * equal indices, NULL: any of the values */    \
    X(GATHER, gather, ASSIGNMENT)                                                                       \
    X(SCATTER, scatter, ASSIGNMENT)                                                                     \
    /* the matrix a; the vector b of indices of its rows and columns, with all its entries */           \
    X(GATHER_MATRIX, gather_matrix, ASSIGNMENT)                                                         \
    /* a; binary, SL_LT_ or SL_GT_; out receives the values, second_out, int64, their indices; NULL:\
     * not wanted */   \
    X(SORT, sort, STRUCTURAL)                                                                           \
    X(TRANSPOSE, transpose, STRUCTURAL)                                                                 \
    /* a; offset is the diagonal's number; from a vector to a matrix or from a matrix to a         \
     * vector */    \
    X(DIAG, diag, STRUCTURAL)                                                                           \
    /* tuples, count; binary combines duplicates, NULL: there are none */                               \
    X(BUILD, build, ACCESS)                                                                             \
    /* a; writes tuples, of which each array is NULL or has `count` elements */                         \
    X(TUPLES, tuples, ACCESS)                                                                           \
    /* grid only: a; writes to arrays the rows that sl_context_local_range gives to this           \
     * process */    \
    X(SLICE, slice, ACCESS)                                                                             \
    /* out (set, remove) or a (get); row, col, scalar. get returns SL_NO_VALUE if there is no      \
     * entry */    \
    X(SET, set, ACCESS)                                                                                 \
    X(GET, get, ACCESS)                                                                                 \
    X(REMOVE, remove, ACCESS)                                                                           \
    /* out changes to rows.count x cols.count; out->nrows, out->ncols still have the old shape */       \
    X(RESIZE, resize, ACCESS)                                                                           \
    X(NVALS, nvals, ACCESS) /* a; writes count */                                                       \
    /* grid only: a; writes to count the number of entries on this process */                           \
    X(LOCAL_NVALS, local_nvals, ACCESS)                                                                 \
    X(IS_PATTERN, is_pattern, ACCESS) /* a; writes scalar, a bool */                                    \
    /* arrays: moved into out, which is empty; moved out of out, whose contents are unspecified    \
     * afterwards; copied from a. The last two write arrays in the form arrays->format */    \
    X(TAKE, take, ACCESS)                                                                               \
    X(GIVE, give, ACCESS)                                                                               \
    X(COPY_OUT, copy_out, ACCESS)                                                                       \
    /* the matrix a, the vector b; writes to count the entries of a in the rows that are in b's    \
     * pattern */    \
    X(ROW_ENTRIES, row_entries, ACCESS)                                                                 \
    /* the matrix a; mirrors, whose sum it writes */                                                    \
    X(SUM_MIRRORS, sum_mirrors, ACCESS)                                                                 \
    /* the matrix a; optimize_flags */                                                                  \
    X(OPTIMIZE, optimize, PREPARATION)                                                                  \
    /* the matrix a; semiring and traversal of closures that will follow: shortest paths without   \
     * vectors. The engine makes what the first of them would keep with the matrix */    \
    X(PREPARE_PATHS, prepare_paths, PREPARATION)                                                        \
    /* edges; out, a matrix that no store has yet, receives the pattern. The items of rows and     \
     * cols, if not NULL, restrict the matrix of an undirected graph: to rows items[0] to          \
     * items[1] - 1, and to cols.count ranges of columns items[2 k] to items[2 k + 1] - 1 */    \
    X(GENERATE, generate, GENERATION)                                                                   \
    /* edges; out and second_out, empty vectors, are explained at their public function; rows as   \
     * above */    \
    X(EDGE_DEGREES, edge_degrees, GENERATION)                                                           \
    /* edges; the parents a of a search from vertex `row`; writes tree; rows as above */                \
    X(CHECK_TREE, check_tree, GENERATION)                                                               \
    /* the matrix a, symmetric; out, an empty int64 vector, receives the least vertex of the component\
     * of each vertex */ \
    X(COMPONENTS, components, TRAVERSAL)                                                                \
    /* the matrix a, its transposed pattern b (a itself if the pattern is symmetric); rows, one    \
     * source or more, which may repeat; out, an empty fp64 vector, receives for each vertex the   \
     * sum of the sources' dependencies on it: see sl_dependencies */    \
    X(DEPENDENCIES, dependencies, TRAVERSAL)                                                            \
    /* the square matrix a, the matrix b of frontiers; semiring; count, the most iterations; out   \
     * and second_out, each NULL or an empty matrix of b's shape, receive the closures of b's rows \
     * and the levels: see sl_closures */    \
    X(CLOSURES, closures, TRAVERSAL)                                                                    \
    /* the matrix a; values of its rows, the vector b, and of its columns, the vector mask,        \
     * which is no mask; semiring; equal_too; out, an empty int64 vector, receives for each column \
     * v the least row u with b(u) (x) a(u, v) = mask(v) whose b(u) is better, if there is one.    \
     * If rows has an item, it is the source of shortest paths; a column without such a row may    \
     * receive the least one with equal b(u) that is the source or has received a row before */    \
    X(PREDECESSORS, predecessors, TRAVERSAL)                                                            \
    /* traversal; the matrix a; semiring */                                                             \
    X(ADVANCE, advance, TRAVERSAL)                                                                      \
    X(CLOSURE, closure, TRAVERSAL)

typedef enum {
#define X(NAME, name, CLASS) SL_OP_##NAME,
    SL_OPERATIONS(X)
#undef X
        SL_OP_COUNT
} sl_operation;

/* The table's name and class of an operation: "vxm", SL_CLASS_PRODUCT. */
SL_FOR_MODULE const char *sl_operation_name(sl_operation op);
sl_operation_class sl_operation_class_of(sl_operation op);

/* The operands of advance and closure: sl_advance and sl_closure explain them. pi and q are NULL in
 * PREPARE_PATHS. */
typedef struct {
    sl_object *pi;
    sl_object *q;
    sl_object *delta; /* advance; may be q */
    sl_matrix *A;     /* the same matrix as call->a */
    sl_direction direction;
    sl_iteration *iteration;           /* advance: out: a record of the iteration; or NULL */
    const sl_closure_options *options; /* closure; never NULL */
    /* Closure: it starts at options->source. pi, q, level and parent have one entry each, at the
     * source; pi's value there is the source itself if the semiring computes parents, level's is 0,
     * parent's is the source. */
    bool from_source;
    /* Closure over min_plus from a source for which only pi and parent are asked: no length is
     * negative, and all lengths and sums along paths are in the range of the type. */
    bool shortest_paths;
} sl_traversal;

/* What the processes of a grid find out with the agreement before an operation. */
typedef struct {
    uint64_t least, most, sum; /* of the numbers that the processes passed */
} sl_figures;

/* The operators of a call. */
typedef struct {
    sl_semiring semiring;
    sl_monoid monoid;
    sl_unary_op unary;
    sl_binary_op binary;
    sl_index_op index;
} sl_call_operators;

/* A list of row or column indices. */
typedef struct {
    const uint64_t *items; /* NULL: all indices */
    uint64_t count;        /* number of indices, of a range, too */
    bool range;            /* items is {begin, end, step}: see SL_RANGE */
} sl_index_list;

/* Arrays of sl_call.count indices and values, which BUILD reads and TUPLES writes. */
typedef struct {
    uint64_t *rows, *cols;
    void *values;
} sl_call_tuples;

/* Tells whether a pattern is symmetric: mirrors.h. */
typedef struct {
    uint64_t key;
    /* Which rows and columns of the whole matrix are those of a; NULL, both: a is the whole matrix. */
    const struct sl_local_blocks *rows, *cols;
    uint64_t sum; /* of the terms of a's entries */
} sl_mirrors;

/* What a single operation needs to know besides its operands. */
typedef struct {
    unsigned optimize_flags; /* OPTIMIZE: sl_optimize_flags */
    /* OPTIMIZE: before a search, not by sl_matrix_optimize; engines then do nothing if memory is short */
    bool unasked;
    bool equal_too; /* PREDECESSORS: rows whose value equals the column's are also found */
    int64_t offset; /* DIAG: number of the diagonal */
} sl_call_settings;

/* What the engine tells the dispatcher. */
typedef struct {
    sl_figures figures; /* for the grid's engine: numbers of this process, then of all processes */
    bool agreed;        /* the processes have agreed on the status already */
    const char *note;   /* for the trace, a choice that the engine made; NULL: none */
    /* The engine left its devices unused, or not all work to them, for the reason in `note`. */
    bool fell_back;
} sl_call_outcome;

/* One call of an operation. Members that the operation does not use are 0. */
typedef struct sl_call {
    sl_operation op;
    sl_context *ctx;
    sl_object *out;
    sl_object *second_out; /* CLOSURES, EDGE_DEGREES, SORT */
    sl_object *mask;       /* NULL: every entry is written */
    sl_binary_op accum;    /* NULL: overwrite */
    unsigned flags;        /* of the descriptor: SL_REPLACE, ... */
    sl_object *a, *b;
    sl_call_operators operators;
    sl_scalar scalar, beta;
    sl_index_list rows, cols;
    uint64_t row, col;
    uint64_t count;
    sl_call_tuples tuples;
    sl_arrays *arrays;
    sl_traversal *traversal;
    const struct sl_edge_generator *edges;
    sl_tree_check *tree;
    sl_mirrors *mirrors;
    sl_call_settings settings;
    sl_call_outcome outcome;
} sl_call;

/* The size that the indices of a gather or scatter must be below. */
static inline uint64_t sl_call_index_bound(const sl_call *call)
{
    return call->op == SL_OP_SCATTER ? call->out->nrows : call->a->nrows;
}

/* Reports that the value `index` at `position` of a gather's or scatter's index vector is out of
 * range. Not collective. */
SL_FOR_MODULE sl_status sl_fail_index(const sl_call *call, uint64_t position, uint64_t index);

/*
 * True for an elementwise sum in which an entry that only one input has must be cast to the
 * operator's result type apart from the operands: cast to the type of the operand first, it could
 * get another value. So -3.0 is true, but as an operand of gt_uint8 it is 0.
 */
bool sl_call_casts_apart(const sl_call *call);

/* True if an apply_index on vectors gives each entry of the output its index plus the thunk as the value, and the
 * output no other entries. False if some of the values might not fit in an int32 output. */
bool sl_call_numbers_entries(const sl_call *call);
/* The same with thunk 0. */
bool sl_call_makes_indices(const sl_call *call);

/* True if some operator of the call is user-defined. */
bool sl_call_has_user_operator(const sl_call *call);

/* True if some operand, operator or scalar of the call has a user-defined type. */
SL_FOR_MODULE bool sl_call_has_user_type(const sl_call *call);

#endif
