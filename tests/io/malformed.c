/* Reads each file of tests/data/malformed and checks status and message. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "files.h"

#define FOLDER SEMLA_TEST_DATA "/malformed/"

typedef struct {
    const char *name;
    sl_status status;
    const char *message; /* after the path */
    sl_read_options options;
} malformed;

/* clang-format off */
static const malformed corpus[] = {
    {"banner-empty.mtx", SL_SYNTAX, ":1:1: the %%MatrixMarket banner is missing; ", {0}},
    {"banner-missing.mtx", SL_SYNTAX,
     ":1:1: the %%MatrixMarket banner is missing; a list of 1-based pairs can be read as an edge list with base 1 "
     "(--format edges --base 1)", {0}},
    {"banner-missing.mtx", SL_SYNTAX, ":1:1: expected the %%MatrixMarket banner, found '2'",
     {.format = SL_FORMAT_MATRIX_MARKET}},
    {"banner-short.mtx", SL_SYNTAX, ":1:38: expected the symmetry, found the end of the line", {0}},
    {"banner-word.mtx", SL_SYNTAX, ":1:23: 'coordinat' is not a Matrix Market format", {0}},
    {"banner-complex.mtx", SL_UNSUPPORTED, ":1:34: Matrix Market field 'complex' is not supported", {0}},
    {"banner-hermitian.mtx", SL_UNSUPPORTED, ":1:39: Matrix Market symmetry 'hermitian' is not supported", {0}},
    {"banner-garbage.mtx", SL_SYNTAX, ":1:47: expected the end of the line after the banner, found 'x'", {0}},
    {"pattern-array.mtx", SL_SYNTAX, ":1:1: a pattern matrix cannot be an array", {0}},
    {"pattern-skew.mtx", SL_SYNTAX, ":1:1: a pattern matrix cannot be skew-symmetric", {0}},
    {"size-missing.mtx", SL_SYNTAX, ":4:1: expected the size line, found the end of the file", {0}},
    {"size-short.mtx", SL_SYNTAX, ":2:4: expected a number of entries, found the end of the line", {0}},
    {"size-long.mtx", SL_SYNTAX, ":2:7: expected the end of the line, found '1'", {0}},
    {"size-negative.mtx", SL_SYNTAX, ":2:1: expected a number of rows, found '-'", {0}},
    {"size-decimal.mtx", SL_SYNTAX, ":2:2: expected a blank, found '.'", {0}},
    {"size-above.mtx", SL_OUT_OF_RANGE, ":2:3: a number of columns is above the limit 1152921504606846976", {0}},
    {"size-overflow.mtx", SL_OUT_OF_RANGE, ":2:5: a number of entries is above the limit 1152921504606846976", {0}},
    {"size-rectangle.mtx", SL_SYNTAX,
     ":2:1: a symmetric matrix must be square; this one has 3 rows and 2 columns", {0}},
    {"entries-few.mtx", SL_SYNTAX, ":5:1: the file ends after 2 of 3 entries", {0}},
    {"entries-many.mtx", SL_SYNTAX, ":5:3: more than the 1 entries declared", {0}},
    {"entries-declared.mtx", SL_SYNTAX, ":5:1: the file ends after 2 of 1000000000000000 entries", {0}},
    {"entry-row-zero.mtx", SL_OUT_OF_RANGE, ":4:1: row 0 is out of range: indices start at 1", {0}},
    {"entry-column-zero.mtx", SL_OUT_OF_RANGE, ":4:3: column 0 is out of range: indices start at 1", {0}},
    {"entry-row-above.mtx", SL_OUT_OF_RANGE, ":3:3: row 4 is out of range: the matrix has 3", {0}},
    {"entry-column-above.mtx", SL_OUT_OF_RANGE, ":3:5: column 5 is out of range: the matrix has 4", {0}},
    {"entry-row-overflow.mtx", SL_OUT_OF_RANGE, ":3:1: a row index is above the limit 18446744073709551615", {0}},
    {"entry-upper.mtx", SL_SYNTAX,
     ":4:1: an entry above the diagonal; symmetric files store the lower triangle (--symmetric, SL_READ_SYMMETRIC "
     "reads both triangles)", {0}},
    {"entry-diagonal-skew.mtx", SL_SYNTAX, ":3:1: a diagonal entry in a skew-symmetric matrix", {0}},
    {"entry-short.mtx", SL_SYNTAX, ":3:2: expected a column index, found the end of the line", {0}},
    {"entry-letter.mtx", SL_SYNTAX, ":3:1: expected a row index, found 'a'", {0}},
    {"entry-glued.mtx", SL_SYNTAX, ":3:2: expected a blank, found ','", {0}},
    {"value-missing.mtx", SL_SYNTAX, ":3:4: expected a number, found the end of the line", {0}},
    {"value-missing.mtx", SL_SYNTAX, ":3:4: expected a number, found the end of the line", {.flags = SL_READ_PATTERN}},
    {"value-letter.mtx", SL_SYNTAX, ":3:5: expected a number, found 'x'", {0}},
    {"value-sign.mtx", SL_SYNTAX, ":3:5: expected a number, found '-'", {0}},
    {"value-point.mtx", SL_SYNTAX, ":3:5: expected a number, found '.'", {0}},
    {"value-exponent.mtx", SL_SYNTAX, ":3:5: expected a number, found '1'", {0}},
    {"value-hex.mtx", SL_SYNTAX, ":3:6: expected a blank or the end of the line after the value, found 'x'", {0}},
    {"value-extra.mtx", SL_SYNTAX, ":3:9: expected the end of the line, found '2'", {0}},
    {"value-of-pattern.mtx", SL_SYNTAX, ":3:5: expected the end of the line, found '1'", {0}},
    {"integer-decimal.mtx", SL_SYNTAX, ":3:6: expected a blank or the end of the line after the value, found '.'", {0}},
    {"integer-overflow.mtx", SL_OUT_OF_RANGE,
     ":4:5: the value 9223372036854775808: no 64-bit integer type holds negative values and values "
     "above 2^63 - 1", {0}},
    {"array-few.mtx", SL_SYNTAX, ":6:1: the file ends after 3 of 4 entries", {0}},
    {"array-many.mtx", SL_SYNTAX, ":4:5: expected the end of the line, found '5'", {0}},
    {"array-letter.mtx", SL_SYNTAX, ":5:1: expected a number, found 'x'", {0}},
    {"array-huge.mtx", SL_OUT_OF_RANGE, ":2:1: the array has more than 2^64 entries", {0}},
    {"array-of-none.mtx", SL_SYNTAX, ":3:1: more than the 0 entries declared", {0}},
    {"edges-one-column.txt", SL_SYNTAX, ":3:2: expected a second vertex id, found the end of the line", {0}},
    {"edges-five-columns.txt", SL_SYNTAX, ":1:14: expected the end of the line after the time, found '7'", {0}},
    {"edges-mixed.txt", SL_SYNTAX, ":2:1: the line has 3 columns; the first edge has 2", {0}},
    {"edges-unmixed.txt", SL_SYNTAX, ":2:1: the line has 2 columns; the first edge has 3", {0}},
    {"edges-unmixed.txt", SL_SYNTAX, ":2:1: the line has 2 columns; the first edge has 3", {.flags = SL_READ_PATTERN}},
    {"edges-comma.txt", SL_SYNTAX,
     ":1:2: expected a blank after a vertex id, found ','; comma-separated files are read as CSV "
     "(--format csv)", {0}},
    {"edges-letter.txt", SL_SYNTAX, ":2:3: expected a second vertex id, found 'b'", {0}},
    {"edges-negative.txt", SL_OUT_OF_RANGE,
     ":2:1: vertex id -1 is negative; --renumber (SL_READ_RENUMBER) accepts all integers of 64 bits", {0}},
    {"edges-decimal.txt", SL_SYNTAX, ":2:2: expected a blank after a vertex id, found '.'", {0}},
    {"edges-weight.txt", SL_SYNTAX, ":1:5: expected a weight, found 'h'", {0}},
    {"edges-late-comment.txt", SL_SYNTAX, ":1:5: expected a weight, found '#'", {0}},
    {"edges-id-above.txt", SL_OUT_OF_RANGE, ":2:1: vertex id 1152921504606846976 is above the limit 2^60", {0}},
    {"edges-id-overflow.txt", SL_OUT_OF_RANGE,
     ":2:3: vertex id 340282366920938463463374607431768211456 is above the limit 2^60; --renumber (SL_READ_RENUMBER) "
     "accepts all integers of 64 bits", {0}},
    {"edges-zero-base-one.txt", SL_OUT_OF_RANGE, ":2:1: vertex id 0 is out of range: ids start at 1 (base 1)",
     {.base = 1}},
    {"edges-zero-base-one.txt", SL_OUT_OF_RANGE, ":2:1: vertex id 0 is out of range: ids start at 1 (base 1)",
     {.base = 1, .flags = SL_READ_RENUMBER}},
    {"edges-binary.txt", SL_SYNTAX, ":2:1: expected a vertex id, found byte 0x00", {0}},
    {"edges-utf16.txt", SL_SYNTAX, ":1:1: the file has the mark of UTF-16; convert it to UTF-8 first", {0}},
    {"edges-returns.txt", SL_SYNTAX,
     ":1:4: expected the end of the line, found a carriage return without a line feed; lines end with LF or CR LF: "
     "convert the file", {0}},
    {"edges-returns-comment.txt", SL_SYNTAX,
     ":1:4: expected the end of the line, found a carriage return without a line feed; lines end with LF or CR LF: "
     "convert the file", {0}},
    {"csv-returns.csv", SL_SYNTAX,
     ":1:8: expected the end of the line, found a carriage return without a line feed; lines end with LF or CR LF: "
     "convert the file", {0}},
    {"edges-return-later.txt", SL_SYNTAX,
     ":2:2: expected a blank after a vertex id, found a carriage return without a line feed; lines end with "
     "LF or CR LF: convert the file", {0}},
    {"edges-enormous-ids.txt", SL_NO_MEMORY,
     "matrix_from_edges: no memory for 576460752303423489 vertices: an array with 8 bytes for each needs "
     "4611686018427387920 bytes, and ", {0}},
    {"edges-twice.txt", SL_SYNTAX, "matrix_from_edges: entry (0, 1), 0-based, occurs more than once",
     {.duplicates = SL_DUPLICATES_ERROR}},
    {"edges-banner.txt", SL_SYNTAX, ":1:1: this is a Matrix Market file, not an edge list; use --format mtx",
     {.format = SL_FORMAT_EDGE_LIST}},
    {"dimacs-empty.gr", SL_SYNTAX, ":1:1: expected the line 'p sp VERTICES ARCS', found the end of the file", {0}},
    {"dimacs-comments.gr", SL_SYNTAX, ":3:1: expected the line 'p sp VERTICES ARCS', found the end of the file", {0}},
    {"dimacs-arc-first.gr", SL_SYNTAX, ":2:1: expected the line 'p sp VERTICES ARCS', found 'a'", {0}},
    {"dimacs-max.gr", SL_UNSUPPORTED, ":1:3: DIMACS problem type is not supported; must be 'sp' (shortest paths)", {0}},
    {"dimacs-spread.gr", SL_UNSUPPORTED,
     ":1:3: DIMACS problem type is not supported; must be 'sp' (shortest paths)", {0}},
    {"dimacs-bare.gr", SL_UNSUPPORTED,
     ":1:2: DIMACS problem type is not supported; must be 'sp' (shortest paths)", {0}},
    {"dimacs-short.gr", SL_SYNTAX, ":1:7: expected a number of arcs, found the end of the line", {0}},
    {"dimacs-long.gr", SL_SYNTAX, ":1:10: expected the end of the line, found '5'", {0}},
    {"dimacs-negative-size.gr", SL_SYNTAX, ":1:6: expected a number of vertices, found '-'", {0}},
    {"dimacs-size-above.gr", SL_OUT_OF_RANGE, ":1:6: a number of vertices is above the limit 1152921504606846976", {0}},
    {"dimacs-size-overflow.gr", SL_OUT_OF_RANGE, ":1:8: a number of arcs is above the limit 1152921504606846976", {0}},
    {"dimacs-twice.gr", SL_SYNTAX, ":2:1: expected a line 'a FROM TO WEIGHT', found 'p'", {0}},
    {"dimacs-glued.gr", SL_SYNTAX, ":2:2: expected a blank, found '1'", {0}},
    {"dimacs-vertex-zero.gr", SL_OUT_OF_RANGE, ":2:3: vertex 0 is out of range: vertices are numbered from 1", {0}},
    {"dimacs-vertex-above.gr", SL_OUT_OF_RANGE, ":3:5: vertex 3 is out of range: the graph has 2 vertices", {0}},
    {"dimacs-vertex-overflow.gr", SL_OUT_OF_RANGE, ":2:3: a vertex is above the limit 18446744073709551615", {0}},
    {"dimacs-vertex-negative.gr", SL_SYNTAX, ":2:5: expected a second vertex, found '-'", {0}},
    {"dimacs-vertex-letter.gr", SL_SYNTAX, ":2:4: expected a blank, found 'x'", {0}},
    {"dimacs-no-weight.gr", SL_SYNTAX, ":2:6: expected a weight, found the end of the line", {0}},
    {"dimacs-no-weight.gr", SL_SYNTAX, ":2:6: expected a weight, found the end of the line",
     {.flags = SL_READ_PATTERN}},
    {"dimacs-weight-negative.gr", SL_OUT_OF_RANGE, ":2:7: a weight is -3; the minimum is 0", {0}},
    {"dimacs-weight-overflow.gr", SL_OUT_OF_RANGE,
     ":2:7: a weight, 9223372036854775808, does not fit in a signed 64-bit integer", {0}},
    {"dimacs-weight-decimal.gr", SL_SYNTAX, ":2:8: expected a blank or the end of the line, found '.'", {0}},
    {"dimacs-weight-nan.gr", SL_SYNTAX, ":2:7: expected a weight, found 'n'", {0}},
    {"dimacs-garbage.gr", SL_SYNTAX, ":2:9: expected the end of the line, found 'x'", {0}},
    {"dimacs-few.gr", SL_SYNTAX, ":4:1: the file ends after 2 of 3 arcs", {0}},
    {"dimacs-declared.gr", SL_SYNTAX, ":3:1: the file ends after 1 of 1000000000000000 arcs", {0}},
    {"dimacs-many.gr", SL_SYNTAX, ":4:2: more than the 1 declared arcs", {0}},
    {"dimacs-trailing.gr", SL_SYNTAX, ":3:1: more than the 1 declared arcs", {0}},
    {"metis-empty.graph", SL_SYNTAX, ":1:1: expected the line 'VERTICES EDGES', found the end of the file", {0}},
    {"metis-comments.graph", SL_SYNTAX, ":3:1: expected the line 'VERTICES EDGES', found the end of the file", {0}},
    {"metis-short.graph", SL_SYNTAX, ":1:2: expected a number of edges, found the end of the line", {0}},
    {"metis-letter.graph", SL_SYNTAX, ":1:1: expected a number of vertices, found 't'", {0}},
    {"metis-negative-size.graph", SL_SYNTAX, ":1:1: expected a number of vertices, found '-'", {0}},
    {"metis-size-above.graph", SL_OUT_OF_RANGE, ":1:3: a number of edges is above the limit 1152921504606846976", {0}},
    {"metis-size-overflow.graph", SL_OUT_OF_RANGE,
     ":1:1: a number of vertices is above the limit 1152921504606846976", {0}},
    {"metis-format.graph", SL_SYNTAX, ":1:5: FMT must be up to three binary digits", {0}},
    {"metis-format-long.graph", SL_SYNTAX, ":1:5: FMT must be up to three binary digits", {0}},
    {"metis-format-glued.graph", SL_SYNTAX, ":1:5: FMT must be up to three binary digits", {0}},
    {"metis-weights-unsaid.graph", SL_SYNTAX, ":1:9: NCON is 2, but FMT declares no vertex weights", {0}},
    {"metis-weights-many.graph", SL_OUT_OF_RANGE, ":1:9: a number of weights is above the limit 1048576", {0}},
    {"metis-header-long.graph", SL_SYNTAX, ":1:11: expected the end of the line, found '1'", {0}},
    {"metis-few.graph", SL_SYNTAX, ":4:1: the file ends after 2 of 3 vertices", {0}},
    {"metis-declared.graph", SL_SYNTAX, ":4:1: the file ends after 2 of 1000000000000000 vertices", {0}},
    {"metis-many.graph", SL_SYNTAX, ":7:1: more lines than the 3 declared vertices", {0}},
    {"metis-edges-few.graph", SL_SYNTAX, ":5:1: the file has 4 neighbours; expected twice the 3 declared edges", {0}},
    {"metis-edges-declared.graph", SL_SYNTAX,
     ":5:1: the file has 4 neighbours; expected twice the 1000000000000000 declared edges", {0}},
    {"metis-edges-many.graph", SL_SYNTAX, ":3:3: more neighbours than twice the 1 declared edges", {0}},
    {"metis-vertex-zero.graph", SL_OUT_OF_RANGE, ":2:1: vertex 0 is out of range: vertices are numbered from 1", {0}},
    {"metis-vertex-above.graph", SL_OUT_OF_RANGE, ":3:3: vertex 4 is out of range: the graph has 3 vertices", {0}},
    {"metis-vertex-overflow.graph", SL_OUT_OF_RANGE, ":2:1: a neighbour is above the limit 18446744073709551615", {0}},
    {"metis-vertex-negative.graph", SL_SYNTAX, ":2:1: expected a neighbour, found '-'", {0}},
    {"metis-vertex-letter.graph", SL_SYNTAX, ":2:2: expected a blank, found ','", {0}},
    {"metis-loop.graph", SL_SYNTAX, ":3:3: vertex 2 lists itself; METIS graphs have no self-loops", {0}},
    {"metis-one-way.graph", SL_SYNTAX, ":4: vertex 2 lists 3 twice", {0}},
    {"metis-unanswered.graph", SL_SYNTAX, ":6: vertex 4 lists 2, but 2 does not list 4 (line 4)", {0}},
    {"metis-unanswered-last.graph", SL_SYNTAX, ":2: vertex 1 lists 4, but 4 does not list 1 (line 6)", {0}},
    {"metis-passed-over.graph", SL_SYNTAX, ":2: vertex 1 lists 2, but 2 does not list 1 (line 3)", {0}},
    {"metis-unanswered-low.graph", SL_SYNTAX, ":4: vertex 3 lists 1, but 1 does not list 3 (line 2)", {0}},
    {"metis-twice.graph", SL_SYNTAX, ":2: vertex 1 lists 2 twice", {0}},
    {"metis-weight-missing.graph", SL_SYNTAX, ":3:6: expected an edge's weight, found the end of the line", {0}},
    {"metis-weight-zero.graph", SL_OUT_OF_RANGE, ":3:7: an edge's weight is 0; the minimum is 1", {0}},
    {"metis-weight-negative.graph", SL_OUT_OF_RANGE, ":2:3: an edge's weight is -5; the minimum is 1", {0}},
    {"metis-weight-overflow.graph", SL_OUT_OF_RANGE,
     ":2:3: an edge's weight, 9223372036854775808, does not fit in a signed 64-bit integer", {0}},
    {"metis-weight-decimal.graph", SL_SYNTAX, ":2:4: expected a blank or the end of the line, found '.'", {0}},
    {"metis-weight-nan.graph", SL_SYNTAX, ":2:3: expected an edge's weight, found 'n'", {0}},
    {"metis-weights-differ.graph", SL_SYNTAX, ":4: edge 3 2 has weight 8, but 7 in the line of 2 (line 3)", {0}},
    {"metis-vertex-weight-missing.graph", SL_SYNTAX,
     ":3:2: expected a vertex's size or weight, found the end of the line", {0}},
    {"metis-vertex-weight-negative.graph", SL_OUT_OF_RANGE,
     ":3:1: a vertex's size or weight is -4; the minimum is 0", {0}},
    {"metis-vertex-size-letter.graph", SL_SYNTAX, ":2:1: expected a vertex's size or weight, found 'x'", {0}},
    {"graph500-partial.g500", SL_SYNTAX, ": byte 16: the file ends within a tuple, which has 16 bytes", {0}},
    {"graph500-one-byte.g500", SL_SYNTAX, ": byte 0: the file ends within a tuple, which has 16 bytes", {0}},
    {"graph500-negative.g500", SL_OUT_OF_RANGE, ": byte 16: vertex -1 is negative", {0}},
    {"graph500-above.g500", SL_OUT_OF_RANGE, ": byte 16: vertex 1152921504606846976 is above the limit 2^60", {0}},
    {"graph500-above-given.g500", SL_OUT_OF_RANGE, ": vertex id 5 is out of range: the options give 5 vertices",
     {.vertices = 5}},
    {"graph500-packed-partial.g500p", SL_SYNTAX, ": byte 12: the file ends within a tuple, which has 12 bytes", {0}},
    {"graph500-packed-negative.g500p", SL_OUT_OF_RANGE, ": byte 12: vertex -140737488355319 is negative", {0}},
    {"graph500-enormous.g500", SL_NO_MEMORY,
     "matrix_from_edges: no memory for 576460752303423489 vertices: an array with 8 bytes for each needs "
     "4611686018427387920 bytes, and ", {0}},
    {"edges-above-given.txt", SL_OUT_OF_RANGE, ": vertex id 7 is out of range: the options give 7 vertices",
     {.vertices = 7}},
    {"names-other.npz", SL_UNSUPPORTED, ": the NumPy format is not supported", {0}},
    {"zstd-truncated.txt.zst", SL_IO, ": truncated Zstandard data: unexpected end of the file (1010 bytes read, ", {0}},
    {"zstd-no-checksum.txt.zst", SL_IO,
     ": truncated Zstandard data: unexpected end of the file (2019 bytes read, ", {0}},
    {"zstd-head-alone.txt.zst", SL_IO,
     ": truncated Zstandard data: unexpected end of the file (6 bytes read, 0 decompressed)", {0}},
    {"zstd-window.txt.zst", SL_UNSUPPORTED, ": unsupported Zstandard data: the window is larger than 128 MiB", {0}},
    {"zstd-none.txt.zst", SL_IO, ": the content is not Zstandard data, but the name ends in .zst", {0}},
    {"zstd-empty.txt.zst", SL_IO, ": the content is not Zstandard data, but the name ends in .zst", {0}},
    {"zstd-gzip.txt.zst", SL_IO, ": the content is not Zstandard data, but the name ends in .zst", {0}},
    {"zstd-damaged.txt.zst", SL_IO, ": damaged Zstandard data: ", {0}},
    {"zstd-flipped.txt.zst", SL_IO, ": damaged Zstandard data: Restored data doesn't match checksum (", {0}},
    {"zstd-trailing.txt.zst", SL_IO, ": damaged Zstandard data: Unknown frame descriptor (", {0}},
    {"gzip-truncated.txt.gz", SL_IO, ": truncated gzip data: unexpected end of the file (", {0}},
    {"gzip-no-trailer.txt.gz", SL_IO, ": truncated gzip data: unexpected end of the file (", {0}},
    {"gzip-head-alone.txt.gz", SL_IO, ": truncated gzip data: unexpected end of the file (", {0}},
    {"gzip-none.txt.gz", SL_IO, ": the content is not gzip data, but the name ends in .gz", {0}},
    {"gzip-empty.txt.gz", SL_IO, ": the content is not gzip data, but the name ends in .gz", {0}},
    {"gzip-damaged.txt.gz", SL_IO, ": damaged gzip data: incorrect data check (", {0}},
    {"gzip-flipped.txt.gz", SL_IO, ": damaged gzip data: ", {0}},
    {"gzip-trailing.txt.gz", SL_IO, ": damaged gzip data: incorrect header check (", {0}},
};
/* clang-format on */

