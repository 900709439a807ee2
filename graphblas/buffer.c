/*
 * Single entries of objects on a grid or a GPU. setElement, removeElement and extractElement of semla are collective:
 * on a grid each call costs messages. On a GPU a read costs a kernel and a wait. Programs that read or write many
 * entries one by one get two things instead:
 *
 * - Writes are collected on every rank of a grid, and written together by the next function that uses the object.
 *   They are kept in the order of their first occurrence, which is the same on all ranks, and found through a hash
 *   table.
 * - Reads first look among the writes, then in a copy of the object on every rank. The copy is made once single reads
 *   have cost as much: one for READS_PER_COPY entries of the object. Every other use of the object frees the copy.
 * - Rows are read from the copy of a matrix, too. The vector then has the row's entries as a copy
 *   alone, and semla's object gets them with the next use that needs it: programs mostly read the
 *   tuples.
 */
#include "graphblas/buffer.h"

#include "graphblas/copies.h"

#include <string.h>

#define READS_PER_COPY 4096 /* entries that are copied in the time of one read without the copy */
#define DEVICE_READS   8    /* reads in the time in which a GPU copies a small object */
#define FEW            4    /* so many writes are made one by one */
#define MAX_COPIED                                                                                 \
    (1ull << 26) /* entries of the largest object that is copied: 1.5 GiB with values of 8 bytes */

typedef struct {
    uint64_t i, j;
    bool present; /* false: removed */
} write_key;

struct grb_buffer {
    write_key *writes;
    char *values;    /* of the object's type, one for each write */
    uint64_t *slots; /* hash table of 2 * capacity numbers of writes, from 1; 0 is free */
    uint64_t count, capacity;
    uint64_t reads; /* single reads without the copy */
    sl_arrays copy; /* the entries of semla's object, sorted, if has_copy */
    bool has_copy;
    bool is_newer; /* the copy is the object, and semla's object is out of date */
};

void grb_buffer_free(struct grb_buffer *buffer)
{
    if (!buffer)
        return;
    sl_arrays_free(&buffer->copy);
    sl_free(buffer->writes);
    sl_free(buffer->values);
    sl_free(buffer->slots);
    sl_free(buffer);
}

/* ---- the table of writes -------------------------------------------------------------------- */

/* The slot of an entry, or the free slot where it belongs. */
static uint64_t *find_slot(const struct grb_buffer *buffer, uint64_t i, uint64_t j)
{
    const uint64_t mask = 2 * buffer->capacity - 1;
    uint64_t hash = (i * 0x9E3779B97F4A7C15u) ^ (j * 0xC2B2AE3D27D4EB4Fu);
    hash ^= hash >> 29;
    for (uint64_t k = hash & mask;; k = (k + 1) & mask) {
        const uint64_t number = buffer->slots[k];
        if (number == 0 || (buffer->writes[number - 1].i == i && buffer->writes[number - 1].j == j))
            return &buffer->slots[k];
    }
}

/* Makes room for one more write; false if memory is short, and the buffer is unchanged. */
static bool reserve(struct grb_buffer *buffer, size_t size)
{
    if (buffer->count < buffer->capacity)
        return true;
    const uint64_t capacity = buffer->capacity ? 2 * buffer->capacity : 16;
    write_key *writes = sl_malloc(capacity * sizeof *writes);
    char *values = sl_malloc(capacity * size);
    uint64_t *slots = sl_calloc(2 * capacity, sizeof *slots);
    if (!writes || !values || !slots) {
        sl_free(writes);
        sl_free(values);
        sl_free(slots);
        return false;
    }
    if (buffer->count > 0) {
        memcpy(writes, buffer->writes, buffer->count * sizeof *writes);
        memcpy(values, buffer->values, buffer->count * size);
    }
    sl_free(buffer->writes);
    sl_free(buffer->values);
    sl_free(buffer->slots);
    buffer->writes = writes;
    buffer->values = values;
    buffer->slots = slots;
    buffer->capacity = capacity;
    for (uint64_t k = 0; k < buffer->count; k++)
        *find_slot(buffer, writes[k].i, writes[k].j) = k + 1;
    return true;
}

