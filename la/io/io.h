/* la/io/ - files and models in, matrices out; matrices into files. */
#ifndef SEMLA_IO_H
#define SEMLA_IO_H

#include <semla/la.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- edges: what a reader or a generator makes -------------------------- */

/* What each tuple of a list also stands for. */
typedef enum {
    SL_MIRROR_NONE,   /* a tuple is one entry */
    SL_MIRROR_SAME,   /* an off-diagonal tuple also stands for (col, row, value) */
    SL_MIRROR_NEGATED /* ... for (col, row, -value): skew-symmetric */
} sl_mirror;

/*
 * A list of tuples in no order, perhaps with duplicates and self-loops. 0-based.
 * Arrays come from sl_malloc and belong to whoever holds the struct.
 */
typedef struct {
    uint64_t nrows, ncols; /* the shape */
    uint64_t count;        /* tuples */
    uint64_t *row, *col;   /* count each */
    sl_type type;        /* of the values: SL_FP64, SL_INT64; of a pattern SL_BOOL, or any */
    void *values;        /* count, or NULL for a pattern */
    sl_mirror mirror;    /* what else a tuple stands for */
    uint64_t *ids;       /* nrows, or NULL: the file's id of each vertex (compact ids) */
} sl_edges;

/* Frees the arrays and zeroes the struct; a zeroed struct is allowed. */
void sl_edges_free(sl_edges *edges);

/* ---- options ------------------------------------------------------------ */

/* Formats of files; docs/formats.md has what each holds, and its limits. */
typedef enum {
    SL_FORMAT_AUTO,           /* by the file's first line and name */
    SL_FORMAT_MATRIX_MARKET,  /* coordinate and array */
    SL_FORMAT_EDGE_LIST,      /* SNAP and plain: two or three columns, # and % comments */
    SL_FORMAT_DIMACS,         /* shortest-path problems: p sp, a */
    SL_FORMAT_METIS,          /* neighbour lists of an undirected graph */
    SL_FORMAT_GRAPH500,       /* binary: two int64 to a tuple */
    SL_FORMAT_GRAPH500_PACKED, /* binary: two vertices of 48 bits in 12 bytes */
    SL_FORMAT_NATIVE          /* binary: a matrix's rows, to be mapped; docs/native-format.md */
} sl_file_format;

/* What there is to know of a format. */
typedef struct {
    sl_file_format format; /* its code */
    const char *name;     /* "mtx": what the command's --format takes */
    const char *title;    /* "Matrix Market" */
    const char *suffixes; /* ".graph .metis": how names end, with .gz or .zst behind or not */
    bool text;            /* lines of text, not binary */
    bool sized;           /* the file tells the number of vertices */
} sl_format_info;

/* Format number `position`, from 0; SL_NO_VALUE past the last. */
sl_status sl_format_describe(size_t position, sl_format_info *info);

/* The format that the end of a name tells; SL_FORMAT_AUTO where it tells none of them. */
sl_file_format sl_format_of_name(const char *path);

/* What becomes of entries that a file has more than once. */
typedef enum {
    SL_DUPLICATES_DROP, /* keep the first in the file */
    SL_DUPLICATES_LAST, /* keep the last */
    SL_DUPLICATES_SUM,  /* their sum */
    SL_DUPLICATES_MIN,  /* the least */
    SL_DUPLICATES_MAX,  /* the greatest */
    SL_DUPLICATES_ERROR /* SL_SYNTAX */
} sl_duplicates;

/* Flags of reading. */
enum {
    SL_READ_SYMMETRIC = 1,  /* add the mirror image of every entry */
    SL_READ_NO_LOOPS = 2,   /* drop self-loops */
    SL_READ_TRANSPOSED = 4, /* swap rows and columns */
    SL_READ_PATTERN = 8,    /* ignore weights */
    SL_READ_COMPACT = 16,   /* edge lists, Graph500: number the ids that occur 0, 1, ... in order */
    SL_READ_VERIFY = 32     /* native files: check the checksums, and what is said of symmetry */
};

