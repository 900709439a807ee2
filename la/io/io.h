/*
 * Readers, writers and generators of graphs: files and random models to matrices, matrices and
 * vectors to files.
 */
#ifndef SEMLA_IO_H
#define SEMLA_IO_H

#include <semla/la.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- edges: the result of a reader or a generator ------------------------ */

/* Which additional entry each tuple of a list represents. */
typedef enum {
    SL_MIRROR_NONE,   /* none: a tuple is one entry */
    SL_MIRROR_SAME,   /* a tuple with row != col also represents (col, row, value) */
    SL_MIRROR_NEGATED /* a tuple with row != col also represents (col, row, -value): skew-symmetric
                       */
} sl_mirror;

/*
 * Labels of vertices: texts in place of numeric ids. They are sorted: integers of 64 bits without
 * leading zeros first (-2^63 to 2^64 - 1), by their value, then all others by their bytes. The arrays
 * come from sl_malloc and belong to the owner of the struct.
 */
typedef struct {
    uint64_t count;  /* number of labels; 0: there are none */
    char *text;      /* the labels, each with a NUL behind it */
    uint64_t *start; /* count elements: the label of vertex v is the text at text + start[v] */
} sl_labels;

/* Frees the arrays and zeroes the struct. `labels` may be NULL or zeroed. */
void sl_labels_free(sl_labels *labels);

/*
 * Finds the vertex of a label in sorted labels. Errors: SL_NO_VALUE (no vertex has the label; *vertex
 * is not changed), SL_INVALID (NULL). Cost: O(log count) comparisons.
 */
sl_status sl_labels_find(uint64_t *vertex, const sl_labels *labels, const char *label);

/*
 * A list of tuples (row, col, value) in any order, 0-based, possibly with duplicates and
 * self-loops. The arrays come from sl_malloc and belong to the owner of the struct.
 */
typedef struct {
    uint64_t nrows, ncols; /* shape of the matrix */
    uint64_t count;        /* number of tuples */
    uint64_t *row, *col;   /* count elements each */
    sl_type type;     /* type of the values: SL_FP64, SL_INT64 or SL_UINT64; any type if `values` is
                         NULL, usually SL_BOOL */
    void *values;     /* count elements of 8 bytes, or NULL: a pattern */
    sl_mirror mirror; /* which additional entries the tuples represent */
    uint64_t
        *ids; /* nrows elements: the id of each vertex in the file (SL_READ_RENUMBER); else NULL */
    sl_labels labels; /* nrows labels, of a CSV file, or of renumbered ids of which one is negative,
                         `ids` is then NULL; else zeroed */
} sl_edges;

/* Frees the arrays and zeroes the struct. `edges` may be NULL or zeroed. */
void sl_edges_free(sl_edges *edges);

/* ---- options ------------------------------------------------------------ */

/* File formats of graphs. docs/formats.md describes their contents and limits. */
typedef enum {
    SL_FORMAT_AUTO,            /* chosen by the file's first line and its name */
    SL_FORMAT_MATRIX_MARKET,   /* Matrix Market, coordinate and array */
    SL_FORMAT_EDGE_LIST,       /* SNAP, KONECT, plain: two to four columns, comments with # or % */
    SL_FORMAT_DIMACS,          /* shortest-path problems (p sp, a) */
    SL_FORMAT_METIS,           /* lists of neighbours of an undirected graph */
    SL_FORMAT_GRAPH500,        /* binary: two int64 per tuple */
    SL_FORMAT_GRAPH500_PACKED, /* binary: two 48-bit vertices in 12 bytes per tuple */
    SL_FORMAT_NATIVE, /* binary: compressed sparse rows that can be mapped; docs/native-format.md */
    SL_FORMAT_CSV /* comma- or tab-separated edge lists with a header; ids of vertices are labels */
} sl_file_format;

/* Description of a format. */
typedef struct {
    sl_file_format format; /* code of the format */
    const char *name;      /* name for the option --format, for example "mtx" */
    const char *title;     /* title for messages, for example "Matrix Market" */
    const char *suffixes;  /* file name endings, separated by blanks: ".graph .metis"; .gz or .zst
                              may follow them */
    bool text;             /* true: lines of text; false: binary */
    bool sized;            /* the file contains the number of vertices */
} sl_format_info;

/*
 * Describes format number `position`, counted from 0. SL_NO_VALUE if there is no such format,
 * SL_INVALID if info is NULL.
 */
