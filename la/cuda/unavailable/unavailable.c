/* The CUDA engine of a library that was built without CUDA: always unavailable. */
#include <semla/engine.h>

extern const sl_engine sl_engine_cuda;

static const char *version(void)
{
    return "";
}

static const char *unavailable_reason(void)
{
    return "this library was built without CUDA";
}

const sl_engine sl_engine_cuda = {
    .name = "cuda",
    .description = "all operations on one NVIDIA GPU; SuiteSparse where it declines",
    .choice = SL_ENGINE_CUDA,
    .version = version,
    .unavailable_reason = unavailable_reason,
    .store = &sl_store_host,
};
