/*
 * Tuples: entries of matrices and vectors as arrays of rows, columns and values. Operations of a
 * grid exchange them. The arrays of a set of tuples are in one kind of memory, which is a table of
 * functions: the grid engine has the one of the host, and an engine of a device offers its own by an
 * sl_device_tuples. So an operation is written once, and the engine does not know the operations.
 */
#ifndef SEMLA_DEVICE_TUPLES_H
#define SEMLA_DEVICE_TUPLES_H

#include <semla/device_grid.h>
#include <semla/distribution.h>

struct sl_tuple_memory;

/* Whether indices are local or global depends on the function that uses them. */
typedef struct {
    sl_type type;
    uint64_t count;
    uint64_t *rows;
    uint64_t *cols;                       /* NULL: tuples of a vector */
    void *values;                         /* NULL: all values are 1 */
    const struct sl_tuple_memory *memory; /* that has the arrays; NULL: the host's */
} sl_tuples;

/* An index list: item k is items[k], or first + k step if items is NULL. */
typedef struct {
    const uint64_t *items; /* in the memory of the tuples */
    uint64_t first, step;
} sl_places;

SL_HOST_OR_DEVICE uint64_t sl_place_at(const sl_places *places, uint64_t k)
{
    return places->items ? places->items[k] : places->first + k * places->step;
}

/* The object to which tuples are sent. Tuple (r, c) belongs at: */
typedef enum {
    SL_TO_VECTOR, /* index row_places[r] of a vector */
    SL_TO_MATRIX, /* entry (row_places[r], col_places[c]) of a matrix */
    SL_TO_ROW,    /* entry (line, row_places[r]) of a matrix */
    SL_TO_COLUMN  /* entry (row_places[r], line) of a matrix */
} sl_target;

/* Which rank owns the place of a tuple: the ranks are numbered i C + j. */
typedef struct {
    sl_target target;
    sl_distribution rows, cols; /* of the object */
    sl_places row_places, col_places;
    uint64_t line;
} sl_owner_rule;

SL_HOST_OR_DEVICE uint32_t sl_owner_of(const sl_owner_rule *rule, const uint64_t *rows,
                                       const uint64_t *cols, uint64_t k)
{
    const uint64_t place = sl_place_at(&rule->row_places, rows[k]);
    if (rule->target == SL_TO_VECTOR)
        return sl_distribution_owner(&rule->rows, place);
    const uint64_t row = rule->target == SL_TO_ROW ? rule->line : place;
    const uint64_t col = rule->target == SL_TO_ROW      ? place
                         : rule->target == SL_TO_COLUMN ? rule->line
                                                        : sl_place_at(&rule->col_places, cols[k]);
    return (uint32_t)sl_distribution_owner_of_entry(&rule->rows, &rule->cols, row, col);
}

/* What the rows, or the columns, of tuples mean to the rank that owns their places: a number that is the same on
 * every rank, or an index of the object: of a vector, of a matrix's rows, or of its columns. */
typedef enum { SL_FRAME_NONE, SL_FRAME_VECTOR, SL_FRAME_ROWS, SL_FRAME_COLUMNS } sl_frame_kind;

typedef struct {
    sl_frame_kind kind;
    sl_distribution of; /* of the dimension */
} sl_frame;

/* The indices that the block of rank i C + j has; the kind is not SL_FRAME_NONE. */
SL_HOST_OR_DEVICE sl_local_blocks sl_frame_blocks(const sl_frame *frame, uint32_t rank)
{
    const uint32_t i = rank / frame->of.cols, j = rank % frame->of.cols;
    const bool vector = frame->kind == SL_FRAME_VECTOR, columns = frame->kind == SL_FRAME_COLUMNS;
    sl_local_blocks blocks;
    blocks.of = frame->of;
    blocks.first = columns ? i : j * frame->of.rows + (vector ? i : 0);
    blocks.stride = columns ? frame->of.rows : 1;
    blocks.count = vector ? 1 : columns ? frame->of.cols : frame->of.rows;
    return blocks;
}

/* Which tuples are kept: tuples inside a shape, and on a diagonal: col - row = offset. */
typedef struct {
    uint64_t nrows, ncols;
    bool diagonal;
    uint64_t offset; /* modulo 2^64 */
} sl_tuple_filter;

SL_HOST_OR_DEVICE bool sl_tuple_passes(const sl_tuple_filter *filter, const uint64_t *rows,
                                       const uint64_t *cols, uint64_t k)
{
    return rows[k] < filter->nrows && (!cols || cols[k] < filter->ncols) &&
           (!filter->diagonal || cols[k] - rows[k] == filter->offset);
}

/* An operator that reads indices, of tuples with the local indices of blocks. */
typedef struct {
    sl_index_op index;   /* or NULL: */
    sl_binary_op binary; /* a positional operator */
    sl_scalar thunk;     /* of the index operator */
    sl_local_blocks rows, cols;
} sl_index_rule;

/*
 * One kind of memory. `ctx` is the context of the objects; it has the message of a failure. Arrays
 * are of this memory if nothing else is said. On failure outputs are unspecified, but can be
 * released. No function is collective.
 */