sl_status sl_format_describe(size_t position, sl_format_info *info);

/*
 * The format that belongs to the ending of a file name; SL_FORMAT_AUTO if no format has that
 * ending.
 */
sl_file_format sl_format_of_name(const char *path);

/* Rule for entries that occur more than once in a file. */
typedef enum {
    SL_DUPLICATES_DROP, /* keep the first one in the file */
    SL_DUPLICATES_LAST, /* keep the last one */
    SL_DUPLICATES_SUM,  /* add them; SL_OUT_OF_RANGE if an integer type does not have the sum */
    SL_DUPLICATES_MIN,  /* keep the minimum */
    SL_DUPLICATES_MAX,  /* keep the maximum */
    SL_DUPLICATES_ERROR /* fail with SL_SYNTAX */
} sl_duplicates;

/* Flags for reading. */
enum {
    SL_READ_SYMMETRIC = 1,  /* add the mirror entry (j, i) of every entry (i, j); accept entries
                               above  the diagonal in symmetric Matrix Market files */
    SL_READ_NO_LOOPS = 2,   /* drop self-loops */
    SL_READ_TRANSPOSED = 4, /* swap rows and columns */
    SL_READ_PATTERN = 8,    /* ignore values */
    SL_READ_RENUMBER =
        16, /* edge lists, Graph500: renumber the ids that occur as 0, 1, ... in increasing order;
               ids may have 64 bits, and in edge lists a sign */
    SL_READ_VERIFY = 32 /* native files: verify the checksums and the declared symmetry */
};

/*
 * The columns of a CSV file that were not read although no column was known as the weight: one of them
 * may hold weights. Empty if weights were read, with SL_READ_PATTERN, and for other formats. The texts
 * come from sl_malloc and belong to the owner of the struct.
 */
typedef struct {
    char
        *names; /* for messages: "'km', 'date'", or without a header "3, 4"; NULL: there are none */
    char *number; /* the name, or without a header the number, of the only one whose fields in the
                     first rows are numbers; NULL: there is none, or several */
} sl_unread_columns;

/* Frees the texts and zeroes the struct. `unread` may be NULL or zeroed. */
void sl_unread_columns_free(sl_unread_columns *unread);

/* Options for reading. Initialise with {0}; zero is the default of every member. */
typedef struct {
    sl_file_format format;    /* format of the file */
    unsigned flags;           /* set of SL_READ_... flags */
    sl_duplicates duplicates; /* rule for duplicates */
    unsigned base;            /* edge lists: id of the first vertex, 0 or 1 */
    uint64_t vertices;        /* edge lists, Graph500: number of vertices; 0: the greatest id + 1 */
    const char *source_column; /* CSV: the column of the sources, by its name in the header or its
                                  number from 1; NULL: recognised by its name, without header 1 */
    const char *target_column; /* CSV: the column of the targets; NULL: likewise, 2 */
    const char *weight_column; /* CSV: the column of the weights; NULL: likewise, 3 if there are
                                  three; none if no name is recognised */
    bool no_header; /* CSV: the first line is an edge, as it always is if two numbers begin it */
    sl_unread_columns
        *unread; /* out, to be freed by the caller: zeroed, then set for CSV files; NULL:
                                  not wanted */
} sl_read_options;

/* ---- reading ------------------------------------------------------------ */

