/*
 * Rounds of messages with sets of vertices: encoding, sending, receiving, decoding, and counts of
 * the traffic. The codec is chosen for each message. Values are packed after the bytes of the
 * codec.
 */
#include "dist/exchange/exchange.h"

#include <semla/host.h>

/* The first tag of exchanges; operations use smaller tags on the same communicators. */
enum { TAGS = 1000 };

static void record_error(sl_exchange *x, sl_status status)
{
    if (x->status == SL_OK)
        x->status = status;
}

sl_status sl_exchange_open(sl_exchange *x, sl_grid *grid, sl_traffic *traffic,
                           const sl_exchange_options *options)
{
    *x = (sl_exchange){.options = *options, .grid = grid, .traffic = traffic, .held = -1};
    MPI_Comm_size(options->comm, &x->size);
    MPI_Comm_rank(options->comm, &x->rank);
    uint64_t room = sl_codec_capacity(options->limit, options->allowed);
    if (options->values || !options->posted) /* a swap may send values alone */
        room += sl_pack_bytes(options->limit, options->width);
    sl_link_options link = {.comm = options->comm,
                            .tag = TAGS + 2 * (int)options->phase + options->values,
                            .room = x->size > 1 ? room : 1,
                            .posted = options->posted,
                            .shared = options->shared};
    sl_status status = options->transport->open(&x->link, grid, &link);
    if (status != SL_OK)
        return status;
    x->expected = sl_calloc((size_t)x->size, sizeof *x->expected);
    x->scratch = sl_malloc(x->size > 1 ? (options->limit + 1) * sizeof *x->scratch : 1);
    if (x->expected && x->scratch)
        return SL_OK;
    sl_exchange_close(x);
    return sl_fail(grid->ctx, SL_NO_MEMORY, "exchange: out of memory");
}

void sl_exchange_close(sl_exchange *x)
{
    if (x->link)
        x->options.transport->close(x->link);
    sl_free(x->expected);
    sl_free(x->scratch);
    x->link = NULL;
    x->expected = NULL;
    x->scratch = NULL;
}

/* ---- sending --------------------------------------------------------------------- */

/* Packs the values of the ids: in the order of the list, or ascending. Returns the bytes. */
static uint64_t pack(sl_exchange *x, uint8_t *out, const sl_ids *ids, const uint32_t *values)
{
    uint32_t *picked = x->scratch;
    if (ids->list)
        for (uint64_t k = 0; k < ids->count; k++)
            picked[k] = values[ids->list[k]];
    else
        for (uint64_t w = 0, k = 0; w < sl_bits_words(ids->limit); w++)
            for (uint64_t left = ids->bits[w]; left; left &= left - 1)
                picked[k++] = values[64 * w + (uint64_t)__builtin_ctzll(left)];
    sl_pack(out, picked, ids->count, x->options.width);
    return sl_pack_bytes(ids->count, x->options.width);
}

/* Encodes a set, followed by its values if the exchange has values. Returns the bytes. */
static uint64_t encode(sl_exchange *x, uint8_t *out, sl_ids *ids, const uint32_t *values)
{
    if (x->options.values && ids->list && !ids->sorted) {
        sl_sort_ids(ids->list, ids->count, ids->limit, x->scratch);
        ids->sorted = true;
    }
    uint64_t bytes = sl_codec_encode(out, ids, x->options.allowed, x->scratch);
    return x->options.values ? bytes + pack(x, out + bytes, ids, values) : bytes;
}

void sl_exchange_begin(sl_exchange *x)
{
    for (int p = 0; p < x->size; p++)
        x->expected[p] = p != x->rank;
    x->left = x->size - 1;
}

void sl_exchange_send(sl_exchange *x, int peer, sl_ids *ids, const uint32_t *values)
{
    const sl_transport *transport = x->options.transport;
    uint8_t *out = transport->buffer(x->link, peer);
    record_error(x, out ? transport->send(x->link, peer, encode(x, out, ids, values))
                        : SL_ENGINE_FAULT);
}

void sl_exchange_send_all(sl_exchange *x, sl_ids *ids)
{
    const sl_transport *transport = x->options.transport;
    if (x->size == 1)
        return;
    uint8_t *out = transport->buffer(x->link, x->rank);
    uint64_t bytes = out ? encode(x, out, ids, NULL) : 0;
    if (!out)
        record_error(x, SL_ENGINE_FAULT);
    for (int p = 0; out && p < x->size; p++)
        if (p != x->rank)
            record_error(x, transport->send(x->link, p, bytes));
}

/* ---- receiving ------------------------------------------------------------------- */

