/* Build, of matrices and vectors. Each tuple becomes a key (keys.h); keys that do not ascend are
 * sorted. The values of equal keys are combined in the order of the tuples. */
#include <string.h>

#include "cuda/jit/jit.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/keys.h"
#include "cuda/operations/list_operations.h"

/* The tuples of a call: keys, and values of the output's type (NULL: all 1). */
typedef struct {
    cuda_keys k;
    void *values;
} tuples;

static sl_status upload(cuda_scratch *s, void *to_pointer, const void *from, uint64_t bytes)
{
    void *to;
    CUDA_TRY(sl_cuda_scratch_take(s, &to, bytes));
    *(void **)to_pointer = to;
    return sl_cuda_upload(s->call->ctx, to, from, bytes);
}

/* Makes keys of arrays on the device; cols is NULL for a vector. */
static sl_status make_keys(cuda_scratch *s, tuples *t, const uint64_t *rows, const uint64_t *cols)
{
    const sl_call *call = s->call;
    CUDA_TRY(sl_cuda_new_keys(s, &t->k, call->count, call->out->nrows, call->out->ncols));
    return cuda_launched(s, "kernel keys",
                         sl_cuda_keys(t->k.key, rows, cols, t->k.shift, call->count));
}

/* Uploads the caller's arrays. */
static sl_status bring(cuda_scratch *s, tuples *t)
{
    const sl_call *call = s->call;
    const sl_object *out = call->out;
    void *rows, *cols = NULL;
    uint64_t bytes = call->count * sizeof *call->tuples.rows;
    *t = (tuples){0};
    CUDA_TRY(upload(s, &rows, call->tuples.rows, bytes));
    if (out->is_matrix)
        CUDA_TRY(upload(s, &cols, call->tuples.cols, bytes));
    if (call->tuples.values)
        CUDA_TRY(upload(s, &t->values, call->tuples.values, call->count * sl_type_size(out->type)));
    return make_keys(s, t, rows, cols);
}

/* Waits, so the caller may reuse the uploaded arrays. */
static sl_status check_order(cuda_scratch *s, cuda_order *order, const cuda_keys *k)
{
    cuda_order *counted;
    CUDA_TRY(sl_cuda_scratch_take(s, &counted, sizeof *counted));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, counted, sizeof *counted));
    CUDA_TRY(cuda_launched(s, "kernel count_order", sl_cuda_order(counted, k->key, k->count)));
    return sl_cuda_fetch(s->call->ctx, "kernel count_order", order, counted, sizeof *order);
}

/* ---- duplicates --------------------------------------------------------------------- */

/* True if the operator is associative: its terms may be grouped in any way. */
static bool associative(sl_binary_op op)
{
    if (op->user)
        return false;
    switch (op->code) {
    case SL_BINARY_ANY:
    case SL_BINARY_FIRST:
    case SL_BINARY_SECOND:
    case SL_BINARY_PLUS:
    case SL_BINARY_TIMES:
    case SL_BINARY_MIN:
    case SL_BINARY_MAX:
    case SL_BINARY_LOR:
    case SL_BINARY_LAND:
        return true;
    default:
        return false;
    }
}

/* True if the operator maps (1, 1) to 1. */
static bool keeps_ones(sl_binary_op op)
{
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), op->type), both = {.type = op->result};
    op->eval(&both.as, &one.as, &one.as);
    return sl_scalar_equal(both, one);
}

static sl_status see_values(cuda_scratch *s, void **values, const cuda_keys *k)
{
    sl_type type = s->call->out->type;
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), type);
    if (*values)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, values, k->count * sl_type_size(type)));
    return cuda_launched(s, "kernel fill",
                         sl_cuda_fill(*values, &one.as, sl_type_size(type), k->count));
}

