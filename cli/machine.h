/* The machine and the software that a command runs with, for `semla report` and `semla doctor`. */
#ifndef SEMLA_CLI_MACHINE_H
#define SEMLA_CLI_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    char host[128];
    char system[128];                  /* "Debian GNU/Linux 12 (bookworm), Linux 6.1" */
    char processor[128];               /* the model; "" if the system does not tell */
    int processors;                    /* that the process may use */
    int threads;                       /* of OpenMP */
    uint64_t memory, available_memory; /* bytes; 0: unknown */
} machine;

machine machine_describe(void);

/* Versions of libraries that semla uses; "" if the library does not tell. */
typedef struct {
    const char *name; /* "zstd" */
    char version[64];
} library_version;
enum { MACHINE_LIBRARIES = 3 };
void machine_libraries(library_version libraries[MACHINE_LIBRARIES]);

/* The NVIDIA driver and its devices, from the driver's own library, which is loaded if it is
 * there. */
enum { MACHINE_MOST_GPUS = 16 };
typedef struct {
    bool present;        /* the library was loaded and could be initialised */
    const char *absence; /* why not, if it is not present */
    int version;         /* the CUDA version that the driver supports: 12040 is 12.4 */
    int gpus;            /* devices, of which the first MACHINE_MOST_GPUS are described */
    struct {
        char name[96];
        int major, minor; /* compute capability */
        uint64_t memory;  /* bytes */
    } gpu[MACHINE_MOST_GPUS];
} cuda_driver;
void machine_cuda(cuda_driver *driver);

/* NCCL's version number as it reports it (22304 is 2.23.4); 0: it was not found. */
int machine_nccl(void);

/* The CUDA runtime of this build, "13.0"; NULL: built without CUDA. */
const char *machine_cuda_runtime(void);

#endif
