/* The list of the data that may be freed, of all contexts: spare.h. One thread at a time uses a context. */
#include "cuda/runtime/spare.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuda_spare all = {.previous = &all, .next = &all};

static atomic_uint_fast64_t calls;
static _Thread_local uint64_t number;
static _Thread_local unsigned depth;

void sl_cuda_begin_call(void)
{
    if (depth++ == 0)
        number = atomic_fetch_add(&calls, 1) + 1;
}

void sl_cuda_end_call(void)
{
    depth--;
}

uint64_t sl_cuda_call_number(void)
{
    return number;
}

void sl_cuda_offer_spare(cuda_spare *spare)
{
    pthread_mutex_lock(&lock);
    if (!spare->next) {
        spare->previous = &all;
        spare->next = all.next;
        all.next->previous = spare;
        all.next = spare;
    }
    pthread_mutex_unlock(&lock);
}

static void take_out(cuda_spare *spare)
{
    spare->previous->next = spare->next;
    spare->next->previous = spare->previous;
    spare->previous = spare->next = NULL;
}

void sl_cuda_withdraw_spare(cuda_spare *spare)
{
    pthread_mutex_lock(&lock);
    if (spare->next)
        take_out(spare);
    pthread_mutex_unlock(&lock);
}

bool sl_cuda_release_oldest_spare(const sl_context *ctx)
{
    cuda_spare *oldest = NULL;
    pthread_mutex_lock(&lock);
    for (cuda_spare *spare = all.next; spare != &all; spare = spare->next)
        if (spare->ctx == ctx && spare->used < number && (!oldest || spare->used < oldest->used))
            oldest = spare;
    if (oldest)
        take_out(oldest);
    pthread_mutex_unlock(&lock);
    if (oldest) /* it may contain others, which it withdraws */
        oldest->release(oldest);
    return oldest != NULL;
}
