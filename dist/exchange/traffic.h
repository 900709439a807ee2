/* Counts of what a rank has received, by phase and by encoding. For dist/. */
#ifndef SEMLA_DIST_TRAFFIC_H
#define SEMLA_DIST_TRAFFIC_H

#include "dist/codecs/codec.h"

/* X(NAME, name): the phases of a search (Bisson et al. 2014; Ueno and Suzumura 2013), and of a
 * product of a matrix and a vector. */
#define SL_PHASES(X)                                                                               \
    X(EXPAND, expand)   /* frontiers, along grid columns */                                        \
    X(SHARE, share)     /* visited vertices, along grid rows */                                    \
    X(FOLD, fold)       /* vertices reached by a push, along grid rows to their owners */          \
    X(PASS, pass)       /* missing vertices of a block in a pull, along grid rows */               \
    X(PARENTS, parents) /* parents at the end of the search, along grid rows to the owners */      \
    X(COUNTS, counts)   /* sums over all ranks */                                                  \
    X(OPERAND, operand) /* the vector of a product, along the matrix's side that is summed */      \
    X(MASK, mask)       /* its mask, along the other side */                                       \
    X(RESULT, result)   /* its partial sums, along the other side to their owners */               \
    X(TUPLES, tuples)   /* entries, in operations that send them to owners of other places */      \
    X(BLOCKS, blocks)   /* blocks of matrices, in products of matrices */

typedef enum {
#define X(NAME, name) SL_PHASE_##NAME,
    SL_PHASES(X)
#undef X
        SL_PHASE_COUNT
} sl_phase;

/* Encodings: the codecs; values (packed parents, values of a vector); other data (counts, heads of
 * messages, indices of 64 bits). */
enum { SL_ENCODING_VALUES = SL_CODEC_COUNT, SL_ENCODING_PLAIN, SL_ENCODING_COUNT };

typedef struct {
    uint64_t messages[SL_PHASE_COUNT];
    uint64_t bytes[SL_PHASE_COUNT][SL_ENCODING_COUNT];
    uint64_t host_bytes[SL_PHASE_COUNT];       /* bytes that passed through the memory of hosts */
    uint64_t overlapped_bytes[SL_PHASE_COUNT]; /* bytes received while the rank computed */
    double seconds[SL_PHASE_COUNT];            /* spent waiting for messages and sums */
} sl_traffic;

/* Names: "expand", ...; "bitmap", ..., "values", "plain". */
const char *sl_phase_name(sl_phase phase);
const char *sl_encoding_name(unsigned kind);

void sl_traffic_add(sl_traffic *sum, const sl_traffic *more);
uint64_t sl_traffic_bytes(const sl_traffic *traffic);

#endif