enum { CORPUS = sizeof corpus / sizeof *corpus };

static void status_and_message(void **state)
{
    sl_context *ctx = *state;
    for (size_t k = 0; k < CORPUS; k++) {
        const malformed *m = &corpus[k];
        char path[512], expected[1024];
        snprintf(path, sizeof path, FOLDER "%s", m->name);
        snprintf(expected, sizeof expected, "%s%s", m->message[0] == ':' ? path : "", m->message);
        long alive = allocator_alive();
        sl_matrix *A = (sl_matrix *)ctx;
        uint64_t ids, *kept = &ids;
        sl_status status = sl_matrix_read_with(&A, &kept, ctx, path, &m->options);
        if (status != m->status)
            fail_msg("%s: status %d, not %d (%s)", m->name, (int)status, (int)m->status,
                     sl_context_message(ctx));
        if (strncmp(sl_context_message(ctx), expected, strlen(expected)) != 0)
            fail_msg("%s: the message is '%s', not '%s'", m->name, sl_context_message(ctx),
                     expected);
        assert_null(A);
        assert_null(kept);
        if (allocator_alive() != alive)
            fail_msg("%s: %ld allocations leaked", m->name, allocator_alive() - alive);
    }
}

static void every_file_is_listed(void **state)
{
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *file; (file = readdir(folder));) {
        if (file->d_name[0] == '.')
            continue;
        size_t k = 0;
        while (k < CORPUS && strcmp(corpus[k].name, file->d_name) != 0)
            k++;
        if (k == CORPUS)
            fail_msg("%s is not in the table", file->d_name);
    }
    closedir(folder);
}

