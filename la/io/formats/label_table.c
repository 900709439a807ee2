/* Tables of the labels of a file, one per thread. See label_table.h. */
#include "label_table.h"

#include <semla/random.h>

static uint64_t hash_of(const char *label, size_t length)
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

/* The slot of a label, or the free one that it gets. */
static struct label_slot *slot_of(const label_table *t, uint64_t hash, const char *label,
                                  size_t length)
{
    for (uint64_t k = hash & (t->slot_count - 1);; k = (k + 1) & (t->slot_count - 1)) {
        struct label_slot *slot = &t->slots[k];
        if (slot->number == 0)
            return slot;
        const char *other = t->text + t->start[slot->number - 1];
        if (slot->hash == hash && strncmp(other, label, length) == 0 && other[length] == '\0')
            return slot;
    }
}

static bool grow_slots(label_table *t)
{
    const uint64_t larger = t->slot_count ? 2 * t->slot_count : 1024;
    struct label_slot *slots = sl_calloc(larger, sizeof *slots);
    if (!slots)
        return false;
    for (uint64_t k = 0; k < t->slot_count; k++) {
        if (t->slots[k].number == 0)
            continue;
        uint64_t at = t->slots[k].hash & (larger - 1);
        while (slots[at].number > 0)
            at = (at + 1) & (larger - 1);
        slots[at] = t->slots[k];
    }
    sl_free(t->slots);
    t->slots = slots;
    t->slot_count = larger;
    return true;
}

static sl_status append(label_table *t, const char *label, size_t length)
{
    if (memchr(label, '\0', length))
        return SL_SYNTAX;
    if (!grow((void **)&t->text, &t->room, t->used + length + 1, 1) ||
        !grow((void **)&t->start, &t->capacity, t->count + 1, sizeof *t->start))
        return SL_NO_MEMORY;
    t->start[t->count++] = t->used;
    memcpy(t->text + t->used, label, length);
    t->text[t->used + length] = '\0';
    t->used += length + 1;
    return SL_OK;
}

sl_status label_table_number(label_table *t, const char *label, size_t length, uint64_t *number)
{
    if (2 * (t->count + 1) > t->slot_count && !grow_slots(t))
        return SL_NO_MEMORY;
    const uint64_t hash = hash_of(label, length);
    struct label_slot *slot = slot_of(t, hash, label, length);
    if (slot->number == 0) {
        sl_status status = append(t, label, length);
        if (status != SL_OK)
            return status;
        *slot = (struct label_slot){hash, t->count};
    }
    *number = slot->number - 1;
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
