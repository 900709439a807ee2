/* Expand and split of vectors (sl_device_vectors). A process that fails takes part in the exchange, so that
 * no other waits for it. Where the messages of all processes together are short, the processes agree on
 * errors only after the operation. */
#include "cuda/grid_vectors/grid_vectors.h"

#include "cuda/grid_vectors/ordered_vectors.h"
#include "cuda/grid_vectors/shared_order.h"
#include "cuda/grid_vectors/vector_slices.h"
#include "cuda/operations/vector_result.h"

/* One exchange. Arrays have an element for each member. */
typedef struct {
    const sl_vector_exchange *x;
    uint32_t members, place;
    cuda_grid_links *links;
    uint64_t offset;              /* of this exchange's messages in the outbox */
    bool is_short;                /* no agreement */
    uint64_t *begin;              /* members + 1: the blocks, as indices of the whole vector */
    cuda_parcel *sent, *received; /* of the links */
    cuda_slices slices;           /* of the vector that is sent */
    cuda_joined joined;           /* expand: the new vector */
    cuda_joined *part;            /* split: the new vectors */
    uint64_t ends[2];             /* split: 0 and the size of the parts */
    bool adds;                    /* split: the parts are added up where they are */
} exchange;

static bool sends_values(const exchange *e)
{
    return e->x->spread == SL_SPREAD_VALUES;
}

/* The bytes of the longest message of one block, on any process. */
static uint64_t longest_message(const exchange *e)
{
    return cuda_slice_bytes(sl_distribution_length(&e->x->blocks->of, 0),
                            sends_values(e) ? sl_type_size(e->x->type) : 0);
}

/* Begins: each message has a slot of the outbox. */
static sl_status open_exchange(exchange *e, const sl_vector_exchange *x, uint32_t slots,
                               sl_status status)
{
    *e = (exchange){.x = x,
                    .members = sl_device_grid_members(x->grid, x->line),
                    .place = sl_device_grid_place(x->grid, x->line)};
    const uint64_t inbox = e->members * cuda_grid_aligned(longest_message(e));
    e->is_short = inbox <= CUDA_GRID_SHORT_BYTES;
    const uint64_t bytes = slots * longest_message(e);
    CUDA_TRY(
        e->is_short
            ? sl_cuda_grid_begin_short(&e->links, x->grid, x->ctx, bytes, inbox, &e->offset, status)
            : sl_cuda_grid_begin(&e->links, x->grid, x->ctx, bytes, &e->offset, status));
    e->sent = e->links->sent;
    e->received = e->links->received;
    return SL_OK;
}

static sl_status find_blocks(exchange *e)
{
    e->begin = sl_calloc(e->members + 1, sizeof *e->begin);
    if (!e->begin)
        return cuda_no_host_memory(e->x->ctx);
    for (uint32_t m = 0; m <= e->members; m++)
        e->begin[m] = sl_local_blocks_begin(e->x->blocks, m);
    return SL_OK;
}

static void close_exchange(exchange *e)
{
    sl_cuda_slices_close(&e->slices);
    sl_free(e->begin);
}

/* Packs slice k in slot number `slot`; `complete` describes it. */
static sl_status pack(exchange *e, uint32_t k, uint32_t slot, cuda_parcel *parcel)
{
    *parcel = (cuda_parcel){.offset = e->offset + slot * longest_message(e)};
    return sl_cuda_slices_pack(&e->slices, k, e->links->outbox + parcel->offset, parcel);
}

/* Describes a new vector made of messages. */
static cuda_joined joined_of(const exchange *e, cuda_parcel *parcels, uint32_t count,
                             const uint64_t *begin)
{
    const bool typed = sends_values(e) || e->x->spread == SL_SPREAD_PATTERN;
    return (cuda_joined){.like = {.ctx = e->x->ctx,
                                  .type = typed ? e->x->type : SL_INT64,
                                  .nrows = begin[count],
                                  .ncols = 1},
                         .count = count,
                         .parcel = parcels,
                         .begin = begin,
                         .numbers = e->x->blocks,
                         .spread = e->x->spread};
}

/* Waits for the packed slices, and describes the messages: sent[m] and *own. A process that has failed waits, too. */
static sl_status complete(exchange *e, cuda_parcel *own, sl_status status)
{
    if (status == SL_OK)
        status = sl_cuda_slices_complete(&e->slices);
    if (status != SL_OK) {
        sl_cuda_wait(e->x->ctx, "messages of a grid");
        return status;
    }
    for (uint32_t m = 0; m < e->members; m++)
        sl_cuda_slices_describe(&e->slices, e->slices.count == 1 ? 0 : m,
                                m == e->place ? own : &e->sent[m]);
    return SL_OK;
}

/* Announces and delivers the messages. In between, *own takes the place of the message to this process,
 * and `choose` may say where messages go; it returns this process's status. */
