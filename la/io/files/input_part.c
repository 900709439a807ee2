/*
 * Reading of a file by several threads. Of a compressed file the blocks are handed out in order, by
 * exchanging buffers. Of a plain file a thread reads any block with pread; a line belongs to the
 * block in which it starts, so the thread skips the end of the previous line and reads on to the
 * end of its last line.
 */
#include <errno.h>
#include <unistd.h>

#include "io/files/input.h"
#include "io/files/input_blocks.h"

sl_status input_prepare_parts(input *whole)
{
    if (!whole->compressed || whole->capacity >= SHARED_BLOCK)
        return SL_OK;
    const size_t begin = (size_t)(whole->begin - whole->buffer);
    const size_t end = (size_t)(whole->end - whole->buffer);
    char *larger = sl_realloc(whole->buffer, SHARED_BLOCK + INPUT_PADDING);
    if (!larger)
        return SL_NO_MEMORY;
    whole->buffer = larger;
    whole->begin = larger + begin;
    whole->end = larger + end;
    whole->capacity = SHARED_BLOCK;
    return SL_OK;
}

sl_status input_part_open(input *part, const input *whole)
{
    *part = (input){.path = whole->path,
                    .compressed = whole->compressed,
                    .record = whole->record,
                    .max_line = whole->max_line,
                    /* a block and most lines that its end cuts */
                    .capacity = whole->compressed ? whole->capacity : BLOCK + BLOCK / 4};
    part->buffer = sl_calloc(1, part->capacity + INPUT_PADDING);
    part->begin = part->end = part->buffer;
    return part->buffer ? SL_OK : SL_NO_MEMORY;
}

sl_status input_part_next(input *part, input *whole)
{
    sl_status status = input_next(whole);
    if (status != SL_OK)
        return status;
    /* swap the buffers; the bytes after the block stay with `whole` */
    size_t rest = whole->filled - (size_t)(whole->end - whole->buffer);
    if (part->capacity < whole->capacity) {
        char *larger = sl_realloc(part->buffer, whole->capacity + INPUT_PADDING);
        if (!larger)
            return SL_NO_MEMORY;
        part->buffer = larger;
        part->capacity = whole->capacity;
    }
    input old = *part;
    part->begin = part->buffer = whole->buffer;
    part->end = whole->end;
    part->capacity = whole->capacity;
    whole->begin = whole->end = whole->buffer = old.buffer;
    whole->capacity = old.capacity;
    whole->filled = rest;
    memcpy(whole->buffer, part->end, rest);
    return SL_OK;
}

/* Position in the file of the end of the current block. */
static uint64_t end_of_block(const input *s)
{
    return s->offset + (uint64_t)(s->end - s->buffer);
}

/*
 * Appends the bytes of the file from `offset` on until there are `capacity` bytes; fewer at the end
 * of the file.
 */
static sl_status read_at(input *part, const input *whole, uint64_t place, size_t capacity)
{
    while (part->filled < capacity) {
        ssize_t n = pread(whole->fd, part->buffer + part->filled, capacity - part->filled,
                          (off_t)(place + part->filled));
        if (n < 0 && errno != EINTR)
            return SL_IO;
        if (n == 0)
            break;
        part->filled += n > 0 ? (size_t)n : 0;
    }
    return SL_OK;
}

/*
 * Completes the line that contains the last of the first `length` bytes: reads more bytes, or
 * appends '\n' at the end of the file. The first byte of the buffer is at `offset` in the file.
 */
