/*
 * Programs of the GraphBLAS C API on a grid: every rank runs the same program and gets the answers of one process. Each
 * program runs twice, with SEMLA_GRB=host and with SEMLA_GRB=grid, and the logs of all codes and values are compared.
 * Single entries are buffered on a grid, so the programs mix them with every kind of other use.
 */
#include <GraphBLAS.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define MAX_LOG (1 << 20)
#define STEPS   300
#ifdef __SANITIZE_ADDRESS__ /* ten times slower, and the same functions */
#define SEEDS 3
#else
#define SEEDS 12
#endif

typedef struct {
    size_t count;
    double *numbers;
} program_log;

static void write_log(program_log *log, double number)
{
    assert_true(log->count < MAX_LOG);
    log->numbers[log->count++] = number;
}

static uint64_t random_state;

static uint64_t draw(uint64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % below;
}

/* Runs a program on the host and on the grid and compares the logs. */
static void compare_with_one_process(void (*program)(program_log *log, uint64_t seed),
                                     uint64_t seed)
{
    static const char *const places[] = {"host", "grid"};
    program_log logs[2];
    for (int k = 0; k < 2; k++) {
        logs[k] = (program_log){.numbers = malloc(MAX_LOG * sizeof(double))};
        assert_non_null(logs[k].numbers);
        setenv("SEMLA_GRB", places[k], 1);
        assert_int_equal(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
        random_state = seed;
        program(&logs[k], seed);
        assert_int_equal(GrB_finalize(), GrB_SUCCESS);
    }
    for (size_t k = 0; k < logs[0].count && k < logs[1].count; k++)
        if (logs[0].numbers[k] != logs[1].numbers[k])
            fail_msg("seed %d: number %d of the log is %g on the host and %g on the grid",
                     (int)seed, (int)k, logs[0].numbers[k], logs[1].numbers[k]);
    assert_int_equal(logs[0].count, logs[1].count);
    for (int k = 0; k < 2; k++)
        free(logs[k].numbers);
}

/* ---- single entries between other uses ------------------------------------------------------------- */

#define SIZE 40

static void log_vector(program_log *log, GrB_Vector v)
{
    GrB_Index indices[SIZE * SIZE], count = SIZE * SIZE;
    double values[SIZE * SIZE];
    write_log(log, GrB_Vector_extractTuples_FP64(indices, values, &count, v));
    for (GrB_Index k = 0; k < count; k++) {
        write_log(log, (double)indices[k]);
        write_log(log, values[k]);
    }
}

static void log_matrix(program_log *log, GrB_Matrix A)
{
    GrB_Index rows[SIZE * SIZE], cols[SIZE * SIZE], count = SIZE * SIZE;
    double values[SIZE * SIZE];
    write_log(log, GrB_Matrix_extractTuples_FP64(rows, cols, values, &count, A));
    for (GrB_Index k = 0; k < count; k++) {
        write_log(log, (double)rows[k] * SIZE + (double)cols[k]);
        write_log(log, values[k]);
    }
}

/* One use of a vector; index SIZE is out of range. */
static void use_vector(program_log *log, GrB_Vector *v, GrB_Vector other, GrB_Matrix A,
                       GrB_Scalar s)
{
    double x = -1;
    GrB_Index count = 0;
    GrB_Vector copy = NULL;
    const char *message = NULL;
    const GrB_Index i = draw(SIZE + (draw(8) == 0));
    switch (draw(18)) {
    case 0:
    case 1:
    case 2:
        write_log(log, GrB_Vector_setElement_FP64(*v, (double)draw(1000) / 4, i));
        break;
    case 3:
        write_log(log, GrB_Vector_setElement_Scalar(*v, s, i));
        break;
    case 4:
        write_log(log, GrB_Vector_removeElement(*v, i));
        break;
    case 5:
    case 6:
    case 7:
        write_log(log, GrB_Vector_extractElement_FP64(&x, *v, i));
        write_log(log, x);
        break;
    case 8:
        write_log(log, GrB_Vector_extractElement_Scalar(s, *v, i));
        break;
    case 9:
        write_log(log, GrB_Vector_nvals(&count, *v));
        write_log(log, (double)count);
        break;
    case 10:
        write_log(log, GrB_vxm(other, *v, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, *v, A, GrB_DESC_RSC));
        write_log(log, GrB_Vector_assign(*v, other, NULL, other, GrB_ALL, SIZE, GrB_DESC_S));
        break;
    case 11:
        write_log(log, GrB_Vector_dup(&copy, *v));
        GrB_Vector_free(v);
        *v = copy;
        break;
    case 12:
        write_log(log, draw(4) == 0 ? GrB_Vector_clear(*v) : GrB_Vector_wait(*v, GrB_MATERIALIZE));
        break;
    case 13:
        write_log(log, GrB_Vector_resize(*v, 20));
        write_log(log, GrB_Vector_setElement_FP64(*v, 7, 19));
        write_log(log, GrB_Vector_resize(*v, SIZE));
        break;
    case 14:
        write_log(log, GrB_Vector_size(&count, *v));
        write_log(log, (double)count);
        write_log(log, GrB_Vector_error(&message, *v));
        break;
    case 15: /* a row, or a column, of the vector's type or cast to it */
    case 16:
        write_log(log, GrB_Col_extract(*v, NULL, NULL, A, GrB_ALL, SIZE, i,
                                       draw(4) ? GrB_DESC_T0 : NULL));
        break;
    default:
        log_vector(log, *v);
    }
}

static void use_matrix(program_log *log, GrB_Matrix *A, GrB_Vector v, GrB_Scalar s)
{
    double x = -1;
    GrB_Index count = 0;
    GrB_Matrix copy = NULL;
    const GrB_Index i = draw(SIZE + (draw(8) == 0)), j = draw(SIZE + (draw(8) == 0));
    switch (draw(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        write_log(log, GrB_Matrix_setElement_FP64(*A, (double)draw(1000) / 4, i, j));
        break;
    case 4:
        write_log(log, GrB_Matrix_removeElement(*A, i, j));
        break;
    case 5:
    case 6:
        write_log(log, GrB_Matrix_extractElement_FP64(&x, *A, i, j));
        write_log(log, x);
        break;
    case 7:
        write_log(log, GrB_Matrix_setElement_Scalar(*A, s, i, j));
        write_log(log, GrB_Matrix_extractElement_Scalar(s, *A, j, i));
        break;
    case 8:
        write_log(log, GrB_Matrix_nvals(&count, *A));
        write_log(log, (double)count);
        break;
    case 9:
        write_log(log, GrB_mxv(v, NULL, NULL, GrB_MIN_PLUS_SEMIRING_FP64, *A, v, GrB_DESC_T0));
        break;
    case 10:
        write_log(log, GrB_Matrix_dup(&copy, *A));
        write_log(log, GrB_transpose(*A, copy, NULL, copy, GrB_DESC_SC));
        GrB_Matrix_free(A);
        *A = copy;
        break;
    default:
        log_matrix(log, *A);
    }
}

static void mixed_program(program_log *log, uint64_t seed)
{
    GrB_Type types[] = {GrB_FP64, GrB_INT32, GrB_BOOL, GrB_UINT8};
    GrB_Vector v, other;
    GrB_Matrix A;
    GrB_Scalar s;
    write_log(log, GrB_Vector_new(&v, types[seed % 4], SIZE));
    write_log(log, GrB_Vector_new(&other, GrB_FP64, SIZE));
    write_log(log, GrB_Matrix_new(&A, types[seed / 4 % 4], SIZE, SIZE));
    write_log(log, GrB_Scalar_new(&s, types[seed / 2 % 4]));
    for (int k = 0; k < STEPS; k++) {
        /* a run of single entries, or one use of each */
        for (uint64_t run = draw(4) == 0 ? draw(40) : 1; run > 0; run--)
            use_vector(log, &v, other, A, s);
        for (uint64_t run = draw(4) == 0 ? draw(40) : 1; run > 0; run--)
            use_matrix(log, &A, other, s);
    }
    log_vector(log, v);
    log_vector(log, other);
    log_matrix(log, A);
    write_log(log, GrB_Vector_setElement_FP64(v, 1, 1)); /* freed with a single entry apart */
    GrB_Vector_free(&v);
    GrB_Vector_free(&other);
    GrB_Matrix_free(&A);
    GrB_Scalar_free(&s);
}

static void mixed_uses(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        compare_with_one_process(mixed_program, seed);
}

/* ---- arrays in and out ------------------------------------------------------------------------------------ */

/* Tuples with duplicates, which are combined in their order; import, export, serialise. */
static void array_program(program_log *log, uint64_t seed)
{
    GrB_BinaryOp dups[] = {GrB_FIRST_FP64, GrB_SECOND_FP64, GrB_PLUS_INT32, GrB_MINUS_FP64};
    GrB_Index rows[300], cols[300], starts[SIZE + 1], size = 0, lengths[3];
    double values[300];
    GrB_Matrix A = NULL, B = NULL, C = NULL;
    GrB_Vector v = NULL;
    const GrB_Index count = draw(300);
    for (GrB_Index k = 0; k < count; k++) {
        rows[k] = draw(SIZE);
        cols[k] = draw(seed % 2 ? SIZE : 3);
        values[k] = (double)draw(1000) / 8;
    }
    write_log(log, GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE));
    write_log(log, GrB_Matrix_build_FP64(A, rows, cols, values, count, dups[seed % 4]));
    log_matrix(log, A);
    write_log(log, GrB_Matrix_build_FP64(A, rows, cols, values, count, dups[seed % 4]));
    write_log(log, GrB_Vector_new(&v, GrB_INT32, SIZE));
    write_log(log, GrB_Vector_build_FP64(v, rows, values, count, dups[seed % 4]));
    log_vector(log, v);
    write_log(log, GrB_Matrix_serializeSize(&size, A));
    char *blob = malloc(size);
    write_log(log, GrB_Matrix_serialize(blob, &size, A));
    write_log(log, GrB_Matrix_deserialize(&B, NULL, blob, size));
    log_matrix(log, B);
    free(blob);
    for (GrB_Format format = GrB_CSR_FORMAT; format <= GrB_CSC_FORMAT; format++) {
        write_log(log, GrB_Matrix_exportSize(&lengths[0], &lengths[1], &lengths[2], format, A));
        write_log(log, GrB_Matrix_export_FP64(starts, cols, values, &lengths[0], &lengths[1],
                                              &lengths[2], format, A));
        write_log(log, GrB_Matrix_import_FP64(&C, GrB_FP64, SIZE, SIZE, starts, cols, values,
                                              lengths[0], lengths[1], lengths[2], format));
        log_matrix(log, C);
        GrB_Matrix_free(&C);
    }
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Vector_free(&v);
}

static void arrays_in_and_out(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        compare_with_one_process(array_program, seed);
}

/* ---- rows --------------------------------------------------------------------------------------------------- */

#define ROWS 150

/* Rows of a matrix that is large enough for the first of them to be read by messages, and the others from a copy. */
static void row_program(program_log *log, uint64_t seed)
{
    GrB_Index rows[ROWS * ROWS / 2], cols[ROWS * ROWS / 2], indices[ROWS], count = 0;
    int32_t values[ROWS * ROWS / 2], found[ROWS];
    GrB_Matrix A = NULL;
    GrB_Vector row = NULL;
    for (GrB_Index k = 0; k < ROWS * ROWS; k++)
        if (draw(5) < 2 && count < ROWS * ROWS / 2) {
            rows[count] = k / ROWS;
            cols[count] = k % ROWS;
            values[count++] = (int32_t)draw(1000);
        }
    write_log(log, GrB_Matrix_new(&A, GrB_INT32, ROWS, ROWS));
    write_log(log, GrB_Matrix_build_INT32(A, rows, cols, values, count, NULL));
    write_log(log, GrB_Vector_new(&row, seed % 2 ? GrB_INT32 : GrB_FP64, ROWS));
    for (GrB_Index k = 0; k < ROWS; k++) {
        int64_t sum = 0;
        write_log(log, GrB_Col_extract(row, NULL, NULL, A, GrB_ALL, ROWS, k, GrB_DESC_T0));
        if (draw(3) == 0)
            write_log(log, GrB_Vector_setElement_INT32(row, 7, draw(ROWS)));
        if (draw(3) == 0) {
            write_log(log, GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, row, NULL));
            write_log(log, (double)sum);
        }
        if (draw(20) == 0)
            write_log(log, GrB_Matrix_removeElement(A, draw(ROWS), draw(ROWS)));
        count = ROWS;
        write_log(log, GrB_Vector_extractTuples_INT32(indices, found, &count, row));
        for (GrB_Index e = 0; e < count; e++)
            write_log(log, (double)indices[e] * 1000 + found[e]);
    }
    GrB_Matrix_free(&A);
    GrB_Vector_free(&row);
}

