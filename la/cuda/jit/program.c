/* Writes the text of programs: operators as types, and the names of the kernels instantiated
 * with them. */
#include "cuda/jit/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const c_types[] = {
    [SL_BOOL] = "bool",       [SL_INT8] = "int8_t",     [SL_INT16] = "int16_t",
    [SL_INT32] = "int32_t",   [SL_INT64] = "int64_t",   [SL_UINT8] = "uint8_t",
    [SL_UINT16] = "uint16_t", [SL_UINT32] = "uint32_t", [SL_UINT64] = "uint64_t",
    [SL_FP32] = "float",      [SL_FP64] = "double",
};

/* The kernels of each kind, and their source file. Op, Sum and R are types that the program
 * defines. */
static const struct {
    const char *file;
    const char *kernels[CUDA_PROGRAM_KERNELS];
} contents[] = {
    [CUDA_PROGRAM_EWISE] = {"cuda/operations/elementwise.cu", {"ewise<Op>"}},
    [CUDA_PROGRAM_APPLY] = {"cuda/operations/elementwise.cu", {"apply<Op>"}},
    [CUDA_PROGRAM_INDEX] = {"cuda/operations/elementwise.cu", {"apply_index<Op>"}},
    [CUDA_PROGRAM_INDEX_ENTRIES] = {"cuda/operations/elementwise.cu", {"index_entries<Op>"}},
    [CUDA_PROGRAM_REDUCE] = {"cuda/operations/reduce.cu", {"reduce_all<Op::Z, sum_by<Op>>"}},
    [CUDA_PROGRAM_JOIN] = {"cuda/operations/join.cu", {"join<Op>"}},
    [CUDA_PROGRAM_PULL] = {"cuda/products/product_pull.cu",
                           {"pull_rows<R>", "pull_tiles<R>", "pull_long_rows<R>"}},
    [CUDA_PROGRAM_PUSH] = {"cuda/products/product_push.cu", {"push_rows<R>"}},
    [CUDA_PROGRAM_DOTS] = {"cuda/products/dots.cu", {"dots<R>"}},
    [CUDA_PROGRAM_SUMS] = {"cuda/products/spgemm_sums.cu",
                           {"sums_of_lanes<R, 16>", "sums_of_lanes<R, 32>",
                            "sums_by_hash<R, FEW_THREADS, SUMS_FEW / 3 * 4>",
                            "sums_by_hash<R, CUDA_THREADS, SUMS_MANY / 3 * 4>", "sum_giants<R>"}},
    [CUDA_PROGRAM_FULL] = {"cuda/products/spmm.cu", {"full_rows<R>", "full_pieces<R>"}},
};

/* ---- text that grows -------------------------------------------------------- */

static bool reserve(cuda_program *p, size_t more)
{
    size_t room = 2 * p->room + more;
    if (p->length + more <= p->room)
        return true;
    char *text = sl_realloc(p->text, room);
    if (!text)
        return false;
    p->text = text;
    p->room = room;
    return true;
}

static bool put(cuda_program *p, const char *text)
{
    size_t length = strlen(text);
    if (!reserve(p, length + 1))
        return false;
    memcpy(p->text + p->length, text, length + 1);
    p->length += length;
    return true;
}

/* A short line; the arguments never contain user text. */
__attribute__((format(printf, 2, 3))) static bool line(cuda_program *p, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return put(p, text) && put(p, "\n");
}

/* A #line directive, so compiler messages name the operator and the line of its text. */
static bool put_place(cuda_program *p, const char *name)
{
    size_t at = p->length + strlen("#line 1 \"");
    if (!put(p, "#line 1 \"") || !put(p, name))
        return false;
    for (; at < p->length; at++)
        if (p->text[at] == '"' || p->text[at] == '\\' || (unsigned char)p->text[at] < ' ')
            p->text[at] = '_';
    return put(p, "\"\n");
}

/* ---- a user's operators as types --------------------------------------------- */

/* One kind of user-defined operator. */
typedef struct {
    const char *reads; /* parameters of the text besides z */
    const char *takes; /* parameters of the function that kernels call, without the code */
    const char *gives; /* arguments of the text besides z */
    bool has_y;
} operator_kind;

