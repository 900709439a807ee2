/*
 * Compressed rows of a matrix as messages. A block is cut into parts of consecutive columns; each part is a
 * message, and the parts that a rank receives are put side by side into one matrix, without a sort.
 *
 *     | head | rows | lengths | columns | values |
 *
 * Numbers take 1, 2, 4 or 8 bytes, as few as suffice. `rows` are the non-empty rows; they are left
 * out if the lengths of all rows take less room. Columns are numbered within the part. For dist/.
 */
#ifndef SEMLA_DIST_ROW_MESSAGES_H
#define SEMLA_DIST_ROW_MESSAGES_H

#include "dist/grid/grid.h"

/* The messages of the parts of a block. */
typedef struct {
    uint32_t parts;
    uint8_t **message; /* [parts + 1] from sl_malloc; the last is NULL; owned */
    uint64_t *bytes;   /* [parts + 1]; the last is 0 */
} sl_row_messages;

/*
 * Encodes a block in `parts` messages: number p has columns cut[p] to cut[p + 1] - 1. Without `values` the
 * pattern alone. On failure *messages can be freed. SL_NO_MEMORY. Not collective.
 */
sl_status sl_row_messages_encode(sl_row_messages *messages, sl_grid *grid, const sl_object *block,
                                 bool values, const uint64_t *cut, uint32_t parts);
void sl_row_messages_free(sl_row_messages *messages);

/* The bytes of a message that are values. */
uint64_t sl_row_message_values(const uint8_t *message);

/* The values of a matrix made from messages. */
typedef enum {
    SL_ROW_VALUES,  /* the values in the messages */
    SL_ROW_PATTERN, /* every value is 1, of type bool */
    SL_ROW_INDEX,   /* the index of the row in the whole object, int64 */
    SL_ROW_COLUMN   /* the index of the column in the whole object, int64 */
} sl_row_values;

/* A matrix made from the messages of `count` parts: columns of a later part are greater, where rows are
 * the same. */
typedef struct {
    uint64_t nrows, ncols;
    const uint8_t *const *part; /* [count]; */
    const uint64_t
        *shift; /* [count]: the column of the matrix that is column 0 of the part; NULL: 0 */
    const uint64_t *row_shift; /* [count]: likewise its rows; NULL: 0 */
    uint32_t count;
    sl_row_values values;
    sl_type type;                       /* of SL_ROW_VALUES */
    const sl_local_blocks *rows, *cols; /* of the whole object, for indices as values */
} sl_row_parts;

/* Makes a matrix of the local context. SL_NO_MEMORY. Not collective. */
sl_status sl_row_messages_decode(sl_matrix **A, sl_grid *grid, const sl_row_parts *parts);

#endif
