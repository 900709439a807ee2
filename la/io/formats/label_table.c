/* Tables of the labels of a file, one per thread. See label_table.h. */
#include "label_table.h"

#include <semla/random.h>

uint64_t label_hash(const char *label, size_t length)
{
    const uint64_t factor = UINT64_C(0x9fb21c651e98df25);
    uint64_t hash = length * factor, word;
    for (; length >= 8; label += 8, length -= 8) {
        memcpy(&word, label, 8);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, label, length);
    return sl_random(hash ^ word, 0);
}

/* Makes room for `count` elements of `size` bytes in an array, at least doubling it. */
static bool grow(void **array, uint64_t *room, uint64_t count, size_t size)
{
    if (count <= *room)
        return true;
    const uint64_t wanted = count > 2 * *room ? count : 2 * *room;
    void *larger = wanted <= SIZE_MAX / size ? sl_realloc(*array, wanted * size) : NULL;
    if (!larger)
        return false;
    *array = larger;
    *room = wanted;
    return true;
}

enum { NUMBER_BYTES = 8, POSITION_BITS = 48 };

/* The slot of a label, or the free one that it gets. */
static uint64_t *slot_of(const label_table *t, uint64_t hash, const char *label, size_t length)
{
    for (uint64_t k = hash & (t->slot_count - 1);; k = (k + 1) & (t->slot_count - 1)) {
        const uint64_t slot = t->slots[k];
        if (slot == 0)
            return &t->slots[k];
        const char *other = t->text + (slot & LABEL_POSITION);
        if (slot >> POSITION_BITS == hash >> POSITION_BITS && strncmp(other, label, length) == 0 &&
            other[length] == '\0')
            return &t->slots[k];
    }
}

static bool grow_slots(label_table *t)
{
    const uint64_t larger = t->slot_count ? 2 * t->slot_count : 1024;
    uint64_t *slots = sl_calloc(larger, sizeof *slots);
    if (!slots)
        return false;
    for (uint64_t k = 0; k < t->count; k++) {
        const char *label = t->text + t->start[k];
        const uint64_t hash = label_hash(label, strlen(label));
        uint64_t at = hash & (larger - 1);
        while (slots[at])
            at = (at + 1) & (larger - 1);
        slots[at] = t->start[k] | (hash >> POSITION_BITS << POSITION_BITS);
    }
    sl_free(t->slots);
    t->slots = slots;
    t->slot_count = larger;
    return true;
}

static sl_status append(label_table *t, const char *label, size_t length)
{
    const uint64_t bytes = NUMBER_BYTES + length + 1;
    if (memchr(label, '\0', length))
        return SL_SYNTAX;
    if (t->used + bytes > LABEL_POSITION ||
        !grow((void **)&t->text, &t->room, t->used + bytes, 1) ||
        !grow((void **)&t->start, &t->capacity, t->count + 1, sizeof *t->start))
        return SL_NO_MEMORY;
    char *record = t->text + t->used;
    memcpy(record, &t->count, NUMBER_BYTES);
    memcpy(record + NUMBER_BYTES, label, length);
    record[NUMBER_BYTES + length] = '\0';
    t->start[t->count++] = t->used + NUMBER_BYTES;
    t->used += bytes;
    return SL_OK;
}

sl_status label_table_number(label_table *t, const char *label, size_t length, uint64_t hash,
                             uint64_t *number)
{
    if (2 * (t->count + 1) > t->slot_count && !grow_slots(t))
        return SL_NO_MEMORY;
    uint64_t *slot = slot_of(t, hash, label, length);
    if (*slot == 0) {
        sl_status status = append(t, label, length);
        if (status != SL_OK)
            return status;
        *slot = t->start[t->count - 1] | (hash >> POSITION_BITS << POSITION_BITS);
    }
    memcpy(number, t->text + (*slot & LABEL_POSITION) - NUMBER_BYTES, NUMBER_BYTES);
    return SL_OK;
}

void label_table_free(label_table *t)
{
    if (!t)
        return;
    sl_free(t->text);
    sl_free(t->start);
    sl_free(t->slots);
    sl_free(t->scratch);
    sl_free(t);
}
