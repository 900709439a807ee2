/* Checks types, scalars, look-up and the consistency of the table's entries. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define EQUAL(a, b) assert_true(sl_scalar_equal(a, b))

static void types_have_sizes_and_names(void **state)
{
    static const struct {
        sl_type type;
        size_t size;
        const char *name;
    } expected[] = {
        {SL_BOOL, 1, "bool"},     {SL_INT8, 1, "int8"},     {SL_INT16, 2, "int16"},
        {SL_INT32, 4, "int32"},   {SL_INT64, 8, "int64"},   {SL_UINT8, 1, "uint8"},
        {SL_UINT16, 2, "uint16"}, {SL_UINT32, 4, "uint32"}, {SL_UINT64, 8, "uint64"},
        {SL_FP32, 4, "fp32"},     {SL_FP64, 8, "fp64"},
    };
    assert_int_equal(sizeof expected / sizeof *expected, SL_TYPE_COUNT);
    for (size_t i = 0; i < SL_TYPE_COUNT; i++) {
        assert_int_equal(sl_type_size(expected[i].type), expected[i].size);
        assert_string_equal(sl_type_name(expected[i].type), expected[i].name);
    }
    assert_int_equal(sl_type_size(SL_TYPE_COUNT), 0);
    assert_int_equal(sl_type_size((sl_type)-1), 0);
    assert_string_equal(sl_type_name(SL_TYPE_COUNT), "?");
    assert_string_equal(sl_type_name((sl_type)-1), "?");
}

static void casts_follow_graphblas(void **state)
{
    /* to bool */
    EQUAL(sl_scalar_cast(sl_scalar_int32(-7), SL_BOOL), sl_scalar_bool(true));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(0.25), SL_BOOL), sl_scalar_bool(true));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(NAN), SL_BOOL), sl_scalar_bool(true));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(-0.0), SL_BOOL), sl_scalar_bool(false));
    EQUAL(sl_scalar_cast(sl_scalar_uint64(UINT64_C(1) << 40), SL_BOOL), sl_scalar_bool(true));
    /* from bool */
    EQUAL(sl_scalar_cast(sl_scalar_bool(true), SL_FP32), sl_scalar_fp32(1));
    EQUAL(sl_scalar_cast(sl_scalar_bool(true), SL_INT8), sl_scalar_int8(1));
    /* integers wrap */
    EQUAL(sl_scalar_cast(sl_scalar_int64(-1), SL_UINT8), sl_scalar_uint8(255));
    EQUAL(sl_scalar_cast(sl_scalar_uint16(40000), SL_INT16), sl_scalar_int16(-25536));
    EQUAL(sl_scalar_cast(sl_scalar_int8(-1), SL_UINT64), sl_scalar_uint64(UINT64_MAX));
    EQUAL(sl_scalar_cast(sl_scalar_int64(INT64_MIN), SL_INT32), sl_scalar_int32(0));
    /* floating point is truncated towards 0 and saturates */
    EQUAL(sl_scalar_cast(sl_scalar_fp64(-2.9), SL_INT32), sl_scalar_int32(-2));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(-2.9), SL_UINT32), sl_scalar_uint32(0));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(1e300), SL_INT8), sl_scalar_int8(INT8_MAX));
    EQUAL(sl_scalar_cast(sl_scalar_fp32(-INFINITY), SL_INT16), sl_scalar_int16(INT16_MIN));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(0x1p63), SL_INT64), sl_scalar_int64(INT64_MAX));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(0x1p64), SL_UINT64), sl_scalar_uint64(UINT64_MAX));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(0x1p63), SL_UINT64), sl_scalar_uint64(UINT64_C(1) << 63));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(NAN), SL_INT32), sl_scalar_int32(0));
    EQUAL(sl_scalar_cast(sl_scalar_fp32(NAN), SL_UINT64), sl_scalar_uint64(0));
    /* between floating-point types */
    EQUAL(sl_scalar_cast(sl_scalar_fp64(DBL_MAX), SL_FP32), sl_scalar_fp32(INFINITY));
    EQUAL(sl_scalar_cast(sl_scalar_fp32(NAN), SL_FP64), sl_scalar_fp64(NAN));
    EQUAL(sl_scalar_cast(sl_scalar_fp64(0.1), SL_FP32), sl_scalar_fp32(0.1f));
    /* 2^53 + 1 is no double: rounded to even, in one step from any type */
    EQUAL(sl_scalar_cast(sl_scalar_int64((INT64_C(1) << 53) + 1), SL_FP64), sl_scalar_fp64(0x1p53));
    EQUAL(sl_scalar_cast(sl_scalar_uint64(UINT64_MAX), SL_FP32), sl_scalar_fp32(0x1p64f));
    /* an invalid type leaves the value unchanged */
    EQUAL(sl_scalar_cast(sl_scalar_int8(3), SL_TYPE_COUNT), sl_scalar_int8(3));
}