static const operator_kind unary_kind = {"const XValue *x", "X x", "&x_bits.value", false};
static const operator_kind binary_kind = {"const XValue *x, const YValue *y", "X x, Y y",
                                          "&x_bits.value, &y_bits.value", true};
static const operator_kind index_kind = {
    "const XValue *x, int64_t i, int64_t j, const YValue *thunk", "X x, int64_t i, int64_t j, Y y",
    "&x_bits.value, i, j, &y_bits.value", true};

/* The definitions of the user-defined types of an operator, each once. */
static bool put_definitions(cuda_program *p, sl_user *const types[SL_USER_PARTS])
{
    bool done = true;
    for (size_t k = 0; k < SL_USER_PARTS && done; k++) {
        bool known = !types[k];
        for (size_t other = 0; other < k && !known; other++)
            known = types[other] && strcmp(types[other]->source, types[k]->source) == 0;
        done = known || (put_place(p, types[k]->name) && put(p, types[k]->source) && put(p, "\n"));
    }
    return done;
}

/* using NAMEValue = the type of a value as the text knows it. */
static bool put_value(cuda_program *p, char name, sl_type stored, const sl_user *type)
{
    bool done = line(p, "using %cValue =", name) && put(p, type ? type->name : c_types[stored]) &&
                put(p, ";\n");
    return done && (!type || line(p,
                                  "static_assert(sizeof(%cValue) == %zu, "
                                  "\"sl_type_new was told another size\");",
                                  name, type->as.type.entry.size));
}

/* The text as a function `body`, in a namespace of its own with the types that it names. */
static bool put_text(cuda_program *p, const char *type, const sl_user *user, const sl_type types[3],
                     const operator_kind *kind)
{
    p->foreign = true;
    return line(p, "namespace %s_text {", type) && put_definitions(p, user->parts) &&
           put_value(p, 'Z', types[0], user->parts[0]) &&
           put_value(p, 'X', types[1], user->parts[1]) &&
           (!kind->has_y || put_value(p, 'Y', types[2], user->parts[2])) &&
           line(p, "__device__ static void body(ZValue *z, %s)\n{", kind->reads) &&
           put_place(p, user->name) && put(p, user->source) && put(p, "\n}\n}\n");
}

/* A struct with the types of values in memory, and the function that kernels call, which gives the
 * text the bits of its operands. types: of z, x and y. */
static bool put_operator(cuda_program *p, const char *type, const sl_user *user,
                         const sl_type types[3], const operator_kind *kind)
{
    return put_text(p, type, user, types, kind) && line(p, "struct %s {", type) &&
           line(p, "    using Z = %s;", c_types[types[0]]) &&
           line(p, "    using X = %s;", c_types[types[1]]) &&
           line(p, "    using Y = %s;", c_types[types[2]]) &&
           line(p, "    static constexpr bool positional = false;") &&
           line(p, "    __device__ static Z of(int, %s)\n    {", kind->takes) &&
           line(p, "        bits_of<Z, %s_text::ZValue> z_bits = {0};", type) &&
           line(p, "        bits_of<X, %s_text::XValue> x_bits = {x};", type) &&
           (!kind->has_y || line(p, "        bits_of<Y, %s_text::YValue> y_bits = {y};", type)) &&
           line(p, "        %s_text::body(&z_bits.value, %s);", type, kind->gives) &&
           line(p, "        return z_bits.stored;\n    }\n};");
}

static bool put_unary(cuda_program *p, const char *type, sl_unary_op op)
{
    const sl_type types[] = {op->result, op->type, op->type};
    return put_operator(p, type, op->user, types, &unary_kind);
}

static bool put_binary(cuda_program *p, const char *type, sl_binary_op op)
{
    const sl_type types[] = {op->result, op->type, op->type_y};
    return put_operator(p, type, op->user, types, &binary_kind);
}

static bool put_index(cuda_program *p, const char *type, sl_index_op op)
{
    const sl_type types[] = {op->result, op->type, op->type_thunk};
    return put_operator(p, type, op->user, types, &index_kind);
}

/* ---- products ------------------------------------------------------------------ */

/* An operator of the table as a type; the name is Op, Add or Multiply. */
static bool put_function(cuda_program *p, const char *name, sl_binary_op op)
{
    return line(p, "using %s = function_binary<%s, %d>;", name, c_types[op->type], (int)op->code);
}

