/*
 * Reads a file on several processes: its blocks (process_blocks.c), or, of compressed files, pipes
 * and METIS files, all of it by the first process, which sends the others what they need to know.
 */
#include "io/formats/reader.h"

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

static sl_status read_and_agree(reader *r, sl_context *ctx, const char *path,
                                file_reader *read_once)
{
    const bool reads_nothing = input_is_stream(path) && io_rank(ctx) > 0;
    sl_status status = reads_nothing ? SL_OK : read_once(r, ctx, path);
    return r->failure_agreed ? status : sl_agree(ctx, status);
}

sl_status read_shared_file(reader *r, sl_context *ctx, const char *path, file_reader *read_once)
{
    sl_status status = read_and_agree(r, ctx, path, read_once);
    if (status != SL_OK && status != SL_NO_MEMORY && status != SL_CANCELLED &&
        !input_is_stream(path)) {
        const reader first = *r;
        reader_free(r);
        *r = (reader){.options = first.options,
                      .threads = 1,
                      .processes = 1,
                      .preceding = first.preceding,
                      .locating_error = true};
        status = read_and_agree(r, ctx, path, read_once);
    }
    if (status == SL_OK)
        status = broadcast_info(r, ctx);
    if (status == SL_OK && r->options->unread)
        status = broadcast_unread(r->options->unread, ctx);
    if (status != SL_OK)
        reader_free(r);
    return status;
}