/*
 * Reads the tuples of a file.
 *
 * edges    out: the tuples; free them with sl_edges_free. Zeroed on failure.
 * path     name of the file. Files with a name that ends in .gz or .zst and files that start with
 *          the magic number of gzip or Zstandard are decompressed while they are read.
 * options  may be NULL: all defaults
 *
 * Result by format. Matrix Market: coordinate and array; fields pattern, integer (SL_INT64;
 * SL_UINT64 if a value is above 2^63 - 1), unsigned-integer (SL_UINT64), real (SL_FP64); general,
 * symmetric, skew-symmetric; the object vector is one column; complex and hermitian are SL_UNSUPPORTED.
 * Edge lists: square, weights SL_FP64; a fourth column is not kept. DIMACS: problem
 * type sp only, SL_INT64. METIS: SL_INT64 or a pattern; each edge must be listed at both endpoints
 * and is returned once, with mirror SL_MIRROR_SAME; sizes and weights of vertices are ignored.
 * Graph500: patterns. CSV: square, a row and a column per label that occurs, in the order of
 * sl_labels, which `labels` has; weights SL_FP64. Native: the entries of the matrix with values converted to SL_INT64,
 * SL_UINT64 or SL_FP64. A value is SL_OUT_OF_RANGE if the type would store it as infinity or 0 or,
 * an integer, as another integer.
 *
 * Threads: regular files are read by all threads of the context, METIS files and pipes by one.
 * Tuples and errors do not depend on the number of threads. A file with an error is read again by
 * one thread to find the position of the error.
 *
 * Processes: collective on a grid. Each process reads a slice of a regular file, which all
 * processes must be able to open, and gets the tuples of the lines that start in its slice;
 * concatenated in the order of the processes, these are the tuples of the file. Compressed files,
 * CSV and METIS files and pipes are read by the first process, and the other processes get no tuples.
 * Shape, type, ids, labels and errors are the same on all processes.
 *
 * Errors: SL_IO (the file cannot be opened or read; compressed data is damaged or truncated);
 * SL_SYNTAX and SL_OUT_OF_RANGE with the message "file:line:column: DESCRIPTION" (binary files:
 * "file: byte OFFSET: DESCRIPTION"; native files: see docs/native-format.md); SL_UNSUPPORTED;
 * SL_NO_MEMORY.
 */
sl_status sl_edges_read(sl_edges *edges, sl_context *ctx, const char *path,
                        const sl_read_options *options);

/*
 * Makes a matrix of tuples. Collective: the tuples of all processes together form the matrix.
 *
 * A        out: new matrix, owned by the caller; NULL on failure
 * edges    the tuples; not changed
 * options  may be NULL. `duplicates` and all `flags` except SL_READ_RENUMBER and SL_READ_VERIFY are
 *          applied; the other members are for reading.
 *
 * A square matrix with mirror entries is marked as symmetric. Errors: SL_INVALID, SL_MISMATCH
 * (symmetric but not square), SL_OUT_OF_RANGE, SL_SYNTAX (SL_DUPLICATES_ERROR), SL_NO_MEMORY. Cost:
 * O(count) time and memory.
 */
sl_status sl_matrix_from_edges(sl_matrix **A, sl_context *ctx, const sl_edges *edges,
                               const sl_read_options *options);

/*
 * Reads a file into a matrix: sl_edges_read and sl_matrix_from_edges, but faster than the two
 * calls. `flags` is a set of SL_READ_... A matrix from a native file keeps the type in the file,
 * unless SL_READ_SYMMETRIC, SL_READ_TRANSPOSED or SL_READ_NO_LOOPS requires a conversion to tuples.
 * Collective; errors as of both functions.
 */
sl_status sl_matrix_read(sl_matrix **A, sl_context *ctx, const char *path, unsigned flags);

/*
 * Like sl_matrix_read, with all options (NULL: defaults). If `ids` is not NULL, *ids becomes an
 * array from sl_malloc, owned by the caller, with the file's id of each vertex, or NULL if vertex v
 * has the id v + base, or if an id is negative: see sl_matrix_read_labelled. Collective.
 */
sl_status sl_matrix_read_with(sl_matrix **A, uint64_t **ids, sl_context *ctx, const char *path,
                              const sl_read_options *options);

/*
 * Like sl_matrix_read_with. If `labels` is not NULL, *labels becomes the labels of the vertices of a
 * CSV file, or the renumbered ids of an edge list in which one is negative, to be freed with
 * sl_labels_free; it is zeroed for other files, and on failure. Collective.
 */
sl_status sl_matrix_read_labelled(sl_matrix **A, uint64_t **ids, sl_labels *labels, sl_context *ctx,
                                  const char *path, const sl_read_options *options);

/* ---- writing ------------------------------------------------------------ */

/* Options for writing. Initialise with {0}; zero is the default of every member. */
typedef struct {
    sl_file_format
        format;        /* SL_FORMAT_AUTO: by the name; an edge list if no format has its ending */
    unsigned base;     /* edge lists: id of the first vertex, 0 or 1 */
    bool no_overwrite; /* fail with SL_IO if the file exists, also if it appears meanwhile */
} sl_write_options;

