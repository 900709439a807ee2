/*
 * Reads a file on several processes. A plain file that can be read in blocks is divided into
 * contiguous ranges of blocks, one per process, which reads them with pread; a line belongs to the
 * block in which it starts. The numbers of tuples are known only after all processes have read and
 * are then exchanged. Compressed files, pipes and METIS files are read by the first process.
 */
#include "reader.h"

/* Results of one process, exchanged between all. */
typedef struct {
    uint64_t count, max_index, lines;
    bool negative_values, unsigned_values;
} counts;

/* Reads blocks `first` to `last` - 1 in order on one thread, which can locate an error. */
static sl_status read_in_order(reader *r, block_scanner *scan, const void *format, uint64_t first,
                               uint64_t last)
{
    input whole = r->input, *s = &r->input;
    bool numbered = whole.record > 0, more;
    sl_status status = input_part_open(s, &whole);
    s->ctx = whole.ctx;
    s->size = whole.size;
    if (status != SL_OK)
        input_part_fail(s, status);
    for (uint64_t block = first; block < last && status == SL_OK; block++) {
        sl_status loaded = input_part_load(s, &whole, block, &more);
        if (!numbered && (loaded != SL_OK || s->begin != s->end)) {
            status = input_number_lines(s, &whole);
            numbered = true;
        }
        if (status != SL_OK || loaded != SL_OK) {
            status = input_part_fail(s, status != SL_OK ? status : loaded);
        } else if (s->begin != s->end) {
            status = scan(r, s->begin, format);
            s->lines = input_line_number(s, s->end) - 1;
        }
    }
    whole.lines = s->lines;
    input_part_close(s);
    r->input = whole;
    input_skip(&r->input);
    return status;
}

/* Exchanges the counts of all processes; if one process has failed, all fail. */
static sl_status exchange_counts(reader *r, sl_status status)
{
    sl_context *ctx = r->input.ctx;
    const counts mine = {.count = r->edges.count,
                         .max_index = r->max_index,
                         .lines = r->input.lines,
                         .negative_values = r->negative_values,
                         .unsigned_values = r->unsigned_values};
    counts *all;
    status = sl_gather(ctx, status, (void **)&all, NULL, &mine, sizeof mine);
    r->failure_agreed = status != SL_OK;
    if (r->failure_agreed)
        return status;
    r->preceding = r->total = 0;
    for (uint64_t k = 0; k < r->processes; k++) {
        if (k == io_rank(ctx))
            r->preceding = r->total;
        r->total += all[k].count;
        r->max_index = all[k].max_index > r->max_index ? all[k].max_index : r->max_index;
        r->input.lines = all[k].lines > r->input.lines ? all[k].lines : r->input.lines;
        r->negative_values |= all[k].negative_values;
        r->unsigned_values |= all[k].unsigned_values;
    }
    sl_free(all);
    return SL_OK;
}

sl_status read_process_blocks(reader *r, const char *p, block_scanner *scan, const void *format)
{
    const uint64_t blocks = input_blocks(&r->input);
    uint64_t first, last; /* the current block has number 0 */
    sl_context_local_range(r->input.ctx, blocks + 1, &first, &last);
    sl_status status = first == 0 && last > 0 ? scan(r, p, format) : SL_OK;
    first -= first > 0;
    last -= last > 0;
    if (status == SL_OK && first < last)
        status = (r->locating_error ? read_in_order : read_blocks_on_threads)(r, scan, format,
                                                                              first, last);
    else if (blocks > 0)
        input_skip(&r->input);
    return exchange_counts(r, status);
}

/* Properties of the tuples, exchanged between the processes. */
typedef struct {
    uint64_t nrows, ncols, ids, labels;
    sl_type type;
    sl_mirror mirror;
    bool valued;
} tuple_info;

/* Sends the vertex ids of the first process to all. */
static sl_status broadcast_ids(sl_edges *e, sl_context *ctx, uint64_t ids)
{
    void *all;
    const bool given = io_rank(ctx) == 0;
    sl_status status =
        sl_gather(ctx, SL_OK, &all, NULL, given ? e->ids : NULL, given ? ids * sizeof *e->ids : 0);
    if (status == SL_OK) {
        sl_free(e->ids);
        e->ids = all;
    }
    return status;
}