/* Start with {0}: every member's zero is its default. */
typedef struct {
    sl_file_format format;    /* of the file */
    unsigned flags;           /* SL_READ_... */
    sl_duplicates duplicates; /* what becomes of them */
    unsigned base;            /* edge lists: the first vertex's id, 0 or 1 */
    uint64_t vertices;        /* edge lists, Graph500: their number; 0: the greatest id asks for it */
} sl_read_options;

/* ---- reading ------------------------------------------------------------ */

/*
 * Reads the file's tuples, to be freed with sl_edges_free. Files that end in
 * .gz or .zst, and any that start with gzip's or Zstandard's magic, are unpacked
 * on the way.
 *
 * Matrix Market: coordinate and array; pattern, integer (SL_INT64), real
 * (SL_FP64); general, symmetric, skew-symmetric; complex and hermitian are
 * SL_UNSUPPORTED. An edge list is square; its weights are SL_FP64. DIMACS: sp
 * alone; SL_INT64. METIS: SL_INT64 or a pattern; every edge has to stand at both
 * ends, and is given once, mirrored; sizes and weights of vertices are dropped.
 * Graph500: patterns. Native: a matrix's entries, values as SL_INT64 or SL_FP64
 * whatever type they have in the file.
 *
 * All of the context's threads read a regular file (of METIS's and of pipes one), and
 * tuples and errors are the same for any number. A file that is wrong is read again by
 * one thread, for the message.
 *
 * Where several processes share the context each reads a slice of a regular file, which they
 * all have to see, and gets the tuples of the lines that start there; in the order of the
 * processes these are the file's. Packed files, METIS files and pipes are read by the first
 * process, and the others get no tuples. Shape, type and ids are the same on all, and so is
 * an error.
 *
 * Errors: SL_IO (cannot be opened or read; damaged or truncated packed data),
 * SL_SYNTAX and SL_OUT_OF_RANGE with "file:line:column: what is wrong" as the
 * message ("file: byte OFFSET: ..." of binary files; docs/native-format.md has those of
 * native files), SL_UNSUPPORTED, SL_NO_MEMORY. On failure *edges is zeroed.
 */
sl_status sl_edges_read(sl_edges *edges, sl_context *ctx, const char *path,
                        const sl_read_options *options);

/*
 * Makes a matrix of tuples, of all processes' where several share the context; the tuples
 * stay the caller's. Takes `flags` (but
 * for SL_READ_COMPACT, which acts in reading) and `duplicates` of the options.
 * Square matrices that were mirrored are known to be symmetric.
 * Errors: SL_INVALID, SL_MISMATCH (symmetric but not square), SL_OUT_OF_RANGE,
 * SL_SYNTAX (SL_DUPLICATES_ERROR), SL_NO_MEMORY.
 */
sl_status sl_matrix_from_edges(sl_matrix **A, sl_context *ctx, const sl_edges *edges,
                               const sl_read_options *options);

/*
 * The two in one, and faster: `flags` is a set of SL_READ_... A native file's matrix has
 * the type that it was written with, unless SL_READ_SYMMETRIC, SL_READ_TRANSPOSED or
 * SL_READ_NO_LOOPS have it made of tuples.
 */
sl_status sl_matrix_read(sl_matrix **A, sl_context *ctx, const char *path, unsigned flags);

/* The same with all options. If `ids` is not NULL, *ids becomes an array from
 * sl_malloc, owned by the caller, with the file's id of each vertex, or NULL
 * where the ids are the indices (+ base). */
sl_status sl_matrix_read_with(sl_matrix **A, uint64_t **ids, sl_context *ctx, const char *path,
                              const sl_read_options *options);

/* ---- writing ------------------------------------------------------------ */

/* Start with {0}: every member's zero is its default. */
typedef struct {
    sl_file_format format; /* SL_FORMAT_AUTO: by the name, an edge list if it tells none */
    unsigned base;         /* edge lists: the first vertex's id, 0 or 1 */
} sl_write_options;

