/*
 * Loads and unloads libsemla, which is built with -z nodelete, after work by several threads.
 *
 * OpenMP's workers keep running code of the library while they wait for the next parallel region.
 * If dlclose unmapped the library, they would run unmapped code and the process would crash.
 *
 * Usage: unload LIBRARY GRAPH. Exit status 0 if the library remained usable throughout.
 */
#include <dlfcn.h>
#include <semla/algorithms.h>
#include <stdio.h>

#define LOAD(library, name) __typeof__(&name) name##_ = (__typeof__(&name))dlsym(library, #name)

static int search(void *library, const char *graph)
{
    LOAD(library, sl_context_create);
    LOAD(library, sl_context_set_threads);
    LOAD(library, sl_context_free);
    LOAD(library, sl_matrix_read);
    LOAD(library, sl_matrix_free);
    LOAD(library, sl_pagerank);
    LOAD(library, sl_vector_free);
    sl_context *ctx = NULL;
    sl_matrix *A = NULL;
    sl_vector *rank = NULL;
    int failed = sl_context_create_(&ctx, SL_ENGINE_AUTO) || sl_context_set_threads_(ctx, 4) ||
                 sl_matrix_read_(&A, ctx, graph, SL_READ_SYMMETRIC) ||
                 sl_pagerank_(&rank, A, NULL, NULL);
    sl_vector_free_(rank);
    sl_matrix_free_(A);
    sl_context_free_(ctx);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    for (int round = 0; round < 3; round++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library || search(library, argv[2])) {
            fprintf(stderr, "unload: round %d failed: %s\n", round, library ? "search" : dlerror());
            return 1;
        }
        dlclose(library);
    }
    return 0;
}
