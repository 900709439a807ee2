#include "jit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"

/* ---- what is loaded ------------------------------------------------------------ */

/* A program that this process has. It outlives contexts, and is none of their memory. */
typedef struct entry {
    struct entry *next;
    cudaLibrary_t library;
    cuda_made made;
    const char *kernel; /* the first one's name: of the same text several kinds are made */
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
                          const cuda_made *made)
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

static sl_status kernels_of(sl_context *ctx, cuda_made *made, cudaLibrary_t library,
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

static sl_status load(sl_context *ctx, cuda_made *made, const cuda_program *program,
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

static sl_status compile(sl_context *ctx, cuda_made *made, const cuda_program *program)
{
    cuda_image image;
    CUDA_TRY(sl_cuda_image_of(ctx, &image, program, sl_cuda_device()->architecture));
    sl_status status = load(ctx, made, program, &image);
    sl_cuda_image_free(&image);
    return status;
}

static sl_status make(sl_context *ctx, cuda_made *made, const cuda_wanted *wanted)
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

sl_status sl_cuda_make_ewise(sl_context *ctx, cuda_made *made, sl_binary_op op)
{
    *made = (cuda_made){0};
    return op->user ? make(ctx, made, &(cuda_wanted){.kind = CUDA_PROGRAM_EWISE, .binary = op})
                    : SL_OK;
}

sl_status sl_cuda_make_apply(sl_context *ctx, cuda_made *made, sl_unary_op op)
{
    *made = (cuda_made){0};
    return op->user ? make(ctx, made, &(cuda_wanted){.kind = CUDA_PROGRAM_APPLY, .unary = op})
                    : SL_OK;
}

sl_status sl_cuda_make_index(sl_context *ctx, cuda_made *made, sl_index_op op, bool of_matrix)
{
    cuda_wanted wanted = {.kind = of_matrix ? CUDA_PROGRAM_INDEX_ENTRIES : CUDA_PROGRAM_INDEX,
                          .index = op};
    *made = (cuda_made){0};
    return op->user ? make(ctx, made, &wanted) : SL_OK;
}

sl_status sl_cuda_make_join(sl_context *ctx, cuda_made *made, sl_binary_op op)
{
    *made = (cuda_made){0};
    return op->user ? make(ctx, made, &(cuda_wanted){.kind = CUDA_PROGRAM_JOIN, .binary = op})
                    : SL_OK;
}

sl_status sl_cuda_make_reduce(sl_context *ctx, cuda_made *made, sl_monoid monoid)
{
    *made = (cuda_made){0};
    return monoid->op->user
               ? make(ctx, made, &(cuda_wanted){.kind = CUDA_PROGRAM_REDUCE, .monoid = monoid})
               : SL_OK;
}

/* No kernel of a semiring is compiled ahead where such an operator multiplies. */
static bool compares(sl_binary_op op)
{
    return !op->user && !op->positional && op->result != op->type;
}

/* What SEMLA_JIT says of kernels that could be done without. */
static bool is_wish(const char *value)
{
    const char *wish = getenv("SEMLA_JIT");
    return wish && strcmp(wish, value) == 0;
}

/* Entries that products over a semiring of the table have gone through in this process. */
static uint64_t work_of(sl_monoid add, sl_binary_op multiply, uint64_t entries)
{
    static atomic_uint_fast64_t work[SL_TYPE_COUNT][SL_BINARY_COUNT][SL_BINARY_COUNT];
    atomic_uint_fast64_t *own = &work[multiply->type][add->op->code][multiply->code];
    return atomic_fetch_add_explicit(own, entries, memory_order_relaxed) + entries;
}

/*
 * True if kernels that look their operators up have cost as much as compiling one does, so
 * that in the end the two cost at most twice what the better of them would have. Only a
 * pull is faster for it: a push and a dot product are not, and the sums of a product of
 * matrices were slower (docs/performance.md).
 */
static bool is_worth_it(cuda_program_kind kind, sl_monoid add, sl_binary_op multiply,
                        uint64_t entries)
{
    if (is_wish("needed"))
        return false;
    bool gains = kind == CUDA_PROGRAM_PULL;
    bool due = is_wish("always") || (gains && work_of(add, multiply, entries) >> JIT_WORK > 0);
    return due && !sl_cuda_cannot_compile();
}

sl_status sl_cuda_make_product(sl_context *ctx, cuda_made *made, cuda_program_kind kind,
                               sl_monoid add, sl_binary_op multiply, bool precompiled,
                               uint64_t entries)
{
    cuda_wanted wanted = {.kind = kind, .binary = multiply, .monoid = add};
    bool needed = add->op->user || multiply->user || compares(multiply);
    *made = (cuda_made){0};
    if (!needed && (precompiled || !is_worth_it(kind, add, multiply, entries)))
        return SL_OK;
    return make(ctx, made, &wanted);
}

/* ---- what is not the engine's -------------------------------------------------------- */

static bool lacks_source(const sl_user *user)
{
    return user && !user->source;
}

static bool monoid_lacks_source(sl_monoid monoid)
{
    return monoid->op->user && lacks_source(monoid->op->user);
}

const char *sl_cuda_cannot_make(const sl_call *call)
{
    if ((call->accum && lacks_source(call->accum->user)) ||
        (call->unary && lacks_source(call->unary->user)) ||
        (call->binary && lacks_source(call->binary->user)) ||
        (call->index && lacks_source(call->index->user)) ||
        (call->monoid && monoid_lacks_source(call->monoid)) ||
        (call->semiring && (monoid_lacks_source(call->semiring->add) ||
                            lacks_source(call->semiring->multiply->user))))
        return "a user's operator without source text";
    if (call->semiring && compares(call->semiring->multiply) &&
        !sl_semiring_is_user_defined(call->semiring) && sl_cuda_cannot_compile())
        return "a comparison multiplies, and nothing can be compiled";
    return NULL;
}