/* The write of an entry, or NULL. */
static const write_key *find_write(const struct grb_buffer *buffer, uint64_t i, uint64_t j)
{
    const uint64_t number = buffer->count > 0 ? *find_slot(buffer, i, j) : 0;
    return number ? &buffer->writes[number - 1] : NULL;
}

/* Gives the object a buffer if it has none. */
static bool attach(GrB_Matrix object)
{
    if (object->buffer)
        return true;
    object->buffer = sl_calloc(1, sizeof *object->buffer);
    if (!object->buffer)
        return false;
    object->header.magic = object->v ? GRB_VECTOR_BUFFERED : GRB_MATRIX_BUFFERED;
    return true;
}

/* Frees the buffer of an object. */
static void detach(GrB_Matrix object)
{
    grb_buffer_free(object->buffer);
    object->buffer = NULL;
    object->header.magic = object->v ? GRB_VECTOR : GRB_MATRIX;
}

static sl_status set_locked(GrB_Matrix object, GrB_Index i, GrB_Index j, const sl_scalar *value)
{
    const size_t size = object->type->size;
    if (!attach(object) || !reserve(object->buffer, size))
        return sl_fail(grb_global.ctx, SL_NO_MEMORY, "out of memory for single entries");
    struct grb_buffer *buffer = object->buffer;
    uint64_t *slot = find_slot(buffer, i, j);
    if (*slot == 0) {
        buffer->writes[buffer->count] = (write_key){.i = i, .j = j};
        *slot = ++buffer->count;
    }
    const uint64_t number = *slot - 1;
    buffer->writes[number].present = value != NULL;
    if (value) {
        const sl_scalar cast = sl_scalar_cast(*value, object->type->code);
        memcpy(buffer->values + number * size, sl_scalar_bytes(&cast), size);
    }
    return SL_OK;
}

GrB_Info grb_buffer_set(GrB_Matrix object, GrB_Index i, GrB_Index j, const sl_scalar *value)
{
    return GRB_RUN(object, set_locked(object, i, j, value));
}

/* ---- reads ------------------------------------------------------------------------------------ */

/* Copies the entries of semla's object to this rank, without the writes of the buffer. */
static sl_status make_copy(GrB_Matrix object)
{
    struct grb_buffer *buffer = object->buffer;
    sl_status status = object->v ? grb_copy_vector(&buffer->copy, object->v)
                                 : grb_copy_matrix(&buffer->copy, object->A);
    buffer->has_copy = status == SL_OK;
    if (status != SL_OK)
        sl_arrays_free(&buffer->copy);
    return status;
}

/* Reads a value as semla's functions do: of a user-defined type, to the address in *value. */
static void load(sl_scalar *value, sl_type type, const char *from)
{
    if (sl_type_is_user_defined(type))
        memcpy(value->as.other, from, sl_type_size(type));
    else
        *value = sl_scalar_load(type, from);
}

/* Counts a read. */
static bool is_time_to_copy(struct grb_buffer *buffer, uint64_t nvals)
{
    const uint64_t least = grb_global.buffers ? 0 : DEVICE_READS;
    return nvals <= MAX_COPIED && buffer->reads++ >= least + nvals / READS_PER_COPY;
}

