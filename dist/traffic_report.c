/* The public functions which report what searches have received. */
#include <semla/dist.h>

#include "dist/grid/grid.h"

sl_status sl_grid_get_traffic(sl_grid_traffic *traffic, const sl_context *ctx, size_t position)
{
    if (traffic)
        *traffic = (sl_grid_traffic){0};
    if (!traffic || !ctx || !sl_grid_of(ctx))
        return SL_INVALID;
    if (position >= SL_PHASE_COUNT * SL_ENCODING_COUNT)
        return SL_NO_VALUE;
    const sl_traffic *sums = &sl_grid_of(ctx)->traffic;
    const unsigned phase = (unsigned)position / SL_ENCODING_COUNT;
    const unsigned kind = (unsigned)position % SL_ENCODING_COUNT;
    *traffic = (sl_grid_traffic){.phase = sl_phase_name((sl_phase)phase),
                                 .codec = sl_encoding_name(kind),
                                 .bytes = sums->bytes[phase][kind],
                                 .host_bytes = sums->host_bytes[phase],
                                 .messages = sums->messages[phase],
                                 .seconds = sums->seconds[phase]};
    return SL_OK;
}

sl_status sl_grid_reset_traffic(sl_context *ctx)
{
    if (!ctx || !sl_grid_of(ctx))
        return SL_INVALID;
    sl_grid_of(ctx)->traffic = (sl_traffic){0};
    return SL_OK;
}
