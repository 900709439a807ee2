/* Creates SuiteSparse's objects from models, and reads them back. */
#include "direct.h"

#include <stdlib.h>
#include <string.h>

/* Arrays of the entries of a model, or with space for them. */
typedef struct {
    GrB_Index count, *rows, *cols;
    char *values;
} arrays;

static arrays make_room(const model *M)
{
    size_t room = M->nrows * M->ncols + 1;
    arrays e = {.rows = calloc(room, sizeof *e.rows),
                .cols = calloc(room, sizeof *e.cols),
                .values = calloc(room, sl_type_size(M->type))};
    assert_non_null(e.rows);
    assert_non_null(e.cols);
    assert_non_null(e.values);
    e.count = room;
    return e;
}

static void free_arrays(arrays *e)
{
    free(e->rows);
    free(e->cols);
    free(e->values);
}

static arrays arrays_of(const model *M)
{
    arrays e = make_room(M);
    size_t size = sl_type_size(M->type);
    e.count = 0;
    for (uint64_t k = 0; k < M->nrows * M->ncols; k++)
        if (M->cells[k].count) {
            e.rows[e.count] = k / M->ncols;
            e.cols[e.count] = k % M->ncols;
            memcpy(e.values + e.count++ * size, &M->cells[k].value[0].as, size);
        }
    return e;
}

static GrB_Info build_matrix(GrB_Matrix A, sl_type type, const arrays *e)
{
#define BUILD(NAME, member)                                                                        \
    GrB_Matrix_build_##NAME(A, e->rows, e->cols, (const void *)e->values, e->count, NULL)
    BY_TYPE(type, BUILD)
#undef BUILD
}

static GrB_Info build_vector(GrB_Vector v, sl_type type, const arrays *e)
{
#define BUILD(NAME, member)                                                                        \
    GrB_Vector_build_##NAME(v, e->rows, (const void *)e->values, e->count, NULL)
    BY_TYPE(type, BUILD)
#undef BUILD
}

void direct_make(direct *d, const operand *o)
{
    const model *M = &o->model;
    arrays e = arrays_of(M);
    GrB_Matrix A = NULL;
    GrB_Vector v = NULL;
    if (o->A) {
        GRB_OK(GrB_Matrix_new(&A, grb_type(M->type), M->nrows, M->ncols));
        GRB_OK(build_matrix(A, M->type, &e));
    } else {
        GRB_OK(GrB_Vector_new(&v, grb_type(M->type), M->nrows));
        GRB_OK(build_vector(v, M->type, &e));
    }
    d->operands[o - d->t->operands] = o->A ? (void *)A : (void *)v;
    free_arrays(&e);
}

static GrB_Info read_matrix(arrays *e, sl_type type, GrB_Matrix A)
{
#define READ(NAME, member)                                                                         \
    GrB_Matrix_extractTuples_##NAME(e->rows, e->cols, (void *)e->values, &e->count, A)
    BY_TYPE(type, READ)
#undef READ
}

static GrB_Info read_vector(arrays *e, sl_type type, GrB_Vector v){
#define READ(NAME, member) GrB_Vector_extractTuples_##NAME(e->rows, (void *)e->values, &e->count, v)
    BY_TYPE(type, READ)
#undef READ
}

GrB_Info direct_read(const direct *d, const operand *like, model *contents)
{
    const model *M = &like->model;
    *contents = model_new(M->type, M->nrows, M->ncols);
    arrays e = make_room(M);
    GrB_Info info = like->A ? read_matrix(&e, M->type, d->out) : read_vector(&e, M->type, d->out);
    for (GrB_Index k = 0; info == GrB_SUCCESS && k < e.count; k++)
        model_put(model_at(contents, e.rows[k], e.cols[k]),
                  sl_scalar_load(M->type, e.values + k * sl_type_size(M->type)));
    free_arrays(&e);
    return info;
}

void direct_free(direct *d)
{
    for (int k = 0; k < d->t->count; k++)
        if (d->t->operands[k].A)
            GrB_Matrix_free((GrB_Matrix *)&d->operands[k]);
        else
            GrB_Vector_free((GrB_Vector *)&d->operands[k]);
}
