/* The format of the messages of vectors, shared by vector_encode.c and vector_decode.c. */
#ifndef SEMLA_DIST_VECTOR_MESSAGES_FORMAT_H
#define SEMLA_DIST_VECTOR_MESSAGES_FORMAT_H

#include <string.h>

#include "dist/operations/vector_messages.h"

/* The first byte of a message: which values follow the indices. */
typedef enum {
    SL_VALUES_ONE,  /* none: every value is 1 */
    SL_VALUES_SAME, /* one, the value of all entries */
    SL_VALUES_EACH  /* one for each entry */
} sl_message_values;

/* True if indices below `limit` fit the codecs; else they are sent as words of 8 bytes. */
static inline bool sl_fits_codecs(uint64_t limit)
{
    return limit <= UINT32_MAX;
}

/* True if so many entries of a vector are kept as a bitmap and not as a list: a bitmap is then at
 * most 4 times as large, and its messages are bitmaps, too. */
static inline bool sl_suits_bitmap(uint64_t entries, uint64_t size)
{
    return sl_fits_codecs(size) && entries > size / 8;
}

/* Copies a value of one of the types' sizes, by one instruction. */
static inline void sl_copy_value(void *to, const void *from, size_t size)
{
    switch (size) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, size);
    }
}

#endif
