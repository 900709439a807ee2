#include "cuda/jit/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- the folder -------------------------------------------------------------- */

void sl_cuda_cache_find(cuda_cache *cache)
{
    const char *named = secure_getenv("SEMLA_CACHE_DIR"), *caches = secure_getenv("XDG_CACHE_HOME"),
               *home = secure_getenv("HOME");
    int length = 0;
    *cache = (cuda_cache){.off = named && (!*named || strcmp(named, "off") == 0)};
    if (cache->off)
        return;
    if (named)
        length = snprintf(cache->folder, sizeof cache->folder, "%s", named);
    else if (caches && *caches == '/') /* the specification says to ignore relative paths */
        length = snprintf(cache->folder, sizeof cache->folder, "%s/semla", caches);
    else if (home && *home == '/')
        length = snprintf(cache->folder, sizeof cache->folder, "%s/.cache/semla", home);
    if (length < 0 || (size_t)length >= sizeof cache->folder)
        cache->folder[0] = 0;
}

/* Makes the folder and its parents. Errors show when a file is created in it. */
static void make_folder(const char *folder)
{
    char path[sizeof((cuda_cache *)0)->folder];
    snprintf(path, sizeof path, "%s", folder);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    mkdir(path, 0700);
}

static int open_folder(const cuda_cache *cache)
{
    return open(cache->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* ---- entries -------------------------------------------------------------------- */

typedef struct {
    char magic[16];
    uint64_t checksum; /* FNV-1a of everything behind this word */
    uint64_t key_size, names_size, code_size;
} entry_head;

static const char magic[16] = "semla kernels 1";

/* FNV-1a hash of 64 bits (Fowler, Noll, Vo). */
static uint64_t hash(uint64_t h, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t k = 0; k < size; k++)
        h = (h ^ at[k]) * UINT64_C(0x100000001b3);
    return h;
}
static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325);

static uint64_t checksum_of(const entry_head *head, const void *key, const void *contents)
{
    uint64_t h = hash(hash_start, &head->key_size, sizeof *head - offsetof(entry_head, key_size));
    h = hash(h, key, head->key_size);
    return hash(h, contents, head->names_size + head->code_size);
}

enum { NAME_ROOM = 32 };

static void name_of(char name[NAME_ROOM], const char *key, size_t key_size)
{
    snprintf(name, NAME_ROOM, "%016" PRIx64 ".kernels", hash(hash_start, key, key_size));
}

/* ---- reading ---------------------------------------------------------------------- */