/* User text precedes the library's sources, so it cannot see their macros. */
static bool put_users_of_ring(cuda_program *p, const cuda_wanted *w)
{
    sl_binary_op add = w->monoid->op, multiply = w->binary;
    return (!add->user || put_binary(p, "Add", add)) &&
           (!multiply->user || put_binary(p, "Multiply", multiply));
}

static const char *kind_of(sl_binary_op op)
{
    if (op->positional)
        return "CUDA_POSITION";
    return op->result != op->type ? "CUDA_COMPARISON" : "CUDA_VALUES";
}

static bool put_ring(cuda_program *p, const cuda_wanted *w)
{
    sl_binary_op add = w->monoid->op, multiply = w->binary;
    bool done = !cuda_is_function(add) || put_function(p, "Add", add);
    if (done && (add->user || cuda_is_function(add)))
        done = line(p, "using Sum = operator_sum<Add>;");
    else if (done)
        done = line(p, "using Sum = table_sum<%d>;", (int)add->code);
    if (done && cuda_is_function(multiply))
        done = put_function(p, "Multiply", multiply);
    else if (done && !multiply->user)
        done = line(p, "using Multiply = table_binary<%s, %s, %d>;", c_types[multiply->type],
                    kind_of(multiply), (int)multiply->code);
    return done && line(p, "using R = ring_of<Sum, Multiply>;");
}

/* ---- the whole ------------------------------------------------------------------- */

/* What precedes the library's sources: the operators of users. */
static bool put_operators(cuda_program *p, const cuda_wanted *w)
{
    switch (w->kind) {
    case CUDA_PROGRAM_EWISE:
    case CUDA_PROGRAM_JOIN:
        p->name = w->binary->name;
        return !w->binary->user || put_binary(p, "Op", w->binary);
    case CUDA_PROGRAM_APPLY:
        p->name = w->unary->name;
        return !w->unary->user || put_unary(p, "Op", w->unary);
    case CUDA_PROGRAM_INDEX:
    case CUDA_PROGRAM_INDEX_ENTRIES:
        p->name = w->index->name;
        return put_index(p, "Op", w->index);
    case CUDA_PROGRAM_REDUCE:
        p->name = w->monoid->name;
        return !w->monoid->op->user || put_binary(p, "Op", w->monoid->op);
    default:
        p->name = w->binary->user ? w->binary->name : w->monoid->name;
        return put_users_of_ring(p, w);
    }
}

/* What follows them: types of the table. */
static bool put_table_types(cuda_program *p, const cuda_wanted *w)
{
    switch (w->kind) {
    case CUDA_PROGRAM_EWISE:
    case CUDA_PROGRAM_JOIN:
        return w->binary->user || put_function(p, "Op", w->binary);
    case CUDA_PROGRAM_APPLY:
        return w->unary->user || line(p, "using Op = function_unary<%s, %d>;",
                                      c_types[w->unary->type], (int)w->unary->code);
    case CUDA_PROGRAM_REDUCE:
        return w->monoid->op->user || put_function(p, "Op", w->monoid->op);
    case CUDA_PROGRAM_INDEX:
    case CUDA_PROGRAM_INDEX_ENTRIES:
        return true;
    default:
        return put_ring(p, w);
    }
}

sl_status sl_cuda_program_write(sl_context *ctx, cuda_program *program, const cuda_wanted *wanted)
{
    *program = (cuda_program){0};
    const char *const *kernels = contents[wanted->kind].kernels;
    while (program->count < CUDA_PROGRAM_KERNELS && kernels[program->count]) {
        program->kernels[program->count] = kernels[program->count];
        program->count++;
    }
    sl_context *before = sl_context_charge(ctx);
    bool done =
        line(program, "#include <stdint.h>") &&
        line(program, "template <typename S, typename V> union bits_of { S stored; V value; };") &&
        put_operators(program, wanted) &&
        line(program, "#include \"%s\"", contents[wanted->kind].file) &&
        put_table_types(program, wanted);
    sl_context_charge(before);
    return done ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory for a program");
}

void sl_cuda_program_free(cuda_program *program)
{
    sl_free(program->text);
}
