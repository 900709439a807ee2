/* The arguments of the calls of random_calls.c, and the output. */
#include "random_calls.h"

int size_limit = 6;

static void set_entry(GrB_Matrix A, int type, GrB_Index i, GrB_Index j)
{
    if (type >= USER_2)
        GrB_Matrix_setElement(A, value_of(type, below(20)), i, j);
    else
        GrB_Matrix_setElement(A, random_real(), i, j);
}

/* A small matrix has a share of all entries. Others have few entries in each row, or none, and often one long row. */
static void fill_matrix(GrB_Matrix A, int type, GrB_Index nrows, GrB_Index ncols, int quarters)
{
    const bool small = size_limit <= FEW;
    const int each = rarely(2) ? 0 : 1 + below(6);
    const GrB_Index longest = (GrB_Index)below(2 * (int)nrows);
    for (GrB_Index i = 0; i < nrows; i++) {
        const int count = i == longest ? (int)ncols / 2 : each;
        for (GrB_Index j = 0; small && j < ncols; j++)
            if (below(4) < quarters)
                set_entry(A, type, i, j);
        for (int k = 0; !small && k < count; k++)
            set_entry(A, type, i, (GrB_Index)below((int)ncols));
    }
    GrB_wait(A, GrB_MATERIALIZE); /* 7.4 fails to remove entries that are pending */
}

static void fill_vector(GrB_Vector u, int type, GrB_Index size, int quarters)
{
    for (GrB_Index i = 0; i < size; i++)
        if (below(4) < quarters) {
            if (type >= USER_2)
                GrB_Vector_setElement(u, value_of(type, below(20)), i);
            else
                GrB_Vector_setElement(u, random_real(), i);
        }
    GrB_wait(u, GrB_MATERIALIZE);
}

static void fill_scalar(GrB_Scalar s, int type)
{
    if (type >= USER_2)
        GrB_Scalar_setElement(s, value_of(type, below(20)));
    else
        GrB_Scalar_setElement(s, random_real());
}

void make_pool(arguments *a)
{
    const int n = 1 + below(size_limit), m = rarely(3) ? 1 + below(size_limit) : n;
    const int main_type = random_type();
    const bool same_types = main_type >= USER_2 ? !rarely(20) : rarely(2);
    for (int p = 0; p < POOL; p++) {
        const int type = same_types ? main_type : random_type();
        a->matrix_types[p] = a->vector_types[p] = a->scalar_types[p] = type;
        a->rows[p] = (GrB_Index)(rarely(4) ? m : n);
        a->cols[p] = (GrB_Index)(rarely(4) ? m : n);
        a->sizes[p] = (GrB_Index)(rarely(4) ? m : n);
        GrB_Matrix_new(&a->matrices[p], types[type], a->rows[p], a->cols[p]);
        GrB_Vector_new(&a->vectors[p], types[type], a->sizes[p]);
        GrB_Scalar_new(&a->scalars[p], types[type]);
        const int quarters = 1 + below(4);
        fill_matrix(a->matrices[p], type, a->rows[p], a->cols[p], quarters);
        fill_vector(a->vectors[p], type, a->sizes[p], quarters);
        if (!rarely(5))
            fill_scalar(a->scalars[p], type);
    }
}

void free_pool(arguments *a)
{
    for (int p = 0; p < POOL; p++) {
        GrB_free(&a->matrices[p]);
        GrB_free(&a->vectors[p]);
        GrB_free(&a->scalars[p]);
    }
}

