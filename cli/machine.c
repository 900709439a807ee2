/* Reads what the machine is from the system, and versions from the libraries. */
#include "cli/machine.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <omp.h>

/* Copies what follows `key` and a separator in the first line of a file that begins with it; keeps
 * `value` if there is none. */
static void read_line(char *value, size_t room, const char *path, const char *key)
{
    char line[512];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        const char *text = line + strlen(key);
        text += strspn(text, " \t:=\"");
        snprintf(value, room, "%.*s", (int)strcspn(text, "\"\n"), text);
        break;
    }
    if (file)
        fclose(file);
}

/* A number of kB in /proc/meminfo, in bytes. */
static uint64_t memory_of(const char *key)
{
    char text[64] = "0";
    read_line(text, sizeof text, "/proc/meminfo", key);
    return 1024 * strtoull(text, NULL, 10);
}

machine machine_describe(void)
{
    machine m = {.threads = omp_get_max_threads()};
    struct utsname names;
    char system[64] = "";
    cpu_set_t set;
    gethostname(m.host, sizeof m.host - 1);
    read_line(system, sizeof system, "/etc/os-release", "PRETTY_NAME");
    if (uname(&names) == 0)
        snprintf(m.system, sizeof m.system, "%s%s%.20s %.30s", system, *system ? ", " : "",
                 names.sysname, names.release);
    read_line(m.processor, sizeof m.processor, "/proc/cpuinfo", "model name");
    m.processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                               : (int)sysconf(_SC_NPROCESSORS_ONLN);
    m.memory = memory_of("MemTotal");
    m.available_memory = memory_of("MemAvailable");
    return m;
}

/* Calls a function without arguments that returns a text, of a library that is loaded. */
static void ask(library_version *l, const char *name, const char *function)
{
    *l = (library_version){.name = name};
    const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, function);
    snprintf(l->version, sizeof l->version, "%s", version ? version() : "");
}

void machine_libraries(library_version libraries[MACHINE_LIBRARIES])
{
    ask(&libraries[0], "zlib", "zlibVersion");
    ask(&libraries[1], "zstd", "ZSTD_versionString");
    libraries[2] = (library_version){.name = "cJSON"};
    snprintf(libraries[2].version, sizeof libraries[2].version, "%s", cJSON_Version());
}

const char *machine_cuda_runtime(void)
{
#ifdef SEMLA_CUDA_RUNTIME
    return SEMLA_CUDA_RUNTIME;
#else
    return NULL;
#endif
}

/* ---- NVIDIA's libraries ------------------------------------------------------ */

/* Functions of the driver, with the types of cuda.h; 0 is success. */
typedef int (*init_function)(unsigned flags);
typedef int (*number_function)(int *number);
typedef int (*device_function)(int *device, int ordinal);
typedef int (*name_function)(char *name, int room, int device);
typedef int (*attribute_function)(int *value, int attribute, int device);
typedef int (*memory_function)(size_t *bytes, int device);
enum { CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };

static void describe_gpu(cuda_driver *d, void *library, int k)
{
    device_function get = (device_function)dlsym(library, "cuDeviceGet");
    name_function name = (name_function)dlsym(library, "cuDeviceGetName");
    attribute_function attribute = (attribute_function)dlsym(library, "cuDeviceGetAttribute");
    memory_function memory = (memory_function)dlsym(library, "cuDeviceTotalMem_v2");
    int device;
    size_t bytes = 0;
    if (!get || !name || !attribute || !memory || get(&device, k) != 0)
        return;
    name(d->gpu[k].name, sizeof d->gpu[k].name, device);
    attribute(&d->gpu[k].major, CAPABILITY_MAJOR, device);
    attribute(&d->gpu[k].minor, CAPABILITY_MINOR, device);
    memory(&bytes, device);
    d->gpu[k].memory = bytes;
}

void machine_cuda(cuda_driver *d)
{
    *d = (cuda_driver){0};
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); /* stays loaded */
    init_function init = library ? (init_function)dlsym(library, "cuInit") : NULL;
    number_function version =
        library ? (number_function)dlsym(library, "cuDriverGetVersion") : NULL;
    number_function count = library ? (number_function)dlsym(library, "cuDeviceGetCount") : NULL;
    if (!init || !version || !count) {
        d->absence = "libcuda.so.1 is not installed";
        return;
    }
    version(&d->version);
    if (init(0) != 0 || count(&d->gpus) != 0) {
        d->absence = "the driver finds no device";
        return;
    }
    d->present = true;
    for (int k = 0; k < d->gpus && k < MACHINE_MOST_GPUS; k++)
        describe_gpu(d, library, k);
}

int machine_nccl(void)
{
    const char *named = getenv("SEMLA_NCCL");
    void *library =
        dlopen(named && *named ? named : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL); /* stays loaded */
    number_function version = library ? (number_function)dlsym(library, "ncclGetVersion") : NULL;
    int number = 0;
    return version && version(&number) == 0 ? number : 0;
}