/*
 * Writes a matrix to a file.
 *
 * path     name of the file; "-" is stdout. If it ends in .gz or .zst the file is compressed (not
 *          possible for native files).
 * format   Matrix Market (coordinate, general; pattern, integer, unsigned-integer for uint64, or real), an
 *          edge list with a header comment, DIMACS (a pattern gets weights 1), METIS, Graph500,
 *          native, or CSV (tabs in files whose names end in .tsv) with indices as labels
 *
 * A matrix of type bool is written without values if all are true. Matrices of other types are
 * written with values, so that reading the file gives a matrix of that kind.
 *
 * The file appears complete or not at all, as sl_file_create describes; an existing file is
 * replaced unless the options forbid it. Collective on a grid: each process writes a slice of the
 * rows at its position, and the file is the same as a single process would write; a compressed file
 * decompresses to the same bytes. Errors: SL_UNSUPPORTED (the format cannot represent the matrix,
 * or the name belongs to an unknown format), SL_INVALID, SL_IO, SL_NO_MEMORY.
 */
sl_status sl_matrix_write(const sl_matrix *A, const char *path, sl_file_format format);
sl_status sl_matrix_write_with(const sl_matrix *A, const char *path,
                               const sl_write_options *options);

/*
 * Writes tuples in their order, including duplicates and self-loops; mirror entries are written
 * explicitly. METIS and native files store rows of a matrix and are SL_UNSUPPORTED. CSV files get the labels of
 * the edges, which all processes must have, or else indices. Collective on a
 * grid: each process has some of the tuples, which are written in the order of the processes.
 * Errors: as sl_matrix_write; SL_OUT_OF_RANGE if a row or column index is outside of the shape.
 */
sl_status sl_edges_write(const sl_edges *edges, sl_context *ctx, const char *path,
                         const sl_write_options *options);

/* ---- vectors ------------------------------------------------------------ */

/* File formats of vectors. */
typedef enum {
    SL_VECTOR_AUTO,          /* by the name: .mtx, .npy, text for all others */
    SL_VECTOR_TEXT,          /* a line "index value" for each entry, 0-based */
    SL_VECTOR_MATRIX_MARKET, /* a matrix with one column (for reading also: with one row, or a vector) */
    SL_VECTOR_NPY            /* NumPy array format 1.0: dense, one dimension */
} sl_vector_format;

/* Options for vectors. Initialise with {0}; zero is the default of every member. */
typedef struct {
    sl_vector_format format; /* format of the file */
    /*
     * .npy: the value that represents a missing entry; the vector's type must be able to represent
     * it. NULL for writing: NaN for fp32 and fp64, -1 for signed integers, the greatest value for
     * unsigned integers, false for bool. NULL for reading: every element is an entry.
     */
    const sl_scalar *fill;
    const uint64_t *ids; /* writing text: printed instead of each index, indexed by it; NULL: the
                            index is printed */
    uint64_t size;       /* reading text without a header: the size; 0: the greatest index + 1 */
    bool no_overwrite;   /* writing: as in sl_write_options */
} sl_vector_options;

/*
 * Writes a vector; compressed if the name ends in .gz or .zst; "-" is stdout. The file appears
 * complete or not at all, and replaces an existing one, as with sl_matrix_write. Collective as
 * sl_matrix_write. A text file starts with a comment that contains size and
 * type, so that reading it restores the same vector. Errors: SL_INVALID (`fill` is not a value of
 * the type; `ids` with another format than text), SL_UNSUPPORTED (the name belongs to another
 * format), SL_IO, SL_NO_MEMORY.
 */
sl_status sl_vector_write(const sl_vector *v, const char *path, sl_vector_format format);
sl_status sl_vector_write_with(const sl_vector *v, const char *path,
                               const sl_vector_options *options);

/*
 * Reads a vector, owned by the caller. Collective; the first process reads the file, except Matrix
 * Market files: each process reads a slice of them.
 *
 * The type comes from the file. Text: the type in the header; without a header SL_INT64 or
 * SL_UINT64 if it holds all values, else SL_FP64. Matrix Market: as sl_edges_read. NumPy: the type
 * of the array (bool, int8 to int64, uint8 to uint64, float32, float64, either byte order).
 *
 * Errors: as sl_edges_read; SL_MISMATCH (a matrix with more than one row and column), SL_INVALID
 * (`fill` is not a value of the type). On failure *v is NULL.
 */
sl_status sl_vector_read(sl_vector **v, sl_context *ctx, const char *path, sl_vector_format format);
sl_status sl_vector_read_with(sl_vector **v, sl_context *ctx, const char *path,
                              const sl_vector_options *options);

