/*
 * The engine of one NVIDIA GPU: its table of operations, and the calls that it declines, which fall
 * back to the next engine of the chain. It does not have the operations that import or export the
 * caller's arrays: the host's engine does these without a copy, and objects then migrate as usual.
 */
#include <semla/edge_generator.h>

#include "cuda/call_matrices.h"
#include "cuda/call_vectors.h"
#include "cuda/generate/generated_block.h"
#include "cuda/grid_matrices/grid_matrices.h"
#include "cuda/grid_tuples/grid_tuples.h"
#include "cuda/grid_vectors/grid_vectors.h"
#include "cuda/jit/jit.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/host_index.h"
#include "cuda/operations/list_operations.h"
#include "cuda/operations/stored_calls.h"
#include "cuda/operations/vector_result.h"
#include "cuda/paths/grid_relax.h"
#include "cuda/paths/lengths.h"
#include "cuda/products/few_rows.h"
#include "cuda/runtime/device.h"
#include "cuda/search/searches.h"

/* Operations that only read an object run where its contents are: nothing migrates for them. */
static const char *declines_object(const sl_object *object)
{
    if (!object->held[SL_SLOT_CUDA])
        return "its contents are not on the device";
    return sl_handle(object, &sl_store_host) ? "its contents are on the host too" : NULL;
}

/* Reads and writes of single entries: entries.c says why the host collects most writes. */
static const char *declines_entry(const sl_object *object)
{
    if (object->is_matrix)
        return "the host collects single entries of matrices";
    if (!sl_object_has_contents(object))
        return NULL;
    const char *reason = declines_object(object);
    if (reason)
        return reason;
    const cuda_vector *v = cuda_vector_of(object);
    if (v->list || (cuda_is_host_list(v) && v->nvals == CUDA_HOST_LIST_MAX))
        return "the host collects single entries of lists";
    return v->single_writes < MAX_SINGLE_WRITES ? NULL
                                                : "many single entries, which the host collects";
}

/* A matrix with entries in pinned host memory, or would be after its migration. */
static bool lacks_room(const sl_object *object)
{
    if (!object || !object->is_matrix)
        return false;
    const cuda_matrix *A = cuda_matrix_of(object);
    if (A)
        return A->pinned;
    const uint64_t bytes = sl_object_bytes(object);
    return bytes > 0 && sl_cuda_read_limit(object->ctx) == SL_OK &&
           (sl_cuda_is_limited() || bytes >= RESERVE_MIN_BYTES) && bytes > sl_cuda_free_bytes();
}

/* Operations that make a matrix from such a matrix run on the host: the result would not fit
 * either. */
static const char *declines_room(const sl_call *call)
{
    if (!call->out || !call->out->is_matrix)
        return NULL;
    return lacks_room(call->out) || lacks_room(call->a) || lacks_room(call->b) ||
                   lacks_room(call->mask)
               ? "the device has too little memory for the matrix"
               : NULL;
}

static bool is_large(const sl_object *object)
{
    return object && (object->nrows > UINT32_MAX || object->ncols > UINT32_MAX);
}

/* Operations for which no kernels are compiled at run time: user-defined operators are declined. */
static bool needs_builtin_operators(sl_operation op)
{
    return op == SL_OP_CLOSURE || op == SL_OP_ADVANCE;
}

/* A block of one value: SuiteSparse stores the value once, the device stores every entry. */
static const char *declines_block(const sl_call *call)
{
    if (!call->out->is_matrix || (call->mask && !(call->flags & SL_COMPLEMENT)))
        return NULL;
    return call->cols.count && call->rows.count > MAX_CONSTANT_BLOCK / call->cols.count
               ? "a large block of one value"
               : NULL;
}

static const char *declines_traversal(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    sl_binary_op multiply = call->operators.semiring->multiply;
    if (call->op == SL_OP_CLOSURE && sl_semiring_is_search(call->operators.semiring))
        return NULL;
    if (call->op == SL_OP_CLOSURE && t->direction == SL_PULL)
        return "a closure by pull over a semiring that relaxes";
    if (t->delta == t->pi)
        return "delta is pi";
    if (call->op == SL_OP_CLOSURE && t->options->parent &&
        (!sl_cuda_uses_lengths(call) || lacks_room(call->a)))
        return "predecessors of other closures than shortest paths in device memory";
    if (cuda_is_function(multiply) || cuda_is_function(call->operators.semiring->add->op))
        return "a function of the table adds or multiplies";
    return multiply->result != multiply->type && !multiply->positional ? "a comparison multiplies"
                                                                       : NULL;
}

