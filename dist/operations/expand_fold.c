/* Expand and fold of vectors, by exchanges of messages along a row or a column of the grid: between the
 * devices of the ranks, or between their hosts. */
#include "dist/operations/expand_fold.h"

#include "dist/grid/devices.h"
#include "dist/operations/vector_messages.h"

void sl_expanded_free(sl_expanded *expanded)
{
    sl_vector_free(expanded->made);
    *expanded = (sl_expanded){0};
}

/* ---- from host to host ------------------------------------------------------------ */

/* Lengths, agreement of all ranks, messages. */
static sl_status exchange_any_length(sl_messages *x, sl_status status)
{
    status = sl_messages_exchange_lengths(x, status);
    if (x->members > 1)
        status = sl_grid_agree(x->grid, status);
    return status == SL_OK ? sl_messages_exchange(x) : status;
}

/* Encodes the vector, exchanges the messages and decodes them. In a line of one member nothing is
 * exchanged. */
static sl_status exchange(sl_vector **v, sl_grid *grid, sl_grid_line line, const sl_object *vector,
                          sl_send what, const sl_decoding *decoding, sl_status status)
{
    const sl_local_blocks *blocks = decoding->blocks;
    const uint64_t room =
        sl_vector_message_room(sl_distribution_length(&blocks->of, 0), /* the longest block */
                               what == SL_SEND_ENTRIES ? sl_type_size(decoding->type) : 0);
    sl_messages x;
    sl_messages_open(&x, grid, line == SL_ALONG_ROW ? grid->row : grid->column);
    if (status == SL_OK)
        status = sl_vector_encode(&x, vector, decoding->join == SL_JOIN_SUMS ? blocks : NULL, what);
    const double began = sl_seconds();
    status = sl_messages_are_short(&x, room) ? sl_messages_exchange_short(&x, room, status)
                                             : exchange_any_length(&x, status);
    grid->traffic.seconds[decoding->phase] += sl_seconds() - began;
    if (status == SL_OK)
        status = sl_vector_decode(v, &x, decoding);
    sl_messages_close(&x);
    return status;
}

/* ---- from device to device ---------------------------------------------------------- */

bool sl_exchanges_by_devices(const sl_grid *grid, const sl_local_blocks *blocks)
{
    return grid->by_devices && grid->device_engine->devices.vectors &&
           sl_distribution_length(&blocks->of, 0) * blocks->count <= UINT32_MAX;
}

sl_vector_exchange sl_describe_exchange(const sl_grid *grid, sl_grid_line line,
                                        const sl_local_blocks *blocks, sl_type type,
                                        sl_spread spread)
{
    return (sl_vector_exchange){.grid = &grid->devices.grid,
                                .ctx = grid->local,
                                .line = line,
                                .blocks = blocks,
                                .type = type,
                                .spread = spread};
}

sl_status sl_note_exchange(sl_grid *grid, sl_phase phase, sl_status status)
{
    sl_grid_note_devices(grid, phase);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}

static sl_status expand_by_devices(sl_vector **whole, sl_grid *grid, const sl_vector_exchange *x,
                                   const sl_object *block, sl_phase phase, sl_status status)
{
    return sl_note_exchange(
        grid, phase,
        grid->device_engine->devices.vectors->expand(whole, x, (sl_object *)block, status));
}

/* A new vector with the entries of a mask whose value is true. */
static sl_status select_true(sl_vector **made, sl_grid *grid, const sl_object *mask)
{
    const sl_index_op true_ones = sl_index_op_get(SL_INDEX_VALUENE, mask->type);
    const sl_scalar zero = sl_scalar_cast(sl_scalar_bool(false), mask->type);
    SL_TRY_LOCAL(grid, sl_vector_new(made, grid->local, SL_BOOL, mask->nrows));
    SL_TRY_LOCAL(
        grid, sl_vector_select(*made, NULL, NULL, true_ones, (const sl_vector *)mask, zero, NULL));
    return SL_OK;
}

static sl_status expand_mask_by_devices(sl_expanded *whole, sl_grid *grid, sl_grid_line line,
                                        const sl_local_blocks *blocks, const sl_object *block,
                                        bool structural, sl_status status)
{
    sl_vector *entries = NULL;
    if (!structural && status == SL_OK)
        status = select_true(&entries, grid, block);
    const sl_object *own = entries ? sl_object_of_vector(entries) : block;
    if (sl_line_members(grid, line) == 1) {
        whole->made = status == SL_OK ? entries : NULL;
        entries = status == SL_OK ? NULL : entries;
    } else {
        const sl_vector_exchange x =
            sl_describe_exchange(grid, line, blocks, SL_BOOL, SL_SPREAD_PATTERN);
        status = expand_by_devices(&whole->made, grid, &x, own, SL_PHASE_MASK, status);
    }
    sl_vector_free(entries);
    return status;
}

/* Adds up the parts in the order of the members. *own is the first part, or a new vector. */
static sl_status add_parts(sl_vector **own, sl_grid *grid, sl_vector **parts, uint32_t members,
                           sl_binary_op sum, sl_type type, uint64_t size)
{
    for (uint32_t m = 0; m < members; m++) {
        if (!*own) {
            *own = parts[m];
            parts[m] = NULL;
        } else if (parts[m]) {
            sl_call add = {.op = SL_OP_EWISE_ADD,
                           .ctx = grid->local,
                           .out = sl_object_of_vector(*own),
                           .operators.binary = sum,
                           .a = sl_object_of_vector(*own),
                           .b = sl_object_of_vector(parts[m])};
            SL_TRY(sl_local_run(grid, &add));
        }
    }
    if (!*own)
        SL_TRY_LOCAL(grid, sl_vector_new(own, grid->local, type, size));
    return SL_OK;
}