/* ---- new files ------------------------------------------------------------ */

/* A file that is being written: see sl_file_create. */
typedef struct sl_file sl_file;

/*
 * Opens a file for writing that appears under its name complete or not at all, as all files that
 * this library writes; for files with contents of the caller's own.
 *
 * file       out: to be passed to sl_file_finish; NULL on failure
 * fd         out: descriptor to write to, owned by the file; do not close it
 * ctx        receives messages; may be NULL; must outlive the file
 * path       name of the file. A symbolic link is followed, also one to a file that does not exist
 *            yet. Devices and pipes are written in place. A link or pipe that another user has put into
 *            a sticky folder in which all users may write, such as /tmp, is SL_IO, unless it belongs to
 *            the folder's owner
 * overwrite  false: an existing file is SL_IO, now or in sl_file_finish
 *
 * Until sl_file_finish the file has no name, and nothing stays if the process ends, by whatever
 * signal. Where the file system has no unnamed files (O_TMPFILE), and where several processes write
 * one file, it has the name semla-PROCESS-NUMBER.tmp in the same folder, which sl_files_discard
 * removes. A file that is replaced gives its mode to the new one, and its group and owner where the
 * process may set them. Not collective. Errors: SL_INVALID, SL_IO, SL_NO_MEMORY, SL_UNSUPPORTED
 * (more than 64 files with temporary names at a time).
 */
sl_status sl_file_create(sl_file **file, int *fd, sl_context *ctx, const char *path,
                         bool overwrite);

/*
 * Closes a file, which may be NULL. If `status` is SL_OK the file and its folder are written to the
 * disk (fsync), in between the file gets its name; otherwise it is removed, and a file of that name
 * stays as it is. Returns `status` if it is a failure; else SL_OK or SL_IO.
 */
sl_status sl_file_finish(sl_file *file, sl_status status);

/*
 * Removes the temporary names of all files that this process is writing; files cannot be created or
 * finished afterwards. For a handler of signals that end the program: async-signal-safe. The
 * library installs no signal handlers.
 */
void sl_files_discard(void);

/* ---- models ------------------------------------------------------------- */

/* Graph models, and the members of sl_generator that each of them reads. */
typedef enum {
    SL_MODEL_KRONECKER, /* scale, edge_factor: 2^scale vertices, edge_factor edges per vertex */
    SL_MODEL_UNIFORM,   /* vertices, edges: both endpoints of each edge are random */
    SL_MODEL_GRID,      /* side[0] x side[1] (x side[2] if not 0) lattice */
    SL_MODEL_PATH,      /* vertices: edges v to v + 1 */
    SL_MODEL_STAR,      /* vertices: edges from vertex 0 to all others */
    SL_MODEL_COMPLETE,  /* vertices: an edge for every pair */
    SL_MODEL_ROAD /* side[0] x side[1] lattice without a random part of its edges and with a few
                     short-cuts; degrees and diameter are similar to a road network */
} sl_model;

/* A model and its parameters. Initialise with {0} and set the members that the model reads. */
typedef struct {
    sl_model model;       /* which model */
    uint64_t seed;        /* seed of the random models */
    unsigned scale;       /* KRONECKER: 0 to 40 */
    double edge_factor;   /* KRONECKER: edges per vertex; 0 means 16 */
    double a, b, c;       /* KRONECKER: probabilities of the first three quadrants of the adjacency
                           matrix, the parameters of R-MAT; the fourth has the rest of 1. All 0: 0.57,
                           0.19, 0.19 */
    uint64_t vertices;    /* UNIFORM, PATH, STAR, COMPLETE */
    uint64_t edges;       /* UNIFORM */
    uint64_t side[3];     /* GRID, ROAD */
    bool weighted;        /* every edge has a random weight; see sl_generate */
    bool integer_weights; /* if weighted: the weights are int64, else fp64 */
    double least_weight;  /* if weighted: the beginning of the range of the weights */
    double greatest_weight; /* if weighted: its end; if both are 0: from 0 to 1 */
} sl_generator;

