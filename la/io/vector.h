/* What the reading and the writing of vectors share. */
#ifndef SEMLA_IO_VECTOR_H
#define SEMLA_IO_VECTOR_H

#include <semla/io.h>

#pragma GCC visibility push(hidden)

/* The first line of a text that the library has written: "# semla vector of SIZE TYPE". */
#define VECTOR_HEAD "# semla vector of "

/* The format of a file, by the options or its name; `what` is done, for messages.
 * SL_INVALID, SL_UNSUPPORTED. */
sl_status vector_format(sl_vector_format *format, sl_context *ctx, const char *path,
                        const sl_vector_options *options, const char *what);

/* The value as one of the type; SL_INVALID if the type cannot hold it. */
sl_status vector_fill(sl_scalar *fill, sl_context *ctx, sl_type type, const sl_scalar *given);

/* What stands for no entry unless the caller says otherwise. */
sl_scalar vector_default_fill(sl_type type);

/* The type whose name stands at p, `length` characters; false if there is none. */
bool vector_type_of_name(sl_type *type, const char *p, size_t length);

/* ---- NumPy's arrays ----------------------------------------------------- */

/* The head of a .npy file. */
typedef struct {
    sl_type type;
    bool swapped;  /* elements are of the other byte order */
    uint64_t size; /* elements */
    size_t bytes;  /* of the head */
} npy_head;

enum { NPY_LONGEST = 128 }; /* bytes of a head that is written here */

/* Writes the head at `out` and returns behind it. */
char *npy_put_head(char *out, sl_type type, uint64_t size);

/*
 * Reads the head at the start of `count` bytes. SL_SYNTAX or SL_UNSUPPORTED, with
 * what is wrong in `message` and where, in bytes, in *at.
 */
sl_status npy_parse_head(npy_head *head, const char *bytes, size_t count, char message[128],
                         size_t *at);

#pragma GCC visibility pop
#endif