static const char *declines_edges(const sl_call *call)
{
    if (call->edges->vertices > UINT32_MAX)
        return "2^32 vertices, or more";
    if (call->edges->weighted && call->edges->weights.least < 0)
        return "negative weights";
    /* A block of a grid is refused when it is generated: the ranks' free memories differ. */
    return call->edges->weighted && !call->cols.items && sl_cuda_read_limit(call->ctx) == SL_OK &&
                   !sl_cuda_has_room_for_weights(call->edges)
               ? "the device has too little memory for the weights"
               : NULL;
}

/* A matrix of which only the generator's description exists is counted first. */
static sl_status nvals(sl_call *call)
{
    if (call->a->is_matrix)
        CUDA_TRY(sl_cuda_count_generated_block(call->a, cuda_matrix_of(call->a)));
    return sl_cuda_nvals(call);
}

/* The description tells whether the entries have weights. */
static sl_status is_pattern(sl_call *call)
{
    const cuda_matrix *A = cuda_matrix_of(call->a);
    const cuda_generated_block *m = cuda_generated_of(A);
    if (cuda_has_rows(A) || !m || !m->source.weighted || A->nnz == 0)
        return sl_cuda_is_pattern(call);
    call->scalar = sl_scalar_bool(false);
    return SL_OK;
}

static sl_status (*const operations[SL_OP_COUNT])(sl_call *call) = {
    [SL_OP_VXM] = sl_cuda_matrix_vector,
    [SL_OP_MXV] = sl_cuda_matrix_vector,
    [SL_OP_EWISE_ADD] = sl_cuda_map,
    [SL_OP_EWISE_MULT] = sl_cuda_map,
    [SL_OP_EWISE_UNION] = sl_cuda_map,
    [SL_OP_APPLY_FIRST] = sl_cuda_map,
    [SL_OP_APPLY_SECOND] = sl_cuda_map,
    [SL_OP_APPLY] = sl_cuda_map,
    [SL_OP_APPLY_INDEX] = sl_cuda_map,
    [SL_OP_SELECT] = sl_cuda_map,
    [SL_OP_MXM] = sl_cuda_mxm,
    [SL_OP_TRANSPOSE] = sl_cuda_map_matrix,
    [SL_OP_REDUCE] = sl_cuda_reduce_all,
    [SL_OP_REDUCE_ROWS] = sl_cuda_reduce_rows,
    [SL_OP_REDUCE_PAIR] = sl_cuda_reduce_pair,
    [SL_OP_ASSIGN] = sl_cuda_assign,
    [SL_OP_ASSIGN_SCALAR] = sl_cuda_assign_scalar,
    [SL_OP_ASSIGN_ROW] = sl_cuda_assign_row,
    [SL_OP_ASSIGN_COLUMN] = sl_cuda_assign_column,
    [SL_OP_EXTRACT] = sl_cuda_extract,
    [SL_OP_EXTRACT_COLUMN] = sl_cuda_extract_column,
    [SL_OP_GATHER] = sl_cuda_gather_vector,
    [SL_OP_GATHER_MATRIX] = sl_cuda_gather_matrix,
    [SL_OP_SORT] = sl_cuda_sort_vector,
    [SL_OP_SCATTER] = sl_cuda_scatter_vector,
    [SL_OP_KRONECKER] = sl_cuda_kronecker_product,
    [SL_OP_DIAG] = sl_cuda_diag,
    [SL_OP_BUILD] = sl_cuda_build,
    [SL_OP_RESIZE] = sl_cuda_resize,
    [SL_OP_ADVANCE] = sl_cuda_advance,
    [SL_OP_CLOSURE] = sl_cuda_closure,
    [SL_OP_CLOSURES] = sl_cuda_closures,
    [SL_OP_COMPONENTS] = sl_cuda_components,
    [SL_OP_PREDECESSORS] = sl_cuda_predecessors,
    [SL_OP_DEPENDENCIES] = sl_cuda_dependencies,
    [SL_OP_SUM_MIRRORS] = sl_cuda_sum_mirrors,
    [SL_OP_OPTIMIZE] = sl_cuda_optimize,
    [SL_OP_PREPARE_PATHS] = sl_cuda_prepare_paths,
    [SL_OP_GENERATE] = sl_cuda_generate,
    [SL_OP_EDGE_DEGREES] = sl_cuda_edge_degrees,
    [SL_OP_CHECK_TREE] = sl_cuda_check_tree,
    [SL_OP_NVALS] = nvals,
    [SL_OP_IS_PATTERN] = is_pattern,
    [SL_OP_ROW_ENTRIES] = sl_cuda_row_entries,
    [SL_OP_SET] = sl_cuda_set,
    [SL_OP_REMOVE] = sl_cuda_remove,
    [SL_OP_GET] = sl_cuda_get,
    [SL_OP_TUPLES] = sl_cuda_tuples,
};

