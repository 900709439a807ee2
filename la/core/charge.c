/* The account that allocations of the calling thread are charged to, and what it refused. */
#include <semla/engine.h>

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>

#include "la/core/account.h"

/* The calling thread's allocations count for this context; NULL: for none. Not of the model initial-exec: with the
 * CUDA runtime's page of such variables a running program could not load the library. */
static _Thread_local sl_context *charged;

/* Resets the recorded refusal, so that messages of the work that begins now do not name an older
 * one. Not in a parallel region, where a thread joins work that has begun already. */
sl_context *sl_context_charge(sl_context *ctx)
{
    sl_context *previous = charged;
    if (ctx && ctx != previous && ctx->account && !omp_in_parallel())
        atomic_store(&ctx->account->refused, 0);
    charged = ctx;
    return previous;
}

sl_account *sl_account_of_thread(void)
{
    return sl_account_anywhere() && charged ? charged->account : NULL;
}

void sl_account_explain(const sl_context *ctx, char *text, size_t room)
{
    *text = '\0';
    uint64_t asked = ctx->account ? atomic_load(&ctx->account->refused) : 0;
    if (asked == 0)
        return;
    uint64_t used = atomic_load(&ctx->account->refused_at);
    snprintf(text, room,
             " (needs %" PRIu64 " bytes, %" PRIu64 " in use and %" PRIu64
             " asked for, above the context's limit of %" PRIu64 ")",
             used + asked, used, asked, (uint64_t)atomic_load(&ctx->account->limit));
}