/* The position is also right in later blocks of a file. */
static void position_in_a_large_file(void **state)
{
    sl_context *ctx = *state;
    enum { LINES = 100000, WIDTH = 12 };
    char *text = test_malloc((size_t)LINES * WIDTH + 1), expected[700];
    for (int line = 0; line < LINES; line++)
        sprintf(text + line * WIDTH, "%5d %5d\n", line % 99999, line % 777);
    const int wrong[] = {0, 20000, 65536, LINES - 1};
    for (size_t k = 0; k < 4; k++) {
        char *spoilt = text + wrong[k] * WIDTH + 10, kept = *spoilt;
        *spoilt = '!';
        const char *paths[] = {file_with("large.txt", text), file_gzip("large.txt.gz", text, 1)};
        for (size_t compressed = 0; compressed < 2; compressed++) {
            sl_matrix *A;
            assert_int_equal(sl_matrix_read(&A, ctx, paths[compressed], 0), SL_SYNTAX);
            /* there may be digits before the damaged byte */
            snprintf(expected, sizeof expected, "%s:%d:11: expected ", paths[compressed],
                     wrong[k] + 1);
            if (strncmp(sl_context_message(ctx), expected, strlen(expected)) != 0)
                fail_msg("'%s', not '%s'", sl_context_message(ctx), expected);
        }
        *spoilt = kept;
    }
    test_free(text);
}

