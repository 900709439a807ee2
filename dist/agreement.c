/*
 * Agreement of the ranks of a grid on statuses and on arguments.
 *
 * One MPI_Allreduce of five words takes the least number of a failing rank, the least and the
 * greatest of the values of all ranks, which are hashes of arguments, whether a rank has an operand
 * on its device, and the most products that a rank expects. After a failure the failing
 * rank broadcasts its status and message. If the hashes differ, every rank compares the text of its
 * arguments with that of rank 0, which is broadcast, and a rank that finds a difference fails.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "devices.h"
#include "operations.h"

/* The text of an agreement that is not part of a function with arguments. */
static const char plain_agreement[] = "agree\n";

/* Broadcasts the status and the message of the failing rank; the message gets the rank's number. */
static sl_status broadcast_error(sl_grid *grid, sl_status status, int rank)
{
    struct {
        int status;
        char text[sizeof grid->ctx->message];
    } message = {.status = status};
    if (grid->rank == rank && grid->ctx)
        memcpy(message.text, grid->ctx->message, sizeof message.text);
    SL_TRY(sl_grid_check(grid, "agree",
                         MPI_Bcast(&message, (int)sizeof message, MPI_BYTE, rank, grid->all)));
    message.text[sizeof message.text - 1] = '\0';
    bool again = strcmp(message.text, grid->last_error) == 0; /* already has the rank's number */
    if (again || grid->size == 1)
        return sl_fail(grid->ctx, (sl_status)message.status, "%s", message.text);
    snprintf(grid->last_error, sizeof grid->last_error, "rank %d: %.*s", rank,
             (int)sizeof grid->last_error - 32, message.text);
    return sl_fail(grid->ctx, (sl_status)message.status, "%s", grid->last_error);
}

/*
 * Reduces the status of all ranks, the least and greatest of their values, whether `any` is true on a
 * rank, and the greatest `work`. Once: a rank's failure is its number, plus the number of ranks if it failed because
 * another did; the maximum is the minimum of the complements.
 */
static sl_status reduce_any(sl_grid *grid, sl_status status, uint64_t *least, uint64_t *most,
                            bool *any, uint64_t *work)
{
    const uint64_t size = (uint64_t)grid->size, told = grid->told ? size : 0;
    uint64_t values[] = {status < 0 ? told + (uint64_t)grid->rank : UINT64_MAX, *least, ~*most,
                         !*any, ~*work};
    grid->told = false;
    SL_TRY(sl_grid_check(grid, "agree",
                         MPI_Allreduce(MPI_IN_PLACE, values, 5, MPI_UINT64_T, MPI_MIN, grid->all)));
    if (values[0] != UINT64_MAX)
        return broadcast_error(grid, status, (int)(values[0] % size));
    *least = values[1];
    *most = ~values[2];
    *any = !values[3];
    *work = ~values[4];
    return status;
}

static sl_status reduce(sl_grid *grid, sl_status status, uint64_t *least, uint64_t *most)
{
    bool any = false;
    uint64_t work = 0;
    return reduce_any(grid, status, least, most, &any, &work);
}

/* The length of a line without its newline. */
static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* Fails, on a rank whose arguments differ from those of rank 0, with the first line that differs.
 */
