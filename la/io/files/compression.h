/* Compression and decompression of byte streams with zlib (gzip) and zstd (Zstandard). */
#ifndef SEMLA_IO_COMPRESSION_H
#define SEMLA_IO_COMPRESSION_H

#include <zlib.h>
/*
 * The functions with a custom allocator are declared only with this macro. They have not changed
 * since zstd 1.0, although the header counts them as part of the static API.
 */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <semla/context.h>

#pragma GCC visibility push(hidden)

typedef enum { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD } compression_kind;

enum { COMPRESSION_MAGIC = 4 }; /* number of first bytes of a file that identify its compression */

/* The compression that the ending of a name (.gz, .zst) or the first bytes of a file indicate. */
compression_kind compression_of_name(const char *name);
compression_kind compression_of_bytes(const void *bytes, size_t count);

/* Titles "gzip", "Zstandard"; endings ".gz", ".zst"; "" for COMPRESSION_NONE. */
const char *compression_title(compression_kind compression);
const char *compression_suffix(compression_kind compression);

/* ---- decompression ------------------------------------------------------ */

typedef struct {
    compression_kind compression;
    const void
        *next; /* unread compressed bytes: owned and set by the caller whenever there are none */
    size_t available;
    bool pending;  /* more output is available without more input */
    bool complete; /* the last gzip member or Zstandard frame is complete: the file may end here */
    z_stream gzip;
    ZSTD_DCtx *zstd;
} decompressor;

/* False if there is no memory; there is then nothing to close. */
bool decompressor_open(decompressor *u, compression_kind compression);
void decompressor_close(decompressor *u);

/*
 * Decompresses bytes into `out`, at most `capacity` bytes; *produced is the number of bytes
 * written. Concatenated members or frames are decompressed as one stream; zeros after a gzip member
 * are skipped. SL_NO_MEMORY; SL_IO and SL_UNSUPPORTED with the reason in *reason.
 */
sl_status decompress(decompressor *u, void *out, size_t capacity, size_t *produced,
                     const char **reason);

/* ---- compression -------------------------------------------------------- */

typedef struct {
    compression_kind compression;
    z_stream gzip;
    ZSTD_CCtx *zstd;
} compressor;

/* False if there is no memory; there is then nothing to close. */
bool compressor_open(compressor *p, compression_kind compression);
void compressor_close(compressor *p);

/*
 * Compresses `count` bytes, which end the stream if `last`, and passes the output to `write` in
 * pieces, through `buffer` of COMPRESSOR_BUFFER bytes. False if there is no memory.
 */
enum { COMPRESSOR_BUFFER = 64 << 10 };
typedef void (*compressor_write)(void *to, const void *bytes, size_t count);
bool compress_bytes(compressor *p, const void *bytes, size_t count, bool last, void *buffer,
                    compressor_write write, void *to);

#pragma GCC visibility pop
#endif
