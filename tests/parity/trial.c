#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t trial_below(trial *t, uint64_t bound)
{
    return test_random(&t->state) % bound;
}

bool trial_chance(trial *t, int percent)
{
    return trial_below(t, 100) < (uint64_t)percent;
}

/* ---- operators ----------------------------------------------------------- */

static bool is_float(sl_type type)
{
    return type == SL_FP32 || type == SL_FP64;
}

static sl_type any_type(trial *t)
{
    return (sl_type)trial_below(t, SL_TYPE_COUNT);
}

#define CHOOSE(handle, COUNT, get, code_type)                                                      \
    do {                                                                                           \
        handle = get((code_type)trial_below(t, COUNT), any_type(t));                               \
    } while (!handle)

sl_semiring trial_semiring(trial *t)
{
    sl_semiring s;
    CHOOSE(s, SL_SEMIRING_COUNT, sl_semiring_get, sl_semiring_code);
    t->operator_name = s->name;
    t->type = s->multiply->type;
    t->range = is_float(t->type) ? SMALL : WILD;
    return s;
}

sl_monoid trial_monoid(trial *t)
{
    sl_monoid m;
    CHOOSE(m, SL_MONOID_COUNT, sl_monoid_get, sl_monoid_code);
    t->operator_name = m->name;
    t->type = m->type;
    if (m->code == SL_MONOID_TIMES && is_float(m->type))
        t->range = POWERS;
    else /* `any` leaves as many candidates as there are values */
        t->range = m->any || is_float(m->type) ? SMALL : WILD;
    return m;
}

sl_binary_op trial_binary(trial *t)
{
    sl_binary_op op;
    CHOOSE(op, SL_BINARY_COUNT, sl_binary_op_get, sl_binary_code);
    t->operator_name = op->name;
    t->type = op->type;
    t->range = WILD;
    return op;
}

sl_unary_op trial_unary(trial *t)
{
    sl_unary_op op;
    CHOOSE(op, SL_UNARY_COUNT, sl_unary_op_get, sl_unary_code);
    t->operator_name = op->name;
    t->type = op->type;
    t->range = WILD;
    return op;
}

sl_index_op trial_index(trial *t, bool condition)
{
    sl_index_op op;
    do
        CHOOSE(op, SL_INDEX_COUNT, sl_index_op_get, sl_index_code);
    while (condition && op->result != SL_BOOL);
    t->operator_name = op->name;
    t->type = op->type;
    t->range = WILD;
    return op;
}

sl_binary_op trial_accumulator(trial *t)
{
    sl_binary_op op;
    if (trial_chance(t, 60))
        return NULL;
    do
        CHOOSE(op, SL_BINARY_COUNT, sl_binary_op_get, sl_binary_code);
    while (op->positional);
    return op;
}

/* ---- values -------------------------------------------------------------- */

static sl_scalar greatest_or_least(sl_type type, bool least)
{
    switch (type) {
#define X(NAME, name, T, class, lo, hi, ...)                                                       \
    case SL_##NAME:                                                                                \
        return sl_scalar_##name(least ? lo : hi);
        SL_TYPES_NUM(X, )
#undef X
    default:
        return sl_scalar_bool(!least);
    }
}

sl_scalar trial_value(trial *t, sl_type type)
{
    if (t->range == POWERS)
        return sl_scalar_cast(sl_scalar_fp64((double)(1 << trial_below(t, 3)) / 2), type);
    if (is_float(type))
        return sl_scalar_cast(sl_scalar_fp64((double)trial_below(t, 9) / 2), type);
    if (t->range == WILD && trial_chance(t, 15))
        return greatest_or_least(type, trial_chance(t, 50));
    if (t->range == WILD && trial_chance(t, 15))
        return sl_scalar_cast(sl_scalar_uint64(test_random(&t->state)), type);
    int64_t least =
        type == SL_UINT8 || type == SL_UINT16 || type == SL_UINT32 || type == SL_UINT64 ? 0 : -3;
    return sl_scalar_cast(sl_scalar_int64(least + (int64_t)trial_below(t, 8)), type);
}

sl_scalar trial_thunk(trial *t)
{
    if (trial_chance(t, 50))
        return sl_scalar_int64((int64_t)trial_below(t, 12) - 4);
    if (trial_chance(t, 20))
        return greatest_or_least(SL_INT64, trial_chance(t, 50));
    return trial_value(t, any_type(t));
}

/* ---- shapes -------------------------------------------------------------- */

uint64_t trial_side(trial *t)
{
    uint64_t kind = trial_below(t, 20);
    return kind == 0   ? 0
           : kind < 4  ? 1
           : kind < 18 ? 2 + trial_below(t, 7)
                       : 2 + trial_below(t, MAX_SIDE - 1);
}

