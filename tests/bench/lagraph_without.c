/* bench_lagraph over another library than semla's: there are no calls of semla. */
#include "lagraph_graph.h"

void semla_start(const plain_graph *g)
{
    (void)g;
}

double semla_time(semla_call call, const uint64_t *sources, int count)
{
    (void)call;
    (void)sources;
    (void)count;
    return -1;
}

void semla_stop(void)
{
}
