/*
 * Agreement of the ranks of a grid on statuses and on arguments.
 *
 * One MPI_Allreduce combines the values of all ranks: the least number of a failing rank, the least
 * and the greatest hash of arguments, whether a rank has an operand on its device, and the least,
 * the most and the sum of the figures that the operation passes. Every agreement has the same
 * values, so ranks that call different functions find it out. After a failure the failing rank
 * broadcasts its status and message. If the hashes differ, every rank compares the text of its
 * arguments with the text of rank 0, which is broadcast, and a rank that finds a difference fails.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dist/grid/arguments.h"
#include "dist/grid/grid.h"

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
    bool again =
        strcmp(message.text, grid->agreement.last_error) == 0; /* already has the rank's number */
    if (again || grid->size == 1)
        return sl_fail(grid->ctx, (sl_status)message.status, "%s", message.text);
    snprintf(grid->agreement.last_error, sizeof grid->agreement.last_error, "rank %d: %.*s", rank,
             (int)sizeof grid->agreement.last_error - 32, message.text);
    return sl_fail(grid->ctx, (sl_status)message.status, "%s", grid->agreement.last_error);
}

/* The values of one agreement: a rank's, then the combined ones of all ranks. */
typedef struct {
    /* A failing rank of least number, plus the number of ranks if it failed because another did;
     * UINT64_MAX: none. */
    uint64_t failing;
    uint64_t least, most; /* of the ranks' values, which are hashes of arguments */
    uint64_t devices;     /* whether a rank has an operand on its device */
    sl_figures figures;
} values;
enum { VALUES = sizeof(values) / sizeof(uint64_t) };

static sl_figures combine_figures(sl_figures a, sl_figures b)
{
    return (sl_figures){.least = a.least < b.least ? a.least : b.least,
                        .most = a.most > b.most ? a.most : b.most,
                        .sum = a.sum + b.sum};
}

/* Adds the values of one rank to the values of others. */
static void combine(void *one, void *others, int *count, MPI_Datatype *type)
{
    const values *a = one;
    values *b = others;
    for (int k = 0; k < *count; k++, a++, b++) {
        b->failing = a->failing < b->failing ? a->failing : b->failing;
        b->least = a->least < b->least ? a->least : b->least;
        b->most = a->most > b->most ? a->most : b->most;
        b->devices |= a->devices;
        b->figures = combine_figures(a->figures, b->figures);
    }
}

sl_status sl_grid_open_agreement(sl_grid *grid)
{
    SL_TRY(sl_grid_check(grid, "MPI_Type_contiguous",
                         MPI_Type_contiguous(VALUES, MPI_UINT64_T, &grid->agreement.type)));
    SL_TRY(sl_grid_check(grid, "MPI_Type_commit", MPI_Type_commit(&grid->agreement.type)));
    return sl_grid_check(grid, "MPI_Op_create",
                         MPI_Op_create(combine, true, &grid->agreement.combine));
}

/* Replaces the values of this rank by the values of all ranks; `failing` is set here. */
static sl_status reduce_values(sl_grid *grid, sl_status status, values *v)
{
    const uint64_t size = (uint64_t)grid->size, told = grid->agreement.told ? size : 0;
    v->failing = status < 0 ? told + (uint64_t)grid->rank : UINT64_MAX;
    grid->agreement.told = false;
    SL_TRY(sl_grid_check(grid, "agree",
                         MPI_Allreduce(MPI_IN_PLACE, v, 1, grid->agreement.type,
                                       grid->agreement.combine, grid->all)));
    grid->agreement.count++;
    return v->failing == UINT64_MAX ? status
                                    : broadcast_error(grid, status, (int)(v->failing % size));
}

static sl_status reduce(sl_grid *grid, sl_status status, uint64_t *least, uint64_t *most)
{
    values v = {.least = *least, .most = *most};
    status = reduce_values(grid, status, &v);
    if (status < 0)
        return status;
    *least = v.least;
    *most = v.most;
    return status;
}

/* The length of a line without its newline. */
static size_t line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* Fails, on a rank whose arguments differ from rank 0's, with the first line that differs. */
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

sl_status sl_grid_agree_sum(sl_grid *grid, sl_status status, uint64_t *sum)
{
    values v = {.figures.sum = *sum};
    status = reduce_values(grid, status, &v);
    if (status >= 0)
        *sum = v.figures.sum;
    return status;
}

sl_status sl_grid_agree(sl_grid *grid, sl_status status)
{
    uint64_t least = 0, most = 0;
    status = reduce(grid, status, &least, &most);
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

sl_status sl_grid_agree_call(sl_grid *grid, sl_status status, sl_call *call, bool *devices)
{
    const uint64_t hash = sl_grid_call_hash(call);
    values v = {.least = hash, .most = hash, .devices = *devices, .figures = call->outcome.figures};
    status = reduce_values(grid, status, &v);
    if (status >= 0 && v.least != v.most) {
        char text[SL_ARGUMENTS_TEXT];
        sl_grid_call_text(text, sizeof text, call);
        return explain(grid, text);
    }
    call->outcome.figures = v.figures;
    *devices = v.devices;
    return status;
}