static void malformed(sl_exchange *x, int peer)
{
    record_error(x, sl_fail(x->grid->ctx, SL_ENGINE_FAULT,
                            "exchange: malformed message from rank %d of %d in the phase '%s'",
                            peer, x->size, sl_phase_name(x->options.phase)));
}

/* Reads the head of a message and counts it as traffic. A malformed message is an empty set. */
static void open_message(sl_exchange *x, sl_message *message, const uint8_t *in, uint64_t bytes)
{
    sl_encoded *coded = &message->coded;
    bool valid = sl_codec_read_head(&message->code, coded, in, bytes, x->options.limit);
    uint64_t values =
        valid && x->options.values ? sl_pack_bytes(coded->count, x->options.width) : 0;
    if (!valid || values > coded->bytes) {
        malformed(x, message->peer);
        *coded = (sl_encoded){.limit = x->options.limit};
        message->code = SL_CODEC_LIST;
        return;
    }
    coded->bytes -= values;
    message->values = coded->in + coded->bytes;
    x->traffic->messages[x->options.phase]++;
    x->traffic->bytes[x->options.phase][message->code] += bytes - values;
    x->traffic->bytes[x->options.phase][SL_ENCODING_VALUES] += values;
    x->traffic->host_bytes[x->options.phase] += bytes;
}

void sl_exchange_release(sl_exchange *x)
{
    if (x->held >= 0)
        record_error(x, x->options.transport->release(x->link, x->held));
    x->held = -1;
}

static bool receive(sl_exchange *x, const bool *expected, sl_message *message)
{
    const uint8_t *in;
    uint64_t bytes;
    double began = sl_seconds();
    sl_exchange_release(x);
    sl_status status =
        x->options.transport->receive(x->link, expected, &message->peer, &in, &bytes);
    x->traffic->seconds[x->options.phase] += sl_seconds() - began;
    record_error(x, status);
    if (status != SL_OK)
        return false;
    x->held = message->peer;
    open_message(x, message, in, bytes);
    return true;
}

bool sl_exchange_receive(sl_exchange *x, sl_message *message)
{
    if (x->left == 0) {
        sl_exchange_release(x);
        return false;
    }
    bool received = receive(x, x->expected, message);
    x->left = received ? x->left - 1 : 0;
    if (received)
        x->expected[message->peer] = false;
    return received;
}

bool sl_exchange_receive_from(sl_exchange *x, int peer, sl_message *message)
{
    for (int p = 0; p < x->size; p++)
        x->expected[p] = p == peer;
    return receive(x, x->expected, message);
}

static bool swap(sl_exchange *x, int to, uint64_t bytes, int from, const uint8_t **in,
                 uint64_t *received)
{
    double began = sl_seconds();
    sl_status status = x->options.transport->swap(x->link, to, bytes, from, in, received);
    x->traffic->seconds[x->options.phase] += sl_seconds() - began;
    record_error(x, status);
    return status == SL_OK;
}

bool sl_exchange_swap(sl_exchange *x, int to, sl_ids *ids, const uint32_t *values, int from,
                      sl_message *message)
{
    const uint8_t *in;
    uint64_t received;
    uint8_t *out = x->options.transport->buffer(x->link, to);
    message->peer = from;
    if (!out || !swap(x, to, encode(x, out, ids, values), from, &in, &received))
        return false;
    open_message(x, message, in, received);
    return true;
}

void sl_exchange_swap_values(sl_exchange *x, int to, const sl_ids *ids, const uint32_t *values,
                             int from, uint32_t *received, uint64_t expected)
{
    const uint8_t *in;
    uint64_t bytes, valid = sl_pack_bytes(expected, x->options.width);
    uint8_t *out = x->options.transport->buffer(x->link, to);
    if (!out || !swap(x, to, pack(x, out, ids, values), from, &in, &bytes))
        return;
    if (bytes != valid) {
        malformed(x, from);
        return;
    }
    sl_unpack(received, in, expected, x->options.width);
    x->traffic->messages[x->options.phase]++;
    x->traffic->bytes[x->options.phase][SL_ENCODING_VALUES] += bytes;
    x->traffic->host_bytes[x->options.phase] += bytes;
}

uint64_t sl_exchange_list(sl_exchange *x, const sl_message *message, uint32_t *list)
{
    if (sl_codecs[message->code]->list(list, &message->coded))
        return message->coded.count;
    malformed(x, message->peer);
    return 0;
}

uint64_t sl_exchange_bits(sl_exchange *x, const sl_message *message, uint64_t *bits)
{
    if (sl_codecs[message->code]->bits(bits, &message->coded))
        return message->coded.count;
    malformed(x, message->peer);
    return 0;
}

void sl_exchange_values(const sl_exchange *x, const sl_message *message, uint32_t *values)
{
    sl_unpack(values, message->values, message->coded.count, x->options.width);
}
