/*
 * Which memory counts for which context; for la/ alone. A context whose memory is
 * counted has an account. Blocks allocated on it are noted in a table of the process,
 * so that sl_free and sl_realloc find their account whoever calls them. The blocks
 * themselves have no header: they are what the allocator gave, and GraphBLAS may free
 * them. An account outlives its context while there are blocks on it.
 */
#ifndef SEMLA_LA_ACCOUNT_H
#define SEMLA_LA_ACCOUNT_H

#include <stdatomic.h>

#include <semla/object.h>

typedef struct sl_account {
    atomic_uint_fast64_t used, peak;
    atomic_uint_fast64_t limit;      /* 0: none */
    atomic_uint_fast64_t refused;    /* bytes that the limit last refused; 0: none */
    atomic_uint_fast64_t refused_at; /* what was in use then */
    atomic_uint_fast64_t holders;    /* the context and the blocks */
} sl_account;

/* NULL where memory runs out. */
sl_account *sl_account_new(void);
/* The context lets go of its account, which may be NULL. */
void sl_account_leave(sl_account *account);

/* Accounts in this process. Without any, memory costs this one look more. */
extern atomic_uint_fast64_t sl_accounts;
static inline bool sl_account_anywhere(void)
{
    return atomic_load_explicit(&sl_accounts, memory_order_relaxed) > 0;
}

/* The note of one block. */
typedef struct sl_block {
    struct sl_block *next; /* in the table */
    const void *memory;
    size_t size;
    sl_account *account;
} sl_block;

/* Charges `size` bytes to an account and makes a note for them; NULL if the limit or
 * memory does not allow it. */
sl_block *sl_block_new(sl_account *account, size_t size);
/* Takes the charge back and forgets the note. */
void sl_block_free(sl_block *block);
/* Changes a note's size; false if the limit does not allow it. */
bool sl_block_resize(sl_block *block, size_t size);

/* Enters a block under its address, and takes it out: NULL where it was not counted. */
void sl_block_enter(sl_block *block, const void *memory);
sl_block *sl_block_take(const void *memory);

/* Blocks that were allocated elsewhere count on an account from now on, if it is not
 * NULL, and no longer where they did: all of them, or false and none. */
typedef struct {
    void *memory; /* NULL: no block */
    size_t size;
} sl_extent;
enum { SL_EXTENTS = 8 };
bool sl_account_adopt(sl_account *account, const sl_extent *blocks, size_t count);

/* The account that this thread's allocations go on, or NULL. */
sl_account *sl_account_of_thread(void);

/* What the limit had to do with a failure for want of memory, to be put behind its
 * message; "" if nothing. */
void sl_account_explain(const sl_context *ctx, char *text, size_t room);

#endif
