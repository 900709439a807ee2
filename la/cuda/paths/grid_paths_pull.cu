/*
 * The pull of shortest paths on the block of a process: once the vertices beyond the limit have few
 * edges, each takes the least sum over its column, which ends where a length and the least value of
 * all rows but the early ones (early_rows.cuh) exceed the sum; the edges of early rows are pushed.
 *
 * Few shortest paths lead over vertices of few edges, but where degrees are skewed most vertices
 * are such. If rows are mirrored they are deferred: nothing is pushed to them before the pull,
 * which visits their edges in order. There they also find out whether they may improve a neighbour.
 */
#include "cuda/paths/early_rows.cuh"
#include "cuda/paths/grid_paths.cuh"

/* ---- values ------------------------------------------------------------------------------------- */

template <typename T> __global__ static void list_values(const __grid_constant__ grid_paths g)
{
    find_least((T *)g.least, g.block.p.rows, [&](uint64_t u) {
        if (g.mirrored) {
            const uint64_t *const start = g.block.p.start;
            return start[u + 1] - start[u] < EARLY_LONG_ROW ? no_distance<T>()
                                                            : ((const T *)g.own.p.t_values)[u];
        }
        const paths_row<T> &row = rows_of<T>(g)[u];
        const T value = row.value;
        ((T *)g.block.frontier_values)[u] = value;
        return row.edges < EARLY_LONG_ROW ? no_distance<T>() : value;
    });
}

cudaError_t sl_cuda_grid_paths_list_values(const grid_paths *g)
{
#define CALL(T) launch(g->block.p.rows, list_values<T>, *g)
    WITH_SUM_TYPE(g->block.p.type, CALL);
#undef CALL
}

/* ---- the pull ----------------------------------------------------------------------------------- */

/* The least sum over edge e of a column, or `best`. */
template <typename T, typename W>
__device__ static T better_sum(const grid_pulled_columns &from, uint64_t e, T best)
{
    const T value = ((const T *)from.from)[from.index[e]];
    if (!(value < no_distance<T>()))
        return best;
    const T z = value + (T)((const W *)from.length)[e];
    return z < best ? z : best;
}

/* The edges of early rows that have not been relaxed: of mirrored rows all, as those to deferred
 * vertices were left out. Benign race: as in push. */
template <typename T, typename W>
__global__ static void push_early(const __grid_constant__ grid_paths g)
{
    const uint64_t *const start = g.block.p.start;
    const T *const values = g.mirrored ? (const T *)g.block.p.t_values + g.own_begin
                                       : (const T *)g.block.frontier_values;
    walk_early_rows(
        *(const T *)g.least, start, g.block.p.rows, [&](uint64_t u) { return values[u]; },
        [&](uint64_t e, uint64_t u, T from) {
            if (g.mirrored || e - start[u] >= rows_of<T>(g)[u].cursor)
                relax<T>(g, g.block.p.index[e], from + (T)((const W *)g.block.p.values)[e],
                         g.defers);
        });
}

/* Own vertex number v has an edge to a vertex that it improves, as far as the shared values tell. */
template <typename T, typename W>
__device__ static bool improves_neighbour(const grid_pulled_columns &of, uint64_t v, T value)
{
    bool any = false;
    for (uint64_t e = of.start[v]; e < of.start[v + 1]; e++)
        any |= value + (T)((const W *)of.length)[e] < ((const T *)of.from)[of.index[e]];
    return any;
}

/* One warp per 32 columns, by turns. */
template <typename T, typename W> __global__ static void pull(const __grid_constant__ grid_paths g)
{
    const grid_pulled_columns &of = g.columns;
    const T limit = limit_of<T>(g.limit), least = *(const T *)g.least;
    if (!(least < no_distance<T>())) /* all rows are early */
        return;
    FOR_EACH_WORD(of.count)
    {
        const uint32_t column = (uint32_t)(of.first + v);
        const bool is_column = v < of.count;
        const bool is_short = is_column && g.short_bits && bit_of(g.short_bits, column);
        T *const to = is_column ? value_at<T>(g, column) : NULL;
        const T old = is_column ? value_now(to) : T(0);
        const bool there = is_short || (is_column && old > limit);
        const T best = least_sum<T>(
            (const W *)of.length, there ? of.start[v] : 0, there ? of.start[v + 1] : 0, least, old,
            [&](uint64_t e, T sum) { return better_sum<T, W>(of, e, sum); });
        const bool improved = there && best < old;
        if (improved && is_short && !improves_neighbour<T, W>(of, v, best)) {
            take_extreme(to, best, true);
            first_to_set(g.own.p.bits, (uint32_t)v);
        } else if (improved) {
            relax<T>(g, column, best, g.defers);
        }
    }
}

template <typename T, typename W> static cudaError_t pull_as(const grid_paths *g, uint64_t longest)
{
    LAUNCH_TRY(launch(longest, push_early<T, W>, *g));
    return launch(longest, pull<T, W>, *g);
}

cudaError_t sl_cuda_grid_paths_pull(const grid_paths *g)
{
    const uint64_t rows = g->block.p.rows, longest = rows > g->block.n ? rows : g->block.n;
    LAUNCH_TRY(cudaMemsetAsync(&g->counts->open, 0, sizeof g->counts->open, cuda_stream()));
#define CALL(T, W) pull_as<T, W>(g, longest)
    WITH_LENGTHS(g->block.p.type, g->narrow, CALL);
#undef CALL
}