/*
 * Writes a matrix in a format: Matrix Market (coordinate; pattern, integer or real
 * as its type is; general), an edge list with a header comment, DIMACS (weights 1
 * for a pattern), METIS, Graph500, or native, as it is. Packed if the name ends in .gz
 * or .zst, which native files cannot be. Path "-" is stdout. The file appears whole or not at
 * all: it is written beside its name and renamed. Errors: SL_UNSUPPORTED (the format cannot hold the matrix, the
 * message says why; the name is of a format that there is not), SL_INVALID, SL_IO,
 * SL_NO_MEMORY.
 *
 * Where several processes share the context each writes a slice of the rows at its place, and
 * the file is the one that a single process would write; packed, it unpacks to that.
 */
sl_status sl_matrix_write(const sl_matrix *A, const char *path, sl_file_format format);
sl_status sl_matrix_write_with(const sl_matrix *A, const char *path,
                               const sl_write_options *options);

/*
 * Writes tuples in their order, with duplicates and self-loops, which no matrix
 * has; mirror images are written out. In all formats but METIS and native, which hold
 * a matrix's rows (SL_UNSUPPORTED). Of several processes each has some of the tuples, and
 * they are written in the order of the processes. Errors: as above, SL_OUT_OF_RANGE (an index).
 */
sl_status sl_edges_write(const sl_edges *edges, sl_context *ctx, const char *path,
                         const sl_write_options *options);

/* ---- vectors ------------------------------------------------------------ */

/* Formats of files of vectors. */
typedef enum {
    SL_VECTOR_AUTO,          /* by the name: .mtx, .npy, and text for the others */
    SL_VECTOR_TEXT,          /* a line "index value" for each entry, 0-based */
    SL_VECTOR_MATRIX_MARKET, /* a matrix with one column (read: or with one row) */
    SL_VECTOR_NPY            /* NumPy's array format 1.0: dense, one dimension */
} sl_vector_format;

/* Start with {0}: every member's zero is its default. */
typedef struct {
    sl_vector_format format; /* of the file */
    /*
     * .npy: what stands where there is no entry, a value that the vector's type can
     * hold. NULL in writing: NaN for fp32 and fp64, -1 for integers with a sign, the
     * greatest value for those without, false for bool. NULL in reading: nothing, so
     * that every element is an entry.
     */
    const sl_scalar *fill;
    const uint64_t *ids; /* writing text: what to print for each index; NULL: the index */
    uint64_t size;       /* reading text without a head: 0: the greatest index asks for it */
} sl_vector_options;

/*
 * Writes a vector, packed if the name ends in .gz or .zst; "-" is stdout. The file
 * appears whole or not at all, and several processes write it as sl_matrix_write does. A
 * text starts with a comment line that tells size
 * and type, so that it reads back the same. Errors: SL_INVALID (a fill that the type
 * cannot hold, ids but no text), SL_UNSUPPORTED (the name is of another format),
 * SL_IO, SL_NO_MEMORY.
 */
sl_status sl_vector_write(const sl_vector *v, const char *path, sl_vector_format format);
sl_status sl_vector_write_with(const sl_vector *v, const char *path,
                               const sl_vector_options *options);

/*
 * Reads a vector, owned by the caller; where several processes share the context the first reads
 * the file (of Matrix Market each a slice). Its type is the file's: of a text the one in
 * its head, without a head SL_INT64 if all values are whole numbers that fit and
 * SL_FP64 else; of Matrix Market as in sl_edges_read; of .npy the array's (bool, int8
 * to int64, uint8 to uint64, float32, float64, of either byte order). Errors: as
 * sl_edges_read; SL_MISMATCH (a matrix that is no vector), SL_INVALID (a fill that the
 * type cannot hold).
 */
sl_status sl_vector_read(sl_vector **v, sl_context *ctx, const char *path, sl_vector_format format);
sl_status sl_vector_read_with(sl_vector **v, sl_context *ctx, const char *path,
                              const sl_vector_options *options);

/* ---- models ------------------------------------------------------------- */

