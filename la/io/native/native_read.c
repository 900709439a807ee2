/* Reads native files into matrices and tuples. */
#include "io/native/native_file.h"

#include <inttypes.h>

#include <semla/mirrors.h>

#include "io/files/input.h"
#include "io/files/stdin.h"
#include "io/formats/format.h"
#include "io/tuples/segments.h"

sl_status find_native(bool *native, sl_context *ctx, const char *path, sl_file_format named,
                      const sl_read_options *options)
{
    const size_t length = sizeof((native_header *)0)->magic;
    const bool asked = options->format != SL_FORMAT_AUTO;
    bool *all;
    *native = (asked ? options->format : named) == SL_FORMAT_NATIVE;
    if (asked || !is_stdin(path))
        return SL_OK;
    if (io_rank(ctx) == 0) /* the stdin of mpirun */
        *native = stdin_starts_with(NATIVE_MAGIC, length);
    sl_status status = sl_gather(ctx, SL_OK, (void **)&all, NULL, native, sizeof *native);
    if (status == SL_OK)
        *native = *all;
    sl_free(all);
    return status;
}

static void free_rows(sl_csr *csr)
{
    sl_free(csr->start);
    sl_free(csr->index);
    sl_free(csr->values);
    *csr = (sl_csr){0};
}

/* Opens a file and chooses the rows of this process. Collective. */
static sl_status open_slice(native_file *f, sl_context *ctx, const char *path, unsigned flags)
{
    const bool shared_pipe = sl_context_processes(ctx) > 1 && input_is_stream(path);
    sl_status opened =
        shared_pipe ? sl_fail(ctx, SL_UNSUPPORTED,
                              "%s: several processes cannot read a native file from a pipe", path)
                    : native_open(f, ctx, path);
    sl_status status = sl_agree(ctx, opened);
    if (status == SL_OK && flags & SL_READ_VERIFY)
        status = native_verify(f);
    if (status == SL_OK)
        status = sl_agree(ctx, native_choose_rows(f));
    if (status == SL_OK)
        status = sl_agree(ctx, native_load_numbers(f));
    if (status == SL_OK)
        status = sl_common_key(&f->key, ctx, path);
    if (status != SL_OK && opened == SL_OK)
        native_close(f);
    return status;
}

/* Loads the arrays. With SL_READ_PATTERN the type becomes SL_BOOL, as with every format. */
static sl_status load(sl_csr *csr, const native_file *f, unsigned flags)
{
    const bool dropped = flags & SL_READ_PATTERN && !(f->header.flags & NATIVE_PATTERN);
    sl_status status = native_load(csr, f, !dropped);
    if (dropped)
        csr->type = SL_BOOL;
    return status;
}

/* ---- tuples ------------------------------------------------------------- */

/* Converts values to a type of 8 bytes, as tuples have them; NULL if there is no memory. */
static void *widen(const void *values, sl_type from, sl_type to, uint64_t count, int threads)
{
    const size_t size = sl_type_size(from);
    uint64_t *wide = sl_malloc((count + 1) * sizeof *wide);
    if (!wide)
        return NULL;
#pragma omp parallel for num_threads(threads) if (count > 4096)
    for (uint64_t k = 0; k < count; k++) {
        sl_scalar x = sl_scalar_cast(sl_scalar_load(from, (const char *)values + k * size), to);
        memcpy(&wide[k], &x.as, sizeof *wide);
    }
    return wide;
}

/* Gives the values to the tuples unchanged. */
static sl_status keep_values(sl_edges *edges, sl_csr *csr, const native_file *f)
{
    edges->type = csr->type;
    edges->values = csr->values;
    csr->values = NULL;
    return SL_OK;
}

/* Converts the values to SL_INT64, SL_UINT64 or SL_FP64. */
static sl_status convert_values(sl_edges *edges, sl_csr *csr, const native_file *f)
{
    const bool real = csr->type == SL_FP32 || csr->type == SL_FP64;
    edges->type = !csr->values || csr->type == SL_UINT64 ? csr->type : real ? SL_FP64 : SL_INT64;
    if (csr->type == edges->type) {
        edges->values = csr->values;
        csr->values = NULL;
        return SL_OK;
    }
    edges->values = widen(csr->values, csr->type, edges->type, edges->count, io_threads(f->ctx));
    return edges->values ? SL_OK
                         : sl_fail(f->ctx, SL_NO_MEMORY, "%s: no memory for the values", f->path);
}

