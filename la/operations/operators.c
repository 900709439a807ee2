/*
 * User-defined types, operators, monoids and semirings: checks, reference counts (an operator holds
 * references to its types, a monoid to its operator, a semiring to its monoid and its operator, a
 * matrix or vector to its type), and their definition by the engines of the context.
 */
#include <semla/user_types.h>

#include "la/core/check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Allocates a definition with its name and source; `as` is empty. It holds a reference to each
 * part. */
static sl_status allocate(sl_user **created, sl_user_kind kind, sl_context *ctx, const char *name,
                          const char *source, sl_user *const parts[SL_USER_PARTS])
{
    size_t length = strlen(name) + 1, source_length = source ? strlen(source) + 1 : 0;
    sl_context *previous = sl_context_charge(ctx);
    sl_user *user = sl_calloc(1, sizeof *user + length + source_length);
    sl_context_charge(previous);
    if (!user)
        return SL_REFUSE(ctx, SL_NO_MEMORY, "out of memory for %s", name);
    user->kind = kind;
    user->ctx = ctx;
    user->references = 1;
    memcpy(user->name, name, length);
    if (source)
        user->source = memcpy(user->name + length, source, source_length);
    for (size_t k = 0; k < SL_USER_PARTS; k++) {
        user->parts[k] = parts[k];
        if (parts[k])
            parts[k]->references++;
    }
    *created = user;
    return SL_OK;
}

/* What the processes of a grid compare, besides the name. */
typedef struct {
    sl_type result, x, y;
    const char *op, *multiply; /* names of the parts, or "" */
} definition;

/* Lets the engines of the context create what they need for it, and agrees on the definition; on
 * failure frees it. */
static sl_status define(sl_user *user, const char *function, const definition *d)
{
    sl_context *ctx = user->ctx;
    sl_status status = SL_OK;
    for (size_t k = 0; k < SL_MAX_ENGINES && ctx->chain[k] && status == SL_OK; k++) {
        if (!ctx->chain[k]->define)
            continue;
        sl_context *outside = sl_store_enter(ctx->chain[k]->store, ctx);
        status = ctx->chain[k]->define(user);
        sl_store_leave(ctx->chain[k]->store, ctx, outside);
    }
    if (user->kind == SL_USER_TYPE)
        status = sl_agree_arguments(ctx, status, function, "name %s\nsize %s\n", user->name, d->op);
    else
        status = sl_agree_arguments(
            ctx, status, function, "name %s\nresult %s\nx %s\ny %s\nop %s\nmultiply %s\n",
            user->name, sl_type_name(d->result), sl_type_name(d->x), sl_type_name(d->y),
            d->op ? d->op : "", d->multiply ? d->multiply : "");
    if (status != SL_OK)
        sl_user_release(user);
    return status;
}

/* ---- checks --------------------------------------------------------------- */

/* Whether a C text has a name outside of comments. */
static bool has_name(const char *source, const char *name)
{
    const size_t length = strlen(name);
    const char *word = NULL; /* where the name began that `at` is in */
    for (const char *at = source;; at++) {
        if (isalnum((unsigned char)*at) || *at == '_') {
            word = word ? word : at;
            continue;
        }
        if (word && (size_t)(at - word) == length && memcmp(word, name, length) == 0)
            return true;
        word = NULL;
        const bool block = strncmp(at, "/*", 2) == 0;
        if (block || strncmp(at, "//", 2) == 0)
            at = strstr(at + 2, block ? "*/" : "\n");
        if (!at || !*at)
            return false;
        at += block; /* the second character of the end */
    }
}

static sl_status check_new(sl_context *ctx, const char *what, bool complete, const char *name,
                           const char *source)
{
    if (!ctx || !complete || !name)
        return SL_REFUSE(ctx, SL_INVALID, "%s: argument is NULL", what);
    if (!*name)
        return SL_REFUSE(ctx, SL_INVALID, "%s: the name is empty", what);
    if (source && !*source)
        return SL_REFUSE(ctx, SL_INVALID, "%s %s: the source is empty (NULL is none)", what, name);
    if (source && !has_name(source, "z"))
        return SL_REFUSE(
            ctx, SL_INVALID,
            "%s %s: the source does not write *z: \"%.80s\"; it is the body of a function "
            "that returns nothing, such as \"*z = *x;\"",
            what, name, source);
    return SL_OK;
}