/* One of the pool, which is printed, and the type of its values; seldom NULL. */
#define PICK(name, pool, type)                                                                     \
    do {                                                                                           \
        const int picked = below(POOL);                                                            \
        a->name = rarely(80) ? NULL : a->pool[picked];                                             \
        a->type_of_##name = a->type[picked];                                                       \
        printf(" " #name "=%d", a->name ? picked : -1);                                            \
    } while (0)
#define PICK_ENTRY(name, t, type)                                                                  \
    do {                                                                                           \
        const entry *picked = pick(&t, type);                                                      \
        a->name = rarely(120) ? NULL : picked->object;                                             \
        printf(" " #name "=%s", a->name ? picked->text : "NULL");                                  \
    } while (0)

void pick_arguments(arguments *a)
{
    a->c = below(POOL);
    a->w = below(POOL);
    a->s = below(POOL);
    a->C = rarely(80) ? NULL : a->matrices[a->c];
    a->W = rarely(80) ? NULL : a->vectors[a->w];
    a->S = rarely(80) ? NULL : a->scalars[a->s];
    printf(" [%dx%d %dx%d %dx%d %d %d %d]", (int)a->rows[0], (int)a->cols[0], (int)a->rows[1],
           (int)a->cols[1], (int)a->rows[2], (int)a->cols[2], (int)a->sizes[0], (int)a->sizes[1],
           (int)a->sizes[2]);
    printf(" types=%d,%d,%d C=%d W=%d S=%d", a->matrix_types[0], a->matrix_types[1],
           a->matrix_types[2], a->C ? a->c : -1, a->W ? a->w : -1, a->S ? a->s : -1);
    PICK(A, matrices, matrix_types);
    PICK(B, matrices, matrix_types);
    PICK(mask, matrices, matrix_types);
    PICK(u, vectors, vector_types);
    PICK(v, vectors, vector_types);
    PICK(vmask, vectors, vector_types);
    if (rarely(2)) {
        printf(" unmasked");
        a->mask = NULL;
        a->vmask = NULL;
    }
    const int type = rarely(2) ? below(USER_2) : a->matrix_types[a->c];
    PICK_ENTRY(accum, binary_ops, a->matrix_types[a->c]);
    if (rarely(2)) {
        printf(" no accum");
        a->accum = NULL;
    }
    PICK_ENTRY(op, binary_ops, type);
    PICK_ENTRY(dup, binary_ops, type);
    PICK_ENTRY(unary, unary_ops, type);
    PICK_ENTRY(index, index_ops, type);
    PICK_ENTRY(monoid, monoids, type);
    PICK_ENTRY(semiring, semirings, type);
    PICK_ENTRY(desc, descriptors, 0);
    if (rarely(3))
        a->desc = NULL;
    for (int d = 0; d < 2; d++) {
        a->counts[d] = (GrB_Index)(rarely(3) ? below(FEW) : (int)a->rows[a->c]);
        const bool distinct = rarely(2), beyond = rarely(30);
        for (int k = 0; k < LIST; k++)
            a->list[d][k] = (GrB_Index)(distinct ? k : below((int)a->rows[a->c] + beyond));
        if (distinct && a->counts[d] > 1 && a->counts[d] <= LIST) { /* an order of their own */
            const int other = below((int)a->counts[d]);
            a->list[d][0] = (GrB_Index)other;
            a->list[d][other] = 0;
        }
        const GrB_Index *list = rarely(3) ? GrB_ALL : rarely(60) ? NULL : a->list[d];
        if (list == GrB_ALL && a->counts[d] == 1)
            a->counts[d] = 2; /* SuiteSparse takes the list as one index, 0 */
        *(d ? &a->J_ : &a->I_) = list;
        printf(" %c:%d%s", 'I' + d, (int)a->counts[d],
               list == GrB_ALL ? ",all"
               : list          ? ""
                               : ",NULL");
        for (GrB_Index k = 0; list == a->list[d] && k < a->counts[d]; k++)
            printf(",%d", (int)list[k]);
    }
    a->ni = a->counts[0];
    a->nj = a->counts[1];
    a->i = (GrB_Index)below((int)a->rows[a->c] + rarely(20));
    a->j = (GrB_Index)below((int)a->cols[a->c] + rarely(20));
    a->type = rarely(2) ? random_type() : a->matrix_types[a->c];
    a->k = below(11) - 3;
    for (int k = 0; k < LIST; k++)
        a->values[k] = below(7) - 2;
    printf(" i=%d j=%d type=%d k=%d%s", (int)a->i, (int)a->j, a->type, (int)a->k,
           wild ? " wild" : "");
}

/* ---- output ------------------------------------------------------------------------------------------- */

/* Prints an entry that was extracted with a code. */
static void print_entry(GrB_Info info, int type, const void *x)
{
    if (info == GrB_SUCCESS)
        print_value(type, x);
    else
        printf("error %d", (int)info);
}

void print_vector(int type, GrB_Vector w)
{
    GrB_Index size = 0, nvals = 0;
    int64_t room[8];
    GrB_Info info = GrB_PANIC;
    GrB_Vector_size(&size, w);
    GrB_Vector_nvals(&nvals, w);
    printf(" %d of %d {", (int)nvals, (int)size);
    for (GrB_Index i = 0; i < size; i++) {
        BY_TYPE(type, info = GrB_Vector_extractElement((value *)room, w, i))
        if (info == GrB_NO_VALUE)
            continue;
        printf(" %d:", (int)i);
        print_entry(info, type, room);
    }
    printf(" }");
}

typedef struct {
    GrB_Index row, col, place;
} tuple_place;

static int by_position(const void *a, const void *b)
{
    const tuple_place *p = a, *q = b;
    return p->row != q->row ? (p->row > q->row) - (p->row < q->row)
                            : (p->col > q->col) - (p->col < q->col);
}

/* In order: tuples may have any. */
static void print_tuples(int type, const GrB_Index *rows, const GrB_Index *cols, const char *values,
                         GrB_Index count)
{
    tuple_place *order = malloc((count + 1) * sizeof *order);
    for (GrB_Index k = 0; k < count; k++)
        order[k] = (tuple_place){rows[k], cols[k], k};
    qsort(order, count, sizeof *order, by_position);
    for (GrB_Index k = 0; k < count; k++) {
        printf(" %d,%d:", (int)order[k].row, (int)order[k].col);
        print_value(type, values + order[k].place * size_of(type));
    }
    free(order);
}

void print_matrix(int type, GrB_Matrix C)
{
    GrB_Index nrows = 0, ncols = 0, nvals = 0;
    GrB_Info info = GrB_PANIC;
    GrB_Matrix_nrows(&nrows, C);
    GrB_Matrix_ncols(&ncols, C);
    GrB_Matrix_nvals(&nvals, C);
    printf(" %d of %dx%d {", (int)nvals, (int)nrows, (int)ncols);
    GrB_Index *rows = malloc((nvals + 1) * sizeof *rows),
              *cols = malloc((nvals + 1) * sizeof *cols);
    char *values = malloc((nvals + 1) * size_of(type));
    BY_TYPE(type, info = GrB_Matrix_extractTuples(rows, cols, (value *)values, &nvals, C))
    if (info == GrB_SUCCESS)
        print_tuples(type, rows, cols, values, nvals);
    else
        printf(" error %d", (int)info);
    printf(" }");
    free(rows);
    free(cols);
    free(values);
}

void end_vector(const arguments *a, GrB_Info info)
{
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS && a->W)
        print_vector(a->vector_types[a->w], a->W);
}

void end_matrix(const arguments *a, GrB_Info info)
{
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS && a->C)
        print_matrix(a->matrix_types[a->c], a->C);
}

void end_scalar(const arguments *a, GrB_Info info)
{
    GrB_Index nvals = 0;
    int64_t room[8];
    printf(" -> %d", (int)info);
    if (info != GrB_SUCCESS || !a->S)
        return;
    GrB_Scalar_nvals(&nvals, a->S);
    printf(" %d:", (int)nvals);
    BY_TYPE(a->scalar_types[a->s], info = GrB_Scalar_extractElement((value *)room, a->S))
    print_entry(info, a->scalar_types[a->s], room);
}

void end_value(const arguments *a, GrB_Info info, const void *x)
{
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS) {
        printf(" ");
        print_value(a->type, x);
    }
}

void end_count(GrB_Info info, GrB_Index count)
{
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        printf(" %d", (int)count);
}