static void rows_of_a_matrix(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < SEEDS / 3 + 1; seed++)
        compare_with_one_process(row_program, seed);
}

/* ---- many single entries -------------------------------------------------------------------------------- */

#define MANY 100000

/* One exchange of messages for each entry takes several seconds. */
static void many_single_entries(void **unused)
{
    (void)unused;
    GrB_Vector v;
    GrB_Index count;
    setenv("SEMLA_GRB", "grid", 1);
    assert_int_equal(GrB_init(GrB_NONBLOCKING), GrB_SUCCESS);
    assert_int_equal(GrB_Vector_new(&v, GrB_INT64, MANY), GrB_SUCCESS);
    const clock_t started = clock();
    for (GrB_Index k = 0; k < MANY; k++)
        assert_int_equal(GrB_Vector_setElement_INT64(v, (int64_t)(3 * k), MANY - 1 - k),
                         GrB_SUCCESS);
    assert_int_equal(GrB_Vector_nvals(&count, v), GrB_SUCCESS);
    assert_int_equal(count, MANY);
    const clock_t written = clock();
    for (GrB_Index k = 0; k < MANY; k++) {
        int64_t x = -1;
        assert_int_equal(GrB_Vector_extractElement_INT64(&x, v, k), GrB_SUCCESS);
        assert_int_equal(x, (int64_t)(3 * (MANY - 1 - k)));
    }
    const double write_seconds = (double)(written - started) / CLOCKS_PER_SEC;
    const double read_seconds = (double)(clock() - written) / CLOCKS_PER_SEC;
    print_message("written in %.3f s, read in %.3f s\n", write_seconds, read_seconds);
    assert_true(write_seconds < 1);
    assert_true(read_seconds < 1);
    GrB_Vector_free(&v);
    assert_int_equal(GrB_finalize(), GrB_SUCCESS);
}

