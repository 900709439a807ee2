/* Declarations that the readers and writers of vectors share. */
#ifndef SEMLA_IO_VECTOR_H
#define SEMLA_IO_VECTOR_H

#include <semla/io.h>

#pragma GCC visibility push(hidden)

/* The first line of a text file that semla wrote: "# semla vector of SIZE TYPE". */
#define VECTOR_HEADER "# semla vector of "

/*
 * The format of a file, from the options or its name. `action` ("reading", "writing") is for
 * messages. SL_INVALID, SL_UNSUPPORTED.
 */
sl_status vector_format(sl_vector_format *format, sl_context *ctx, const char *path,
                        const sl_vector_options *options, const char *what);

/* Converts the fill value to the type; SL_INVALID if the type cannot represent it. */
sl_status vector_fill(sl_scalar *fill, sl_context *ctx, sl_type type, const sl_scalar *given);

/* The value for missing entries unless the caller chooses another. */
sl_scalar vector_default_fill(sl_type type);

/* The type that the `length` characters at p name; false if there is none. */
bool vector_type_of_name(sl_type *type, const char *p, size_t length);

/* ---- NumPy arrays --------------------------------------------------------- */

/* The header of a .npy file. */
typedef struct {
    sl_type type;
    bool swapped;  /* the elements have the other byte order */
    uint64_t size; /* number of elements */
    size_t bytes;  /* length of the header */
} npy_header;

enum { NPY_MAX_HEADER = 128 }; /* maximum length of a header that npy_put_header writes */

/* Writes a header at `out` and returns its end. */
char *npy_put_header(char *out, sl_type type, uint64_t size);

/*
 * Parses the header at the start of `count` bytes. SL_SYNTAX, SL_UNSUPPORTED, SL_OUT_OF_RANGE or
 * SL_MISMATCH, with the reason in `message` and the byte offset of the error in *at.
 */
sl_status npy_parse_header(npy_header *header, const char *bytes, size_t count, char message[128],
                           size_t *at);

#pragma GCC visibility pop
#endif