static bool read_all(int file, void *to, size_t size)
{
    char *at = to;
    while (size > 0) {
        ssize_t got = read(file, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* Bounds of an entry: NVRTC's names have a few hundred bytes, its code a few megabytes at most. */
enum { MOST_NAMES = 1 << 16, MOST_CODE = 1 << 28 };

/* True if the file has exactly the sizes that its head states, and these are within the bounds. */
static bool is_whole(const entry_head *head, uint64_t size)
{
    if (size < sizeof *head || memcmp(head->magic, magic, sizeof magic) != 0 ||
        head->names_size == 0 || head->names_size > MOST_NAMES || head->code_size == 0 ||
        head->code_size > MOST_CODE)
        return false;
    const uint64_t contents = sizeof *head + head->names_size + head->code_size;
    return size >= contents && head->key_size == size - contents;
}

/* True if the bytes are exactly `count` strings, each with its terminating 0. */
static bool are_strings(const char *bytes, size_t size, size_t count)
{
    size_t found = 0;
    for (size_t k = 0; k < size; k++)
        found += bytes[k] == 0;
    return bytes[size - 1] == 0 && found == count;
}

/* The code is followed by a 0, since code in text form (PTX) is read up to one. */
static cuda_cache_answer read_entry(int file, uint64_t size, const char *key, size_t key_size,
                                    size_t kernels, cuda_image *image)
{
    entry_head head;
    if (!read_all(file, &head, sizeof head) || !is_whole(&head, size))
        return CUDA_CACHE_DAMAGED;
    if (head.key_size != key_size)
        return CUDA_CACHE_MISS;
    const size_t contents = head.names_size + head.code_size;
    char *kept = sl_malloc(key_size + 1);
    image->names = sl_malloc(contents + 1);
    cuda_cache_answer answer = CUDA_CACHE_DAMAGED;
    if (kept && image->names && read_all(file, kept, key_size) &&
        read_all(file, image->names, contents) &&
        checksum_of(&head, kept, image->names) == head.checksum) {
        image->names[contents] = 0;
        image->names_size = head.names_size;
        image->code = image->names + head.names_size;
        image->code_size = head.code_size;
        if (memcmp(kept, key, key_size) != 0)
            answer = CUDA_CACHE_MISS;
        else if (are_strings(image->names, image->names_size, kernels))
            answer = CUDA_CACHE_HIT;
    }
    sl_free(kept);
    return answer;
}

static bool is_own(const struct stat *about)
{
    return S_ISREG(about->st_mode) && about->st_uid == geteuid() &&
           (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* O_NONBLOCK: opening a FIFO does not wait for a writer. */
cuda_cache_answer sl_cuda_cache_read(const cuda_cache *cache, const char *key, size_t key_size,
                                     size_t kernels, cuda_image *image)
{
    char name[NAME_ROOM];
    struct stat about;
    *image = (cuda_image){0};
    const int folder = *cache->folder ? open_folder(cache) : -1;
    if (folder < 0)
        return CUDA_CACHE_MISS;
    name_of(name, key, key_size);
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const int failed = file < 0 ? errno : 0;
    close(folder);
    if (file < 0)
        return failed == ENOENT ? CUDA_CACHE_MISS : CUDA_CACHE_FOREIGN;
    cuda_cache_answer answer = CUDA_CACHE_FOREIGN;
    if (fstat(file, &about) == 0 && is_own(&about))
        answer = read_entry(file, (uint64_t)about.st_size, key, key_size, kernels, image);
    close(file);
    if (answer != CUDA_CACHE_HIT)
        sl_cuda_image_free(image);
    return answer;
}

void sl_cuda_image_free(cuda_image *image)
{
    sl_free(image->names);
    *image = (cuda_image){0};
}

/* ---- writing ------------------------------------------------------------------------ */

static bool write_all(int file, const void *from, size_t size)
{
    const char *at = from;
    while (size > 0) {
        ssize_t put = write(file, at, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

static int write_entry(int file, const entry_head *head, const char *key, const cuda_image *image)
{
    int failed = 0;
    if (!write_all(file, head, sizeof *head) || !write_all(file, key, head->key_size) ||
        !write_all(file, image->names, image->names_size + image->code_size))
        failed = errno;
    if (close(file) != 0 && !failed)
        failed = errno;
    return failed;
}

/* Creates a file with a name of its own. Returns its descriptor, or -1 with errno. */
static int create_temporary(int folder, char temporary[NAME_ROOM + 32], const char *name)
{
    enum { ATTEMPTS = 100 };
    int file = -1;
    for (int k = 0; k < ATTEMPTS && file < 0; k++) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(temporary, NAME_ROOM + 32, "%s.%ld.%09ld", name, (long)getpid(), now.tv_nsec);
        file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      S_IRUSR | S_IWUSR);
        if (file < 0 && errno != EEXIST)
            return -1;
    }
    return file;
}

int sl_cuda_cache_write(const cuda_cache *cache, const char *key, size_t key_size,
                        const cuda_image *image)
{
    char name[NAME_ROOM], temporary[NAME_ROOM + 32];
    entry_head head = {
        .key_size = key_size, .names_size = image->names_size, .code_size = image->code_size};
    memcpy(head.magic, magic, sizeof magic);
    head.checksum = checksum_of(&head, key, image->names);
    make_folder(cache->folder);
    const int folder = open_folder(cache);
    if (folder < 0)
        return errno;
    name_of(name, key, key_size);
    const int file = create_temporary(folder, temporary, name);
    int failed = file < 0 ? errno : write_entry(file, &head, key, image);
    if (!failed && renameat(folder, temporary, folder, name) != 0)
        failed = errno;
    if (failed && file >= 0)
        unlinkat(folder, temporary, 0);
    close(folder);
    return failed;
}