/* Types and operators of the program. */
static const char *declines_operators(const sl_call *call)
{
    if (sl_cuda_calls_on_host(call))
        return NULL;
    const char *types = sl_cuda_user_types_reason(call);
    return types ? types : sl_cuda_uncompilable_reason(call);
}

static const char *declines(const sl_call *call)
{
    if (!operations[call->op])
        return "does not have it";
    const char *operators = declines_operators(call);
    if (operators)
        return operators;
    if (sl_call_has_user_operator(call) && needs_builtin_operators(call->op))
        return "user-defined operator";
    if (is_large(call->out) || is_large(call->a) || is_large(call->b))
        return "2^32 rows or columns, or more";
    const char *matrices = sl_cuda_declines_matrices(call);
    if (matrices)
        return matrices;
    /* Before the room, which takes longer to look up than an entry to write. */
    if (call->op == SL_OP_SET || call->op == SL_OP_REMOVE)
        return declines_entry(call->out);
    const char *room = declines_room(call);
    if (room)
        return room;
    switch (call->op) {
    case SL_OP_NVALS:
    case SL_OP_IS_PATTERN:
    case SL_OP_GET:
    case SL_OP_TUPLES:
        return declines_object(call->a);
    case SL_OP_ROW_ENTRIES:
        return declines_object(call->a) ? declines_object(call->a) : declines_object(call->b);
    case SL_OP_RESIZE:
        if (call->rows.count > UINT32_MAX || call->cols.count > UINT32_MAX)
            return "2^32 rows or columns, or more";
        return declines_object(call->out);
    case SL_OP_ADVANCE:
    case SL_OP_CLOSURE:
        return declines_traversal(call);
    case SL_OP_PREDECESSORS:
        return sl_cuda_has_predecessors(call) ? NULL
                                              : "only min_plus over lengths of the same type";
    case SL_OP_CLOSURES:
        return sl_semiring_is_search(call->operators.semiring) ? NULL : "only searches";
    case SL_OP_SUM_MIRRORS:
        return lacks_room(call->a) ? "the device has too little memory for the matrix" : NULL;
    case SL_OP_ASSIGN_SCALAR:
        return declines_block(call);
    case SL_OP_SCATTER:
        return call->operators.monoid && (call->operators.monoid->op->user ||
                                          cuda_kind_of(call->operators.monoid->op) != CUDA_VALUES)
                   ? "equal indices are combined by an operator that is not in the table"
                   : NULL;
    case SL_OP_GENERATE:
    case SL_OP_EDGE_DEGREES:
    case SL_OP_CHECK_TREE:
        return declines_edges(call);
    default:
        return NULL;
    }
}

/* ---- lists ------------------------------------------------------------------------ */

/* Operations that accept lists. */
static bool accepts_lists(const sl_call *call)
{
    const sl_operation op = call->op;
    if (op == SL_OP_CLOSURE)
        return sl_semiring_is_search(call->operators.semiring);
    if (op == SL_OP_VXM || op == SL_OP_MXV)
        return sl_cuda_is_few_entries_product(call);
    return op == SL_OP_NVALS || op == SL_OP_TUPLES || op == SL_OP_GET || op == SL_OP_DIAG;
}

