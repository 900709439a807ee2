/* Sums over all ranks by MPI_Iallreduce. */
#include "dist/exchange/sum.h"

sl_status sl_sum_begin(sl_sum *sum, sl_grid *grid, sl_traffic *traffic, uint64_t *counts,
                       int number)
{
    *sum = (sl_sum){.grid = grid, .traffic = traffic, .request = MPI_REQUEST_NULL};
    /* What a rank receives if MPI uses recursive doubling: one array in each of log2 P steps. */
    for (int step = 1; step < grid->size; step *= 2)
        sum->bytes += (uint64_t)number * sizeof *counts;
    return sl_grid_check(grid, "MPI_Iallreduce",
                         MPI_Iallreduce(MPI_IN_PLACE, counts, number, MPI_UINT64_T, MPI_SUM,
                                        grid->all, &sum->request));
}

sl_status sl_sum_end(sl_sum *sum)
{
    double began = sl_seconds();
    int code = MPI_Wait(&sum->request, MPI_STATUS_IGNORE);
    sum->traffic->seconds[SL_PHASE_COUNTS] += sl_seconds() - began;
    sum->traffic->messages[SL_PHASE_COUNTS]++;
    sum->traffic->bytes[SL_PHASE_COUNTS][SL_ENCODING_PLAIN] += sum->bytes;
    return sl_grid_check(sum->grid, "MPI_Wait", code);
}