/* Checks the types of a new operator, and finds their definitions. */
static sl_status check_types(sl_user *parts[SL_USER_PARTS], sl_context *ctx, const char *what,
                             const char *name, const sl_type *types, size_t count)
{
    char begin[96];
    snprintf(begin, sizeof begin, "%s %.40s: ", what, name);
    for (size_t k = 0; k < SL_USER_PARTS; k++)
        parts[k] = NULL;
    for (size_t k = 0; k < count; k++) {
        SL_TRY(sl_check_type(ctx, begin, types[k]));
        parts[k] = sl_user_of_type(types[k]);
    }
    return SL_OK;
}

static sl_status check_part(sl_context *ctx, const char *what, const char *name,
                            const sl_user *part)
{
    if (part && part->ctx != ctx)
        return SL_REFUSE(ctx, SL_MISMATCH, "%s %s: %s belongs to another context", what, name,
                         part->name);
    return SL_OK;
}

static bool evaluates_to(sl_binary_op op, sl_scalar x, sl_scalar y, sl_scalar expected)
{
    sl_scalar z = {.type = op->result};
    op->eval(&z.as, &x.as, &y.as);
    return sl_scalar_equal(z, expected);
}

static sl_status check_monoid_op(sl_context *ctx, const char *name, sl_binary_op op)
{
    if (op->positional || op->type != op->result || op->type_y != op->result)
        return SL_REFUSE(ctx, SL_INVALID, "monoid_new %s: %s does not stay within one type", name,
                         op->name);
    return SL_OK;
}

/* Tests the types, and the terminal value by evaluating the operator, unless its type is user-defined. */
static sl_status check_values(sl_context *ctx, const char *name, sl_binary_op op,
                              sl_scalar identity, const sl_scalar *terminal)
{
    if (identity.type != op->type || (terminal && terminal->type != op->type))
        return SL_REFUSE(ctx, SL_INVALID, "monoid_new %s: the %s is %s, not %s", name,
                         identity.type != op->type ? "identity" : "terminal value",
                         sl_type_name(identity.type != op->type ? identity.type : terminal->type),
                         sl_type_name(op->type));
    if (op->code == SL_BINARY_ANY) /* every value is both */
        return SL_OK;
    if (sl_type_is_user_defined(op->type) &&
        (!identity.as.other || (terminal && !terminal->as.other)))
        return SL_REFUSE(ctx, SL_INVALID, "monoid_new %s: the address of the %s is NULL", name,
                         identity.as.other ? "terminal value" : "identity");
    if (terminal && !sl_type_is_user_defined(op->type) &&
        !(evaluates_to(op, *terminal, *terminal, *terminal) &&
          evaluates_to(op, *terminal, identity, *terminal)))
        return SL_REFUSE(ctx, SL_INVALID, "monoid_new %s: that is not a terminal value of %s", name,
                         op->name);
    return SL_OK;
}

/* ---- types ---------------------------------------------------------------- */

