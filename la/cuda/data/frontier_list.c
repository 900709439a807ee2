/*
 * Frontier lists: the entries of a vector as a list with counts, which the kernel that computes the
 * vector reports to pinned memory with a stamp, so that the host can poll for them
 * (frontier_list.h).
 */
#include "cuda/data/frontier_list.h"

#include <pthread.h>
#include <stdatomic.h>

uint64_t sl_cuda_serial(void)
{
    static atomic_uint_fast64_t last;
    return atomic_fetch_add(&last, 1) + 1;
}

static unsigned bits_of(uint64_t x)
{
    unsigned bits = 0;
    for (; x; x >>= 1)
        bits++;
    return bits;
}

unsigned sl_cuda_edge_bits(uint64_t vertices, uint64_t edges)
{
    unsigned bits = bits_of(edges | 1);
    return bits + bits_of(vertices) <= 64 ? bits : 0;
}

/* ---- pinned counts --------------------------------------------------------------------- */

/* Counts in pinned memory. The link is no part of them: a kernel may still report to counts that
 * were freed. */
typedef struct slot {
    cuda_frontier_counts counts; /* first */
    struct slot *next;
} slot;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static slot *unused;

/* Allocates more counts, which are never freed. The caller holds the lock. */
static sl_status more_slots(sl_context *ctx)
{
    slot *slots;
    CUDA_TRY(
        sl_cuda_status(ctx, "cudaMallocHost",
                       cudaMallocHost((void **)&slots, FRONTIER_COUNTS_PER_BLOCK * sizeof *slots)));
    for (int k = 0; k < FRONTIER_COUNTS_PER_BLOCK; k++) {
        slots[k] = (slot){.next = unused};
        unused = &slots[k];
    }
    return SL_OK;
}

static sl_status take_counts(sl_context *ctx, cuda_frontier_counts **counts)
{
    sl_status status = SL_OK;
    pthread_mutex_lock(&lock);
    if (!unused)
        status = more_slots(ctx);
    if (status == SL_OK) {
        *counts = &unused->counts;
        unused = unused->next;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

static void give_counts(cuda_frontier_counts *counts)
{
    slot *given = (slot *)counts;
    pthread_mutex_lock(&lock);
    given->next = unused;
    unused = given;
    pthread_mutex_unlock(&lock);
}

/* ---- making and freeing ------------------------------------------------------------- */

void sl_cuda_free_frontier_list(cuda_frontier_list *list)
{
    if (!list)
        return;
    sl_cuda_free(list->memory);
    sl_cuda_free(list->spare);
    sl_cuda_free(list->zero);
    give_counts(list->counts);
    sl_free(list);
}

sl_status sl_cuda_new_frontier_list(sl_context *ctx, cuda_frontier_list **made,
                                    const cuda_matrix *M)
{
    *made = NULL;
    cuda_frontier_counts *counts;
    CUDA_TRY(take_counts(ctx, &counts));
    cuda_frontier_list *list = sl_calloc(1, sizeof *list);
    if (!list) {
        give_counts(counts);
        return cuda_no_host_memory(ctx);
    }
    list->counts = counts;
    list->serial = M ? M->serial : 0;
    *made = list;
    return SL_OK;
}

uint64_t sl_cuda_frontier_bytes(uint64_t n)
{
    return sizeof(cuda_listed_counts) + n * (sizeof(uint64_t) + sizeof(uint32_t));
}

cuda_frontier sl_cuda_frontier_in(void *memory, uint64_t n)
{
    cuda_listed_counts *counts = memory;
    uint64_t *ends = (uint64_t *)(counts + 1);
    return (cuda_frontier){.counts = counts, .ends = ends, .list = (uint32_t *)(ends + n)};
}

static sl_status list_room(sl_context *ctx, void **memory, uint64_t n)
{
    return *memory ? SL_OK : sl_cuda_alloc(ctx, memory, sl_cuda_frontier_bytes(n));
}

sl_status sl_cuda_frontier_list_room(sl_context *ctx, cuda_frontier_list *list, uint64_t n)
{
    CUDA_TRY(list_room(ctx, &list->memory, n));
    list->frontier = sl_cuda_frontier_in(list->memory, n);
    return SL_OK;
}

sl_status sl_cuda_frontier_list_spare(sl_context *ctx, cuda_frontier_list *list, uint64_t n)
{
    uint64_t bytes = cuda_words(n) * sizeof *list->zero;
    CUDA_TRY(list_room(ctx, &list->spare, n));
    if (list->zero)
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&list->zero, bytes));
    return sl_cuda_zero(ctx, list->zero, bytes);
}

void sl_cuda_frontier_list_reset(cuda_frontier_list *list)
{
    list->frontier = (cuda_frontier){0};
}

/* ---- reports --------------------------------------------------------------------------- */

/* The counter on the device: one suffices, as the kernels of the stream run one after the other. */
static sl_status the_counter(sl_context *ctx, cuda_frontier_counter **counter)
{
    static cuda_frontier_counter *made;
    sl_status status = SL_OK;
    pthread_mutex_lock(&lock);
    if (!made) {
        void *memory;
        status = sl_cuda_alloc(ctx, &memory, sizeof *made);
        if (status == SL_OK)
            status = sl_cuda_zero(ctx, memory, sizeof *made);
        if (status == SL_OK)
            made = memory;
        else
            sl_cuda_free(memory);
    }
    *counter = made;
    pthread_mutex_unlock(&lock);
    return status;
}

/* The stamp distinguishes this report from that of an earlier kernel, which may still run when the
 * counts have a new owner. */
sl_status sl_cuda_report_to(sl_context *ctx, cuda_report *report, cuda_frontier_list *list,
                            unsigned edge_bits)
{
    list->stamp = sl_cuda_serial();
    list->there = false;
    *report = (cuda_report){.counts = list->counts, .stamp = list->stamp, .edge_bits = edge_bits};
    return the_counter(ctx, &report->counter);
}

/* Polls for the report, then waits for the stream, which takes longer. */
sl_status sl_cuda_frontier_list_wait(sl_context *ctx, cuda_frontier_list *list)
{
    if (list->there)
        return SL_OK;
    if (!sl_cuda_poll(&list->counts->stamp, list->stamp))
        CUDA_TRY(sl_cuda_wait(ctx, "kernel of a product"));
    list->there = true;
    return SL_OK;
}

sl_status sl_cuda_count_bitmap(sl_context *ctx, uint64_t *counted, const uint32_t *bits,
                               uint64_t words)
{
    cuda_frontier_list *list;
    cuda_report report;
    CUDA_TRY(sl_cuda_new_frontier_list(ctx, &list, NULL));
    sl_status status = sl_cuda_report_to(ctx, &report, list, 0);
    if (status == SL_OK)
        status =
            sl_cuda_status(ctx, "kernel report_bits", sl_cuda_report_bits(bits, words, report));
    if (status == SL_OK)
        status = sl_cuda_frontier_list_wait(ctx, list);
    if (status == SL_OK)
        *counted = list->counts->vertices;
    sl_cuda_free_frontier_list(list);
    return status;
}
