/* Standard input, of which the first bytes show the format before a reader is chosen. */
#include "io/files/stdin.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

static char ahead[STDIN_AHEAD]; /* bytes that were read ahead: `first` to `count` - 1 are left */
static size_t first, count;
static bool filled;
static atomic_bool taken;

bool stdin_starts_with(const char *bytes, size_t length)
{
    while (!filled && count < STDIN_AHEAD) {
        const ssize_t n = read(STDIN_FILENO, ahead + count, STDIN_AHEAD - count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) /* stdin_read meets an error again */
            break;
        count += (size_t)n;
    }
    filled = true;
    return count >= length && memcmp(ahead, bytes, length) == 0;
}

bool stdin_take(void)
{
    return !atomic_exchange(&taken, true);
}

bool stdin_is_ahead(void)
{
    return first < count;
}

ssize_t stdin_read(void *bytes, size_t capacity)
{
    if (first == count)
        return read(STDIN_FILENO, bytes, capacity);
    const size_t part = count - first < capacity ? count - first : capacity;
    memcpy(bytes, ahead + first, part);
    first += part;
    return (ssize_t)part;
}
