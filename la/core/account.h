/*
 * Accounts of host memory; for la/ alone. A context with a memory limit has an account. Each
 * block allocated for such a context has a record in a table of the process, by which sl_free and
 * sl_realloc find the account, whichever thread or context calls them (docs/notes/memory-limits.md
 * says why a table). An account outlives its context as long as it has blocks.
 */
#ifndef SEMLA_LA_ACCOUNT_H
#define SEMLA_LA_ACCOUNT_H

#include <stdatomic.h>

#include <semla/object.h>

typedef struct sl_account {
    atomic_uint_fast64_t used, peak; /* bytes */
    atomic_uint_fast64_t limit;      /* bytes; 0: no limit */
    atomic_uint_fast64_t refused; /* size of the last request above the limit; 0: there was none */
    atomic_uint_fast64_t refused_at; /* `used` at that request */
    atomic_uint_fast64_t references; /* from contexts and blocks */
} sl_account;

/* Creates an account with one reference; NULL: out of memory. */
sl_account *sl_account_new(void);
/* Drops one reference to the account, which may be NULL. */
void sl_account_leave(sl_account *account);

/* The number of accounts in this process. While it is 0, nothing else is looked up. */
extern atomic_uint_fast64_t sl_accounts;
static inline bool sl_account_anywhere(void)
{
    return atomic_load_explicit(&sl_accounts, memory_order_relaxed) > 0;
}

/* The record of one block. */
typedef struct sl_block {
    struct sl_block *next; /* in the same chain of the table */
    const void *memory;
    size_t size; /* bytes */
    sl_account *account;
} sl_block;

/* Charges `size` bytes to an account and creates their record; NULL: the limit would be passed, or
 * out of memory. */
sl_block *sl_block_new(sl_account *account, size_t size);
/* Takes the charge back and frees the record; NULL is allowed. */
void sl_block_free(sl_block *block);
/* Changes the size of a record and its charge; false: the limit would be passed. */
bool sl_block_resize(sl_block *block, size_t size);

/* Inserts a record into the table under the block's address, and removes it; sl_block_take returns
 * NULL if the block is not counted. */
void sl_block_enter(sl_block *block, const void *memory);
sl_block *sl_block_take(const void *memory);

/* Moves the charge of blocks to an account, or off every account if it is NULL: of all blocks, or
 * of none and returns false. */
typedef struct {
    void *memory; /* NULL: no block */
    size_t size;  /* bytes */
} sl_extent;
enum { SL_EXTENTS = 8 };
bool sl_account_adopt(sl_account *account, const sl_extent *blocks, size_t count);

/* The account that the calling thread's allocations are charged to, or NULL. */
sl_account *sl_account_of_thread(void);

/* Writes the text that a message about SL_NO_MEMORY ends with if the context's limit caused the
 * failure;
 * "" otherwise. `room` is the size of `text`. */
void sl_account_explain(const sl_context *ctx, char *text, size_t room);

#endif