/* Whether entry (i, j) is there, by the kind of pattern. */
static bool present(trial *t, uint64_t kind, uint64_t hub, uint64_t i, uint64_t j)
{
    switch (kind) {
    case 0: /* empty */
        return false;
    case 1: /* full */
        return true;
    case 2: /* one hub joined to all */
        return i == hub || j == hub;
    case 3: /* a path */
        return j == i + 1 || i == j + 1;
    case 4: /* self-loops */
        return i == j;
    case 5:
        return trial_chance(t, 80);
    default:
        return trial_chance(t, 30);
    }
}

static void fill(trial *t, model *M)
{
    uint64_t kind = trial_below(t, 14), hub = M->nrows ? trial_below(t, M->nrows) : 0;
    bool equal = trial_chance(t, 15);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), M->type);
    sl_scalar shared = trial_chance(t, 50) ? one : trial_value(t, M->type);
    for (uint64_t i = 0; i < M->nrows; i++)
        for (uint64_t j = 0; j < M->ncols; j++)
            if (present(t, kind, hub, i, j))
                model_put(model_at(M, i, j), equal ? shared : trial_value(t, M->type));
}

/* ---- objects: the same contents, come about in several ways --------------- */

/* The entries of a model, in the order of rows. */
typedef struct {
    uint64_t count;
    uint64_t *rows, *cols;
    char *values;
    bool ones;
} tuples;

static tuples tuples_of(const model *M)
{
    uint64_t room = M->nrows * M->ncols + 1;
    size_t size = sl_type_size(M->type);
    tuples e = {.rows = sl_malloc(room * 8),
                .cols = sl_malloc(room * 8),
                .values = sl_malloc(room * size),
                .ones = true};
    assert_non_null(e.rows);
    assert_non_null(e.cols);
    assert_non_null(e.values);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), M->type);
    for (uint64_t i = 0; i < M->nrows; i++)
        for (uint64_t j = 0; j < M->ncols; j++) {
            const model_cell *cell = model_at(M, i, j);
            if (!cell->count)
                continue;
            e.rows[e.count] = i;
            e.cols[e.count] = j;
            memcpy(e.values + e.count * size, &cell->value[0].as, size);
            e.ones = e.ones && sl_scalar_equal(cell->value[0], one);
            e.count++;
        }
    return e;
}

static void free_tuples(tuples *e)
{
    sl_free(e->rows);
    sl_free(e->cols);
    sl_free(e->values);
}

static void shuffle(trial *t, tuples *e, size_t size)
{
    for (uint64_t k = e->count; k > 1; k--) {
        uint64_t l = trial_below(t, k);
        char value[8];
#define SWAP(array)                                                                                \
    do {                                                                                           \
        uint64_t kept_ = e->array[k - 1];                                                          \
        e->array[k - 1] = e->array[l];                                                             \
        e->array[l] = kept_;                                                                       \
    } while (0)
        SWAP(rows);
        SWAP(cols);
#undef SWAP
        memcpy(value, e->values + (k - 1) * size, size);
        memmove(e->values + (k - 1) * size, e->values + l * size, size);
        memcpy(e->values + l * size, value, size);
    }
}

static void set_one(operand *o, uint64_t i, uint64_t j, sl_scalar value, sl_context *ctx)
{
    if (o->A)
        OK(ctx, sl_matrix_set(o->A, i, j, value));
    else
        OK(ctx, sl_vector_set(o->v, i, value));
}

static void build(operand *o, const tuples *e, bool ones, sl_context *ctx)
{
    const void *values = ones ? NULL : e->values;
    if (o->A)
        OK(ctx, sl_matrix_build(o->A, e->rows, e->cols, values, e->count, NULL));
    else
        OK(ctx, sl_vector_build(o->v, e->rows, values, e->count, NULL));
}

/* Too many entries first, and those that are too many taken out again. */
static void fill_and_remove(trial *t, operand *o, const tuples *e)
{
    build(o, e, false, t->ctx);
    for (int n = 0; n < 4 && o->model.nrows && o->model.ncols; n++) {
        uint64_t i = trial_below(t, o->model.nrows), j = trial_below(t, o->model.ncols);
        if (model_at(&o->model, i, j)->count)
            continue;
        set_one(o, i, j, trial_value(t, o->model.type), t->ctx);
        if (trial_chance(t, 50)) {
            uint64_t count;
            OK(t->ctx, o->A ? sl_matrix_nvals(&count, o->A) : sl_vector_nvals(&count, o->v));
        }
        if (o->A)
            OK(t->ctx, sl_matrix_remove(o->A, i, j));
        else
            OK(t->ctx, sl_vector_remove(o->v, i));
    }
}