static sl_status fold_by_devices(sl_vector **own, sl_grid *grid, const sl_fold *fold,
                                 sl_vector *partial, sl_status status)
{
    const sl_grid_line line = fold->line;
    const sl_local_blocks *blocks = fold->blocks;
    const sl_monoid sum = fold->sum;
    const bool ones = fold->ones;
    const uint32_t members = sl_line_members(grid, line);
    const uint32_t place = (uint32_t)(line == SL_ALONG_ROW ? grid->j : grid->i);
    const uint64_t size =
        sl_local_blocks_begin(blocks, place + 1) - sl_local_blocks_begin(blocks, place);
    sl_vector_exchange x = sl_describe_exchange(grid, line, blocks, sum->type,
                                                ones ? SL_SPREAD_PATTERN : SL_SPREAD_VALUES);
    x.sum = ones || sum->any ? sl_binary_op_get(SL_BINARY_ANY, sum->type) : sum->op;
    sl_vector *parts[members];
    if (fold->under) {
        x.mask = fold->under->mask;
        x.complement = fold->under->complement;
        x.masked = &fold->under->applied;
    }
    status =
        sl_note_exchange(grid, SL_PHASE_RESULT,
                         grid->device_engine->devices.vectors->split(
                             parts, &x, partial ? sl_object_of_vector(partial) : NULL, status));
    if (status == SL_OK)
        status = add_parts(own, grid, parts, members, x.sum, sum->type, size);
    for (uint32_t m = 0; m < members; m++)
        sl_vector_free(parts[m]);
    if (status != SL_OK) {
        sl_vector_free(*own);
        *own = NULL;
    }
    return status;
}

/* ---- expand ----------------------------------------------------------------------- */

sl_status sl_vector_expand(sl_expanded *whole, sl_grid *grid, sl_grid_line line,
                           const sl_local_blocks *blocks, const sl_object *block, sl_spread spread,
                           sl_status status)
{
    *whole = (sl_expanded){0};
    const bool values = spread == SL_SPREAD_VALUES, pattern = spread == SL_SPREAD_PATTERN;
    const sl_decoding decoding = {.join = SL_JOIN_BLOCKS,
                                  .blocks = blocks,
                                  .type = values    ? block->type
                                          : pattern ? SL_BOOL
                                                    : SL_INT64,
                                  .fill = spread == SL_SPREAD_INDICES ? SL_FILL_INDICES
                                          : spread == SL_SPREAD_ZEROS ? SL_FILL_ZEROS
                                                                      : SL_FILL_RECEIVED,
                                  .phase = SL_PHASE_OPERAND};
    const bool exchanges = sl_line_members(grid, line) > 1 || !(values || pattern);
    if (exchanges && sl_exchanges_by_devices(grid, blocks)) {
        const sl_vector_exchange x = sl_describe_exchange(
            grid, line, blocks, values && block ? block->type : SL_BOOL, spread);
        status = expand_by_devices(&whole->made, grid, &x, block, SL_PHASE_OPERAND, status);
    } else if (exchanges)
        status = exchange(&whole->made, grid, line, block,
                          values ? SL_SEND_ENTRIES : SL_SEND_PATTERN, &decoding, status);
    whole->vector = whole->made ? whole->made : (const sl_vector *)block;
    return status;
}

sl_status sl_mask_expand(sl_expanded *whole, sl_grid *grid, sl_grid_line line,
                         const sl_local_blocks *blocks, const sl_object *block, bool structural,
                         sl_status status)
{
    *whole = (sl_expanded){0};
    const sl_decoding decoding = {
        .join = SL_JOIN_BLOCKS, .blocks = blocks, .type = SL_BOOL, .phase = SL_PHASE_MASK};
    const bool exchanges = sl_line_members(grid, line) > 1 || !structural;
    if (exchanges && sl_exchanges_by_devices(grid, blocks))
        status = expand_mask_by_devices(whole, grid, line, blocks, block, structural, status);
    else if (exchanges)
        status = exchange(&whole->made, grid, line, block,
                          structural ? SL_SEND_PATTERN : SL_SEND_TRUE, &decoding, status);
    whole->vector = whole->made ? whole->made : (const sl_vector *)block;
    return status;
}

/* ---- fold -------------------------------------------------------------------------- */

sl_status sl_vector_fold(sl_vector **own, sl_grid *grid, const sl_fold *fold, sl_vector **partial,
                         sl_status status)
{
    *own = NULL;
    if (sl_line_members(grid, fold->line) == 1) {
        *own = status == SL_OK ? *partial : NULL;
        *partial = status == SL_OK ? NULL : *partial;
        return status;
    }
    const sl_decoding decoding = {.join = SL_JOIN_SUMS,
                                  .blocks = fold->blocks,
                                  .type = fold->sum->type,
                                  .sum = fold->sum->op,
                                  .any = fold->ones || fold->sum->any,
                                  .phase = SL_PHASE_RESULT};
    if (sl_exchanges_by_devices(grid, fold->blocks))
        status = fold_by_devices(own, grid, fold, *partial, status);
    else
        status = exchange(own, grid, fold->line, *partial ? sl_object_of_vector(*partial) : NULL,
                          fold->ones ? SL_SEND_PATTERN : SL_SEND_ENTRIES, &decoding, status);
    sl_vector_free(*partial);
    *partial = NULL;
    return status;
}
