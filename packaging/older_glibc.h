/* wheel.sh includes this in every C file: it binds functions to the versions that every glibc for
 * x86-64 has, so that glibc 2.28 suffices. The newer versions do not set errno, which semla does not
 * read, or are in libc, where before glibc 2.34 libdl and libpthread had them. */
#if defined __x86_64__ && !defined SEMLA_OLDER_GLIBC
#define SEMLA_OLDER_GLIBC
#define OLDER(function) __asm__(".symver " #function ", " #function "@GLIBC_2.2.5")
OLDER(exp);
OLDER(exp2);
OLDER(log);
OLDER(log2);
OLDER(pow);
OLDER(hypot);
OLDER(hypotf);
OLDER(dlopen);
OLDER(dlsym);
OLDER(dlerror);
OLDER(dladdr);
OLDER(pthread_once);
OLDER(pthread_sigmask);
#undef OLDER

/* Before glibc 2.33 stat, fstat and fstatat were inline functions that called these. */
#include <sys/stat.h>
int __xstat(int version, const char *path, struct stat *status);
int __fxstat(int version, int file, struct stat *status);
int __fxstatat(int version, int folder, const char *path, struct stat *status, int flags);
#define stat(path, status)                   __xstat(1, path, status)
#define fstat(file, status)                  __fxstat(1, file, status)
#define fstatat(folder, path, status, flags) __fxstatat(1, folder, path, status, flags)
#endif
