/* Packed bytes, gzip and Zstandard, in both directions. */
#ifndef SEMLA_IO_PACKING_H
#define SEMLA_IO_PACKING_H

#include <zlib.h>
/* Memory through the library's allocator is what the advanced functions are for; they
 * have been the same since zstd 1.0, though its header counts them to the static API. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <semla/context.h>

#pragma GCC visibility push(hidden)

typedef enum { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD } packing_kind;

enum { PACKING_MAGIC = 4 }; /* first bytes of a file that tell whether it is packed */

/* What the end of a name says (.gz, .zst), and what a file's first bytes say. */
packing_kind packing_of_name(const char *name);
packing_kind packing_of_bytes(const void *bytes, size_t count);

/* "gzip", "Zstandard"; ".gz", ".zst"; "" for PACKING_NONE. */
const char *packing_title(packing_kind packing);
const char *packing_suffix(packing_kind packing);

/* ---- unpacking ---------------------------------------------------------- */

typedef struct {
    packing_kind packing;
    const void *next; /* packed bytes that wait: the caller's, to be set where there are none */
    size_t available;
    bool pending; /* more may come without any more bytes */
    bool whole;   /* all that was begun has ended: the file may end here */
    z_stream gzip;
    ZSTD_DCtx *zstd;
} unpacker;

/* False if there is no memory, and then there is nothing to close. */
bool unpacker_open(unpacker *u, packing_kind packing);
void unpacker_close(unpacker *u);

/*
 * Unpacks waiting bytes into `out`, of `room` bytes, as far as it goes; *made is
 * how many were written. Pieces that were packed one by one and put together are
 * unpacked as one. SL_NO_MEMORY; SL_IO and SL_UNSUPPORTED with what is wrong in *fault.
 */
sl_status unpack(unpacker *u, void *out, size_t room, size_t *made, const char **fault);

/* ---- packing ------------------------------------------------------------ */

typedef struct {
    packing_kind packing;
    z_stream gzip;
    ZSTD_CCtx *zstd;
} packer;

/* False if there is no memory, and then there is nothing to close. */
bool packer_open(packer *p, packing_kind packing);
void packer_close(packer *p);

/*
 * Packs `count` bytes, the file's last ones if `last`, and hands what comes of
 * them to `write`, through a buffer of PACKER_BLOCK bytes. False if there is no memory.
 */
enum { PACKER_BLOCK = 64 << 10 };
typedef void (*packer_write)(void *to, const void *bytes, size_t count);
bool pack(packer *p, const void *bytes, size_t count, bool last, void *buffer, packer_write write,
          void *to);

#pragma GCC visibility pop
#endif