/* ---- user-defined types ------------------------------------------------------------------------------------- */

typedef struct {
    double x, y, z;
} point;

/* Single entries and rows of points. */
static void point_program(program_log *log, uint64_t seed)
{
    GrB_Type type = NULL;
    GrB_Vector v = NULL, row = NULL;
    GrB_Matrix A = NULL;
    GrB_Scalar s = NULL;
    GrB_Index indices[SIZE], count;
    point points[SIZE];
    write_log(log, GrB_Type_new(&type, sizeof(point)));
    write_log(log, GrB_Vector_new(&v, type, SIZE));
    write_log(log, GrB_Vector_new(&row, type, SIZE));
    write_log(log, GrB_Matrix_new(&A, type, SIZE, SIZE));
    write_log(log, GrB_Scalar_new(&s, type));
    for (int k = 0; k < STEPS; k++) {
        const GrB_Index i = draw(SIZE), j = draw(SIZE);
        point p = {(double)draw(100), (double)seed, (double)k}, q = {-1, -1, -1};
        write_log(log, GrB_Vector_setElement_UDT(v, &p, i));
        write_log(log, GrB_Matrix_setElement_UDT(A, &p, i, j));
        write_log(log, GrB_Vector_extractElement_UDT(&q, v, j));
        write_log(log, q.x + 1000 * q.y + 1000000 * q.z);
        write_log(log, GrB_Matrix_extractElement_Scalar(s, A, j, i));
        write_log(log, GrB_Scalar_extractElement_UDT(&q, s));
        write_log(log, q.x + 1000 * q.y + 1000000 * q.z);
        if (draw(4) == 0)
            write_log(log, GrB_Vector_removeElement(v, draw(SIZE)));
        if (draw(4) == 0) {
            count = SIZE;
            write_log(log, GrB_Col_extract(row, NULL, NULL, A, GrB_ALL, SIZE, i, GrB_DESC_T0));
            write_log(log, GrB_Vector_extractTuples_UDT(indices, points, &count, row));
            for (GrB_Index e = 0; e < count; e++)
                write_log(log, (double)indices[e] + points[e].x * 100 + points[e].z * 100000);
        }
        if (draw(8) == 0) {
            write_log(log, GrB_Vector_assign(v, row, NULL, row, GrB_ALL, SIZE, GrB_DESC_S));
            write_log(log, GrB_Vector_nvals(&count, v));
            write_log(log, (double)count);
        }
    }
    GrB_Vector_free(&v);
    GrB_Vector_free(&row);
    GrB_Matrix_free(&A);
    GrB_Scalar_free(&s);
    GrB_Type_free(&type);
}