static void scalars_load_and_compare(void **state)
{
    const struct __attribute__((packed)) {
        char shift;
        double value;
    } unaligned = {0, 2.5};
    const int16_t negative = -2;
    EQUAL(sl_scalar_load(SL_FP64, (const char *)&unaligned + 1), sl_scalar_fp64(2.5));
    EQUAL(sl_scalar_load(SL_INT16, &negative), sl_scalar_int16(-2));
    EQUAL(sl_scalar_fp64(NAN), sl_scalar_fp64(-NAN));
    EQUAL(sl_scalar_fp32(NAN), sl_scalar_fp32(-NAN));
    assert_false(sl_scalar_equal(sl_scalar_fp64(0.0), sl_scalar_fp64(-0.0)));
    assert_false(sl_scalar_equal(sl_scalar_fp64(NAN), sl_scalar_fp64(0)));
    assert_false(sl_scalar_equal(sl_scalar_fp32(1), sl_scalar_fp32(NAN)));
    assert_false(sl_scalar_equal(sl_scalar_int32(1), sl_scalar_uint32(1)));
    /* bytes of the union beside the value are ignored */
    sl_scalar a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0xff, sizeof b);
    a.type = b.type = SL_UINT8;
    a.as.uint8_ = b.as.uint8_ = 7;
    EQUAL(a, b);
}

/* Each typed constant with its expected properties; it must also be the result of the look-up. */
/* clang-format off */
static const struct {
    const sl_unary_op *op;
    sl_unary_code code;
    sl_type type, result;
    const char *name;
} unary_ops[] = {
#define SAME(NAME) SL_##NAME
#define BOOL(NAME) SL_BOOL
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op_, RESULT)                                      \
    {&SL_##OPNAME##_##NAME, SL_UNARY_##OPNAME, SL_##NAME, RESULT(NAME), #op_ "_" #name_},
#define OP(OPNAME, op_, ...) SL_TYPES_ALL(X, OPNAME, op_, SAME)
    SL_UNARY_OPS(OP)
#undef OP
#define OP(OPNAME, op_, TYPES, RESULT, ...) SL_TYPES_##TYPES(X, OPNAME, op_, RESULT)
    SL_UNARY_FUNCTIONS(OP)
#undef OP
#undef SAME
#undef BOOL
#undef X
};

static const struct {
    const sl_binary_op *op;
    sl_binary_code code;
    sl_type type;
    const char *name;
} binary_ops[] = {
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op_)                                              \
    {&SL_##OPNAME##_##NAME, SL_BINARY_##OPNAME, SL_##NAME, #op_ "_" #name_},
#define OP(OPNAME, op_, ...) SL_TYPES_ALL(X, OPNAME, op_)
    SL_BINARY_OPS(OP)
    SL_COMPARISONS(OP)
#undef OP
#define OP(OPNAME, op_, ...) SL_TYPES_BOOL(X, OPNAME, op_)
    SL_BINARY_OPS_BOOL(OP)
#undef OP
#define OP(OPNAME, op_, ...) SL_TYPES_INDEX(X, OPNAME, op_)
    SL_POSITIONAL_OPS(OP)
#undef OP
#define OP(OPNAME, op_, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME, op_)
    SL_BINARY_FUNCTIONS(OP)
#undef OP
#undef X
};