/* Operations that accept full vectors: values without a bitmap, an entry everywhere. */
static bool accepts_full(const sl_call *call)
{
    switch (call->op) {
    case SL_OP_VXM:
    case SL_OP_MXV:
        return !sl_cuda_is_pattern_product(call);
    case SL_OP_EWISE_ADD:
    case SL_OP_EWISE_MULT:
    case SL_OP_EWISE_UNION:
    case SL_OP_APPLY:
    case SL_OP_APPLY_FIRST:
    case SL_OP_APPLY_SECOND:
    case SL_OP_APPLY_INDEX:
    case SL_OP_SELECT:
    case SL_OP_REDUCE:
    case SL_OP_REDUCE_ROWS:
    case SL_OP_REDUCE_PAIR:
    case SL_OP_ASSIGN:
    case SL_OP_ASSIGN_SCALAR:
    case SL_OP_EXTRACT:
    case SL_OP_GATHER:
    case SL_OP_SCATTER:
    case SL_OP_GATHER_MATRIX:
    case SL_OP_SORT:
    case SL_OP_NVALS:
    case SL_OP_TUPLES:
    case SL_OP_GET:
        return true;
    default:
        return false;
    }
}

/* Whether the call may leave writes as they wait: an operation that has the vector as an input only, a product that
 * does the writes of its vector or does them before, and operations that change no array. */
static bool leaves_writes(const sl_call *call, const sl_object *vector)
{
    const cuda_vector *v = cuda_vector_of(vector);
    if (call->op == SL_OP_NVALS || sl_cuda_keeps_entries(call))
        return true;
    if (cuda_is_matrix_vector(call) && sl_cuda_takes_writes(call))
        return vector != call->out || vector == (call->op == SL_OP_VXM ? call->a : call->b);
    return !v->waits_for && !call->traversal && vector != call->out && vector != call->second_out;
}

/* Does the writes to the vectors of the call, and from them, that may not wait longer. */
static sl_status finish_writes(const sl_call *call, const cuda_call_vectors *all)
{
    for (int k = 0; k < CUDA_CALL_VECTORS; k++)
        if (all->of[k] && !leaves_writes(call, all->of[k]))
            CUDA_TRY(sl_cuda_finish_writes(call->ctx, cuda_vector_of(all->of[k])));
    return SL_OK;
}

/* Converts a vector to a form that the operation accepts. A bitmap known to be full is dropped. */
static sl_status convert_vector(const sl_call *call, const sl_object *vector, bool read)
{
    cuda_vector *v = cuda_vector_of(vector);
    bool full = accepts_full(call);
    if (cuda_is_list(v))
        return read && !accepts_lists(call) ? sl_cuda_make_bitmap(vector, v) : SL_OK;
    if (v->full)
        return full ? SL_OK : sl_cuda_make_bitmap(vector, v);
    bool all = v->nvals == vector->nrows && vector->nrows > 0 && v->waiting.count == 0;
    return full && all ? sl_cuda_make_full(vector, v) : SL_OK;
}

/* The vector whose values the call does not read, or not now: the vector of a product over a pattern, and the mask
 * under which a write waits. Or NULL. */
static const sl_object *vector_without_values(const sl_call *call)
{
    if (sl_cuda_lets_write_wait(call))
        return call->mask;
    if (call->op == SL_OP_ADVANCE)
        return sl_cuda_is_pattern_advance(call) ? call->traversal->q : NULL;
    if (!cuda_is_matrix_vector(call) || !sl_cuda_is_pattern_product(call))
        return NULL;
    const sl_object *u = call->op == SL_OP_VXM ? call->a : call->b;
    return call->mask == u && !(call->flags & SL_STRUCTURE) ? NULL : u;
}

/* Whether the mask is no other vector of the call, and its pattern alone counts. */
static bool is_pattern_mask(const sl_call *call, const cuda_call_vectors *all)
{
    bool alone = call->flags & SL_STRUCTURE;
    for (int k = 1; k < CUDA_CALL_VECTORS && alone; k++)
        alone = all->of[k] != all->of[0];
    return alone;
}

/* Writes the arrays of vectors whose values are known but not in their arrays. The output of a product is left to it:
 * products.c. */
static sl_status write_values(const sl_call *call)
{
    const cuda_call_vectors all = sl_cuda_vectors_of(call);
    if (call->op == SL_OP_NVALS)
        return SL_OK;
    const sl_object *without = vector_without_values(call);
    const int end = cuda_is_matrix_vector(call) ? CUDA_CALL_READS : CUDA_CALL_VECTORS;
    for (int k = is_pattern_mask(call, &all) ? 1 : 0; k < end; k++)
        if (all.of[k] && all.of[k] != without)
            CUDA_TRY(sl_cuda_write_values(all.of[k], cuda_vector_of(all.of[k])));
    return SL_OK;
}