sl_status sl_type_new(sl_type *type, sl_context *ctx, const char *name, size_t size,
                      const char *source)
{
    sl_user *user = NULL;
    if (type)
        *type = SL_TYPE_COUNT;
    SL_TRY(check_new(ctx, "type_new", type, name, NULL));
    if (size == 0 || size > PTRDIFF_MAX)
        return SL_REFUSE(ctx, SL_INVALID, "type_new %s: a size of %zu bytes", name, size);
    if (source && !has_name(source, name))
        return SL_REFUSE(ctx, SL_INVALID,
                         "type_new %s: the source does not define the name %s: \"%.80s\"; it is a "
                         "declaration such as \"typedef struct { float x, y; } point;\"",
                         name, name, source);
    SL_TRY(allocate(&user, SL_USER_TYPE, ctx, name, source, (sl_user *[SL_USER_PARTS]){NULL}));
    user->as.type.entry = (sl_user_type){.size = size, .name = user->name, .user = user};
    user->as.type.code = sl_user_type_register(&user->as.type.entry);
    if (user->as.type.code == SL_TYPE_COUNT) {
        sl_free(user);
        return SL_REFUSE(ctx, SL_NO_MEMORY,
                         "type_new: the process has %d user-defined types, no more are possible",
                         SL_TYPE_LAST - SL_TYPE_COUNT);
    }
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%zu", size);
    SL_TRY(define(user, "type_new", &(definition){.result = user->as.type.code, .op = bytes}));
    *type = user->as.type.code;
    return SL_OK;
}

void sl_type_free(sl_type type)
{
    sl_type_release(type);
}

/* ---- operators ------------------------------------------------------------ */

sl_status sl_unary_op_new(sl_unary_op *op, sl_context *ctx, const char *name, sl_type result,
                          sl_type x, sl_unary_function f, const char *source)
{
    sl_user *user = NULL, *types[SL_USER_PARTS];
    if (op)
        *op = NULL;
    SL_TRY(check_new(ctx, "unary_op_new", op && f, name, source));
    SL_TRY(check_types(types, ctx, "unary_op_new", name, (sl_type[]){result, x}, 2));
    SL_TRY(allocate(&user, SL_USER_UNARY_OP, ctx, name, source, types));
    user->as.unary = (struct sl_unary_op_s){.name = user->name,
                                            .code = SL_UNARY_COUNT,
                                            .type = x,
                                            .result = result,
                                            .eval = f,
                                            .user = user};
    SL_TRY(define(user, "unary_op_new", &(definition){.result = result, .x = x}));
    *op = &user->as.unary;
    return SL_OK;
}

sl_status sl_binary_op_new(sl_binary_op *op, sl_context *ctx, const char *name, sl_type result,
                           sl_type x, sl_type y, sl_binary_function f, const char *source)
{
    sl_user *user = NULL, *types[SL_USER_PARTS];
    if (op)
        *op = NULL;
    SL_TRY(check_new(ctx, "binary_op_new", op && f, name, source));
    SL_TRY(check_types(types, ctx, "binary_op_new", name, (sl_type[]){result, x, y}, 3));
    SL_TRY(allocate(&user, SL_USER_BINARY_OP, ctx, name, source, types));
    user->as.binary = (struct sl_binary_op_s){.name = user->name,
                                              .code = SL_BINARY_COUNT,
                                              .type = x,
                                              .type_y = y,
                                              .result = result,
                                              .reads_x = true,
                                              .reads_y = true,
                                              .eval = f,
                                              .user = user};
    SL_TRY(define(user, "binary_op_new", &(definition){.result = result, .x = x, .y = y}));
    *op = &user->as.binary;
    return SL_OK;
}

sl_status sl_index_op_new(sl_index_op *op, sl_context *ctx, const char *name, sl_type result,
                          sl_type x, sl_type thunk, sl_index_function f, const char *source)
{
    sl_user *user = NULL, *types[SL_USER_PARTS];
    if (op)
        *op = NULL;
    SL_TRY(check_new(ctx, "index_op_new", op && f, name, source));
    SL_TRY(check_types(types, ctx, "index_op_new", name, (sl_type[]){result, x, thunk}, 3));
    SL_TRY(allocate(&user, SL_USER_INDEX_OP, ctx, name, source, types));
    user->as.index = (struct sl_index_op_s){.name = user->name,
                                            .code = SL_INDEX_COUNT,
                                            .type = x,
                                            .type_thunk = thunk,
                                            .result = result,
                                            .eval = f,
                                            .user = user};
    SL_TRY(define(user, "index_op_new", &(definition){.result = result, .x = x, .y = thunk}));
    *op = &user->as.index;
    return SL_OK;
}

