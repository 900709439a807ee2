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

static bool put_types(cuda_program *p, const char *type, sl_type z, sl_type x, sl_type y)
{
    return line(p, "struct %s {", type) && line(p, "    using Z = %s;", c_types[z]) &&
           line(p, "    using X = %s;", c_types[x]) && line(p, "    using Y = %s;", c_types[y]) &&
           line(p, "    static constexpr bool positional = false;");
}

/* parameters: what the text can use besides z. of: the function that kernels call. */
static bool put_body(cuda_program *p, const sl_user *user, const char *parameters, const char *of)
{
    p->foreign = true;
    return line(p, "    __device__ static void body(Z *z, %s)\n    {", parameters) &&
           put_place(p, user->name) && put(p, user->source) &&
           line(p, "\n    }\n    __device__ static Z of(%s\n};", of);
}

static bool put_unary(cuda_program *p, const char *type, sl_unary_op op)
{
    return put_types(p, type, op->result, op->type, op->type) &&
           put_body(p, op->user, "const X *x", "int, X x) { Z z; body(&z, &x); return z; }");
}

static bool put_binary(cuda_program *p, const char *type, sl_binary_op op)
{
    return put_types(p, type, op->result, op->type, op->type_y) &&
           put_body(p, op->user, "const X *x, const Y *y",
                    "int, X x, Y y) { Z z; body(&z, &x, &y); return z; }");
}

static bool put_index(cuda_program *p, const char *type, sl_index_op op)
{
    return put_types(p, type, op->result, op->type, op->type_thunk) &&
           put_body(p, op->user, "const X *x, int64_t i, int64_t j, const Y *thunk",
                    "int, X x, int64_t i, int64_t j, Y thunk)"
                    " { Z z; body(&z, &x, i, j, &thunk); return z; }");
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
    bool done = line(program, "#include <stdint.h>") && put_operators(program, wanted) &&
                line(program, "#include \"%s\"", contents[wanted->kind].file) &&
                put_table_types(program, wanted);
    sl_context_charge(before);
    return done ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory for a program");
}

void sl_cuda_program_free(cuda_program *program)
{
    sl_free(program->text);
}
