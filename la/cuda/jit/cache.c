#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folder -------------------------------------------------------------- */

void sl_cuda_cache_find(cuda_cache *cache)
{
    const char *named = getenv("SEMLA_CACHE_DIR"), *caches = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
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

enum { PATH_ROOM = sizeof((cuda_cache *)0)->folder + 64 };

static void path_of(char path[PATH_ROOM], const cuda_cache *cache, const char *key, size_t key_size)
{
    snprintf(path, PATH_ROOM, "%s/%016" PRIx64 ".kernels", cache->folder,
             hash(hash_start, key, key_size));
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

/* True if the file has exactly the sizes that its head states, so a damaged head causes no large
 * allocation. */
static bool is_whole(const entry_head *head, uint64_t size)
{
    uint64_t left = size - sizeof *head;
    if (memcmp(head->magic, magic, sizeof magic) != 0 || size < sizeof *head ||
        head->key_size > left || head->names_size > left - head->key_size)
        return false;
    return head->code_size == left - head->key_size - head->names_size && head->code_size > 0;
}

/* names: strings that are terminated and fill exactly the stated bytes. */
static bool read_entry(int file, uint64_t size, const char *key, size_t key_size, cuda_image *image,
                       cuda_cache_answer *answer)
{
    entry_head head;
    if (!read_all(file, &head, sizeof head) || !is_whole(&head, size))
        return false;
    char *kept = sl_malloc(head.key_size + 1);
    image->names = sl_malloc(head.names_size + head.code_size);
    bool good = kept && image->names && read_all(file, kept, head.key_size) &&
                read_all(file, image->names, head.names_size + head.code_size) &&
                checksum_of(&head, kept, image->names) == head.checksum;
    if (good && (head.key_size != key_size || memcmp(kept, key, key_size) != 0))
        *answer = CUDA_CACHE_MISS;
    else if (good)
        *answer = CUDA_CACHE_HIT;
    sl_free(kept);
    image->names_size = head.names_size;
    image->code = good ? image->names + head.names_size : NULL;
    image->code_size = head.code_size;
    return good;
}

cuda_cache_answer sl_cuda_cache_read(const cuda_cache *cache, const char *key, size_t key_size,
                                     cuda_image *image)
{
    char path[PATH_ROOM];
    struct stat about;
    cuda_cache_answer answer = CUDA_CACHE_DAMAGED;
    *image = (cuda_image){0};
    if (!*cache->folder)
        return CUDA_CACHE_MISS;
    path_of(path, cache, key, key_size);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return CUDA_CACHE_MISS;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        read_entry(file, (uint64_t)about.st_size, key, key_size, image, &answer);
    close(file);
    if (answer != CUDA_CACHE_HIT)
        sl_cuda_image_free(image);
    return answer;
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

int sl_cuda_cache_write(const cuda_cache *cache, const char *key, size_t key_size,
                        const cuda_image *image)
{
    char path[PATH_ROOM], other[PATH_ROOM + 16];
    entry_head head = {
        .key_size = key_size, .names_size = image->names_size, .code_size = image->code_size};
    memcpy(head.magic, magic, sizeof magic);
    head.checksum = checksum_of(&head, key, image->names);
    make_folder(cache->folder);
    path_of(path, cache, key, key_size);
    snprintf(other, sizeof other, "%s.XXXXXX", path);
    int file = mkostemp(other, O_CLOEXEC), failed = 0;
    if (file < 0)
        return errno;
    if (!write_all(file, &head, sizeof head) || !write_all(file, key, key_size) ||
        !write_all(file, image->names, image->names_size + image->code_size))
        failed = errno;
    if (close(file) != 0 && !failed)
        failed = errno;
    if (!failed && rename(other, path) != 0)
        failed = errno;
    if (failed)
        unlink(other);
    return failed;
}