/* Graphs that can be generated, and the members of sl_generator that they read. */
typedef enum {
    SL_MODEL_KRONECKER, /* scale, edge_factor: 2^scale vertices, edge_factor edges each */
    SL_MODEL_UNIFORM,   /* vertices, edges: both ends of an edge at random */
    SL_MODEL_GRID,      /* side[0] x side[1] (x side[2], if not 0), neighbours joined */
    SL_MODEL_PATH,      /* vertices in a row */
    SL_MODEL_STAR,      /* vertex 0 joined to all others */
    SL_MODEL_COMPLETE,  /* all joined to all */
    SL_MODEL_ROAD       /* side[0] x side[1] grid with a share of its edges left out at random,
                           and a few shortcuts; degrees and diameter like a road network's */
} sl_model;

/* Start with {0} and set what the model reads. */
typedef struct {
    sl_model model;       /* which */
    uint64_t seed;        /* of random models */
    unsigned scale;       /* KRONECKER: 0 to 40 */
    double edge_factor;   /* KRONECKER: edges per vertex; 0 means 16 */
    uint64_t vertices;    /* UNIFORM, PATH, STAR, COMPLETE */
    uint64_t edges;       /* UNIFORM */
    uint64_t side[3];     /* GRID, ROAD */
} sl_generator;

/*
 * Makes the model's edges, each once: undirected ones have to be mirrored
 * (SL_READ_SYMMETRIC in sl_matrix_from_edges), directed ones are taken as they
 * are. Random models may hold duplicates and self-loops, as Graph500 has it.
 * Every number is a function of the seed and of its position, so that the edges
 * are the same, in the same order, for any number of threads. To be freed
 * with sl_edges_free. In a context that several processes share (a grid of MPI ranks)
 * each gets its part of them, made without communication; together the parts are the
 * same edges on any grid. KRONECKER follows the Graph500 specification (A = .57,
 * B = C = .19, labels scrambled by a bijection); Leskovec et al., JMLR 2010.
 * Errors: SL_INVALID (a size that the model cannot have), SL_NO_MEMORY.
 */
sl_status sl_generate(sl_edges *edges, sl_context *ctx, const sl_generator *model);

/*
 * sl_generate and sl_matrix_from_edges in one. Where an engine of the context makes the
 * tuples by itself (a GPU those of KRONECKER and UNIFORM), the matrix is the same, but
 * appears where the engine works, and its tuples exist nowhere at once: so a graph may be
 * larger than what its tuples would leave of the memory. If `options` mirror it
 * (SL_READ_SYMMETRIC) and the device has no room for it twice, it is made in the order of
 * sl_matrix_optimize alone, its rows in pinned host memory as far as the device has no
 * room for them: see sl_matrix_placement. Errors: as of both.
 */
sl_status sl_matrix_generate(sl_matrix **A, sl_context *ctx, const sl_generator *model,
                             const sl_read_options *options);

/* True if an engine of the context makes the model's tuples by itself. The two functions
 * below are for such models; SL_UNSUPPORTED where they are not. */
bool sl_generates(sl_context *ctx, const sl_generator *model);

/*
 * New vectors, owned by the caller, with an element per vertex: *ends (int64) how often
 * each is an end of a tuple, a self-loop's twice, and *joined (bool) true at those that a
 * tuple joins to another vertex; no entry at others. Errors: SL_INVALID, SL_NO_MEMORY.
 */
sl_status sl_generator_ends(sl_vector **ends, sl_vector **joined, sl_context *ctx,
                            const sl_generator *model);

/*
 * Holds the parents (int64 or int32, no entry where not reached) of a breadth-first search from
 * `root` against the model's tuples, each an edge both ways, made anew: as the Graph500
 * specification asks, the list of edges is the judge, and not the matrix that was made
 * of it. The parents have to be a tree below the root, of edges of the list, which reaches
 * all that an edge leads to, and no edge may join vertices more than a level apart.
 * Errors: SL_INVALID, SL_MISMATCH (type or size of `parent`), SL_OUT_OF_RANGE (the root),
 * SL_NO_MEMORY.
 */
sl_status sl_generator_check_tree(sl_tree_check *check, const sl_vector *parent,
                                  const sl_generator *model, uint64_t root);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
