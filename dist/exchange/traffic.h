/* What a rank has received, by what it was for and how it was written. For dist/. */
#ifndef SEMLA_DIST_TRAFFIC_H
#define SEMLA_DIST_TRAFFIC_H

#include "codec.h"

/* X(NAME, name) */
#define SL_PHASES(X)                                                                               \
    X(EXPAND, expand)   /* frontiers, along grid columns */                                        \
    X(SHARE, share)     /* visited vertices, along grid rows */                                    \
    X(FOLD, fold)       /* what a push found, along grid rows, to the owners */                    \
    X(PASS, pass)       /* what a pull found in a block, along grid rows, from rank to rank */     \
    X(PARENTS, parents) /* at the end, along grid rows, to the owners */                           \
    X(COUNTS, counts)   /* sums over all ranks */

typedef enum {
#define X(NAME, name) SL_PHASE_##NAME,
    SL_PHASES(X)
#undef X
        SL_PHASE_COUNT
} sl_phase;

/* Beside the codecs' numbers: parents, and plain counts. */
enum { SL_ENCODING_VALUES = SL_CODEC_COUNT, SL_ENCODING_PLAIN, SL_ENCODING_COUNT };

typedef struct {
    uint64_t messages[SL_PHASE_COUNT];
    uint64_t bytes[SL_PHASE_COUNT][SL_ENCODING_COUNT];
    double seconds[SL_PHASE_COUNT]; /* waited for what others sent, and for the sums */
} sl_traffic;

/* "expand", ...; "bitmap", ..., "values", "plain". */
const char *sl_phase_name(sl_phase phase);
const char *sl_encoding_name(unsigned kind);

void sl_traffic_add(sl_traffic *sum, const sl_traffic *more);
uint64_t sl_traffic_bytes(const sl_traffic *traffic);

#endif
