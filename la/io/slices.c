/*
 * Files that several processes read. A plain file that is read in blocks is cut into runs of
 * them, one for each process, which reads it with pread: a line belongs to the block in
 * which it starts. What is known only when all have read (the number of tuples, and of
 * those before a process's own) they tell each other. Other files, packed ones, pipes and
 * METIS's, the first process reads for all.
 */
#include <sys/stat.h>

#include "reader.h"

/* What a process has read. */
typedef struct {
    uint64_t count, greatest, lines;
} tally;

/* Blocks `first` to `last`, in order and by one thread, which can say what is wrong where. */
static sl_status read_in_order(reader *r, block_scanner *scan, const void *format, uint64_t first,
                               uint64_t last)
{
    source whole = r->source, *s = &r->source;
    bool numbered = whole.record > 0, more;
    sl_status status = source_part_open(s, &whole);
    s->ctx = whole.ctx;
    s->size = whole.size;
    if (status != SL_OK)
        source_part_fail(s, status);
    for (uint64_t block = first; block < last && status == SL_OK; block++) {
        sl_status loaded = source_part_at(s, &whole, block, &more);
        if (!numbered && (loaded != SL_OK || s->begin != s->end)) {
            status = source_number_lines(s, &whole);
            numbered = true;
        }
        if (status != SL_OK || loaded != SL_OK) {
            status = source_part_fail(s, status != SL_OK ? status : loaded);
        } else if (s->begin != s->end) {
            status = scan(r, s->begin, format);
            s->lines = source_line_number(s, s->end) - 1;
        }
    }
    whole.lines = s->lines;
    source_part_close(s);
    r->source = whole;
    source_skip(&r->source);
    return status;
}

/* What the processes have read together; where one has failed all do. */
static sl_status meet(reader *r, sl_status status)
{
    sl_context *ctx = r->source.ctx;
    tally mine = {r->edges.count, r->greatest, r->source.lines}, *all;
    status = sl_gather(ctx, status, (void **)&all, NULL, &mine, sizeof mine);
    r->refused = status != SL_OK;
    if (r->refused)
        return status;
    r->before = r->total = 0;
    for (uint64_t k = 0; k < r->processes; k++) {
        if (k == io_process(ctx))
            r->before = r->total;
        r->total += all[k].count;
        r->greatest = all[k].greatest > r->greatest ? all[k].greatest : r->greatest;
        r->source.lines = all[k].lines > r->source.lines ? all[k].lines : r->source.lines;
    }
    sl_free(all);
    return SL_OK;
}

sl_status read_slice(reader *r, const char *p, block_scanner *scan, const void *format)
{
    const uint64_t blocks = source_blocks(&r->source);
    uint64_t first, last; /* the current block counts as number 0 */
    sl_context_local_range(r->source.ctx, blocks + 1, &first, &last);
    sl_status status = first == 0 && last > 0 ? scan(r, p, format) : SL_OK;
    first -= first > 0;
    last -= last > 0;
    if (status == SL_OK && first < last)
        status = (r->telling ? read_in_order : read_on_threads)(r, scan, format, first, last);
    else if (blocks > 0)
        source_skip(&r->source);
    return meet(r, status);
}

/* What the processes have to know of the tuples of others. */
typedef struct {
    uint64_t nrows, ncols, ids;
    sl_type type;
    sl_mirror mirror;
    bool valued;
} heading;

/* The first process's vertex ids, where it alone has them, to all. */
static sl_status give_ids(sl_edges *e, sl_context *ctx, uint64_t ids)
{
    void *all;
    const bool given = io_process(ctx) == 0;
    sl_status status =
        sl_gather(ctx, SL_OK, &all, NULL, given ? e->ids : NULL, given ? ids * sizeof *e->ids : 0);
    if (status == SL_OK) {
        sl_free(e->ids);
        e->ids = all;
    }
    return status;
}

/* Shape, type, mirror and ids as the first process has them, and whether there are values. */
static sl_status share_heading(reader *r, sl_context *ctx)
{
    sl_edges *e = &r->edges;
    uint64_t count;
    const stretch *stretches = reader_stretches(r, &count);
    heading mine = {.nrows = e->nrows,
                    .ncols = e->ncols,
                    .ids = e->ids ? e->nrows : 0,
                    .type = e->type,
                    .mirror = e->mirror,
                    .valued = stretches_valued(stretches, count)};
    heading *all;
    sl_status status = sl_gather(ctx, SL_OK, (void **)&all, NULL, &mine, sizeof mine);
    if (status != SL_OK)
        return status;
    for (uint64_t k = 0; k < sl_context_processes(ctx); k++)
        mine.valued |= all[k].valued;
    e->nrows = all->nrows;
    e->ncols = all->ncols;
    e->type = all->type;
    e->mirror = all->mirror;
    r->valued = mine.valued;
    const uint64_t ids = all->ids;
    sl_free(all);
    return r->processes == 1 && ids > 0 ? give_ids(e, ctx, ids) : SL_OK;
}

static sl_status read_and_agree(reader *r, sl_context *ctx, const char *path)
{
    struct stat file;
    const bool pipe = stat(path, &file) == 0 && !S_ISREG(file.st_mode);
    const bool absent = pipe && io_process(ctx) > 0; /* it can be read once */
    sl_status status = absent ? SL_OK : read_once(r, ctx, path);
    return r->refused ? status : sl_agree(ctx, status);
}

sl_status read_together(reader *r, sl_context *ctx, const char *path, sl_status status)
{
    status = sl_agree(ctx, status);
    if (status != SL_OK)
        return status;
    status = read_and_agree(r, ctx, path);
    if (status != SL_OK && status != SL_NO_MEMORY) {
        const reader first = *r;
        reader_free(r);
        *r = (reader){.options = first.options,
                      .threads = 1,
                      .processes = 1,
                      .before = first.before,
                      .telling = true};
        status = read_and_agree(r, ctx, path);
    }
    if (status == SL_OK)
        status = share_heading(r, ctx);
    if (status != SL_OK)
        reader_free(r);
    return status;
}
