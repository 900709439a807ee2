/* Tables of the labels of a file, one per thread. See label_table.h. */
#include "io/formats/label_table.h"

uint64_t label_long_hash(const char *label, size_t length)
{
    const uint64_t factor = UINT64_C(0x9fb21c651e98df25);
    uint64_t hash = length * factor, word;
    for (; length > 8; label += 8, length -= 8) {
        memcpy(&word, label, 8);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    return sl_random(hash ^ label_word(label, length), 0);
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

enum { NUMBER_BYTES = 8 };
#define MOST_TEXT ((UINT64_C(1) << 60) - 1) /* positions have 60 bits */

/* The slot of a label, or the free slot that it gets. `key` and `code` are the label's. */
static label_slot *slot_of(const label_table *t, uint64_t hash, uint64_t key, uint64_t code,
                           const char *label, size_t length)
{
    for (uint64_t k = hash & (t->slot_count - 1);; k = (k + 1) & (t->slot_count - 1)) {
        label_slot *slot = &t->slots[k];
        if (slot->kind == 0)
            return slot;
        if (slot->key != key || (slot->kind & LABEL_LONG) != code)
            continue;
        if (code != LABEL_LONG)
            return slot;
        const char *other = t->text + (slot->kind >> 4);
        if (strncmp(other, label, length) == 0 && other[length] == '\0')
            return slot;
    }
}

static bool grow_slots(label_table *t)
{
    const uint64_t larger = t->slot_count ? 2 * t->slot_count : 1024;
    label_slot *slots = sl_calloc(larger, sizeof *slots);
    if (!slots)
        return false;
    for (uint64_t k = 0; k < t->slot_count; k++) {
        const label_slot *slot = &t->slots[k];
        if (slot->kind == 0)
            continue;
        const uint64_t code = slot->kind & LABEL_LONG;
        const uint64_t hash =
            code == LABEL_LONG ? slot->key : label_word_hash(slot->key, (size_t)code);
        uint64_t at = hash & (larger - 1);
        while (slots[at].kind)
            at = (at + 1) & (larger - 1);
        slots[at] = *slot;
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
    if (t->used + bytes > MOST_TEXT || !grow((void **)&t->text, &t->room, t->used + bytes, 1) ||
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
    const bool is_short = length <= LABEL_SHORT;
    const uint64_t key = is_short ? label_word(label, length) : hash;
    const uint64_t code = is_short ? length : LABEL_LONG;
    label_slot *slot = slot_of(t, hash, key, code, label, length);
    if (slot->kind == 0) {
        sl_status status = append(t, label, length);
        if (status != SL_OK)
            return status;
        const uint64_t last = t->count - 1;
        *slot = (label_slot){key, (is_short ? last : t->start[last]) << 4 | code};
    }
    if (is_short)
        *number = slot->kind >> 4;
    else
        memcpy(number, t->text + (slot->kind >> 4) - NUMBER_BYTES, NUMBER_BYTES);
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
