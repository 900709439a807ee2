/* The allocator below sl_malloc, which does not count; for la/core/ alone. */
#ifndef SEMLA_LA_ALLOCATOR_H
#define SEMLA_LA_ALLOCATOR_H

#include <semla/context.h>

/* From now on sl_set_allocator fails. */
void sl_allocator_settle(void);

/* The functions in use. */
const sl_allocator *sl_allocator_current(void);

#endif