/* The matrix of compressed rows; takes the tuples' columns and values. */
static void take_rows(trial *t, operand *o, tuples *e)
{
    sl_csr csr = {.nrows = o->model.nrows, .ncols = o->model.ncols, .type = o->model.type};
    csr.start = sl_calloc(csr.nrows + 1, sizeof *csr.start);
    assert_non_null(csr.start);
    for (uint64_t k = 0; k < e->count; k++)
        csr.start[e->rows[k] + 1]++;
    for (uint64_t i = 0; i < csr.nrows; i++)
        csr.start[i + 1] += csr.start[i];
    csr.index = e->cols;
    csr.values = e->ones ? NULL : e->values;
    sl_matrix_free(o->A);
    OK(t->ctx, sl_matrix_take_csr(&o->A, t->ctx, &csr));
    e->cols = NULL;
    if (!e->ones)
        e->values = NULL;
}

static void make_object(trial *t, operand *o, bool is_matrix)
{
    if (is_matrix)
        OK(t->ctx, sl_matrix_new(&o->A, t->ctx, o->model.type, o->model.nrows, o->model.ncols));
    else
        OK(t->ctx, sl_vector_new(&o->v, t->ctx, o->model.type, o->model.nrows));
    tuples e = tuples_of(&o->model);
    size_t size = sl_type_size(o->model.type);
    uint64_t way = trial_below(t, 8);
    if (way == 0) {
        shuffle(t, &e, size);
        for (uint64_t k = 0; k < e.count; k++)
            set_one(o, e.rows[k], e.cols[k], sl_scalar_load(o->model.type, e.values + k * size),
                    t->ctx);
    } else if (way == 1) {
        fill_and_remove(t, o, &e);
    } else if (way == 2 && is_matrix) {
        take_rows(t, o, &e);
    } else {
        if (way == 3)
            shuffle(t, &e, size);
        build(o, &e, e.ones, t->ctx);
    }
    free_tuples(&e);
}

static operand *make(trial *t, bool is_matrix, sl_type type, uint64_t nrows, uint64_t ncols)
{
    operand *o = &t->made[t->count++];
    o->model = model_new(type, nrows, ncols);
    fill(t, &o->model);
    make_object(t, o, is_matrix);
    return o;
}

/* ---- operands of a trial -------------------------------------------------- */

static sl_type operand_type(trial *t)
{
    return trial_chance(t, 50) ? t->type : any_type(t);
}

void trial_output(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols)
{
    t->out = make(t, is_matrix, operand_type(t), nrows, ncols);
    t->flags = (unsigned)trial_below(t, 32);
    if (trial_chance(t, 40))
        t->flags &= ~(unsigned)SL_COMPLEMENT;
    t->accum = trial_accumulator(t);
    if (trial_chance(t, 40))
        return;
    t->mask = trial_chance(t, 10) ? t->out : make(t, is_matrix, operand_type(t), nrows, ncols);
}

operand *trial_input(trial *t, bool is_matrix, uint64_t nrows, uint64_t ncols)
{
    if (t->count && trial_chance(t, 15)) {
        operand *there = &t->made[trial_below(t, (uint64_t)t->count)];
        if ((there->A != NULL) == is_matrix && there->model.nrows == nrows &&
            there->model.ncols == ncols)
            return there;
    }
    return make(t, is_matrix, operand_type(t), nrows, ncols);
}

model_list trial_list(trial *t, uint64_t *room, uint64_t bound, bool distinct)
{
    if (bound == 0 || trial_chance(t, 25))
        return (model_list){NULL, bound};
    uint64_t count = trial_below(t, bound + 1);
    if (!distinct) {
        for (uint64_t k = 0; k < count; k++)
            room[k] = trial_below(t, bound);
        return (model_list){room, count};
    }
    for (uint64_t k = 0; k < bound; k++)
        room[k] = k;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t l = k + trial_below(t, bound - k), kept = room[k];
        room[k] = room[l];
        room[l] = kept;
    }
    return (model_list){room, count};
}

sl_descriptor trial_descriptor(const trial *t)
{
    return sl_descriptor_get(t->flags);
}

model_mask trial_mask(const trial *t)
{
    return (model_mask){.of = t->mask ? &t->mask->model : NULL,
                        .structural = t->flags & SL_STRUCTURE,
                        .complemented = t->flags & SL_COMPLEMENT,
                        .replace = t->flags & SL_REPLACE};
}

const sl_vector *trial_mask_vector(const trial *t)
{
    return t->mask ? t->mask->v : NULL;
}

const sl_matrix *trial_mask_matrix(const trial *t)
{
    return t->mask ? t->mask->A : NULL;
}

void trial_end(trial *t)
{
    for (int k = 0; k < t->count; k++) {
        model_free(&t->made[k].model);
        sl_matrix_free(t->made[k].A);
        sl_vector_free(t->made[k].v);
    }
}

/* ---- comparing ------------------------------------------------------------ */