/* ---- monoids and semirings ------------------------------------------------ */

/* The built-in monoid of a built-in operator, or NULL. */
static sl_monoid built_in_monoid(sl_binary_op op)
{
    for (int code = 0; code < SL_MONOID_COUNT; code++) {
        sl_monoid monoid = sl_monoid_get((sl_monoid_code)code, op->type);
        if (monoid && monoid->op == op)
            return monoid;
    }
    return NULL;
}

/* Replaces the addresses of a user-defined type's values by addresses of copies that the monoid owns.
 * `terminal` may be NULL. On failure frees the monoid. */
static sl_status keep_values(sl_user *user, sl_scalar *identity, sl_scalar *terminal)
{
    const size_t size = sl_type_size(identity->type);
    if (!sl_type_is_user_defined(identity->type))
        return SL_OK;
    sl_context *previous = sl_context_charge(user->ctx);
    user->values = sl_malloc(2 * size);
    sl_context_charge(previous);
    if (!user->values) {
        const sl_status status =
            SL_REFUSE(user->ctx, SL_NO_MEMORY, "out of memory for %s", user->name);
        sl_user_release(user);
        return status;
    }
    memcpy(user->values, identity->as.other, size);
    identity->as.other = user->values;
    if (terminal) {
        memcpy(user->values + size, terminal->as.other, size);
        terminal->as.other = user->values + size;
    }
    return SL_OK;
}

sl_status sl_monoid_new(sl_monoid *monoid, sl_context *ctx, const char *name, sl_binary_op op,
                        sl_scalar identity, const sl_scalar *terminal)
{
    sl_user *user = NULL;
    if (monoid)
        *monoid = NULL;
    SL_TRY(check_new(ctx, "monoid_new", monoid && op, name, NULL));
    SL_TRY(check_part(ctx, "monoid_new", name, op->user));
    SL_TRY(check_monoid_op(ctx, name, op));
    SL_TRY(check_values(ctx, name, op, identity, terminal));
    /* Engines use the built-in identity of a built-in monoid. */
    sl_monoid built_in = built_in_monoid(op);
    if (built_in && !built_in->any && !sl_scalar_equal(identity, built_in->identity))
        built_in = NULL;
    SL_TRY(allocate(&user, SL_USER_MONOID, ctx, name, NULL, (sl_user *[SL_USER_PARTS]){op->user}));
    sl_scalar end = terminal ? *terminal : identity;
    SL_TRY(keep_values(user, &identity, terminal ? &end : NULL));
    struct sl_monoid_s *m = &user->as.monoid;
    if (built_in)
        *m = *built_in;
    else
        *m = (struct sl_monoid_s){.code = SL_MONOID_COUNT,
                                  .type = op->type,
                                  .op = op,
                                  .has_terminal = terminal != NULL,
                                  .terminal = terminal ? end : identity,
                                  .commutative = op->user || op->commutative};
    m->name = user->name;
    m->identity = identity;
    m->user = user;
    SL_TRY(define(user, "monoid_new", &(definition){.result = op->type, .op = op->name}));
    *monoid = m;
    return SL_OK;
}

sl_status sl_monoid_promise_idempotent(sl_monoid monoid)
{
    if (!monoid)
        return SL_INVALID;
    if (monoid->idempotent)
        return SL_OK;
    if (monoid->code < SL_MONOID_COUNT)
        return sl_fail(monoid->user ? monoid->user->ctx : NULL, SL_INVALID,
                       "monoid_promise_idempotent: %s is not idempotent", monoid->op->name);
    monoid->user->as.monoid.idempotent = true;
    return SL_OK;
}

/* The code of the built-in semiring of these two, or SL_SEMIRING_COUNT. */
static sl_semiring_code built_in_code(sl_monoid add, sl_binary_op multiply)
{
    int code = 0;
    for (; code < SL_SEMIRING_COUNT; code++) {
        sl_semiring s = sl_semiring_get((sl_semiring_code)code, multiply->type);
        if (s && s->multiply == multiply && s->add->code == add->code)
            break;
    }
    return (sl_semiring_code)code;
}

