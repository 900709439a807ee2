/* Measures encoding and decoding of vertex sets by the host (one thread) and by the device:
 * bench_codecs [LOG2]. Sets of 2^LOG2 / k vertices, spread at random, for k = 4, 16, ... 65536. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "codecs.h"

static sl_context *ctx;
static cuda_codec_workspace coder;

static void check(sl_status status)
{
    if (status == SL_OK)
        return;
    fprintf(stderr, "bench_codecs: %s\n", sl_context_message(ctx));
    exit(1);
}

static void *device(uint64_t bytes)
{
    void *memory;
    check(sl_cuda_alloc(ctx, &memory, bytes + 16));
    return memory;
}

enum { REPEAT = 20 };

/* The shortest time of REPEAT runs, in seconds. */
#define BEST(result, ...)                                                                          \
    do {                                                                                           \
        result = 1e9;                                                                              \
        for (int run_ = 0; run_ < REPEAT; run_++) {                                                \
            const double began_ = sl_seconds();                                                    \
            __VA_ARGS__;                                                                           \
            const double took_ = sl_seconds() - began_;                                            \
            result = took_ < result ? took_ : result;                                              \
        }                                                                                          \
    } while (0)

typedef struct {
    uint64_t limit, words, count;
    uint64_t *bits, *back;
    uint32_t *scratch;
    uint8_t *message, *slot;
    uint32_t *device_bits;
} work;

static void fill(work *w, uint64_t one_in)
{
    uint64_t state = 7;
    memset(w->bits, 0, w->words * sizeof *w->bits);
    for (uint64_t v = 0; v < w->limit; v++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        if ((state >> 33) % one_in == 0)
            sl_bit_set(w->bits, v);
    }
    w->count = sl_bits_count(w->bits, w->words);
    check(sl_cuda_upload(ctx, w->device_bits, w->bits, w->words * sizeof *w->bits));
    check(sl_cuda_wait(ctx, "copy"));
}

static void measure(work *w, unsigned code)
{
    sl_ids ids = {.limit = w->limit, .count = w->count, .bits = w->bits};
    cuda_message m = {.codec = (sl_group_codec)code, .count = w->count, .limit = w->limit};
    double seconds[4];
    uint64_t bytes = 0;
    sl_codec_code said;
    sl_encoded coded;
    BEST(seconds[0], bytes = sl_codec_encode(w->message, &ids, 1U << code, w->scratch));
    BEST(seconds[1], sl_codec_read_head(&said, &coded, w->message, bytes, w->limit);
         sl_codecs[code]->bits(w->back, &coded));
    BEST(seconds[2], check(sl_cuda_encode(&coder, ctx, w->slot, &m, w->device_bits));
         check(sl_cuda_wait(ctx, "encoding")));
    const cuda_decode_target to = {.bits = w->device_bits};
    BEST(seconds[3], check(sl_cuda_decode_begin(&coder, ctx));
         check(sl_cuda_decode(&coder, ctx, &to, w->slot, &m));
         check(sl_cuda_decode_end(&coder, ctx)));
    printf("%10llu %-7s %10llu", (unsigned long long)w->count, sl_codecs[code]->name,
           (unsigned long long)bytes);
    for (int k = 0; k < 4; k++)
        printf(" %9.1f", 1e6 * seconds[k]);
    printf("\n");
}

int main(int argc, char **argv)
{
    const unsigned log2 = argc > 1 ? (unsigned)atoi(argv[1]) : 24;
    if (sl_cuda_unavailable_reason()) {
        printf("bench_codecs: %s\n", sl_cuda_unavailable_reason());
        return 0;
    }
    if (log2 < 6 || log2 > 31 || sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK)
        return 1;
    work w = {.limit = UINT64_C(1) << log2, .words = UINT64_C(1) << (log2 - 6)};
    const uint64_t room = SL_CODEC_HEAD + 4 * w.limit;
    w.bits = malloc(w.words * sizeof *w.bits);
    w.back = malloc(w.words * sizeof *w.back);
    w.scratch = malloc(w.limit * sizeof *w.scratch);
    w.message = malloc(room);
    w.slot = device(sl_cuda_message_slot_bytes(room));
    w.device_bits = device(w.words * sizeof *w.bits);
    if (!w.bits || !w.back || !w.scratch || !w.message)
        return 1;
    printf("%10s %-7s %10s %9s %9s %9s %9s   (microseconds)\n", "ids", "codec", "bytes", "host out",
           "host in", "gpu out", "gpu in");
    for (uint64_t one_in = 4; one_in <= 65536; one_in *= 4) {
        fill(&w, one_in);
        for (unsigned code = 0; code < SL_GROUP_CODECS; code++)
            measure(&w, code);
    }
    sl_cuda_free(w.slot);
    sl_cuda_free(w.device_bits);
    sl_cuda_codec_workspace_free(&coder);
    free(w.bits);
    free(w.back);
    free(w.scratch);
    free(w.message);
    sl_context_free(ctx);
    return 0;
}
