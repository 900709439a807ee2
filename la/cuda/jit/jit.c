#include "cuda/jit/jit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/jit/cache.h"

/* ---- loaded programs ----------------------------------------------------------- */

/* A loaded program of this process. It outlives contexts and is not counted in their memory. */
typedef struct entry {
    struct entry *next;
    cudaLibrary_t library;
    cuda_compiled made;
    const char *kernel; /* name of the first kernel; the same text serves several kinds */
    char text[];
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *known;

static const entry *find(const cuda_program *program)
{
    for (const entry *e = known; e; e = e->next)
        if (e->kernel == program->kernels[0] && strcmp(e->text, program->text) == 0)
            return e;
    return NULL;
}

static sl_status remember(sl_context *ctx, const cuda_program *program, cudaLibrary_t library,
                          const cuda_compiled *made)
{
    entry *e = malloc(sizeof *e + program->length + 1);
    if (!e)
        return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory for a program");
    *e = (entry){.next = known, .library = library, .made = *made, .kernel = program->kernels[0]};
    memcpy(e->text, program->text, program->length + 1);
    known = e;
    return SL_OK;
}

/* ---- loading --------------------------------------------------------------------- */

static sl_status kernels_of(sl_context *ctx, cuda_compiled *made, cudaLibrary_t library,
                            const cuda_program *program, const cuda_image *image)
{
    const char *name = image->names;
    for (size_t k = 0; k < program->count; k++, name += strlen(name) + 1) {
        cudaKernel_t kernel;
        CUDA_TRY(sl_cuda_status(ctx, "cudaLibraryGetKernel",
                                cudaLibraryGetKernel(&kernel, library, name)));
        made->kernel[k] = kernel;
    }
    return SL_OK;
}

static sl_status load(sl_context *ctx, cuda_compiled *made, const cuda_program *program,
                      const cuda_image *image)
{
    cudaLibrary_t library;
    CUDA_TRY(
        sl_cuda_status(ctx, "cudaLibraryLoadData",
                       cudaLibraryLoadData(&library, image->code, NULL, NULL, 0, NULL, NULL, 0)));
    sl_status status = kernels_of(ctx, made, library, program, image);
    if (status == SL_OK)
        status = remember(ctx, program, library, made);
    if (status != SL_OK)
        cudaLibraryUnload(library);
    return status;
}

static sl_status compile(sl_context *ctx, cuda_compiled *made, const cuda_program *program)
{
    cuda_image image;
    CUDA_TRY(sl_cuda_image_of(ctx, &image, program, sl_cuda_device()->architecture));
    sl_status status = load(ctx, made, program, &image);
    sl_cuda_image_free(&image);
    return status;
}

static sl_status make(sl_context *ctx, cuda_compiled *made, const cuda_wanted *wanted)
{
    cuda_program program;
    sl_status status = sl_cuda_program_write(ctx, &program, wanted);
    if (status == SL_OK) {
        pthread_mutex_lock(&lock);
        const entry *found = find(&program);
        if (found)
            *made = found->made;
        else
            status = compile(ctx, made, &program);
        pthread_mutex_unlock(&lock);
    }
    sl_cuda_program_free(&program);
    return status;
}

/* ---- which operators need one ------------------------------------------------------- */

static bool needs_program(sl_binary_op op)
{
    return op->user || cuda_is_function(op);
}

sl_status sl_cuda_compile_ewise(sl_context *ctx, cuda_compiled *made, sl_binary_op op)
{
    *made = (cuda_compiled){0};
    return needs_program(op)
               ? make(ctx, made, &(cuda_wanted){.kind = CUDA_PROGRAM_EWISE, .binary = op})
               : SL_OK;
}

sl_status sl_cuda_compile_apply(sl_context *ctx, cuda_compiled *made, sl_unary_op op)
{
    *made = (cuda_compiled){0};
    return op->user || cuda_is_unary_function(op)
               ? make(ctx, made, &(cuda_wanted){.kind = CUDA_PROGRAM_APPLY, .unary = op})
               : SL_OK;
}

sl_status sl_cuda_compile_index(sl_context *ctx, cuda_compiled *made, sl_index_op op,
                                bool of_matrix)
{
    cuda_wanted wanted = {.kind = of_matrix ? CUDA_PROGRAM_INDEX_ENTRIES : CUDA_PROGRAM_INDEX,
                          .index = op};
    *made = (cuda_compiled){0};
    return op->user ? make(ctx, made, &wanted) : SL_OK;
}

sl_status sl_cuda_compile_join(sl_context *ctx, cuda_compiled *made, sl_binary_op op)
{
    *made = (cuda_compiled){0};
    return needs_program(op)
               ? make(ctx, made, &(cuda_wanted){.kind = CUDA_PROGRAM_JOIN, .binary = op})
               : SL_OK;
}

sl_status sl_cuda_compile_reduce(sl_context *ctx, cuda_compiled *made, sl_monoid monoid)
{
    *made = (cuda_compiled){0};
    return needs_program(monoid->op)
               ? make(ctx, made, &(cuda_wanted){.kind = CUDA_PROGRAM_REDUCE, .monoid = monoid})
               : SL_OK;
}

/* True for a comparison as multiplicative operator, for which no kernel is precompiled. */
static bool compares(sl_binary_op op)
{
    return !op->user && !op->positional && op->result != op->type;
}

/* True if SEMLA_JIT has this value; it controls kernels that are optional. */
static bool jit_mode_is(const char *value)
{
    const char *wish = getenv("SEMLA_JIT");
    return wish && strcmp(wish, value) == 0;
}

/* Adds to the entries that products over a built-in semiring have processed in this process;
 * returns the sum. */
static uint64_t work_of(sl_monoid add, sl_binary_op multiply, uint64_t entries)
{
    static atomic_uint_fast64_t work[SL_TYPE_COUNT][SL_BINARY_COUNT][SL_BINARY_COUNT];
    atomic_uint_fast64_t *own = &work[multiply->type][add->op->code][multiply->code];
    return atomic_fetch_add_explicit(own, entries, memory_order_relaxed) + entries;
}

/*
 * True if kernels that look operators up have cost as much as a compilation, so the total cost is
 * at most twice the optimum. Only a pull becomes faster by compilation: a push and a dot product do
 * not, and the sums of a matrix product became slower (docs/notes/performance-products.md).
 */
static bool pays_off(cuda_program_kind kind, sl_monoid add, sl_binary_op multiply, uint64_t entries)
{
    if (jit_mode_is("needed"))
        return false;
    bool gains = kind == CUDA_PROGRAM_PULL;
    bool due = jit_mode_is("always") || (gains && work_of(add, multiply, entries) >> JIT_WORK > 0);
    return due && !sl_cuda_cannot_compile();
}

sl_status sl_cuda_compile_product(sl_context *ctx, cuda_compiled *made, cuda_program_kind kind,
                                  sl_monoid add, sl_binary_op multiply, bool precompiled,
                                  uint64_t entries)
{
    cuda_wanted wanted = {.kind = kind, .binary = multiply, .monoid = add};
    bool needed = needs_program(add->op) || needs_program(multiply) || compares(multiply);
    *made = (cuda_compiled){0};
    if (!needed && (precompiled || !pays_off(kind, add, multiply, entries)))
        return SL_OK;
    return make(ctx, made, &wanted);
}

/* ---- calls that the engine declines ------------------------------------------------- */

static bool lacks_source(const sl_user *user)
{
    return user && !user->source;
}

static bool monoid_lacks_source(sl_monoid monoid)
{
    return monoid->op->user && lacks_source(monoid->op->user);
}

static bool is_function(sl_binary_op op)
{
    return op && cuda_is_function(op);
}

static bool has_function(const sl_call *call)
{
    return is_function(call->accum) || is_function(call->operators.binary) ||
           (call->operators.unary && cuda_is_unary_function(call->operators.unary)) ||
           (call->operators.monoid && is_function(call->operators.monoid->op)) ||
           (call->operators.semiring && (is_function(call->operators.semiring->add->op) ||
                                         is_function(call->operators.semiring->multiply)));
}

const char *sl_cuda_uncompilable_reason(const sl_call *call)
{
    if ((call->accum && lacks_source(call->accum->user)) ||
        (call->operators.unary && lacks_source(call->operators.unary->user)) ||
        (call->operators.binary && lacks_source(call->operators.binary->user)) ||
        (call->operators.index && lacks_source(call->operators.index->user)) ||
        (call->operators.monoid && monoid_lacks_source(call->operators.monoid)) ||
        (call->operators.semiring && (monoid_lacks_source(call->operators.semiring->add) ||
                                      lacks_source(call->operators.semiring->multiply->user))))
        return "a user-defined operator without source text";
    if (call->operators.semiring && compares(call->operators.semiring->multiply) &&
        !sl_semiring_is_user_defined(call->operators.semiring) && sl_cuda_cannot_compile())
        return "the multiplicative operator is a comparison, and kernels cannot be compiled";
    if (has_function(call) && sl_cuda_cannot_compile())
        return "an operator is a function, and kernels cannot be compiled";
    return NULL;
}
