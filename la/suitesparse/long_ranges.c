/*
 * A detour around an overflow of SuiteSparse:GraphBLAS 7.4 to 10.5: to choose a method for a range whose
 * step is not 1, it multiplies the number of indices by 64. From 2^57 indices on, the product can be negative,
 * and SuiteSparse then searches the object for each index of the range, which does not end.
 *
 * So a long range is divided into pieces of 2^56 indices, at most 16 in each dimension. An extract collects
 * the pieces' results in an object of the output's shape, which is then written to the output. An assign
 * writes one piece after the other: the pieces are disjoint, and to clear what is outside the mask
 * (SL_REPLACE) repeatedly has the effect of clearing it once.
 */
#include "suitesparse/grb_engine.h"

static const uint64_t piece_indices = (uint64_t)1 << 56;

static bool is_long(const sl_index_list *list)
{
    return list->range && list->count > piece_indices && list->items[2] != 1;
}

/* SuiteSparse has no need to search a full object. */
bool sl_grb_is_endless(const sl_call *call)
{
    bool full = false;
    if (!is_long(&call->rows) && !is_long(&call->cols))
        return false;
    return !call->a || sl_grb_is_full(&full, call->a) != GrB_SUCCESS || !full;
}

/* One piece of the indices of a dimension. */
typedef struct {
    sl_index_list list; /* the indices in the whole object; its items may be `range` */
    uint64_t range[3];
    uint64_t positions[3]; /* the range of their positions in the list; not read if all are taken */
    bool all;              /* the piece is the whole list */
} piece;

/* The piece that begins at position `begin` of a list. */
static void set_piece(piece *p, const sl_index_list *list, uint64_t begin)
{
    *p = (piece){.list = *list, .all = true};
    if (!is_long(list))
        return;
    const uint64_t left = list->count - begin;
    p->list.count = left < piece_indices ? left : piece_indices;
    p->all = false;
    p->range[0] = list->items[0] + begin * list->items[2];
    p->range[2] = list->items[2];
    p->positions[0] = begin;
    p->positions[2] = 1;
    p->list.items = p->range;
}

/* The positions of the piece in the whole list. */
static sl_index_list positions_of(const piece *p)
{
    return (sl_index_list){
        .items = p->all ? NULL : p->positions, .count = p->list.count, .range = !p->all};
}

typedef sl_status piece_function(sl_call *call, const piece *rows, const piece *cols, void *data);

/* Calls the function for each pair of a piece of the rows and a piece of the columns; once if there are no
 * indices, because an assign of nothing may still clear what is outside the mask. */
static sl_status for_each_piece(sl_call *call, piece_function *function, void *data)
{
    uint64_t i = 0, j;
    sl_status status;
    piece rows, cols;
    do {
        set_piece(&rows, &call->rows, i);
        j = 0;
        do {
            set_piece(&cols, &call->cols, j);
            status = function(call, &rows, &cols, data);
            j += cols.list.count;
        } while (j < call->cols.count && status == SL_OK);
        i += rows.list.count;
    } while (i < call->rows.count && status == SL_OK);
    return status;
}

static void set_lists(sl_call *to, const piece *rows, const piece *cols)
{
    to->rows = rows->list;
    to->cols = cols->list;
}

/* Selects the positions of the pieces in the whole list. */
static void set_positions(sl_call *to, const piece *rows, const piece *cols)
{
    to->rows = positions_of(rows);
    to->cols = positions_of(cols);
}

/* An empty object with the kind of `like`. */
static sl_status make(sl_object *made, const sl_object *like, sl_type type, uint64_t nrows,
                      uint64_t ncols)
{
    *made = *like;
    made->type = type;
    made->nrows = nrows;
    made->ncols = ncols;
    return sl_grb_create_object(&made->held[SL_SLOT_HOST], made);
}

static void release(sl_object *made)
{
    sl_grb_release_object(made, made->held[SL_SLOT_HOST]);
}

/* ---- extract ------------------------------------------------------------------- */

/* The object of the output's shape, and the operations on pieces. */
typedef struct {
    sl_object whole;
    const sl_grb_indexed *on;
} collection;

