/* What the processes of a context compare before a collective function works: hashes and texts. */
#ifndef SEMLA_AGREEMENT_H
#define SEMLA_AGREEMENT_H

#include <stdint.h>

/* The size of a text of arguments (sl_agree_arguments), in bytes, with the name of the function and
 * the final 0. */
enum { SL_ARGUMENTS_TEXT = 4096 };

/* Adds a number to a hash. Start with 1. */
static inline uint64_t sl_hash(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Adds the characters of a text to a hash. */
static inline uint64_t sl_hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = sl_hash(hash, (unsigned char)*text);
    return hash;
}

#endif