/* The first entry of the copy that is not before (i, j). */
static uint64_t find_in_copy(const sl_arrays *copy, uint64_t i, uint64_t j)
{
    uint64_t low = 0, high = copy->nvals;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2, row = copy->rows[middle];
        const uint64_t col = copy->cols ? copy->cols[middle] : 0;
        if (row < i || (row == i && col < j))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static sl_status read_copy(sl_scalar *value, const sl_arrays *copy, uint64_t i, uint64_t j)
{
    const uint64_t low = find_in_copy(copy, i, j);
    if (low == copy->nvals || copy->rows[low] != i || (copy->cols && copy->cols[low] != j))
        return SL_NO_VALUE;
    const char *values = copy->values;
    load(value, copy->type, values + low * sl_type_size(copy->type));
    return SL_OK;
}

static sl_status get_locked(sl_scalar *value, GrB_Matrix object, GrB_Index i, GrB_Index j)
{
    uint64_t nvals = 0;
    if (!attach(object))
        return sl_fail(grb_global.ctx, SL_NO_MEMORY, "out of memory for single entries");
    struct grb_buffer *buffer = object->buffer;
    const write_key *written = find_write(buffer, i, j);
    if (written && !written->present)
        return SL_NO_VALUE;
    if (written) {
        const size_t number = (size_t)(written - buffer->writes);
        load(value, object->type->code, buffer->values + number * object->type->size);
        return SL_OK;
    }
    if (!buffer->has_copy) {
        sl_status status =
            object->v ? sl_vector_nvals(&nvals, object->v) : sl_matrix_nvals(&nvals, object->A);
        if (status == SL_OK && is_time_to_copy(buffer, nvals))
            status = make_copy(object);
        if (status != SL_OK)
            return status;
    }
    if (buffer->has_copy)
        return read_copy(value, &buffer->copy, i, j);
    return object->v ? sl_vector_get(value, object->v, i) : sl_matrix_get(value, object->A, i, j);
}

GrB_Info grb_buffer_get(sl_scalar *value, GrB_Matrix object, GrB_Index i, GrB_Index j)
{
    return GRB_RUN(object, get_locked(value, object, i, j));
}

/* ---- rows --------------------------------------------------------------------------------------- */

const sl_arrays *grb_lock_entries(const void *object)
{
    if (!grb_global.copies)
        return NULL;
    grb_lock();
    const struct grb_buffer *buffer = ((GrB_Matrix)object)->buffer;
    if (buffer && buffer->has_copy && buffer->count == 0)
        return &buffer->copy;
    grb_unlock();
    return NULL;
}

/* Makes the copy of a matrix if it is time; *has_copy is false if it is not, or if entries were written. */
static sl_status copy_for_rows(bool *has_copy, GrB_Matrix A)
{
    uint64_t nvals = 0;
    sl_status status = SL_OK;
    if (!attach(A))
        return sl_fail(grb_global.ctx, SL_NO_MEMORY, "out of memory for a row");
    if (A->buffer->count == 0 && !A->buffer->has_copy) {
        status = sl_matrix_nvals(&nvals, A->A);
        if (status == SL_OK && is_time_to_copy(A->buffer, nvals))
            status = make_copy(A);
    }
    *has_copy = A->buffer->count == 0 && A->buffer->has_copy;
    return status;
}

/* Replaces the contents of w by a row of A. */
static sl_status copy_row(GrB_Vector w, const sl_arrays *from, uint64_t i)
{
    const uint64_t begin = find_in_copy(from, i, 0), end = find_in_copy(from, i + 1, 0);
    const uint64_t count = end - begin, room = count ? count : 1;
    const char *values = from->values;
    sl_arrays row = {.format = SL_FORMAT_LIST,
                     .type = w->type->code,
                     .nrows = sl_vector_size(w->v),
                     .ncols = 1,
                     .nvals = count,
                     .rows = sl_malloc(room * sizeof(uint64_t)),
                     .values = sl_malloc(room * w->type->size)};
    if (!row.rows || !row.values || !attach((GrB_Matrix)w)) {
        sl_arrays_free(&row);
        return sl_fail(grb_global.ctx, SL_NO_MEMORY, "out of memory for a row of %llu entries",
                       (unsigned long long)count);
    }
    memcpy(row.rows, from->cols + begin, count * sizeof *row.rows);
    grb_cast_values(row.values, row.type, values + begin * sl_type_size(from->type), from->type,
                    count);
    sl_arrays_free(&w->buffer->copy);
    w->buffer->copy = row;
    w->buffer->has_copy = w->buffer->is_newer = true;
    w->buffer->count = 0;
    if (w->buffer->capacity > 0)
        memset(w->buffer->slots, 0, 2 * w->buffer->capacity * sizeof *w->buffer->slots);
    return SL_OK;
}

/* Reads a row by semla's function, which replaces all of w. The buffer of A stays, since it counts the reads. */
static sl_status extract_row(GrB_Vector w, GrB_Matrix A, GrB_Index i)
{
    sl_status status = sl_matrix_extract_column(w->v, NULL, NULL, A->A, SL_ALL, 0, i,
                                                sl_descriptor_get(SL_TRANSPOSE_A));
    if (status == SL_OK)
        detach((GrB_Matrix)w);
    return status;
}

/* A matrix with written entries is left to the caller. */
static sl_status read_row(bool *done, GrB_Vector w, GrB_Matrix A, GrB_Index i)
{
    bool has_copy = false;
    sl_status status = copy_for_rows(&has_copy, A);
    *done = A->buffer && A->buffer->count == 0;
    if (status != SL_OK || !*done)
        return status;
    return has_copy ? copy_row(w, &A->buffer->copy, i) : extract_row(w, A, i);
}

GrB_Info grb_buffer_row(bool *done, GrB_Vector w, GrB_Matrix A, GrB_Index i)
{
    *done = false;
    if (grb_check_kept(w, GRB_VECTOR) != GrB_SUCCESS ||
        grb_check_kept(A, GRB_MATRIX) != GrB_SUCCESS)
        return GrB_SUCCESS;
    if (!grb_casts(A->type, w->type) || i >= sl_matrix_nrows(A->A) ||
        sl_vector_size(w->v) != sl_matrix_ncols(A->A))
        return GrB_SUCCESS;
    return GRB_RUN(w, read_row(done, w, A, i));
}

/* ---- writing the buffer --------------------------------------------------------------------------- */

static sl_status write_one_by_one(GrB_Matrix object)
{
    sl_status status = SL_OK;
    const struct grb_buffer *buffer = object->buffer;
    for (uint64_t k = 0; status == SL_OK && k < buffer->count; k++) {
        const write_key *w = &buffer->writes[k];
        const char *value = buffer->values + k * object->type->size;
        if (!w->present)
            status = object->v ? sl_vector_remove(object->v, w->i)
                               : sl_matrix_remove(object->A, w->i, w->j);
        else if (object->v)
            status = sl_vector_set(object->v, w->i, sl_scalar_load(object->type->code, value));
        else
            status =
                sl_matrix_set(object->A, w->i, w->j, sl_scalar_load(object->type->code, value));
    }
    return status;
}

/* Entries as arrays, of which this rank passes a part to semla. */
typedef struct {
    uint64_t *rows, *cols;
    char *values;
    uint64_t count;
} entries;

static void free_entries(entries *e)
{
    sl_free(e->rows);
    sl_free(e->cols);
    sl_free(e->values);
}

/* The values that were set, or the entries that were removed, whose values are of no account. */
static bool collect(entries *e, GrB_Matrix object, bool present)
{
    const struct grb_buffer *buffer = object->buffer;
    const size_t size = object->type->size;
    *e = (entries){.rows = sl_malloc(buffer->count * sizeof *e->rows),
                   .cols = sl_malloc(buffer->count * sizeof *e->cols),
                   .values = sl_calloc(buffer->count, size)};
    if (!e->rows || !e->cols || !e->values)
        return false;
    for (uint64_t k = 0; k < buffer->count; k++) {
        if (buffer->writes[k].present != present)
            continue;
        e->rows[e->count] = buffer->writes[k].i;
        e->cols[e->count] = buffer->writes[k].j;
        if (present)
            memcpy(e->values + e->count * size, buffer->values + k * size, size);
        e->count++;
    }
    return true;
}

/* w<s> = s, or w<s> = an empty vector: s are the entries e. */
static sl_status assign_vector(GrB_Matrix object, const entries *e, bool present)
{
    uint64_t begin, end;
    sl_vector *s = NULL, *empty = NULL;
    const uint64_t size = sl_vector_size(object->v);
    sl_context_local_range(grb_global.ctx, e->count, &begin, &end);
    sl_status status = sl_vector_new(&s, grb_global.ctx, object->type->code, size);
    if (status == SL_OK && !present)
        status = sl_vector_new(&empty, grb_global.ctx, object->type->code, size);
    if (status == SL_OK)
        status = sl_vector_build(s, e->rows + begin, e->values + begin * object->type->size,
                                 end - begin, NULL);
    if (status == SL_OK)
        status = sl_vector_assign(object->v, s, NULL, present ? s : empty, SL_ALL, 0,
                                  sl_descriptor_get(SL_STRUCTURE));
    sl_vector_free(s);
    sl_vector_free(empty);
    return status;
}

static sl_status assign_matrix(GrB_Matrix object, const entries *e, bool present)
{
    uint64_t begin, end;
    sl_matrix *S = NULL, *empty = NULL;
    const uint64_t nrows = sl_matrix_nrows(object->A), ncols = sl_matrix_ncols(object->A);
    sl_context_local_range(grb_global.ctx, e->count, &begin, &end);
    sl_status status = sl_matrix_new(&S, grb_global.ctx, object->type->code, nrows, ncols);
    if (status == SL_OK && !present)
        status = sl_matrix_new(&empty, grb_global.ctx, object->type->code, nrows, ncols);
    if (status == SL_OK)
        status = sl_matrix_build(S, e->rows + begin, e->cols + begin,
                                 e->values + begin * object->type->size, end - begin, NULL);
    if (status == SL_OK)
        status = sl_matrix_assign(object->A, S, NULL, present ? S : empty, SL_ALL, 0, SL_ALL, 0,
                                  sl_descriptor_get(SL_STRUCTURE));
    sl_matrix_free(S);
    sl_matrix_free(empty);
    return status;
}

/* Writes the values that were set, or removes the entries that were removed. */
static sl_status write_together(GrB_Matrix object, bool present)
{
    entries e;
    sl_status status = SL_OK;
    if (!collect(&e, object, present))
        status = sl_fail(grb_global.ctx, SL_NO_MEMORY, "out of memory for %llu single entries",
                         (unsigned long long)object->buffer->count);
    status = sl_agree(grb_global.ctx, status);
    if (status == SL_OK && e.count > 0)
        status =
            object->v ? assign_vector(object, &e, present) : assign_matrix(object, &e, present);
    free_entries(&e);
    return status;
}

/* Writes a vector whose copy is newer than semla's object. */
static sl_status write_copy(GrB_Matrix object)
{
    uint64_t begin, end;
    const sl_arrays *copy = &object->buffer->copy;
    const char *values = copy->values;
    sl_context_local_range(grb_global.ctx, copy->nvals, &begin, &end);
    sl_status status = sl_vector_clear(object->v);
    if (status == SL_OK)
        status = sl_vector_build(object->v, copy->rows + begin, values + begin * object->type->size,
                                 end - begin, NULL);
    object->buffer->is_newer = status != SL_OK;
    return status;
}

sl_status grb_buffer_flush(GrB_Matrix object)
{
    struct grb_buffer *buffer = object->buffer;
    sl_status status = buffer->is_newer ? write_copy(object) : SL_OK;
    if (status != SL_OK)
        return status;
    if (buffer->count > FEW) {
        status = write_together(object, true);
        if (status == SL_OK)
            status = write_together(object, false);
    } else {
        status = write_one_by_one(object);
    }
    if (status != SL_OK)
        return status;
    detach(object);
    return SL_OK;
}