/* Outputs that are lists are handled by sl_cuda_write_output. */
static sl_status convert_vectors(const sl_call *call)
{
    const cuda_call_vectors all = sl_cuda_vectors_of(call);
    for (int k = 0; k < CUDA_CALL_VECTORS; k++)
        if (all.of[k])
            CUDA_TRY(convert_vector(call, all.of[k], k < CUDA_CALL_READS));
    return SL_OK;
}

/* Notes the order of the vectors from number `first` on: it is the same for all but lists, which are in the caller's,
 * and vectors of one product, which have that of its matrix. */
static void note_order(const cuda_call_vectors *all, int first, cuda_degree_order *order)
{
    for (int k = first; k < CUDA_CALL_VECTORS; k++)
        if (all->of[k] && !cuda_is_list(cuda_vector_of(all->of[k])) &&
            !cuda_vector_of(all->of[k])->in_order)
            sl_cuda_set_order(cuda_vector_of(all->of[k]), order);
}

static sl_status run_in_order(sl_call *call, const cuda_call_vectors *all, cuda_degree_order *order)
{
    bool done = false;
    if (sl_cuda_keeps_entries(call)) {
        sl_cuda_number_vector(call->out, cuda_vector_of(call->out),
                              sl_scalar_cast(call->scalar, SL_INT64).as.int64_);
        return SL_OK;
    }
    for (int k = 0; k < CUDA_CALL_VECTORS; k++)
        if (all->of[k])
            CUDA_TRY(sl_cuda_bring_into_order(all->of[k], cuda_vector_of(all->of[k]), order));
    CUDA_TRY(write_values(call));
    if (!order)
        CUDA_TRY(sl_cuda_on_lists(call, &done));
    if (done)
        return SL_OK;
    CUDA_TRY(convert_vectors(call));
    note_order(all, 0, order); /* of vectors that had no entries */
    CUDA_TRY(operations[call->op](call));
    note_order(all, CUDA_CALL_READS, order);
    return SL_OK;
}

static sl_status run_stored(sl_call *call)
{
    if (sl_cuda_multiplies_by_rows(call))
        return sl_cuda_mxm_by_rows(call, run_stored);
    if (cuda_is_matrix_vector(call) && sl_cuda_wants_order(call)) {
        sl_call prepare = {.op = SL_OP_OPTIMIZE,
                           .ctx = call->ctx,
                           .a = call->op == SL_OP_VXM ? call->b : call->a,
                           .settings.optimize_flags = SL_FOR_TRAVERSAL,
                           .settings.unasked = true};
        CUDA_TRY(sl_cuda_optimize(&prepare));
    }
    const cuda_call_vectors all = sl_cuda_vectors_of(call);
    CUDA_TRY(finish_writes(call, &all));
    cuda_degree_order *order = sl_cuda_own_order(sl_cuda_order_of_call(call, &all));
    const sl_status status = run_in_order(call, &all, order);
    sl_cuda_drop_order(order);
    return status;
}

static sl_status run_operands(sl_call *call)
{
    return sl_call_has_user_type(call) && !sl_cuda_calls_on_host(call)
               ? sl_cuda_run_stored(call, run_stored)
               : run_stored(call);
}

static sl_status run_call(sl_call *call)
{
    sl_cuda_begin_call();
    const sl_status status = sl_cuda_run_with_entries(call, run_operands);
    sl_cuda_end_call();
    return status;
}

const sl_engine sl_engine_cuda = {
    .name = "cuda",
    .description = "all operations on one NVIDIA GPU; SuiteSparse where it declines",
    .choice = SL_ENGINE_CUDA,
    .version = sl_cuda_version,
    .unavailable_reason = sl_cuda_unavailable_reason,
    .start = sl_cuda_start,
    .store = &sl_store_cuda,
    .devices.searches = &sl_cuda_device_searches,
    .devices.matrices = &sl_cuda_device_matrices,
    .devices.relaxations = &sl_cuda_device_relaxations,
    .devices.tuples = &sl_cuda_device_tuples,
    .devices.vectors = &sl_cuda_device_vectors,
    .energy = sl_cuda_energy,
    .declines = declines,
    .run =
        {
#define X(NAME, name, CLASS) [SL_OP_##NAME] = run_call,
            SL_OPERATIONS(X)
#undef X
        },
};
