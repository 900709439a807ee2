/* The allocator's inside, for la/ alone. */
#ifndef SEMLA_LA_MEMORY_H
#define SEMLA_LA_MEMORY_H

#include <stddef.h>

/* From here on the allocator may not be changed. */
void sl_allocator_settle(void);

/* Memory that counts for no context. */
void *sl_plain_malloc(size_t size);
void sl_plain_free(void *memory);

#endif