static sl_status exchange_all(exchange *e, cuda_parcel *own, sl_status (*choose)(exchange *e),
                              sl_status status)
{
    cuda_parcel *mine = &e->received[e->place];
    status = complete(e, own, status);
    status = sl_cuda_grid_announce_complete(e->links, e->x->line, e->sent, e->received, status);
    void *to = NULL;
    if (status == SL_OK && e->links->complete) {
        *mine = *own;
        status = choose(e);
        to = mine->to;
        mine->bytes = 0; /* it is not moved */
    }
    status = (e->is_short ? sl_cuda_grid_deliver_short : sl_cuda_grid_deliver)(
        e->links, e->x->ctx, e->x->line, e->sent, e->received, status);
    *mine = *own;
    mine->to = to;
    return status;
}

/* ---- expand ----------------------------------------------------------------------------------------- */

/* The same message for all members. */
static sl_status pack_block(exchange *e, sl_object *block, uint64_t *ends)
{
    ends[0] = 0;
    ends[1] = block->nrows;
    e->slices =
        (cuda_slices){.object = block, .count = 1, .begin = ends, .values = sends_values(e)};
    CUDA_TRY(sl_cuda_slices_open(&e->slices));
    CUDA_TRY(pack(e, 0, 0, &e->sent[0]));
    for (uint32_t m = 1; m < e->members; m++)
        e->sent[m] = e->sent[0];
    return SL_OK;
}

static sl_status open_whole(exchange *e)
{
    e->joined = joined_of(e, e->received, e->members, e->begin);
    return sl_cuda_joined_open(&e->joined);
}

static sl_status expand(sl_vector **whole, const sl_vector_exchange *x, sl_object *block,
                        sl_status status)
{
    exchange e;
    uint64_t ends[2];
    *whole = NULL;
    CUDA_TRY(open_exchange(&e, x, 1, status));
    if (status == SL_OK)
        status = find_blocks(&e);
    if (status == SL_OK)
        status = pack_block(&e, block, ends);
    cuda_parcel own = e.sent[e.place];
    status = exchange_all(&e, &own, open_whole, status);
    if (status == SL_OK)
        status = sl_cuda_joined_fill(&e.joined);
    status = sl_cuda_joined_close(whole, &e.joined, status);
    close_exchange(&e);
    return status;
}

/* ---- split ------------------------------------------------------------------------------------------ */

/* A message for each member; its own stays where it is. */
static sl_status pack_parts(exchange *e, sl_object *partial, cuda_parcel *own)
{
    e->slices = (cuda_slices){.object = partial,
                              .count = e->members,
                              .begin = e->begin,
                              .values = sends_values(e),
                              .mapped = e->links->transport->mapped};
    CUDA_TRY(sl_cuda_slices_open(&e->slices));
    for (uint32_t m = 0; m < e->members; m++)
        if (m != e->place)
            CUDA_TRY(pack(e, m, m < e->place ? m : m - 1, &e->sent[m]));
    *own = (cuda_parcel){.bytes = 0};
    return sl_cuda_slices_pack(&e->slices, e->place, NULL, own);
}

/* *bits: the bitmap of a mask that is here in this form, in the caller's order; or NULL. */
static sl_status mask_bits(const uint32_t **bits, const sl_vector_exchange *x)
{
    cuda_vector *mask = x->mask ? cuda_vector_of(x->mask) : NULL;
    if (mask)
        CUDA_TRY(sl_cuda_bring_into_order(x->mask, mask, NULL));
    *bits = mask ? mask->bits : NULL;
    return SL_OK;
}

/* Whether bitmaps with values are added up where they are: in outboxes, which are mapped, and in the partial result of
 * this process. */
static bool can_add(const exchange *e)
{
    uint32_t bitmaps = 0;
    bool can = e->slices.at_once && e->begin[e->place] % 32 == 0 && !e->x->sum->user;
    for (uint32_t m = 0; m < e->members && can; m++) {
        const uint64_t form = e->received[m].words[SLICE_FORM];
        bitmaps += form == SLICE_BITMAP;
        can = form == SLICE_BITMAP || form == SLICE_EMPTY;
    }
    return can && bitmaps > 1;
}

/* The parts of a pattern become one vector, the first one. Full parts of others are moved to their places. */
static sl_status open_parts(exchange *e)
{
    if (!sends_values(e)) {
        e->part[0] = joined_of(e, e->received, 1, e->ends);
        e->part[0].count = e->members;
        e->part[0].overlap = true;
        CUDA_TRY(mask_bits(&e->part[0].mask, e->x));
        e->part[0].complement = e->x->complement;
        CUDA_TRY(sl_cuda_joined_open(&e->part[0]));
        if (e->x->masked)
            *e->x->masked = e->part[0].mask != NULL;
        return SL_OK;
    }
    e->adds = can_add(e);
    for (uint32_t m = 0; m < e->members && !e->adds; m++) {
        e->part[m] = joined_of(e, &e->received[m], 1, e->ends);
        if (e->received[m].words[SLICE_ENTRIES])
            CUDA_TRY(sl_cuda_joined_open(&e->part[m]));
    }
    return SL_OK;
}