static sl_status join(cuda_scratch *s, tuples *t)
{
    const sl_call *call = s->call;
    sl_type type = call->out->type;
    bool ones = !t->values && keeps_ones(call->operators.binary);
    uint64_t *ends;
    void *values;
    cuda_join_keys j = {.count = t->k.count,
                        .key = t->k.key,
                        .kind = cuda_kind_of(call->operators.binary),
                        .code = (int)call->operators.binary->code,
                        .associative = associative(call->operators.binary)};
    CUDA_TRY(see_values(s, &t->values, &t->k));
    CUDA_TRY(sl_cuda_values_of_keys(s, &values, &t->k, t->values, type));
    CUDA_TRY(sl_cuda_scratch_take(s, &ends, j.count * sizeof *ends));
    CUDA_TRY(cuda_launched(s, "kernel heads", sl_cuda_heads(ends, j.key, j.count)));
    CUDA_TRY(sl_cuda_sum(s, &j.heads, ends, j.count));
    CUDA_TRY(sl_cuda_scratch_take(s, &j.first, (j.heads + 1) * sizeof *j.first));
    CUDA_TRY(sl_cuda_scratch_take(s, &j.to_key, j.heads * sizeof *j.to_key));
    CUDA_TRY(sl_cuda_scratch_take(s, &j.to_values, j.heads * sl_type_size(type)));
    j.ends = ends;
    j.values = values;
    CUDA_TRY(sl_cuda_compile_join(call->ctx, &j.made, call->operators.binary));
    CUDA_TRY(cuda_launched(s, "kernel list_heads", sl_cuda_list_heads(&j)));
    CUDA_TRY(cuda_launched(s, "kernel join", sl_cuda_join(&j, type)));
    t->k.count = j.heads;
    t->k.key = j.to_key;
    t->k.origin = NULL;
    t->values = ones ? NULL : j.to_values;
    return SL_OK;
}

/* ---- the output, which is empty -------------------------------------------------------- */

static sl_status fill_matrix(cuda_scratch *s, const tuples *t)
{
    const sl_object *out = s->call->out;
    cuda_rows rows;
    CUDA_TRY(sl_cuda_rows_of_keys(s, &rows, &t->k, out->nrows, t->values, out->type));
    return sl_cuda_replace_rows(s, &rows);
}

/* A list is a matrix of one row; the keys of a vector are its columns. */
static sl_status fill_vector(cuda_scratch *s, const tuples *t)
{
    const sl_object *out = s->call->out;
    cuda_keys k = t->k;
    cuda_rows row;
    k.shift = 32;
    CUDA_TRY(sl_cuda_rows_of_keys(s, &row, &k, 1, t->values, out->type));
    return sl_cuda_replace_by_list(s, &row);
}

/* True if the tuples are few and ascending: the vector becomes a host list. */
static bool build_host_list(const sl_call *call)
{
    uint64_t size = sl_type_size(call->out->type);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), call->out->type);
    for (uint64_t k = 1; k < call->count; k++)
        if (call->tuples.rows[k] <= call->tuples.rows[k - 1])
            return false;
    sl_cuda_clear_vector(cuda_vector_of(call->out));
    for (uint64_t k = 0; k < call->count; k++) {
        unsigned long long value = 0;
        memcpy(&value,
               call->tuples.values ? (const char *)call->tuples.values + k * size : (char *)&one.as,
               size);
        sl_cuda_host_list_set(cuda_vector_of(call->out), call->tuples.rows[k], &value);
    }
    return true;
}

static sl_status build_of(cuda_scratch *s, tuples *t)
{
    const sl_call *call = s->call;
    cuda_order order;
    CUDA_TRY(check_order(s, &order, &t->k));
    if (order.below) {
        CUDA_TRY(sl_cuda_sort_keys(s, &t->k));
        CUDA_TRY(check_order(s, &order, &t->k));
    }
    if (order.equal && !call->operators.binary)
        return sl_fail(call->ctx, SL_INVALID,
                       "build: two tuples have the same index, and no operator combines them");
    if (order.equal)
        CUDA_TRY(join(s, t));
    return call->out->is_matrix ? fill_matrix(s, t) : fill_vector(s, t);
}

static sl_status build(cuda_scratch *s)
{
    const sl_call *call = s->call;
    tuples t;
    if (call->count == 0)
        return SL_OK;
    if (!call->out->is_matrix && call->count <= CUDA_HOST_LIST_MAX && build_host_list(call))
        return SL_OK;
    CUDA_TRY(bring(s, &t));
    return build_of(s, &t);
}

sl_status sl_cuda_build(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = build(&s);
    sl_cuda_scratch_release(&s);
    return status;
}

/* The output may take over arrays of the scratch, so the values are copied there. */
static sl_status build_on_device(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const uint64_t bytes = call->count * sl_type_size(call->out->type);
    tuples t = {0};
    if (call->count == 0)
        return SL_OK;
    if (call->tuples.values) {
        CUDA_TRY(sl_cuda_scratch_take(s, &t.values, bytes));
        CUDA_TRY(sl_cuda_copy(call->ctx, t.values, call->tuples.values, bytes));
    }
    CUDA_TRY(make_keys(s, &t, call->tuples.rows, call->out->is_matrix ? call->tuples.cols : NULL));
    return build_of(s, &t);
}

sl_status sl_cuda_build_on_device(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = build_on_device(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