static void user_defined_types(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < SEEDS / 3 + 1; seed++)
        compare_with_one_process(point_program, seed);
}

/* Products in which the pattern of a vector or matrix of points counts alone. */
static void pattern_program(program_log *log, uint64_t seed)
{
    const point p = {1, 2, 3};
    GrB_Type type = NULL;
    GrB_Vector u = NULL, w = NULL;
    GrB_Matrix A = NULL, B = NULL;
    write_log(log, GrB_Type_new(&type, sizeof(point)));
    write_log(log, GrB_Vector_new(&u, type, SIZE));
    write_log(log, GrB_Vector_new(&w, GrB_FP64, SIZE));
    write_log(log, GrB_Matrix_new(&A, type, SIZE, SIZE));
    write_log(log, GrB_Matrix_new(&B, GrB_FP64, SIZE, SIZE));
    for (int k = 0; k < STEPS; k++) {
        write_log(log, GrB_Vector_setElement_UDT(u, &p, draw(SIZE)));
        write_log(log, GrB_Matrix_setElement_UDT(A, &p, draw(SIZE), draw(SIZE)));
        write_log(log,
                  GrB_Matrix_setElement_FP64(B, (double)(k + (int)seed), draw(SIZE), draw(SIZE)));
    }
    const GrB_Semiring semirings[] = {GxB_PLUS_PAIR_FP64, GxB_MIN_SECONDI_INT64,
                                      GxB_PLUS_SECOND_FP64, GrB_PLUS_TIMES_SEMIRING_FP64};
    for (size_t k = 0; k < sizeof semirings / sizeof *semirings; k++) {
        write_log(log, GrB_vxm(w, NULL, NULL, semirings[k], u, B, NULL));
        log_vector(log, w);
        write_log(log, GrB_mxv(w, u, NULL, semirings[k], A, w, GrB_DESC_S));
        log_vector(log, w);
        write_log(log, GrB_mxv(w, NULL, NULL, semirings[k], B, u, GrB_DESC_T0));
        log_vector(log, w);
        write_log(log, GrB_mxm(B, A, NULL, semirings[k], A, B, GrB_DESC_S));
        log_matrix(log, B);
    }
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
    GrB_Matrix_free(&A);
    GrB_Matrix_free(&B);
    GrB_Type_free(&type);
}

