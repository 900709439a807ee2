/* Built-in semirings on the GPU, by precompiled kernels and by kernels compiled at run time:
 * results equal SuiteSparse's. */
#include "gpu_and_host.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sl_semiring ring; /* over int32, with sums that wrap, or int64 */

#define INTO(out) s->out, NULL, NULL
static sl_status ring_tiles(side *s)
{
    return sl_mxv(INTO(w), ring, s->A, s->u, NULL);
}
static sl_status ring_rows(side *s)
{
    return sl_mxv(s->w, s->mask, NULL, ring, s->A, s->u, NULL);
}
static sl_status ring_push(side *s)
{
    return sl_vxm(INTO(w), ring, s->few, s->A, NULL);
}
static sl_status ring_dots(side *s)
{
    return sl_mxm(s->C, s->B, NULL, ring, s->A, s->B, NULL);
}
static sl_status ring_sums(side *s)
{
    return sl_mxm(INTO(C), ring, s->B, s->B, NULL);
}
#undef INTO

static size_t files_in(const char *folder, bool remove_them)
{
    size_t count = 0;
    DIR *listing = opendir(folder);
    for (struct dirent *e; listing && (e = readdir(listing));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] == '.')
            continue;
        count++;
        if (remove_them)
            remove(path);
    }
    if (listing)
        closedir(listing);
    return count;
}

static void each_ring(size_t least, size_t most, const char *folder)
{
    sl_status (*const uses_of_ring[])(side *) = {ring_tiles, ring_rows, ring_push, ring_dots,
                                                 ring_sums};
    const sl_semiring rings[] = {SL_MAX_MIN_INT32, SL_MIN_TIMES_INT32, SL_MAX_SECONDI_INT64};
    for (size_t r = 0; r < sizeof rings / sizeof *rings; r++)
        for (size_t k = 0; k < sizeof uses_of_ring / sizeof *uses_of_ring; k++) {
            ring = rings[r];
            start_both();
            OK(host.ctx, uses_of_ring[k](&host));
            OK(gpu.ctx, uses_of_ring[k](&gpu));
            expect_equal(ring->name);
            forget_both();
        }
    assert_in_range(files_in(folder, false), least, most);
}

/* All built-in semirings have kernels that need no compilation; SEMLA_JIT=always compiles them:
 * pulls by rows and by tiles, pushes, dot products, row sums. */
static void test_table(void **state)
{
    need_gpu();
    char folder[] = "/tmp/semla-cache-XXXXXX";
    const char *set = getenv("SEMLA_CACHE_DIR");
    char *before = set ? strdup(set) : NULL;
    assert_non_null(mkdtemp(folder));
    setenv("SEMLA_CACHE_DIR", folder, 1);
    each_ring(0, 0, folder);
    setenv("SEMLA_JIT", "needed", 1);
    each_ring(0, 0, folder);
    setenv("SEMLA_JIT", "always", 1);
    each_ring(3 * 2, 3 * 4, folder);
    unsetenv("SEMLA_JIT");
    files_in(folder, true);
    assert_int_equal(rmdir(folder), 0);
    if (before)
        setenv("SEMLA_CACHE_DIR", before, 1);
    else
        unsetenv("SEMLA_CACHE_DIR");
    free(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, sides_begin, sides_end);
}