static sl_status complete_line(input *part, const input *whole, uint64_t place, size_t length)
{
    enum { STEP = BLOCK / 16 };
    const char *before = memrchr(part->buffer, '\n', length - 1);
    const size_t start = before ? (size_t)(before + 1 - part->buffer) : 0;
    for (size_t seen = length - 1;; seen = part->filled) {
        if (seen == part->filled) {
            if (seen + STEP > part->capacity) {
                char *larger = sl_realloc(part->buffer, 2 * part->capacity + INPUT_PADDING);
                if (!larger)
                    return SL_NO_MEMORY;
                part->buffer = larger;
                part->capacity *= 2;
            }
            if (read_at(part, whole, place, seen + STEP) != SL_OK)
                return SL_IO;
            if (seen == part->filled)
                part->buffer[part->filled++] = '\n';
        }
        const char *end = memchr(part->buffer + seen, '\n', part->filled - seen);
        part->end = end ? end + 1 : part->buffer + part->filled;
        if ((size_t)(part->end - part->buffer) - start > part->max_line)
            return SL_SYNTAX;
        if (end)
            return SL_OK;
    }
}

sl_status input_part_load(input *part, const input *whole, uint64_t block, bool *more)
{
    const size_t record = whole->record ? whole->record : 1;
    const uint64_t size = BLOCK - BLOCK % record, origin = end_of_block(whole);
    uint64_t from = origin + block * size;
    part->filled = 0;
    part->offset = from;
    part->begin = part->end = part->buffer;
    *more = from < whole->size;
    if (!*more)
        return SL_OK;
    /* a line starts at `from` if the byte before it is '\n' */
    const bool look_back = !whole->record && block > 0;
    const size_t length = size < whole->size - from ? size : whole->size - from;
    sl_status status = read_at(part, whole, from - look_back, length + look_back);
    if (status != SL_OK || part->filled < length + look_back)
        return SL_IO; /* the file was truncated */
    if (whole->record) {
        part->end += length - length % record;
        return SL_OK;
    }
    if (look_back) {
        const char *before = memchr(part->buffer, '\n', length);
        if (!before)
            return SL_OK;
        part->begin = before + 1;
    }
    const size_t skipped = (size_t)(part->begin - part->buffer);
    part->offset = from - look_back + skipped;
    status = complete_line(part, whole, from - look_back, length + look_back);
    part->begin = part->buffer + skipped; /* the buffer may have been reallocated */
    return status;
}

uint64_t input_blocks(const input *whole)
{
    const size_t record = whole->record ? whole->record : 1;
    const uint64_t size = BLOCK - BLOCK % record, origin = end_of_block(whole);
    return origin < whole->size ? (whole->size - origin + size - 1) / size : 0;
}

uint64_t input_position(const input *whole, uint64_t block)
{
    const uint64_t position = end_of_block(whole) + block * BLOCK;
    return whole->compressed ? whole->taken : position < whole->size ? position : whole->size;
}

sl_status input_number_lines(input *part, const input *whole)
{
    char *bytes = sl_malloc(BLOCK);
    sl_status status = bytes ? SL_OK : SL_NO_MEMORY;
    part->lines = 0;
    for (uint64_t at = 0; at < part->offset && status == SL_OK;) {
        const uint64_t left = part->offset - at;
        const ssize_t n = pread(whole->fd, bytes, left < BLOCK ? left : BLOCK, (off_t)at);
        if (n == 0 || (n < 0 && errno != EINTR))
            status = SL_IO;
        if (n > 0) {
            part->lines += count_lines(bytes, bytes + n);
            at += (uint64_t)n;
        }
    }
    sl_free(bytes);
    return status;
}

sl_status input_part_fail(const input *part, sl_status status)
{
    if (status == SL_NO_MEMORY)
        return sl_fail(part->ctx, status, "%s: no memory for a block of the file", part->path);
    if (status == SL_SYNTAX) /* the block ends within the long line, or with it */
        return line_too_long(part, part->end - 1);
    return sl_fail(part->ctx, status, "%s: the file was truncated while it was being read",
                   part->path);
}

void input_skip(input *whole)
{
    const uint64_t left = whole->size - end_of_block(whole);
    whole->offset = whole->size;
    whole->begin = whole->end = whole->buffer;
    whole->filled = whole->record ? left % whole->record : 0;
    whole->offset -= whole->filled;
    whole->ended = true;
}

void input_part_close(input *part)
{
    sl_free(part->buffer);
}
