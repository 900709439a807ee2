/* Operators that read the indices of their operands: see indexed.h. */
#include "graphblas/indexed.h"

#include <string.h>

enum { INDICES = 2 * sizeof(uint64_t) }; /* bytes before the value of an indexed entry */

static const uint64_t missing =
    UINT64_MAX; /* the first index of a value that stands for a missing entry */

/* The operator of the operation that runs. */
static const struct grb_indexed *running;

/* ---- values with indices ------------------------------------------------------------------------- */

/* Bytes of an indexed value: the size is a multiple of the indices' alignment. */
static size_t indexed_size(GrB_Type type)
{
    const size_t align = sizeof(uint64_t);
    return INDICES + (type->size + align - 1) / align * align;
}

static void write_indexed(void *z, const void *x, size_t size, uint64_t i, uint64_t j)
{
    const uint64_t indices[2] = {i, j};
    memcpy(z, indices, INDICES);
    memcpy((char *)z + INDICES, x, size);
}

/* thunk: the size of the value; negative, if the object is transposed */
static void add_index(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    int64_t size;
    memcpy(&size, thunk, sizeof size);
    const bool transposed = size < 0;
    write_indexed(z, x, (size_t)(transposed ? -size : size), (uint64_t)(transposed ? j : i),
                  (uint64_t)(transposed ? i : j));
}

static void call_function(void *z, const void *x, const void *y)
{
    uint64_t i[2], j[2];
    memcpy(i, x, INDICES);
    memcpy(j, y, INDICES);
    if (i[0] == missing)
        memcpy(i, j, INDICES);
    if (j[0] == missing)
        memcpy(j, i, INDICES);
    running->op->f(z, (const char *)x + INDICES, i[0], i[1], (const char *)y + INDICES, j[0], j[1],
                   running->theta);
}

/* ---- operators ---------------------------------------------------------------------------------- */

void grb_indexed_free(struct grb_indexed *indexed)
{
    if (!indexed)
        return;
    for (int side = 0; side < 2; side++) {
        sl_index_op_free(indexed->add_index[side]);
        sl_type_free(indexed->types[side]);
        sl_free(indexed->missing[side]);
    }
    sl_free(indexed->theta);
    sl_free(indexed);
}

GrB_Info GxB_IndexBinaryOp_new(GxB_IndexBinaryOp *op, GxB_index_binary_function f, GrB_Type z,
                               GrB_Type x, GrB_Type y, GrB_Type theta, const char *name,
                               const char *definition)
{
    (void)definition;
    GRB_TRY(grb_begin_operator(op, f, (const GrB_Type[]){z, x, y, theta}, 4));
    GxB_IndexBinaryOp made = grb_new_named(sizeof *made, GRB_INDEX_BINARY_OP, name);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->f = f;
    made->z = grb_hold(z);
    made->x = grb_hold(x);
    made->y = grb_hold(y);
    made->theta = grb_hold(theta);
    *op = made;
    return GrB_SUCCESS;
}

/* Makes the types and operators of semla. */
static sl_status define(GrB_BinaryOp made, GrB_Type x, GrB_Type y)
{
    struct grb_indexed *indexed = made->indexed;
    const GrB_Type given[2] = {x, y};
    sl_status status = SL_OK;
    for (int side = 0; side < 2 && status == SL_OK; side++) {
        status = sl_type_new(&indexed->types[side], grb_global.ctx, "a value and its indices",
                             indexed_size(given[side]), NULL);
        if (status == SL_OK)
            status =
                sl_index_op_new(&indexed->add_index[side], grb_global.ctx, "add_index",
                                indexed->types[side], given[side]->code, SL_INT64, add_index, NULL);
    }
    if (status != SL_OK)
        return status;
    return sl_binary_op_new(&made->op, grb_global.ctx, "index_binary", made->z->code,
                            indexed->types[0], indexed->types[1], call_function, NULL);
}