static void endless_line(void **state)
{
    sl_context *ctx = *state;
    size_t length = 20 << 20;
    char *text = test_malloc(length);
    memset(text, '1', length);
    memcpy(text, "0 1\n", 4);
    const char *path = file_of("endless.txt", text, length);
    sl_matrix *A;
    assert_int_equal(sl_matrix_read(&A, ctx, path, 0), SL_SYNTAX);
    assert_non_null(
        strstr(sl_context_message(ctx), ":2:1: the line is longer than the limit of 16 MiB"));
    memset(text, '#', length - 4);
    memcpy(text + (5 << 20), "\n0 1\n", 5);
    memcpy(text + length - 5, "\n1 2\n", 5);
    path = file_of("endless.txt", text, 5 << 20 | 5); /* a long comment is allowed */
    OK(ctx, sl_matrix_read(&A, ctx, path, 0));
    expect_matrix(A, SL_BOOL, 2, 2, 1, (entry[]){{0, 1, 1}});
    test_free(text);
}

static void unreadable_files(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A;
    assert_int_equal(sl_matrix_read(&A, ctx, "/nonexistent/graph.mtx", 0), SL_IO);
    assert_string_equal(sl_context_message(ctx),
                        "/nonexistent/graph.mtx: cannot open: No such file or directory");
    assert_int_equal(sl_matrix_read(&A, ctx, "/", 0), SL_IO);
    assert_string_equal(sl_context_message(ctx), "/: cannot read: Is a directory");
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_and_message),       cmocka_unit_test(every_file_is_listed),
        cmocka_unit_test(position_in_a_large_file), cmocka_unit_test(endless_line),
        cmocka_unit_test(unreadable_files),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
