/*
 * The table of temporary names. A record is claimed by a compare-and-swap and holds the name
 * itself, so that a signal handler follows no pointer that another thread may free.
 */
#include "io/files/temporaries.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <semla/io.h>

typedef struct {
    atomic_int state; /* FREE, CLAIMED (being filled in) or USED */
    int folder;
    char name[TEMPORARY_NAME];
} record;

enum { FREE, CLAIMED, USED };

static record records[TEMPORARIES];
static atomic_int inside;     /* threads between temporaries_enter and temporaries_leave */
static atomic_bool discarded; /* sl_files_discard was called */

bool temporaries_enter(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
    atomic_fetch_add(&inside, 1);
    if (!atomic_load(&discarded))
        return true;
    temporaries_leave(before);
    return false;
}

void temporaries_leave(const sigset_t *before)
{
    atomic_fetch_sub(&inside, 1);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

int temporary_record(int folder, const char name[TEMPORARY_NAME])
{
    for (int k = 0; k < TEMPORARIES; k++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&records[k].state, &expected, CLAIMED))
            continue;
        records[k].folder = folder;
        memcpy(records[k].name, name, TEMPORARY_NAME);
        atomic_store(&records[k].state, USED);
        return k;
    }
    return -1;
}

void temporary_forget(int number)
{
    atomic_store(&records[number].state, FREE);
}

void sl_files_discard(void)
{
    atomic_store(&discarded, true);
    while (atomic_load(&inside) > 0) /* other threads, which block signals there */
        poll(NULL, 0, 1);
    for (int k = 0; k < TEMPORARIES; k++)
        if (atomic_load(&records[k].state) == USED)
            unlinkat(records[k].folder, records[k].name, 0);
}