static void patterns_of_user_types(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < SEEDS / 3 + 1; seed++)
        compare_with_one_process(pattern_program, seed);
}

/* ---- words of SEMLA_GRB -------------------------------------------------------------------------------------- */

/* A wrong word fails, and GrB_init can be called again. Every shape of the ranks is a grid. */
static void words(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"gird", "grid:",    "grid:2",     "grid:2x",   "grid:x2",
                                        "Grid", "grid:0x1", "grid:1x1x1", "grid:7x11", "host "};
    const char *ranks_text = getenv("OMPI_COMM_WORLD_SIZE");
    const int ranks = ranks_text ? atoi(ranks_text) : 1;
    char word[32];
    GrB_Vector v;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv("SEMLA_GRB", wrong[k], 1);
        assert_int_equal(GrB_init(GrB_BLOCKING), GrB_INVALID_VALUE);
        assert_int_equal(GrB_Vector_new(&v, GrB_BOOL, 3), GrB_PANIC);
    }
    for (int rows = 1; rows <= ranks; rows++) {
        if (ranks % rows)
            continue;
        snprintf(word, sizeof word, "grid:%dx%d", rows, ranks / rows);
        setenv("SEMLA_GRB", word, 1);
        assert_int_equal(GrB_init(GrB_BLOCKING), GrB_SUCCESS);
        assert_int_equal(GrB_Vector_new(&v, GrB_BOOL, 3), GrB_SUCCESS);
        assert_int_equal(GrB_Vector_free(&v), GrB_SUCCESS);
        assert_int_equal(GrB_finalize(), GrB_SUCCESS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_uses),
        cmocka_unit_test(arrays_in_and_out),
        cmocka_unit_test(rows_of_a_matrix),
        cmocka_unit_test(many_single_entries),
        cmocka_unit_test(user_defined_types),
        cmocka_unit_test(patterns_of_user_types),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