/*
 * Generates the edges of a model, each in one direction: pass SL_READ_SYMMETRIC to
 * sl_matrix_from_edges for an undirected graph. Random models may contain duplicates and
 * self-loops, as the Graph500 specification allows. *edges is a pattern with mirror SL_MIRROR_NONE,
 * unless model->weighted; free it with sl_edges_free; zeroed on failure.
 *
 * Every random number is a function of the seed and its position in the stream. The edges and their
 * order therefore do not depend on the number of threads or processes. On a grid each process
 * generates its part of the edges, without communication. KRONECKER follows the Graph500
 * specification (A = 0.57, B = C = 0.19, vertex labels scrambled by a bijection); Leskovec et al.,
 * "Kronecker Graphs", JMLR 11, 2010. With other a, b and c it is R-MAT (Chakrabarti, Zhan,
 * Faloutsos, "R-MAT: A recursive model for graph mining", SDM 2004) with scrambled labels.
 *
 * With model->weighted the values are random. Integers are uniform from least_weight to greatest_weight, both
 * included; both must be whole numbers from -2^53 to 2^53. Reals are uniform from least_weight, included, to
 * greatest_weight, which occurs only where rounding to fp64 gives it: 2^24 values at equal distances. By default they
 * are multiples of 2^-24 in [0, 1). fp32 holds them exactly, and sums below 2^29 are exact in fp64. Weights of
 * KRONECKER and UNIFORM are a function of the seed and the number of the edge; duplicates have different weights,
 * among which the rule for duplicates decides. Weights of the other models, which have at most one edge between two
 * vertices, are a function of the seed and the two vertices.
 *
 * Errors: SL_INVALID (a size that the model cannot have, probabilities or a range of weights that
 * are wrong), SL_NO_MEMORY. Collective. Cost: O(edges).
 */
sl_status sl_generate(sl_edges *edges, sl_context *ctx, const sl_generator *model);

/*
 * Generates a model as a matrix: sl_generate and sl_matrix_from_edges in one call.
 *
 * If an engine of the context can generate the model itself (a GPU: KRONECKER and UNIFORM; with
 * weights if none is negative and the rule for duplicates is SL_DUPLICATES_MIN), the matrix is the
 * same but is created in the memory of the engine, and the list of tuples is never stored. This
 * allows larger graphs. Otherwise the host generates it. If `options` has SL_READ_SYMMETRIC and the
 * device memory cannot hold the matrix twice, only the reordered graph of sl_matrix_optimize is created, and rows
 * that do not fit are kept in pinned host memory (see sl_matrix_placement). On a grid whose ranks have GPUs each
 * generates its block, if the graph is undirected; a block with weights that has no room on its GPU is
 * SL_NO_MEMORY. Errors: as of both functions. Collective.
 */
sl_status sl_matrix_generate(sl_matrix **A, sl_context *ctx, const sl_generator *model,
                             const sl_read_options *options);

/*
 * True if an engine of the context can generate the model itself. Otherwise the two functions below,
 * which ignore weights, fail with SL_UNSUPPORTED, unless the engine can generate the model without its
 * weights. Not collective.
 */
bool sl_generator_supported(sl_context *ctx, const sl_generator *model);

/*
 * Counts how often each vertex is an endpoint of a tuple of the model.
 *
 * degrees       out: new int64 vector; entry v is the number of endpoints at vertex v (a self-loop
 *               counts twice); no entry if it is 0
 * non_isolated  out: new bool vector; entry v is true if a tuple joins v to another vertex; else no
 *               entry
 *
 * Both are owned by the caller and NULL on failure. Errors: SL_INVALID, SL_UNSUPPORTED,
 * SL_NO_MEMORY. Collective.
 */
sl_status sl_generator_degrees(sl_vector **degrees, sl_vector **non_isolated, sl_context *ctx,
                               const sl_generator *model);

/*
 * Validates the result of a breadth-first search against the tuples of a model, which are generated
 * again; each tuple is an edge in both directions. The Graph500 specification requires validation
 * against the edge list, not against the matrix that was made from it.
 *
 * check   out: the result. The parents must form a tree with root `root`; its edges must be tuples;
 *         it must contain every vertex that an edge connects to it; no edge may join vertices with
 *         levels that differ by more than one.
 * parent  int64 or int32 vector; no entry for vertices that were not reached
 *
 * Errors: SL_INVALID, SL_UNSUPPORTED, SL_MISMATCH (type or size of `parent`), SL_OUT_OF_RANGE (the
 * root), SL_NO_MEMORY. Collective.
 */
sl_status sl_generator_check_tree(sl_tree_check *check, const sl_vector *parent,
                                  const sl_generator *model, uint64_t root);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
