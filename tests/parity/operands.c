/* Operands of trials: a model and an object with the same contents, which is created in one of
 * several ways. */
#include "trial.h"

#include <string.h>

/* ---- contents -------------------------------------------------------------------- */

/* Whether entry (i, j) is present, for a kind of pattern. */
static bool present(trial *t, uint64_t kind, uint64_t hub, uint64_t i, uint64_t j)
{
    switch (kind) {
    case 0: /* empty */
        return false;
    case 1: /* full */
    case 6:
        return true;
    case 2: /* one hub connected to all */
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
    uint64_t kind = trial_below(t, 15), hub = M->nrows ? trial_below(t, M->nrows) : 0;
    bool equal = trial_chance(t, 20);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), M->type);
    sl_scalar shared = trial_chance(t, 50) ? one : trial_value(t, M->type);
    for (uint64_t i = 0; i < M->nrows; i++)
        for (uint64_t j = 0; j < M->ncols; j++)
            if (present(t, kind, hub, i, j))
                model_put(model_at(M, i, j), equal ? shared : trial_value(t, M->type));
}

/* ---- objects with the same contents, created in several ways --------------------- */

/* The entries of a model, by rows. */
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

static void build(const trial *t, operand *o, const tuples *e, bool ones)
{
    const void *values = ones ? NULL : e->values;
    uint64_t first, last; /* on a grid each rank passes a part of the entries */
    sl_context_local_range(t->ctx, e->count, &first, &last);
    if (values)
        values = (const char *)values + first * sl_type_size(o->model.type);
    if (o->A)
        OK(t->ctx,
           sl_matrix_build(o->A, e->rows + first, e->cols + first, values, last - first, NULL));
    else
        OK(t->ctx, sl_vector_build(o->v, e->rows + first, values, last - first, NULL));
}

/* Sets more entries than there should be, then removes those in excess. */
static void fill_and_remove(trial *t, operand *o, const tuples *e)
{
    build(t, o, e, false);
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

/* Imports compressed rows; takes ownership of the columns and values of the tuples. */
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

/* Exports the object as arrays of a random format and imports them again, so that it is stored in
 * that format. */
static void take_arrays(trial *t, operand *o)
{
    static const sl_format of_matrix[] = {SL_FORMAT_CSR, SL_FORMAT_CSC, SL_FORMAT_BITMAP,
                                          SL_FORMAT_FULL},
                           of_vector[] = {SL_FORMAT_LIST, SL_FORMAT_BITMAP, SL_FORMAT_FULL};
    sl_format format = o->A ? of_matrix[trial_below(t, 4)] : of_vector[trial_below(t, 3)];
    sl_arrays arrays;
    uint64_t count;
    OK(t->ctx, o->A ? sl_matrix_nvals(&count, o->A) : sl_vector_nvals(&count, o->v));
    if (format == SL_FORMAT_FULL && count < o->model.nrows * o->model.ncols)
        format = SL_FORMAT_BITMAP;
    if (o->A) {
        OK(t->ctx, sl_matrix_give(&arrays, &o->A, format));
        OK(t->ctx, sl_matrix_take(&o->A, t->ctx, &arrays));
    } else {
        OK(t->ctx, sl_vector_give(&arrays, &o->v, format));
        OK(t->ctx, sl_vector_take(&o->v, t->ctx, &arrays));
    }
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
    } else if (way == 2 && is_matrix && !t->owner) {
        take_rows(t, o, &e);
    } else {
        if (way == 3)
            shuffle(t, &e, size);
        build(t, o, &e, e.ones);
    }
    free_tuples(&e);
    if (trial_chance(t, 25) && !t->owner) /* grids do not import arrays */
        take_arrays(t, o);
}

operand *trial_object(trial *t, bool is_matrix, model contents)
{
    operand *o = &t->operands[t->count++];
    o->model = contents;
    make_object(t, o, is_matrix);
    if (t->on_operand)
        t->on_operand(t, o);
    return o;
}

operand *trial_make(trial *t, bool is_matrix, sl_type type, uint64_t nrows, uint64_t ncols)
{
    model contents = model_new(type, nrows, ncols);
    fill(t, &contents);
    return trial_object(t, is_matrix, contents);
}
