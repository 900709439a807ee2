/* Grids whose ranks have devices: transports, and blocks that are on the devices. */
#ifndef SEMLA_TESTS_DIST_DEVICE_PLACES_H
#define SEMLA_TESTS_DIST_DEVICE_PLACES_H

#include <semla/engine.h>

#include "dist/grid/blocks.h"
#include "ranks.h"

/* The transports; NCCL may be missing, and refuses ranks that share a device. */
static const struct {
    const char *words;
    bool optional, hosts;
} transports[] = {{"peers", false, false},
                  {"nccl", true, false},
                  {"hosts", false, true},
                  {"nodevices", false, true}};
enum { TRANSPORTS = sizeof transports / sizeof *transports };

/* Copies this rank's block to its device, where the other ranks may leave theirs on the host. */
static inline void place(const sl_object *object)
{
    sl_object *block = sl_grid_block(object);
    const sl_engine *device = sl_grid_of(object->ctx)->device_engine;
    if (block && sl_object_has_contents(block))
        assert_ok(block->ctx, sl_object_migrate(block, device->store));
}

/* Selects a transport, and transposes a matrix to see whether it is available. */
static inline bool is_available(sl_context *ctx, size_t k)
{
    sl_matrix *A, *T;
    setenv("SEMLA_DIST", transports[k].words, 1);
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 5, 7));
    assert_ok(ctx, sl_matrix_new(&T, ctx, SL_BOOL, 7, 5));
    assert_ok(ctx, sl_matrix_set(A, 0, 6, sl_scalar_bool(true)));
    place(sl_object_of_matrix(A));
    const sl_status status = sl_transpose(T, NULL, NULL, A, NULL);
    sl_matrix_free(A);
    sl_matrix_free(T);
    if (status == SL_UNSUPPORTED && transports[k].optional)
        return false;
    assert_ok(ctx, status);
    return true;
}

#endif
