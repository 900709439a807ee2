/* The energy counter of the GPU board, through NVML. NVML comes with the driver and is only
 * needed here, so it is opened on first use. */
#include <dlfcn.h>
#include <pthread.h>

#include "cuda/runtime/device.h"

typedef struct nvmlDevice_st *nvml_device;

static struct {
    nvml_device device;
    int (*read)(nvml_device device, unsigned long long *millijoules);
    const char *(*error_text)(int error);
    const char *failed; /* name of the call that failed, or NULL */
    const char *reason;
} meter;

static pthread_once_t opened = PTHREAD_ONCE_INIT;

static void *symbol(void *library, const char *name)
{
    void *address = meter.failed ? NULL : dlsym(library, name);
    if (!address && !meter.failed) {
        meter.failed = name;
        meter.reason = "this driver's NVML has no such function";
    }
    return address;
}

static void note(const char *call, int error)
{
    if (error == 0 || meter.failed)
        return;
    meter.failed = call;
    meter.reason = meter.error_text(error);
}

static void open_meter(void)
{
    char bus[32] = "";
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        meter.failed = "libnvidia-ml.so.1";
        meter.reason = "it cannot be loaded";
        return;
    }
    int (*init)(void), (*by_bus)(const char *, nvml_device *);
    *(void **)&init = symbol(library, "nvmlInit_v2");
    *(void **)&by_bus = symbol(library, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&meter.error_text = symbol(library, "nvmlErrorString");
    *(void **)&meter.read = symbol(library, "nvmlDeviceGetTotalEnergyConsumption");
    if (meter.failed)
        return;
    note("nvmlInit", init());
    cudaError_t error = cudaDeviceGetPCIBusId(bus, sizeof bus, sl_cuda_device()->number);
    if (error != cudaSuccess && !meter.failed) {
        meter.failed = "cudaDeviceGetPCIBusId";
        meter.reason = cudaGetErrorString(error);
    }
    if (!meter.failed)
        note("nvmlDeviceGetHandleByPciBusId", by_bus(bus, &meter.device));
}

sl_status sl_cuda_energy(sl_context *ctx, double *joules)
{
    unsigned long long millijoules = 0;
    pthread_once(&opened, open_meter);
    if (meter.failed)
        return sl_fail(ctx, SL_UNSUPPORTED, "energy: %s: %s", meter.failed, meter.reason);
    int error = meter.read(meter.device, &millijoules);
    if (error)
        return sl_fail(ctx, SL_UNSUPPORTED, "energy: nvmlDeviceGetTotalEnergyConsumption: %s",
                       meter.error_text(error));
    *joules = 1e-3 * (double)millijoules;
    return SL_OK;
}