static const struct {
    const sl_index_op *op;
    sl_index_code code;
    sl_type type, result;
    const char *name;
    bool positional;
} index_ops[] = {
#define NAME_BOOL "_bool"
#define NAME_INT32 "_int32"
#define NAME_INT64 "_int64"
#define X(OPNAME, op_, expression, RESULT)                                                         \
    {&SL_##OPNAME##_##RESULT, SL_INDEX_##OPNAME, SL_##RESULT == SL_INT32 ? SL_INT32 : SL_INT64,      \
     SL_##RESULT, #op_ NAME_##RESULT, true},
    SL_INDEX_OPS_POSITION(X) SL_INDEX_OPS_INDEX(X, INT32)
#undef X
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op_)                                              \
    {&SL_##OPNAME##_##NAME, SL_INDEX_##OPNAME, SL_##NAME, SL_BOOL, #op_ "_" #name_, false},
#define OP(OPNAME, op_, ...) SL_TYPES_ALL(X, OPNAME, op_)
    SL_INDEX_OPS_VALUE(OP)
#undef OP
#undef X
};

static const struct {
    const sl_monoid *monoid;
    const sl_binary_op *op;
    sl_monoid_code code;
    sl_type type;
    const char *name;
} monoids[] = {
#define X(NAME, name_, T, CLASS, lo, hi, OPNAME, op_)                                              \
    {&SL_##OPNAME##_MONOID_##NAME, &SL_##OPNAME##_##NAME, SL_MONOID_##OPNAME, SL_##NAME,           \
     #op_ "_" #name_},
#define OP(OPNAME, op_, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME, op_)
    SL_MONOIDS(OP)
#undef OP
#undef X
};

static const struct {
    const sl_semiring *semiring;
    const sl_binary_op *multiply;
    sl_semiring_code code;
    sl_type type;
    sl_monoid_code add;
    const char *name;
} semirings[] = {
#define X(NAME, name_, T, CLASS, lo, hi, RING, ring, ADD, MULTIPLY)                                \
    {&SL_##RING##_##NAME, &SL_##MULTIPLY##_##NAME, SL_SEMIRING_##RING, SL_##NAME,                  \
     SL_MONOID_##ADD, #ring "_" #name_},
#define RING(RING, ring, ADD, MULTIPLY, TYPES) SL_TYPES_##TYPES(X, RING, ring, ADD, MULTIPLY)
    SL_SEMIRINGS(RING)
#undef RING
#undef X
};
/* clang-format on */

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* Checks the properties of a row and the look-up. */
#define CHECK_ROW(row, object, get)                                                                \
    do {                                                                                           \
        assert_ptr_equal(get((row).code, (row).type), object);                                     \
        assert_int_equal((object)->code, (row).code);                                              \
        assert_null((object)->user);                                                               \
        assert_string_equal((object)->name, (row).name);                                           \
    } while (0)

static void operators_are_found(void **state)
{
    for (size_t i = 0; i < COUNT(unary_ops); i++) {
        CHECK_ROW(unary_ops[i], *unary_ops[i].op, sl_unary_op_get);
        assert_int_equal((*unary_ops[i].op)->type, unary_ops[i].type);
        assert_int_equal((*unary_ops[i].op)->result, unary_ops[i].result);
        assert_non_null((*unary_ops[i].op)->eval);
    }
    for (size_t i = 0; i < COUNT(binary_ops); i++) {
        CHECK_ROW(binary_ops[i], *binary_ops[i].op, sl_binary_op_get);
        assert_int_equal((*binary_ops[i].op)->type, binary_ops[i].type);
        assert_int_equal((*binary_ops[i].op)->type_y, binary_ops[i].type);
    }
    for (size_t i = 0; i < COUNT(index_ops); i++) {
        sl_index_op op = *index_ops[i].op;
        CHECK_ROW(index_ops[i], op, sl_index_op_get);
        assert_int_equal(op->type, index_ops[i].type);
        assert_int_equal(op->type_thunk, op->positional ? SL_INT64 : index_ops[i].type);
        assert_int_equal(op->result, index_ops[i].result);
        assert_int_equal(op->positional, index_ops[i].positional);
        assert_non_null(op->eval);
    }
}

static void monoids_and_semirings_are_found(void **state)
{
    for (size_t i = 0; i < COUNT(monoids); i++) {
        sl_monoid m = *monoids[i].monoid;
        CHECK_ROW(monoids[i], m, sl_monoid_get);
        assert_int_equal(m->type, monoids[i].type);
        assert_ptr_equal(m->op, *monoids[i].op);
        assert_int_equal(m->identity.type, m->type);
        assert_int_equal(m->terminal.type, m->type);
        assert_int_equal(m->any, m->code == SL_MONOID_ANY);
    }
    for (size_t i = 0; i < COUNT(semirings); i++) {
        sl_semiring s = *semirings[i].semiring;
        CHECK_ROW(semirings[i], s, sl_semiring_get);
        assert_ptr_equal(s->multiply, *semirings[i].multiply);
        assert_ptr_equal(s->add, sl_monoid_get(semirings[i].add, s->multiply->result));
        assert_int_equal(s->result, s->multiply->result);
        assert_int_equal(s->result_is_index, s->multiply->positional);
    }
}

static void positional_index_operators_are_found_under_every_type(void **state)
{
    for (size_t i = 0; i < COUNT(index_ops); i++)
        for (int type = 0; index_ops[i].positional && type < SL_TYPE_COUNT; type++)
            if ((index_ops[i].result == SL_INT32) == (type == SL_INT32) ||
                index_ops[i].result == SL_BOOL)
                assert_ptr_equal(sl_index_op_get(index_ops[i].code, type), *index_ops[i].op);
}

static void results_have_the_right_type(void **state)
{
    assert_int_equal(SL_PLUS_FP32->result, SL_FP32);
    assert_int_equal(SL_LAND_INT16->result, SL_INT16);
    assert_int_equal(SL_LE_FP64->result, SL_BOOL);
    assert_int_equal(SL_LXNOR_BOOL->result, SL_BOOL);
    assert_int_equal(SL_SECONDI_INT64->result, SL_INT64);
    assert_int_equal(SL_SECONDI_INT32->result, SL_INT32);
    assert_int_equal(SL_ANY_SECONDI_INT32->result, SL_INT32);
    assert_int_equal(SL_MIN_SECONDI_INT32->add->type, SL_INT32);
    for (int code = 0; code < SL_BINARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_binary_op op = sl_binary_op_get(code, type);
            bool compares = code >= SL_BINARY_EQ && code <= SL_BINARY_GE;
            bool positional = code >= SL_BINARY_FIRSTI && code <= SL_BINARY_SECONDJ;
            bool of_floats = code >= SL_BINARY_ATAN2 && code <= SL_BINARY_LDEXP;
            bool of_integers = code >= SL_BINARY_BOR;
            bool is_float = type == SL_FP32 || type == SL_FP64;
            if (!op) { /* the only missing entries */
                assert_true((code == SL_BINARY_LXNOR && type != SL_BOOL) ||
                            (positional && type != SL_INT32 && type != SL_INT64) ||
                            (of_floats && !is_float) ||
                            (of_integers && (is_float || type == SL_BOOL)));
                continue;
            }
            assert_int_equal(op->result, compares ? SL_BOOL : (sl_type)type);
            assert_int_equal(op->positional, positional);
            assert_int_equal(op->eval == NULL, positional);
        }
}

static void what_is_not_in_the_table_is_null(void **state)
{
    const int bad[] = {-1, INT32_MIN, INT32_MAX, 1000};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(sl_unary_op_get(bad[i], SL_INT8));
        assert_null(sl_unary_op_get(SL_UNARY_ABS, bad[i]));
        assert_null(sl_binary_op_get(bad[i], SL_INT8));
        assert_null(sl_binary_op_get(SL_BINARY_PLUS, bad[i]));
        assert_null(sl_index_op_get(bad[i], SL_INT64));
        assert_null(sl_index_op_get(SL_INDEX_VALUEEQ, bad[i]));
        assert_null(sl_monoid_get(bad[i], SL_BOOL));
        assert_null(sl_monoid_get(SL_MONOID_LOR, bad[i]));
        assert_null(sl_semiring_get(bad[i], SL_FP64));
        assert_null(sl_semiring_get(SL_SEMIRING_MIN_PLUS, bad[i]));
    }
    assert_null(sl_unary_op_get(SL_UNARY_COUNT, SL_INT8));
    assert_null(sl_binary_op_get(SL_BINARY_COUNT, SL_INT8));
    assert_null(sl_index_op_get(SL_INDEX_COUNT, SL_INT64));
    assert_null(sl_monoid_get(SL_MONOID_COUNT, SL_INT8));
    assert_null(sl_semiring_get(SL_SEMIRING_COUNT, SL_INT8));
    assert_null(sl_binary_op_get(SL_BINARY_LXNOR, SL_INT8));
    assert_null(sl_binary_op_get(SL_BINARY_SECONDI, SL_INT16));
    assert_null(sl_monoid_get(SL_MONOID_PLUS, SL_BOOL));
    assert_null(sl_monoid_get(SL_MONOID_LOR, SL_FP64));
    assert_null(sl_semiring_get(SL_SEMIRING_ANY_SECONDI, SL_BOOL));
    assert_null(sl_semiring_get(SL_SEMIRING_MIN_PLUS, SL_BOOL));
}

/* Values that are easy to get wrong, computed by hand. */
static void arithmetic_by_hand(void **state)
{
#define BINARY(T, z_, op, x_, y_)                                                                  \
    do {                                                                                           \
        const T x = (x_), y = (y_);                                                                \
        T z;                                                                                       \
        (op)->eval(&z, &x, &y);                                                                    \
        assert_true(z == (T)(z_));                                                                 \
    } while (0)
    BINARY(int32_t, INT32_MIN, SL_PLUS_INT32, INT32_MAX, 1);
    BINARY(int64_t, INT64_MAX, SL_MINUS_INT64, INT64_MIN, 1);
    BINARY(int16_t, 1, SL_TIMES_INT16, INT16_MAX, INT16_MAX);
    BINARY(int64_t, 1, SL_TIMES_INT64, INT64_MAX, INT64_MAX);
    BINARY(int8_t, INT8_MIN, SL_DIV_INT8, INT8_MIN, -1);
    BINARY(int64_t, INT64_MIN, SL_DIV_INT64, INT64_MIN, -1);
    BINARY(int32_t, -3, SL_DIV_INT32, -7, 2);
    BINARY(int32_t, 0, SL_DIV_INT32, 0, 0);
    BINARY(int32_t, INT32_MAX, SL_DIV_INT32, 5, 0);
    BINARY(int32_t, INT32_MIN, SL_DIV_INT32, -5, 0);
    BINARY(uint64_t, UINT64_MAX, SL_DIV_UINT64, 5, 0);
    BINARY(uint64_t, 1, SL_DIV_UINT64, UINT64_MAX, UINT64_MAX);
    BINARY(uint32_t, 0, SL_DIV_UINT32, 0, 0);
    BINARY(double, 2, SL_MIN_FP64, NAN, 2);
    BINARY(float, 2, SL_MAX_FP32, 2, NAN);
    BINARY(double, INFINITY, SL_DIV_FP64, 1, 0);
    BINARY(bool, true, SL_PLUS_BOOL, true, true);
    BINARY(bool, false, SL_MINUS_BOOL, true, true);
    BINARY(bool, true, SL_DIV_BOOL, true, false);
#undef BINARY
#define UNARY(T, z_, op, x_)                                                                       \
    do {                                                                                           \
        const T x = (x_);                                                                          \
        T z;                                                                                       \
        (op)->eval(&z, &x);                                                                        \
        assert_true(z == (T)(z_));                                                                 \
    } while (0)
    UNARY(int64_t, INT64_MIN, SL_ABS_INT64, INT64_MIN);
    UNARY(int8_t, 7, SL_ABS_INT8, -7);
    UNARY(int64_t, INT64_MIN, SL_AINV_INT64, INT64_MIN);
    UNARY(uint8_t, 255, SL_AINV_UINT8, 1);
    UNARY(int32_t, INT32_MAX, SL_MINV_INT32, 0);
    UNARY(int32_t, -1, SL_MINV_INT32, -1);
    UNARY(double, 0.5, SL_MINV_FP64, 2);
    UNARY(bool, true, SL_MINV_BOOL, false);
    UNARY(double, 1, SL_LNOT_FP64, 0);
#undef UNARY
}

/* Entry (2,5); a thunk at the end of its range neither overflows nor wraps in a comparison. */
static void positions_by_hand(void **state)
{
#define AT(T, z_, op, thunk)                                                                       \
    do {                                                                                           \
        const int64_t k = (thunk);                                                                 \
        T z;                                                                                       \
        (op)->eval(&z, NULL, 2, 5, &k);                                                            \
        assert_true(z == (z_));                                                                    \
    } while (0)
    AT(int64_t, 12, SL_ROWINDEX_INT64, 10);
    AT(int64_t, 4, SL_COLINDEX_INT64, -1);
    AT(int64_t, 3, SL_DIAGINDEX_INT64, 0);
    AT(int64_t, 1, SL_DIAGINDEX_INT64, 2);
    AT(int64_t, INT64_MIN + 1, SL_ROWINDEX_INT64, INT64_MAX);
    AT(bool, false, SL_TRIL_BOOL, 2);
    AT(bool, true, SL_TRIL_BOOL, 3);
    AT(bool, true, SL_TRIL_BOOL, INT64_MAX);
    AT(bool, true, SL_TRIU_BOOL, 3);
    AT(bool, false, SL_TRIU_BOOL, 4);
    AT(bool, true, SL_TRIU_BOOL, INT64_MIN);
    AT(bool, true, SL_DIAG_BOOL, 3);
    AT(bool, false, SL_OFFDIAG_BOOL, 3);
    AT(bool, true, SL_OFFDIAG_BOOL, 0);
    AT(bool, true, SL_ROWLE_BOOL, 2);
    AT(bool, false, SL_ROWGT_BOOL, 2);
    AT(bool, false, SL_COLLE_BOOL, 4);
    AT(bool, true, SL_COLGT_BOOL, 4);
#undef AT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_have_sizes_and_names),
        cmocka_unit_test(casts_follow_graphblas),
        cmocka_unit_test(scalars_load_and_compare),
        cmocka_unit_test(operators_are_found),
        cmocka_unit_test(monoids_and_semirings_are_found),
        cmocka_unit_test(positional_index_operators_are_found_under_every_type),
        cmocka_unit_test(results_have_the_right_type),
        cmocka_unit_test(what_is_not_in_the_table_is_null),
        cmocka_unit_test(arithmetic_by_hand),
        cmocka_unit_test(positions_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
