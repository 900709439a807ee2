/* Loads the module libsemla_mpi.so from the folder of libsemla.so. It stays loaded. */
#include <semla/mpi_module.h>

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic(const sl_mpi_module *) loaded;
static char failure[PATH_MAX + 256];

/* The path of the module; false: it is unknown. */
static bool find_path(char *path, size_t room)
{
    Dl_info self;
    if (!dladdr((void *)&loaded, &self) || !self.dli_fname)
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    const int folder = slash ? (int)(slash - self.dli_fname) + 1 : 0;
    const int length = snprintf(path, room, "%.*s%s", folder, self.dli_fname, SEMLA_MPI_MODULE);
    return length > 0 && (size_t)length < room;
}

static void load(void)
{
    char path[PATH_MAX];
    if (!find_path(path, sizeof path)) {
        snprintf(failure, sizeof failure, "the folder of libsemla is unknown");
        return;
    }
    if (access(path, F_OK) != 0) {
        snprintf(failure, sizeof failure, "there is no %s, the part of semla that uses MPI", path);
        return;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const sl_mpi_module *table = library ? dlsym(library, "sl_mpi_module_table") : NULL;
    if (!table)
        snprintf(failure, sizeof failure, "%s cannot be loaded: %s", SEMLA_MPI_MODULE, dlerror());
    else if (strcmp(table->version, sl_version()) != 0)
        snprintf(failure, sizeof failure, "%s has version %s, but libsemla has %s", path,
                 table->version, sl_version());
    else if (strcmp(table->build, sl_build_id) != 0)
        snprintf(failure, sizeof failure, "%s is of build %.16s, but libsemla of build %s", path,
                 table->build, sl_build_id);
    else
        atomic_store(&loaded, table);
}

const sl_mpi_module *sl_mpi_load(const char **reason)
{
    pthread_once(&once, load);
    const sl_mpi_module *table = sl_mpi_loaded();
    if (reason)
        *reason = table ? NULL : failure;
    return table;
}

const sl_mpi_module *sl_mpi_loaded(void)
{
    return atomic_load(&loaded);
}