GrB_Info GxB_BinaryOp_new_IndexOp(GrB_BinaryOp *op, GxB_IndexBinaryOp index, GrB_Scalar theta)
{
    GRB_INITIALISED();
    if (!op)
        return GrB_NULL_POINTER;
    *op = NULL;
    GRB_TRY(grb_check(index, GRB_INDEX_BINARY_OP));
    GRB_TRY(grb_check(theta, GRB_SCALAR));
    GRB_TRY(grb_check_domain(&index->header, theta->type, index->theta, "theta"));
    if (!theta->present)
        return GrB_EMPTY_OBJECT;
    GrB_BinaryOp made = grb_new(sizeof *made, GRB_BINARY_OP);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->z = grb_hold(index->z);
    made->x = grb_hold(index->x);
    made->y = grb_hold(index->y);
    made->indexed = sl_calloc(1, sizeof *made->indexed);
    if (made->indexed) {
        made->indexed->types[0] = made->indexed->types[1] = SL_TYPE_COUNT;
        made->indexed->op = grb_hold(index);
        made->indexed->theta = sl_malloc(index->theta->size);
        made->indexed->missing[0] = sl_calloc(1, indexed_size(index->x));
        made->indexed->missing[1] = sl_calloc(1, indexed_size(index->y));
    }
    if (!made->indexed || !made->indexed->theta || !made->indexed->missing[0] ||
        !made->indexed->missing[1]) {
        grb_release(made);
        return GrB_OUT_OF_MEMORY;
    }
    const sl_scalar value = sl_scalar_cast(theta->value, index->theta->code);
    memcpy(made->indexed->theta, sl_scalar_bytes(&value), index->theta->size);
    grb_lock();
    return grb_created((void **)op, made, define(made, index->x, index->y));
}

/* ---- operands ------------------------------------------------------------------------------------- */

static grb_operand operand_of(const void *object)
{
    const struct semla_grb_matrix *given = object; /* a vector has the same members */
    return (grb_operand){.v = given->v, .A = given->A};
}

/* Replaces the operand by an indexed copy. */
static sl_status add_indices(grb_operand *o, const struct grb_indexed *indexed, int side,
                             bool transposed)
{
    const grb_operand from = *o;
    const GrB_Type type = side == 0 ? indexed->op->x : indexed->op->y;
    const sl_index_op op = indexed->add_index[side];
    const sl_scalar thunk =
        sl_scalar_int64(transposed ? -(int64_t)type->size : (int64_t)type->size);
    *o = (grb_operand){.owned = true};
    if (from.v) {
        sl_status status =
            sl_vector_new(&o->v, grb_global.ctx, indexed->types[side], sl_vector_size(from.v));
        return status == SL_OK ? sl_vector_apply_index(o->v, NULL, NULL, op, from.v, thunk, NULL)
                               : status;
    }
    sl_status status = sl_matrix_new(&o->A, grb_global.ctx, indexed->types[side],
                                     sl_matrix_nrows(from.A), sl_matrix_ncols(from.A));
    return status == SL_OK ? sl_matrix_apply_index(o->A, NULL, NULL, op, from.A, thunk, NULL)
                           : status;
}

sl_status grb_operands_open(grb_operand *first, grb_operand *second, GrB_BinaryOp op, const void *a,
                            const void *b, unsigned transposed)
{
    *first = operand_of(a);
    *second = operand_of(b);
    if (!op->indexed)
        return SL_OK;
    running = op->indexed;
    sl_status status = add_indices(first, op->indexed, 0, transposed & SL_TRANSPOSE_A);
    if (status == SL_OK)
        status = add_indices(second, op->indexed, 1, transposed & SL_TRANSPOSE_B);
    return status;
}

static void free_operand(grb_operand *o)
{
    if (!o->owned)
        return;
    sl_vector_free(o->v);
    sl_matrix_free(o->A);
}