static const char *role(const trial *t, const operand *o)
{
    return o == t->out    ? "output"
           : o == t->mask ? "mask"
           : o == t->a    ? "first input"
                          : "second input";
}

static void print_value(char *text, size_t room, sl_scalar x)
{
    if (is_float(x.type))
        snprintf(text, room, "%.17g", sl_scalar_cast(x, SL_FP64).as.fp64_);
    else if (x.type == SL_UINT64)
        snprintf(text, room, "%" PRIu64, x.as.uint64_);
    else
        snprintf(text, room, "%" PRId64, sl_scalar_cast(x, SL_INT64).as.int64_);
}

static bool differs(const trial *t, const operand *o, uint64_t i, uint64_t j,
                    const model_cell *wanted, const sl_scalar *got, char *why, size_t room)
{
    char is[40] = "no entry", should[40] = "none";
    if (got)
        print_value(is, sizeof is, *got);
    if (wanted->count)
        print_value(should, sizeof should, wanted->value[0]);
    snprintf(why, room, "%s (%" PRIu64 ", %" PRIu64 ") of %s is %s, not %s%s", role(t, o), i, j,
             sl_type_name(o->model.type), is, should, wanted->count > 1 ? " or others" : "");
    return false;
}

static bool operand_agrees(const trial *t, const operand *o, char *why, size_t room)
{
    const model *M = &o->model;
    uint64_t count, there = M->nrows * M->ncols + 1, k = 0;
    size_t size = sl_type_size(M->type);
    uint64_t *rows = sl_calloc(there, sizeof *rows), *cols = sl_calloc(there, sizeof *cols);
    char *values = sl_calloc(there, size);
    assert_non_null(rows);
    assert_non_null(cols);
    assert_non_null(values);
    count = there;
    if (o->A)
        OK(t->ctx, sl_matrix_extract_tuples(rows, cols, values, &count, o->A));
    else
        OK(t->ctx, sl_vector_extract_tuples(rows, values, &count, o->v));
    bool equal = true;
    for (uint64_t i = 0; i < M->nrows && equal; i++)
        for (uint64_t j = 0; j < M->ncols && equal; j++) {
            const model_cell *wanted = model_at(M, i, j);
            bool is = k < count && rows[k] == i && cols[k] == j;
            sl_scalar got = sl_scalar_load(M->type, values + (is ? k : 0) * size);
            k += is;
            if (is != (wanted->count > 0) || (is && !model_holds(wanted, got)))
                equal = differs(t, o, i, j, wanted, is ? &got : NULL, why, room);
        }
    if (equal && k != count) {
        snprintf(why, room, "%s: tuples out of order or out of range", role(t, o));
        equal = false;
    }
    sl_free(rows);
    sl_free(cols);
    sl_free(values);
    return equal;
}

static bool sum_agrees(const trial *t, char *why, size_t room)
{
    if (!t->right_sum.count || model_holds(&t->right_sum, t->sum))
        return true;
    char is[40], should[40];
    print_value(is, sizeof is, t->sum);
    print_value(should, sizeof should, t->right_sum.value[0]);
    snprintf(why, room, "the sum is %s %s, not %s %s%s", sl_type_name(t->sum.type), is,
             sl_type_name(t->right_sum.value[0].type), should,
             t->right_sum.count > 1 ? " or others" : "");
    return false;
}

bool trial_agrees(trial *t, char *why, size_t room)
{
    if (!sum_agrees(t, why, room))
        return false;
    for (int k = 0; k < t->count; k++)
        if (!operand_agrees(t, &t->made[k], why, room))
            return false;
    return true;
}

static int print_operand(const trial *t, const operand *o, const char *name, char *text,
                         size_t room)
{
    if (!o)
        return 0;
    return snprintf(text, room, " %s%s %s %" PRIu64 " x %" PRIu64, name,
                    o == t->out && strcmp(name, "out") ? " (= out)" : "",
                    sl_type_name(o->model.type), o->model.nrows, o->model.ncols);
}

void trial_describe(const trial *t, char *text, size_t room)
{
    static const char *const flags[] = {"replace", "complement", "structure", "transpose_a",
                                        "transpose_b"};
    int n = snprintf(text, room, "%s_%s %s", t->matrices ? "matrix" : "vector", t->operation,
                     t->operator_name ? t->operator_name : "-");
    if (t->accum)
        n += snprintf(text + n, room - (size_t)n, " accum %s", t->accum->name);
    for (int k = 0; k < 5; k++)
        if (t->flags & 1u << k)
            n += snprintf(text + n, room - (size_t)n, " %s", flags[k]);
    n += print_operand(t, t->out, "out", text + n, room - (size_t)n);
    n += print_operand(t, t->mask, "mask", text + n, room - (size_t)n);
    n += print_operand(t, t->a, "a", text + n, room - (size_t)n);
    print_operand(t, t->b, "b", text + n, room - (size_t)n);
}
