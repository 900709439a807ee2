/* The allocator's inside, for la/ alone. */
#ifndef SEMLA_LA_MEMORY_H
#define SEMLA_LA_MEMORY_H

/* From here on the allocator may not be changed. */
void sl_allocator_settle(void);

#endif