void grb_operands_free(grb_operand *first, grb_operand *second)
{
    free_operand(first);
    free_operand(second);
}

sl_scalar grb_indexed_scalar(GrB_BinaryOp op, int side, sl_scalar value)
{
    if (!op->indexed)
        return value;
    const GrB_Type type = side == 0 ? op->x : op->y;
    value = sl_scalar_cast(value, type->code);
    write_indexed(op->indexed->missing[side], sl_scalar_bytes(&value), type->size, missing,
                  missing);
    return sl_scalar_other(op->indexed->types[side], op->indexed->missing[side]);
}

/* ---- elementwise addition ----------------------------------------------------------------------- */

static sl_status new_like(grb_operand *o, sl_type type, const grb_operand *like)
{
    *o = (grb_operand){.owned = true};
    return like->v ? sl_vector_new(&o->v, grb_global.ctx, type, sl_vector_size(like->v))
                   : sl_matrix_new(&o->A, grb_global.ctx, type, sl_matrix_nrows(like->A),
                                   sl_matrix_ncols(like->A));
}

static sl_status assign(const grb_operand *C, const grb_operand *mask, sl_binary_op accum,
                        const grb_operand *A, unsigned flags)
{
    const sl_descriptor desc = sl_descriptor_get(flags);
    return C->v ? sl_vector_assign(C->v, mask->v, accum, A->v, SL_ALL, 0, desc)
                : sl_matrix_assign(C->A, mask->A, accum, A->A, SL_ALL, 0, SL_ALL, 0, desc);
}

static sl_status multiply(const grb_operand *C, sl_binary_op op, const grb_operand *A,
                          const grb_operand *B, unsigned flags)
{
    const sl_descriptor desc = sl_descriptor_get(flags);
    return C->v ? sl_vector_ewise_mult(C->v, NULL, NULL, op, A->v, B->v, desc)
                : sl_matrix_ewise_mult(C->A, NULL, NULL, op, A->A, B->A, desc);
}

/* Fills `sum` with the entries of a alone, of b alone, and of both. */
static sl_status add(grb_operand *sum, grb_operand *both, GrB_BinaryOp op, const void *a,
                     const void *b, unsigned turned)
{
    static const grb_operand nothing = {0};
    const grb_operand A = operand_of(a), B = operand_of(b);
    grb_operand first, second;
    const unsigned alone = SL_COMPLEMENT | SL_STRUCTURE; /* where the sum has no entry yet */
    sl_status status = assign(sum, &nothing, NULL, &A, turned & SL_TRANSPOSE_A);
    if (status == SL_OK)
        status = assign(sum, sum, NULL, &B, alone | (turned & SL_TRANSPOSE_B ? SL_TRANSPOSE_A : 0));
    if (status != SL_OK)
        return status;
    status = grb_operands_open(&first, &second, op, a, b, turned);
    if (status == SL_OK)
        status = multiply(both, op->op, &first, &second, turned);
    grb_operands_free(&first, &second);
    return status == SL_OK ? assign(sum, both, NULL, both, SL_STRUCTURE) : status;
}

sl_status grb_indexed_add(const void *C, const void *mask, sl_binary_op accum, GrB_BinaryOp op,
                          const void *A, const void *B, GrB_Descriptor desc)
{
    const grb_operand out = operand_of(C), masked = mask ? operand_of(mask) : (grb_operand){0};
    const unsigned turns = out.A ? grb_turns_of(desc) : 0;
    grb_operand sum = {0}, both = {0};
    sl_status status = new_like(&sum, op->z->code, &out);
    if (status == SL_OK)
        status = new_like(&both, op->z->code, &out);
    if (status == SL_OK)
        status = add(&sum, &both, op, A, B, turns);
    if (status == SL_OK)
        status = assign(&out, &masked, accum, &sum,
                        sl_descriptor_flags(grb_flags_of(desc)) &
                            ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B));
    grb_operands_free(&sum, &both);
    return status;
}