typedef struct sl_tuple_memory {
    /* *array is never NULL on success. */
    sl_status (*allocate)(sl_context *ctx, void **array, uint64_t bytes);
    void (*release)(void *array); /* NULL is allowed */
    /* Copies within this memory, or between it and the host's; waits in the latter case. */
    sl_status (*copy)(sl_context *ctx, void *to, const void *from, uint64_t bytes);

    /* Writes the entries of an object, sorted, to tuples of as many entries. */
    sl_status (*read)(sl_tuples *t, sl_object *object);
    /* Builds the contents of an empty object. `dup` combines tuples of equal indices; NULL: there
     * must be none. */
    sl_status (*build)(sl_object *object, const sl_tuples *t, sl_binary_op dup);
    /* Makes a vector of all values, or of the values with present[k] = 1 (else present[k] is 0). It takes the array
     * over and sets *values to NULL, or leaves it to the caller. */
    sl_status (*make_vector)(sl_vector **made, sl_context *ctx, sl_type type, uint64_t size,
                             void **values, const uint64_t *present);

    /* Convert local indices of blocks to global ones, and back. */
    sl_status (*to_global)(sl_context *ctx, uint64_t *numbers, uint64_t count,
                           const sl_local_blocks *blocks);
    sl_status (*to_local)(sl_context *ctx, uint64_t *numbers, uint64_t count,
                          const sl_local_blocks *blocks);
    /* to[k] = from[k] + addend; the arrays may be the same. */
    sl_status (*add)(sl_context *ctx, uint64_t *to, const uint64_t *from, uint64_t count,
                     uint64_t addend);
    sl_status (*fill)(sl_context *ctx, uint64_t *numbers, uint64_t count, uint64_t number);
    /* to[i b_count + j] = a[i] factor + b[j]. */
    sl_status (*pair)(sl_context *ctx, uint64_t *to, const uint64_t *a, uint64_t a_count,
                      const uint64_t *b, uint64_t b_count, uint64_t factor);
    /* Repeats `count` elements: each of them `times` times in a row if `each`, else all of them in their order.
     * A repeated element has `size` bytes. */
    sl_status (*repeat)(sl_context *ctx, void *to, const void *from, size_t size, uint64_t count,
                        uint64_t times, bool each);
    /* numbers[k] = table[numbers[k]]. */
    sl_status (*look_up)(sl_context *ctx, uint64_t *numbers, uint64_t count, const uint64_t *table);
    /* numbers[k] = the position of numbers[k] in an ascending array that has it. */
    sl_status (*find)(sl_context *ctx, uint64_t *numbers, uint64_t count, const uint64_t *ascending,
                      uint64_t length);
    /* to[k] = the rank that owns the place of tuple k. */
    sl_status (*owners)(sl_context *ctx, uint32_t *to, const sl_tuples *t,
                        const sl_owner_rule *rule);

    /* numbers[k] = value k, of any type, as an index; *outside: the first k with an index that is
     * not below the bound, or the count. */
    sl_status (*indices)(sl_context *ctx, uint64_t *numbers, uint64_t *outside, const sl_tuples *t,
                         uint64_t bound);
    /* list->values[k] = the value of the tuple of `vector`, which are sorted, with row
     * list->cols[k], and list->cols[k] = 1; or 0 if there is none. */
    sl_status (*attach)(sl_context *ctx, sl_tuples *list, const sl_tuples *vector);
    /* to[k] = the operator's result for tuple k, in the type of its result. In a device's memory the
     * operator is positional and from the table. */
    sl_status (*evaluate)(sl_context *ctx, void *to, const sl_tuples *t, const sl_index_rule *rule);
    /* kept[k]: tuple k passes. */
    sl_status (*passes)(sl_context *ctx, bool *kept, const sl_tuples *t,
                        const sl_tuple_filter *filter);
    /* Removes the tuples that are not kept. */
    sl_status (*keep)(sl_context *ctx, sl_tuples *t, const bool *kept);
} sl_tuple_memory;

/* What an engine offers. */
typedef struct sl_device_tuples {
    sl_tuple_memory memory;
    /* Sends tuple k to rank to[k]; *received has the tuples of this rank, sorted by sender; tuples of one sender keep
     * their order. frames[0] is of the rows, frames[1] of the columns; indices that have a frame become local indices
     * of the receiver's block. `status` is this rank's status so far. Collective over all processes. Returns the
     * status of the failing rank of least number, or, after the messages have been sent, this rank's own failure;
     * then *received is empty. */
    sl_status (*send)(sl_tuples *received, const sl_device_grid *grid, sl_context *ctx,
                      const sl_tuples *sent, const uint32_t *to, const sl_frame frames[2],
                      sl_status status);
    /* Gives every process the tuples of process `root`, whose indices stay as they are. `sent` of the others only
     * tells whether there are columns and values. Collective; `status` and failures as for `send`. */
    sl_status (*broadcast)(sl_tuples *received, const sl_device_grid *grid, sl_context *ctx,
                           uint32_t root, const sl_tuples *sent, sl_status status);
} sl_device_tuples;

#endif