/* The bytes of all labels. */
static uint64_t label_bytes(const sl_labels *labels)
{
    const uint64_t last = labels->count > 0 ? labels->start[labels->count - 1] : 0;
    return labels->count > 0 ? last + strlen(labels->text + last) + 1 : 0;
}

/* Sends the labels of the first process to all. */
static sl_status broadcast_labels(sl_labels *labels, sl_context *ctx, uint64_t count)
{
    void *text = NULL, *start = NULL;
    const uint64_t given = io_rank(ctx) == 0 ? count : 0;
    sl_status status =
        sl_gather(ctx, SL_OK, &text, NULL, labels->text, given ? label_bytes(labels) : 0);
    if (status == SL_OK)
        status = sl_gather(ctx, SL_OK, &start, NULL, labels->start, given * sizeof *labels->start);
    if (status == SL_OK) {
        sl_labels_free(labels);
        *labels = (sl_labels){count, text, start};
    } else {
        sl_free(text);
    }
    return status;
}

/* Sends the columns that the first process has not read to all. */
static sl_status broadcast_unread(sl_unread_columns *unread, sl_context *ctx)
{
    char **texts[] = {&unread->names, &unread->number};
    sl_status status = SL_OK;
    for (size_t k = 0; status == SL_OK && k < 2; k++) {
        uint64_t *starts = sl_calloc(sl_context_processes(ctx) + 1, sizeof *starts);
        char *mine = *texts[k];
        void *all = NULL;
        status =
            starts ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "read: no memory for names of columns");
        status = sl_gather(ctx, status, &all, starts, mine, mine ? strlen(mine) + 1 : 0);
        if (status == SL_OK) {
            sl_free(mine);
            *texts[k] = starts[sl_context_processes(ctx)] > 0 ? all : NULL;
        }
        if (!*texts[k])
            sl_free(all);
        sl_free(starts);
    }
    return status;
}

/*
 * Sets shape, type, mirror, labels and ids of all processes to those of the first process, and finds out
 * whether any process has values.
 */
static sl_status broadcast_info(reader *r, sl_context *ctx)
{
    sl_edges *e = &r->edges;
    uint64_t count;
    const segment *segments = reader_segments(r, &count);
    tuple_info mine = {.nrows = e->nrows,
                       .ncols = e->ncols,
                       .ids = e->ids ? e->nrows : 0,
                       .labels = e->labels.count,
                       .type = e->type,
                       .mirror = e->mirror,
                       .valued = segments_valued(segments, count)};
    tuple_info *all;
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
    const uint64_t ids = all->ids, labels = all->labels;
    sl_free(all);
    if (r->processes == 1 && labels > 0)
        return broadcast_labels(&e->labels, ctx, labels);
    return r->processes == 1 && ids > 0 ? broadcast_ids(e, ctx, ids) : SL_OK;
}

static sl_status read_and_agree(reader *r, sl_context *ctx, const char *path)
{
    const bool reads_nothing = input_is_stream(path) && io_rank(ctx) > 0;
    sl_status status = reads_nothing ? SL_OK : read_once(r, ctx, path);
    return r->failure_agreed ? status : sl_agree(ctx, status);
}

sl_status read_shared_file(reader *r, sl_context *ctx, const char *path)
{
    sl_status status = read_and_agree(r, ctx, path);
    if (status != SL_OK && status != SL_NO_MEMORY && status != SL_CANCELLED &&
        !input_is_stream(path)) {
        const reader first = *r;
        reader_free(r);
        *r = (reader){.options = first.options,
                      .threads = 1,
                      .processes = 1,
                      .preceding = first.preceding,
                      .locating_error = true};
        status = read_and_agree(r, ctx, path);
    }
    if (status == SL_OK)
        status = broadcast_info(r, ctx);
    if (status == SL_OK && r->options->unread)
        status = broadcast_unread(r->options->unread, ctx);
    if (status != SL_OK)
        reader_free(r);
    return status;
}