/* Makes the tuples of a file; on failure *edges is zeroed. */
static sl_status make_edges(sl_edges *edges, const native_file *f, unsigned flags,
                            sl_status (*give_values)(sl_edges *, sl_csr *, const native_file *))
{
    sl_csr csr;
    *edges = (sl_edges){0};
    sl_status status = load(&csr, f, flags);
    if (status != SL_OK)
        return status;
    const uint64_t count = csr.start[csr.nrows];
    *edges =
        (sl_edges){.nrows = f->header.nrows, .ncols = csr.ncols, .count = count, .col = csr.index};
    csr.index = NULL;
    uint64_t *row = edges->row = sl_malloc((count + 1) * sizeof *row);
    if (row) {
#pragma omp parallel for schedule(dynamic, 4096)                                                   \
    num_threads(io_threads(f->ctx)) if (csr.nrows > 4096)
        for (uint64_t i = 0; i < csr.nrows; i++)
            for (uint64_t k = csr.start[i]; k < csr.start[i + 1]; k++)
                row[k] = native_row(f, i);
        status = give_values(edges, &csr, f);
    } else {
        status =
            sl_fail(f->ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " edges", f->path, count);
    }
    free_rows(&csr);
    if (status != SL_OK)
        sl_edges_free(edges);
    return status;
}

sl_status native_read_edges(sl_edges *edges, sl_context *ctx, const char *path,
                            const sl_read_options *options)
{
    native_file f;
    sl_status status = open_slice(&f, ctx, path, options->flags);
    if (status != SL_OK)
        return status;
    status = make_edges(edges, &f, options->flags, convert_values);
    native_close(&f);
    return status;
}

/* ---- matrix ------------------------------------------------------------- */

/*
 * Marks the matrix as symmetric if the file declares it. The declaration was checked with random
 * numbers; with SL_READ_VERIFY it is compared entry by entry. On failure the matrix is freed.
 */
static sl_status mark_symmetric(sl_matrix **A, const native_file *f, unsigned flags)
{
    bool symmetric = true;
    sl_status status = SL_OK;
    if (!(f->header.flags & NATIVE_SYMMETRIC))
        return SL_OK;
    if (flags & SL_READ_VERIFY)
        status = sl_matrix_is_symmetric(&symmetric, *A);
    if (status == SL_OK && !symmetric)
        status = sl_fail(f->ctx, SL_SYNTAX,
                         "%s: the file is declared symmetric, but the pattern is not", f->path);
    if (status == SL_OK)
        status = sl_matrix_promise_symmetric(*A);
    if (status != SL_OK) {
        sl_matrix_free(*A);
        *A = NULL;
    }
    return status;
}

static sl_status read_unconverted(sl_matrix **A, const native_file *f, unsigned flags)
{
    sl_csr csr;
    sl_status status = load(&csr, f, flags);
    if (status != SL_OK)
        return status;
    status = sl_matrix_take_csr(A, f->ctx, &csr);
    free_rows(&csr);
    return status;
}

/* Makes the matrix on several processes, which have some rows each, or of a file without empty rows. */
static sl_status build_unconverted(sl_matrix **A, const native_file *f, const sl_edges *edges)
{
    sl_status status = sl_matrix_new(A, f->ctx, edges->type, edges->nrows, edges->ncols);
    if (status == SL_OK)
        status = sl_matrix_build(*A, edges->row, edges->col, edges->values, edges->count, NULL);
    if (status != SL_OK) {
        sl_matrix_free(*A);
        *A = NULL;
    }
    return status;
}

/* True if the flags require other entries than those in the file. */
static bool changes_entries(const native_file *f, unsigned flags)
{
    const bool pattern = f->header.flags & NATIVE_PATTERN || flags & SL_READ_PATTERN;
    if (pattern && f->header.flags & NATIVE_SYMMETRIC)
        flags &= ~(unsigned)(SL_READ_SYMMETRIC | SL_READ_TRANSPOSED);
    return flags & (SL_READ_SYMMETRIC | SL_READ_TRANSPOSED | SL_READ_NO_LOOPS);
}

sl_status native_read_matrix(sl_matrix **A, sl_context *ctx, const char *path,
                             const sl_read_options *options)
{
    native_file f;
    sl_status status = open_slice(&f, ctx, path, options->flags);
    if (status != SL_OK)
        return status;
    const bool changed = changes_entries(&f, options->flags);
    if (changed || f.numbers || sl_context_processes(ctx) > 1) {
        sl_edges edges;
        status = make_edges(&edges, &f, options->flags, changed ? convert_values : keep_values);
        status = sl_agree(ctx, status);
        if (status == SL_OK)
            status = changed
                         ? assemble(A, ctx, &edges, true,
                                    &(segment){0, edges.count, edges.row, edges.col, edges.values},
                                    1, options)
                         : build_unconverted(A, &f, &edges);
        sl_edges_free(&edges);
    } else {
        status = read_unconverted(A, &f, options->flags);
    }
    if (status == SL_OK && !changed)
        status = mark_symmetric(A, &f, options->flags);
    native_close(&f);
    return status;
}