static sl_status compare(sl_grid *grid, const char *first, const char *mine)
{
    const char *function = mine;
    const size_t name = line_length(mine);
    if (strcmp(first, mine) == 0)
        return SL_OK;
    if (strncmp(first, mine, name + 1) != 0)
        return sl_fail(grid->ctx, SL_MISMATCH,
                       "grid: this rank called %.*s, but rank 0 %.*s; all ranks must call the same "
                       "functions in the same order",
                       (int)name, mine, (int)line_length(first), first);
    while (line_length(first) == line_length(mine) &&
           strncmp(first, mine, line_length(mine)) == 0 && first[line_length(first)] &&
           mine[line_length(mine)]) {
        first += line_length(first) + 1;
        mine += line_length(mine) + 1;
    }
    const size_t word = strcspn(mine, " \n"), mine_end = line_length(mine),
                 first_end = line_length(first);
    const bool printed = mine[word] == ' ' && mine[word + 1] != '#' && word < first_end;
    if (!printed)
        return sl_fail(grid->ctx, SL_MISMATCH,
                       "%.*s: the argument %.*s differs from that of rank 0; all ranks must pass "
                       "the same",
                       (int)name, function, (int)word, mine);
    return sl_fail(grid->ctx, SL_MISMATCH,
                   "%.*s: the argument %.*s is '%.*s', but '%.*s' on rank 0; all ranks must pass "
                   "the same",
                   (int)name, function, (int)word, mine, (int)(mine_end - word - 1),
                   mine + word + 1, (int)(first_end - word - 1), first + word + 1);
}

/* All ranks have found that their hashes differ. */
static sl_status explain(sl_grid *grid, const char *mine)
{
    char first[SL_ARGUMENTS_TEXT] = "";
    snprintf(first, sizeof first, "%s", mine);
    SL_TRY(
        sl_grid_check(grid, "agree", MPI_Bcast(first, (int)sizeof first, MPI_CHAR, 0, grid->all)));
    SL_TRY(sl_grid_agree(grid, compare(grid, first, mine)));
    return sl_fail(grid->ctx, SL_MISMATCH, "%.*s: the arguments differ between ranks",
                   (int)line_length(mine), mine);
}

sl_status sl_grid_agree_range(sl_grid *grid, sl_status status, uint64_t *least, uint64_t *most)
{
    return reduce(grid, status, least, most);
}

sl_status sl_grid_agree_most(sl_grid *grid, sl_status status, uint64_t *most)
{
    uint64_t least = 0;
    return reduce(grid, status, &least, most);
}

sl_status sl_grid_agree(sl_grid *grid, sl_status status)
{
    uint64_t least = 0, most = 0;
    status = reduce(grid, status, &least, &most);
    return status < 0 || least == most ? status : explain(grid, plain_agreement);
}

sl_status sl_grid_agree_devices(sl_grid *grid, sl_status status, const sl_object *const *objects,
                                size_t count)
{
    uint64_t least = 0, most = 0, work = 0;
    grid->by_devices = sl_grid_finds_on_device(grid, objects, count);
    status = reduce_any(grid, status, &least, &most, &grid->by_devices, &work);
    return status < 0 || least == most ? status : explain(grid, plain_agreement);
}

sl_status sl_grid_agree_text(sl_grid *grid, sl_status status, const char *text)
{
    uint64_t least = sl_hash_text(1, text), most = least;
    status = reduce(grid, status, &least, &most);
    return status < 0 || least == most ? status : explain(grid, text);
}

sl_status sl_grid_agree_on(sl_grid *grid, sl_status status, const char *format, ...)
{
    char text[SL_ARGUMENTS_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sl_grid_agree_text(grid, status, text);
}

sl_status sl_grid_agree_call(sl_grid *grid, sl_status status, const sl_call *call)
{
    const sl_object *const operands[] = {call->out, call->second_out, call->mask, call->a, call->b};
    sl_status read = sl_grid_read_device_switches(grid, call);
    if (status == SL_OK && read == SL_OK)
        read = sl_grid_product_estimate(&grid->most_products, call);
    uint64_t least = sl_grid_call_hash(call), most = least;
    grid->by_devices = sl_grid_finds_on_device(grid, operands, sizeof operands / sizeof *operands);
    status = reduce_any(grid, status < 0 ? status : read, &least, &most, &grid->by_devices,
                        &grid->most_products);
    if (status < 0 || least == most)
        return status;
    char text[SL_ARGUMENTS_TEXT];
    sl_grid_call_text(text, sizeof text, call);
    return explain(grid, text);
}