sl_status sl_semiring_new(sl_semiring *semiring, sl_context *ctx, const char *name, sl_monoid add,
                          sl_binary_op multiply)
{
    sl_user *user = NULL;
    if (semiring)
        *semiring = NULL;
    SL_TRY(check_new(ctx, "semiring_new", semiring && add && multiply, name, NULL));
    SL_TRY(check_part(ctx, "semiring_new", name, add->user));
    SL_TRY(check_part(ctx, "semiring_new", name, multiply->user));
    if (add->type != multiply->result)
        return SL_REFUSE(ctx, SL_INVALID, "semiring_new %s: %s makes %s, and %s adds %s", name,
                         multiply->name, sl_type_name(multiply->result), add->name,
                         sl_type_name(add->type));
    SL_TRY(allocate(&user, SL_USER_SEMIRING, ctx, name, NULL,
                    (sl_user *[SL_USER_PARTS]){add->user, multiply->user}));
    user->as.semiring = (struct sl_semiring_s){.name = user->name,
                                               .code = built_in_code(add, multiply),
                                               .add = add,
                                               .multiply = multiply,
                                               .result = add->type,
                                               .result_is_index = multiply->positional,
                                               .user = user};
    SL_TRY(define(user, "semiring_new",
                  &(definition){.result = add->type, .op = add->name, .multiply = multiply->name}));
    *semiring = &user->as.semiring;
    return SL_OK;
}

/* ---- for engines that support built-in operators only ---------------------- */

/* A bool keeps its value in every type. */
bool sl_call_casts_apart(const sl_call *call)
{
    const sl_binary_op op = call->operators.binary;
    const sl_type a = call->a->type, b = call->b->type;
    const bool through_x = op->type != op->result && a != op->type && a != SL_BOOL;
    const bool through_y = op->type_y != op->result && b != op->type_y && b != SL_BOOL;
    return !op->positional && (through_x || through_y);
}

bool sl_call_has_user_operator(const sl_call *call)
{
    return (call->operators.semiring && sl_semiring_is_user_defined(call->operators.semiring)) ||
           (call->operators.monoid && call->operators.monoid->code == SL_MONOID_COUNT) ||
           (call->operators.unary && call->operators.unary->user) ||
           (call->operators.binary && call->operators.binary->user) ||
           (call->operators.index && call->operators.index->user) ||
           (call->accum && call->accum->user);
}

/* ---- freeing -------------------------------------------------------------- */

#define DEFINE_FREE(object)                                                                        \
    void sl_##object##_free(sl_##object o)                                                         \
    {                                                                                              \
        if (o)                                                                                     \
            sl_user_release(o->user);                                                              \
    }
DEFINE_FREE(unary_op)
DEFINE_FREE(binary_op)
DEFINE_FREE(index_op)
DEFINE_FREE(monoid)
DEFINE_FREE(semiring)

static int64_t thunk_of(const sl_call *call)
{
    return sl_scalar_cast(call->scalar, SL_INT64).as.int64_;
}

bool sl_call_numbers_entries(const sl_call *call)
{
    const sl_type type = call->out->type;
    const bool is_whole = !call->mask && !call->accum && !(call->flags & SL_COMPLEMENT);
    const int64_t thunk = thunk_of(call), most = (int64_t)INT32_MAX + 1;
    const bool fits = type == SL_INT64 ||
                      (thunk >= 0 && thunk <= most && call->out->nrows <= (uint64_t)(most - thunk));
    return is_whole && fits &&
           ((call->operators.index == SL_ROWINDEX_INT64 && type == SL_INT64) ||
            (call->operators.index == SL_ROWINDEX_INT32 && type == SL_INT32));
}

bool sl_call_makes_indices(const sl_call *call)
{
    return sl_call_numbers_entries(call) && thunk_of(call) == 0;
}