static sl_status describe_parts(exchange *e)
{
    CUDA_TRY(find_blocks(e));
    e->ends[1] = e->begin[e->place + 1] - e->begin[e->place];
    e->part = sl_calloc(e->members, sizeof *e->part);
    return e->part ? SL_OK : cuda_no_host_memory(e->x->ctx);
}

/* Adds the next bitmap to the sum, which has the entries of the bitmaps before. */
static sl_status add_next(const exchange *e, cuda_scratch *s, cuda_ewise *sum, uint32_t m)
{
    const cuda_vector *own = e->slices.vector;
    const uint64_t begin = e->begin[m];
    sum->a_bits = sum->b_bits;
    sum->a_values = sum->b_values;
    if (m == e->place) {
        sum->b_bits = own->bits + begin / 32;
        sum->b_values = (const char *)own->values + begin * sl_type_size(e->x->type);
    } else {
        sum->b_bits = (const uint32_t *)e->received[m].data;
        sum->b_values = e->received[m].data + cuda_slice_bits_bytes(e->ends[1]);
    }
    if (!sum->a_bits)
        return SL_OK;
    CUDA_TRY(sl_cuda_combine(s, sum, e->x->sum, (sl_scalar){0}, (sl_scalar){0}));
    sum->b_bits = sum->bits;
    sum->b_values = sum->values;
    return SL_OK;
}

/* *made: the sum of all bitmaps, in the order of the members. */
static sl_status add_bitmaps(sl_vector **made, const exchange *e)
{
    sl_call call = {.ctx = e->x->ctx};
    cuda_scratch s = {.call = &call};
    const sl_object like = {.ctx = e->x->ctx, .type = e->x->type, .nrows = e->ends[1], .ncols = 1};
    cuda_vector *v;
    cuda_bitmap arrays;
    CUDA_TRY(sl_cuda_new_list(&v, &like));
    sl_status status = sl_cuda_new_bitmap(like.ctx, &arrays, like.nrows, sl_type_size(like.type));
    cuda_ewise sum = {
        .n = like.nrows, .join = CUDA_UNION, .bits = arrays.bits, .values = arrays.values};
    if (status == SL_OK)
        sl_cuda_become_bitmap(v, arrays, CUDA_UNKNOWN);
    for (uint32_t m = 0; m < e->members && status == SL_OK; m++)
        if (e->received[m].words[SLICE_FORM] == SLICE_BITMAP)
            status = add_next(e, &s, &sum, m);
    sl_cuda_scratch_release(&s);
    return sl_cuda_make_object(made, &like, v, status);
}

/* Makes the parts; frees all after a failure. */
static sl_status finish_parts(sl_vector **parts, exchange *e, sl_status status)
{
    if (status == SL_OK && e->adds)
        status = add_bitmaps(parts, e);
    else if (status == SL_OK)
        status = sl_cuda_slices_keep(&e->slices, e->place, &e->received[e->place]);
    for (uint32_t m = 0; e->part && m < e->members; m++) {
        const bool there = e->part[m].vector;
        if (there && status == SL_OK)
            status = sl_cuda_joined_fill(&e->part[m]);
        if (there)
            status = sl_cuda_joined_close(&parts[m], &e->part[m], status);
    }
    for (uint32_t m = 0; m < e->members && status != SL_OK; m++) {
        sl_vector_free(parts[m]);
        parts[m] = NULL;
    }
    sl_free(e->part);
    return status;
}

static sl_status split(sl_vector **parts, const sl_vector_exchange *x, sl_object *partial,
                       sl_status status)
{
    exchange e;
    cuda_parcel own = {.bytes = 0};
    const uint32_t members = sl_device_grid_members(x->grid, x->line);
    memset(parts, 0, members * sizeof *parts);
    CUDA_TRY(open_exchange(&e, x, members > 1 ? members - 1 : 1, status));
    if (status == SL_OK)
        status = describe_parts(&e);
    if (status == SL_OK)
        status = pack_parts(&e, partial, &own);
    status = exchange_all(&e, &own, open_parts, status);
    status = finish_parts(parts, &e, status);
    close_exchange(&e);
    return status;
}

const sl_device_vectors sl_cuda_device_vectors = {.expand = expand,
                                                  .split = split,
                                                  .order_state = sl_cuda_order_state,
                                                  .share_order = sl_cuda_share_order,
                                                  .expand_in_order = sl_cuda_expand_in_order,
                                                  .open_sums = sl_cuda_open_sums,
                                                  .fold_in_order = sl_cuda_fold_in_order};
