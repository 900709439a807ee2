/* Counts of received data: names of phases and encodings, and sums. */
#include "dist/exchange/traffic.h"

const char *sl_phase_name(sl_phase phase)
{
    static const char *const names[] = {
#define X(NAME, name) #name,
        SL_PHASES(X)
#undef X
    };
    return (unsigned)phase < SL_PHASE_COUNT ? names[phase] : "?";
}

const char *sl_encoding_name(unsigned kind)
{
    if (kind < SL_CODEC_COUNT)
        return sl_codecs[kind]->name;
    return kind == SL_ENCODING_VALUES ? "values" : kind == SL_ENCODING_PLAIN ? "plain" : "?";
}

void sl_traffic_add(sl_traffic *sum, const sl_traffic *more)
{
    for (unsigned p = 0; p < SL_PHASE_COUNT; p++) {
        sum->messages[p] += more->messages[p];
        sum->seconds[p] += more->seconds[p];
        sum->host_bytes[p] += more->host_bytes[p];
        sum->overlapped_bytes[p] += more->overlapped_bytes[p];
        for (unsigned k = 0; k < SL_ENCODING_COUNT; k++)
            sum->bytes[p][k] += more->bytes[p][k];
    }
}

uint64_t sl_traffic_bytes(const sl_traffic *traffic)
{
    uint64_t bytes = 0;
    for (unsigned p = 0; p < SL_PHASE_COUNT; p++)
        for (unsigned k = 0; k < SL_ENCODING_COUNT; k++)
            bytes += traffic->bytes[p][k];
    return bytes;
}
