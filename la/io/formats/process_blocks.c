/*
 * Reads a plain file on several processes. It is divided into contiguous ranges of blocks, one per
 * process, which reads them with pread; a line belongs to the block in which it starts. The numbers
 * of tuples are known only after all processes have read and are then exchanged.
 */
#include "io/formats/reader.h"

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

static sl_status read_process_blocks(reader *r, const char *p, block_scanner *scan,
                                     const void *format)
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

sl_status read_blocks(reader *r, const char *p, block_scanner *scan, const void *format)
{
    input *s = &r->input;
    if (r->processes > 1)
        return read_process_blocks(r, p, scan, format);
    sl_status status = scan(r, p, format);
    if (status == SL_OK && r->threads > 1 && input_has_more(s))
        status = read_blocks_on_threads(r, scan, format, 0, UINT64_MAX);
    else
        while (status == SL_OK && (status = input_next(s)) == SL_OK && s->begin != s->end) {
            r->progress.done = s->taken;
            status = scan(r, s->begin, format);
        }
    r->total = r->edges.count;
    return status;
}