static sl_status extract_piece(sl_call *call, const piece *rows, const piece *cols, void *data)
{
    const collection *c = data;
    const sl_grb_indexed *on = c->on;
    const sl_object *whole = &c->whole;
    sl_object part;
    sl_status status = make(&part, whole, whole->type, rows->list.count,
                            call->out->is_matrix ? cols->list.count : 1);
    if (status != SL_OK)
        return status;
    sl_call from = {.op = call->op,
                    .ctx = call->ctx,
                    .out = &part,
                    .a = call->a,
                    .col = call->col,
                    .flags = call->flags & SL_TRANSPOSE_A};
    sl_call to = {.op = SL_OP_ASSIGN, .ctx = call->ctx, .out = (sl_object *)whole, .a = &part};
    set_lists(&from, rows, cols);
    set_positions(&to, rows, cols);
    status = (call->op == SL_OP_EXTRACT_COLUMN ? on->extract_column : on->extract)(&from);
    if (status == SL_OK)
        status = on->assign(&to);
    release(&part);
    return status;
}

sl_status sl_grb_extract_long_range(sl_call *call, const sl_grb_indexed *on)
{
    collection c = {.on = on};
    sl_object *whole = &c.whole;
    sl_call write = *call;
    sl_status status = make(whole, call->out, call->a->type, call->out->nrows, call->out->ncols);
    if (status != SL_OK)
        return status;
    sl_call columns = *call;
    if (call->op == SL_OP_EXTRACT_COLUMN || !call->out->is_matrix)
        columns.cols.count = 1;
    status = for_each_piece(&columns, extract_piece, &c);
    write.op = SL_OP_APPLY;
    write.a = whole;
    write.operators.unary = sl_unary_op_get(SL_UNARY_IDENTITY, whole->type);
    write.flags &= ~(unsigned)SL_TRANSPOSE_A;
    if (status == SL_OK)
        status = sl_grb_apply(&write);
    release(whole);
    return status;
}

/* ---- assign -------------------------------------------------------------------- */

static sl_status assign(sl_call *call, const sl_grb_indexed *on)
{
    switch (call->op) {
    case SL_OP_ASSIGN_SCALAR:
        return on->assign_scalar(call);
    case SL_OP_ASSIGN_ROW:
        return on->assign_row(call);
    case SL_OP_ASSIGN_COLUMN:
        return on->assign_column(call);
    default:
        return on->assign(call);
    }
}

static sl_status assign_piece(sl_call *call, const piece *rows, const piece *cols, void *data)
{
    const sl_grb_indexed *on = data;
    sl_object part;
    sl_call to = *call;
    set_lists(&to, rows, cols);
    if (!call->a)
        return assign(&to, on);
    const bool by_columns = call->op == SL_OP_ASSIGN_ROW;
    sl_status status =
        make(&part, call->a, call->a->type, by_columns ? cols->list.count : rows->list.count,
             call->a->is_matrix ? cols->list.count : 1);
    if (status != SL_OK)
        return status;
    sl_call from = {.op = SL_OP_EXTRACT,
                    .ctx = call->ctx,
                    .out = &part,
                    .a = call->a,
                    .flags = call->flags & SL_TRANSPOSE_A};
    set_positions(&from, by_columns ? cols : rows, cols);
    to.a = &part;
    to.flags &= ~(unsigned)SL_TRANSPOSE_A;
    status = on->extract(&from);
    if (status == SL_OK)
        status = assign(&to, on);
    release(&part);
    return status;
}

/* *operand, which is also the output, is replaced by a copy of it. */
static sl_status copy_operand(sl_object *copy, sl_object **operand)
{
    *copy = **operand;
    void **handle = &copy->held[SL_SLOT_HOST];
    const sl_status status = sl_grb_copy_object(handle, *operand, (*operand)->held[SL_SLOT_HOST]);
    if (status == SL_OK)
        *operand = copy;
    return status;
}

sl_status sl_grb_assign_long_range(sl_call *call, const sl_grb_indexed *on)
{
    sl_object a, mask;
    sl_call pieces = *call;
    sl_status status = SL_OK;
    const bool reads_a = call->a == call->out, reads_mask = call->mask == call->out;
    if (reads_a)
        status = copy_operand(&a, &pieces.a);
    if (status == SL_OK && reads_mask)
        status = copy_operand(&mask, &pieces.mask);
    if (call->op == SL_OP_ASSIGN_COLUMN || !call->out->is_matrix)
        pieces.cols.count = 1;
    if (status == SL_OK)
        status = for_each_piece(&pieces, assign_piece, (void *)on);
    if (pieces.mask == &mask)
        release(&mask);
    if (pieces.a == &a)
        release(&a);
    return status;
}
