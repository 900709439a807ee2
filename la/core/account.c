/*
 * Accounts, records of blocks and their table: a hash table of chains with a lock for each 1024
 * chains. An allocation costs two atomic additions, one lock and one small allocation, about 50 ns.
 */
#include "la/core/account.h"

#include <pthread.h>

#include "la/core/allocator.h"

atomic_uint_fast64_t sl_accounts;

/* ---- accounts --------------------------------------------------------------- */

sl_account *sl_account_new(void)
{
    sl_account *account = sl_allocator_current()->malloc(sizeof *account);
    if (!account)
        return NULL;
    *account = (sl_account){.references = 1};
    atomic_fetch_add(&sl_accounts, 1);
    return account;
}

void sl_account_leave(sl_account *account)
{
    if (!account || atomic_fetch_sub(&account->references, 1) > 1)
        return;
    sl_allocator_current()->free(account);
    atomic_fetch_sub(&sl_accounts, 1);
}

/* Adds to the bytes in use; false, and the refusal is recorded, if that would pass the limit. */
static bool charge(sl_account *account, uint64_t size)
{
    uint64_t used = atomic_load(&account->used), limit = atomic_load(&account->limit);
    do {
        if (limit > 0 && (size > limit || used > limit - size)) {
            atomic_store(&account->refused_at, used);
            atomic_store(&account->refused, size);
            return false;
        }
    } while (!atomic_compare_exchange_weak(&account->used, &used, used + size));
    uint64_t peak = atomic_load(&account->peak);
    while (peak < used + size && !atomic_compare_exchange_weak(&account->peak, &peak, used + size))
        ;
    return true;
}

/* ---- blocks ------------------------------------------------------------------- */

sl_block *sl_block_new(sl_account *account, size_t size)
{
    if (!charge(account, size))
        return NULL;
    sl_block *block = sl_allocator_current()->malloc(sizeof *block);
    if (!block) {
        atomic_fetch_sub(&account->used, size);
        return NULL;
    }
    *block = (sl_block){.size = size, .account = account};
    atomic_fetch_add(&account->references, 1);
    return block;
}

void sl_block_free(sl_block *block)
{
    if (!block)
        return;
    atomic_fetch_sub(&block->account->used, block->size);
    sl_account_leave(block->account);
    sl_allocator_current()->free(block);
}

bool sl_block_resize(sl_block *block, size_t size)
{
    if (size > block->size && !charge(block->account, size - block->size))
        return false;
    if (size < block->size)
        atomic_fetch_sub(&block->account->used, block->size - size);
    block->size = size;
    return true;
}

/* ---- the table ------------------------------------------------------------------ */

/* The number of chains is fixed, so that inserting a record cannot fail. Ten thousand objects make
 * about one record per chain. */
enum { CHAINS_LOG = 16, LOCKS = 64 };

static sl_block *chains[1 << CHAINS_LOG];
static pthread_mutex_t locks[LOCKS] = {[0 ... LOCKS - 1] = PTHREAD_MUTEX_INITIALIZER};

/* Blocks are at least 16 bytes apart. Multiplication spreads the other bits of the address over the
 * upper bits (Knuth, The Art of Computer Programming 3, section 6.4). */
static size_t chain_of(const void *memory)
{
    return (size_t)(((uint64_t)(uintptr_t)memory >> 4) * UINT64_C(0x9e3779b97f4a7c15) >>
                    (64 - CHAINS_LOG));
}

void sl_block_enter(sl_block *block, const void *memory)
{
    size_t chain = chain_of(memory);
    block->memory = memory;
    pthread_mutex_lock(&locks[chain % LOCKS]);
    block->next = chains[chain];
    chains[chain] = block;
    pthread_mutex_unlock(&locks[chain % LOCKS]);
}

sl_block *sl_block_take(const void *memory)
{
    size_t chain = chain_of(memory);
    pthread_mutex_lock(&locks[chain % LOCKS]);
    sl_block **at = &chains[chain];
    while (*at && (*at)->memory != memory)
        at = &(*at)->next;
    sl_block *block = *at;
    if (block)
        *at = block->next;
    pthread_mutex_unlock(&locks[chain % LOCKS]);
    return block;
}

/* The account of a block, which stays in the table; NULL: the block is not counted. */
static sl_account *account_of(const void *memory)
{
    sl_block *block = sl_block_take(memory);
    if (block)
        sl_block_enter(block, memory);
    return block ? block->account : NULL;
}

bool sl_account_adopt(sl_account *account, const sl_extent *blocks, size_t count)
{
    sl_block *made[SL_EXTENTS] = {NULL};
    if (!sl_account_anywhere())
        return true;
    for (size_t k = 0; account && k < count; k++) {
        if (!blocks[k].memory || account_of(blocks[k].memory) == account)
            continue;
        made[k] = sl_block_new(account, blocks[k].size);
        if (!made[k]) {
            while (k-- > 0)
                sl_block_free(made[k]);
            return false;
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (!blocks[k].memory || (account && !made[k]))
            continue;
        sl_block_free(sl_block_take(blocks[k].memory));
        if (made[k])
            sl_block_enter(made[k], blocks[k].memory);
    }
    return true;
}
