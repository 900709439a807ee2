/*
 * Serialisation of a matrix as a block of bytes, in the byte order of the machine:
 *
 *     header | rows, uint64 [nvals] | columns, uint64 [nvals] | values, [nvals] of the type
 */
#include "graphblas/tuples.h"

#include <string.h>

#define BLOB_MAGIC "semlaGrB"

typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t type_code; /* GrB_Type_Code; a user-defined type is not described further */
    uint64_t value_size;
    uint64_t nrows, ncols, nvals;
} blob_header;

static uint64_t blob_size(uint64_t nvals, size_t value_size)
{
    return sizeof(blob_header) + nvals * (2 * sizeof(uint64_t) + value_size);
}

GrB_Info GrB_Matrix_serializeSize(GrB_Index *size, const GrB_Matrix A)
{
    GrB_Index nvals;
    GRB_INITIALISED();
    GRB_TRY(grb_check(A, GRB_MATRIX));
    if (!size)
        return GrB_NULL_POINTER;
    GRB_TRY(GrB_Matrix_nvals(&nvals, A));
    *size = blob_size(nvals, A->type->size);
    return GrB_SUCCESS;
}

GrB_Info GrB_Matrix_serialize(void *blob, GrB_Index *size, const GrB_Matrix A)
{
    GrB_Index needed;
    sl_arrays arrays;
    GRB_INITIALISED();
    GRB_TRY(grb_check(A, GRB_MATRIX));
    if (!blob || !size)
        return GrB_NULL_POINTER;
    GRB_TRY(GrB_Matrix_serializeSize(&needed, A));
    if (*size < needed)
        return grb_fail(&A->header, GrB_INSUFFICIENT_SPACE,
                        "serialize: %llu bytes are too few; %llu are needed",
                        (unsigned long long)*size, (unsigned long long)needed);
    GRB_TRY(grb_matrix_tuples(&arrays, A, A->type));
    const blob_header header = {.magic = BLOB_MAGIC,
                                .version = 1,
                                .type_code = (uint32_t)A->type->api_code,
                                .value_size = A->type->size,
                                .nrows = sl_matrix_nrows(A->A),
                                .ncols = sl_matrix_ncols(A->A),
                                .nvals = arrays.nvals};
    char *to = blob;
    const size_t indices = arrays.nvals * sizeof(uint64_t);
    memcpy(to, &header, sizeof header);
    if (arrays.nvals > 0) {
        memcpy(to + sizeof header, arrays.rows, indices);
        memcpy(to + sizeof header + indices, arrays.cols, indices);
        memcpy(to + sizeof header + 2 * indices, arrays.values, arrays.nvals * A->type->size);
    }
    sl_arrays_free(&arrays);
    *size = needed;
    return GrB_SUCCESS;
}

/* The type of the values; GrB_DOMAIN_MISMATCH if the program passes another. */
static GrB_Info type_of_blob(GrB_Type *found, GrB_Type type, const blob_header *header)
{
    static GrB_Type *const predefined[] = {
#define X(T, ...) [GrB_##T##_CODE] = &GrB_##T,
        SEMLA_GRB_TYPES(X, )
#undef X
    };
    if (header->type_code == GrB_UDT_CODE) {
        if (!type)
            return GrB_NULL_POINTER;
        *found = type;
        return type->user && type->size == header->value_size ? GrB_SUCCESS : GrB_DOMAIN_MISMATCH;
    }
    if (header->type_code >= sizeof predefined / sizeof *predefined)
        return GrB_INVALID_OBJECT;
    *found = *predefined[header->type_code];
    if (header->value_size != (*found)->size)
        return GrB_INVALID_OBJECT;
    return !type || type == *found ? GrB_SUCCESS : GrB_DOMAIN_MISMATCH;
}

/* Copies the arrays, since a blob may have any alignment. */
static GrB_Info fill(GrB_Matrix C, const char *from, uint64_t nvals)
{
    const size_t indices = nvals * sizeof(uint64_t), values = nvals * C->type->size;
    char *copy = sl_malloc(2 * indices + values + 1);
    if (!copy)
        return GrB_OUT_OF_MEMORY;
    memcpy(copy, from, 2 * indices + values);
    grb_values x = {copy + 2 * indices, C->type->user ? NULL : C->type};
    GrB_Info info =
        grb_matrix_fill(C, (GrB_Index *)copy, (GrB_Index *)(copy + indices), x, nvals, NULL);
    sl_free(copy);
    return info == GrB_SUCCESS ? info : info == GrB_OUT_OF_MEMORY ? info : GrB_INVALID_OBJECT;
}

GrB_Info GrB_Matrix_deserialize(GrB_Matrix *C, GrB_Type type, const void *blob, GrB_Index size)
{
    blob_header header;
    GrB_Type found;
    GRB_INITIALISED();
    if (!C || !blob)
        return GrB_NULL_POINTER;
    *C = NULL;
    GRB_TRY(grb_check_optional(type, GRB_TYPE));
    if (size < sizeof header)
        return GrB_INVALID_OBJECT;
    memcpy(&header, blob, sizeof header);
    if (memcmp(header.magic, BLOB_MAGIC, sizeof header.magic) != 0 || header.version != 1 ||
        header.value_size > size ||
        header.nvals > (size - sizeof header) / (2 * sizeof(uint64_t) + header.value_size))
        return GrB_INVALID_OBJECT;
    GRB_TRY(type_of_blob(&found, type, &header));
    GRB_TRY(GrB_Matrix_new(C, found, header.nrows, header.ncols));
    GrB_Info info = fill(*C, (const char *)blob + sizeof header, header.nvals);
    if (info != GrB_SUCCESS)
        GrB_Matrix_free(C);
    return info;
}
