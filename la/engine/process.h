/* Whether this process may compute: a child of fork() may not, if its parent used threads. The
 * memory that it can get. Its part of a shared file. */
#ifndef SEMLA_PROCESS_H
#define SEMLA_PROCESS_H

#include <semla/context.h>

/*
 * Functions that may start threads call it first. SL_UNSUPPORTED, with a message, in a child of
 * fork() whose parent had used threads through this library; otherwise SL_OK, and the process
 * counts from now on as one that uses threads, unless all work of the process runs on one thread.
 * ctx may be NULL. Other processes of a grid are not told: they cannot be reached from a child.
 */
sl_status sl_check_process(sl_context *ctx, const char *function);

/* In such a child the reason why it may not compute, as a sentence for messages; otherwise NULL. */
const char *sl_process_unusable(void);

/* The bytes of memory that the system can give to programs; the greatest number if it does not tell. */
uint64_t sl_host_bytes_present(void);
/* The same for each of the context's processes on this host. */
uint64_t sl_host_bytes_for_each(const sl_context *ctx);

/* Called when a context is created: notes whether OpenMP has several threads, because SuiteSparse
 * keeps the number of that moment. */
void sl_process_has_context(void);

/* sl_write_extents of the file `path`, which messages call `name`: a file that has a temporary
 * path while it is written. */
sl_status sl_write_extents_as(sl_context *ctx, const char *path, const char *name,
                              const sl_file_part *extents, size_t count);

#endif
