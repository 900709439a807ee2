/* Private to the CUDA engine: the device, its memory, its objects. */
#ifndef SEMLA_CUDA_DEVICE_H
#define SEMLA_CUDA_DEVICE_H

#include <string.h>

#include <semla/engine.h>

#include "frontier_kernels.h"
#include "product_kernels.h"
#include "search_kernels.h"
#include "team_kernels.h"

#define CUDA_TRY(call)                                                                             \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* What of the host's memory the device writes to directly. */
typedef struct {
    bfs_state standing;
    bfs_level search_steps[BFS_LEVELS];
    group_bfs_state team;
    unsigned long long stamp; /* that follows what a team copies */
    char few[64];
} cuda_pinned_results;

/* The one device, the one stream that all work is queued in, the pool that its
 * memory comes from. Constant once the engine has started. */
typedef struct {
    int number;
    int architecture; /* 90: compute capability 9.0 */
    unsigned multiprocessors;
    bool cooperative; /* can hold a whole grid at once */
    uint64_t limit;   /* of memory, in bytes, for what may lie elsewhere; 0: none */
    cudaStream_t stream;
    cudaMemPool_t pool;
    cuda_pinned_results *pinned_results; /* for who holds the lock */
} cuda_device;

/* Valid after sl_cuda_start. */
const cuda_device *sl_cuda_device(void);

static inline cudaStream_t cuda_stream(void)
{
    return sl_cuda_device()->stream;
}
static inline unsigned cuda_processors(void)
{
    return sl_cuda_device()->multiprocessors;
}

/* Why there is no device to work on, or NULL; asks the driver once. */
const char *sl_cuda_unavailable_reason(void);
/* This process is number `seat` on its host: it takes the device of that number, unless
 * the program has chosen one. Before the device is first asked for. */
void sl_cuda_set_local_rank(unsigned seat);
/* "12.4", of the driver. */
const char *sl_cuda_version(void);
/* Prepares the device; for every context, from any thread. */
sl_status sl_cuda_start(sl_context *ctx);

/* What NVML's counter of the board says (energy.c). */
sl_status sl_cuda_energy(sl_context *ctx, double *joules);

/* One search at a time: the pinned_results is its own. Not to be taken twice. */
void sl_cuda_lock(void);
void sl_cuda_unlock(void);

/* SL_OK, or the failure with a message that names the call or kernel, which is static text, and
 * the last kernel launched where it is a call: "kernel NAME" are kernels. */
sl_status sl_cuda_status(sl_context *ctx, const char *what, cudaError_t error);

/* Device memory from the pool, for work in the stream; *memory is NULL on failure. */
sl_status sl_cuda_alloc(sl_context *ctx, void **memory, uint64_t bytes);
/* Gives it back when the work queued so far is done; NULL is allowed. */
void sl_cuda_free(void *memory);
/* Takes SEMLA_CUDA_MEMORY to heart: how much of the device objects may take that could lie
 * elsewhere. SL_INVALID where it is no number of bytes. */
sl_status sl_cuda_read_limit(sl_context *ctx);
bool sl_cuda_is_limited(void);
/* What an allocation could have now, or within that limit. */
uint64_t sl_cuda_free_bytes(void);

/* Memory of the host that kernels read and write by the same address; *memory is NULL on
 * failure. */
sl_status sl_cuda_alloc_pinned(sl_context *ctx, void **memory, uint64_t bytes);
void sl_cuda_free_pinned(void *memory); /* waits for the stream; NULL is allowed */

/* A block of device memory for the program's own allocator (blocks.c): false if it has
 * no memory for that. */
bool sl_cuda_note_block(const void *memory);
void sl_cuda_forget_block(const void *memory);

/* Copies that are queued, and the wait for all that is. */
sl_status sl_cuda_upload(sl_context *ctx, void *to, const void *from, uint64_t bytes);
sl_status sl_cuda_download(sl_context *ctx, void *to, const void *from, uint64_t bytes);
/* True for memory of the host, as pinned memory is, that an upload may read after it has
 * returned. */
bool sl_cuda_is_read_later(const void *memory);
/* A few bytes (64 at most), which are there on return: waits for `what`. */
sl_status sl_cuda_fetch(sl_context *ctx, const char *what, void *to, const void *from,
                        uint64_t bytes);
/* From and to wherever that is. */
sl_status sl_cuda_copy(sl_context *ctx, void *to, const void *from, uint64_t bytes);
sl_status sl_cuda_zero(sl_context *ctx, void *to, uint64_t bytes);
sl_status sl_cuda_wait(sl_context *ctx, const char *what);

/* The least and the greatest of some values, NaN where there are none, and the sum of their
 * sizes. */
typedef struct {
    bool known;
    double least, greatest, sum;
} cuda_range;

/* A matrix on the device: compressed rows, column indices ascending. */
typedef struct cuda_matrix {
    uint64_t nnz;
    uint64_t *start; /* nrows + 1 */
    uint32_t *index; /* nnz */
    void *values;    /* nnz, or NULL: all 1 */
    uint64_t serial; /* no other matrix has it */
    /* Made when a product first needs them, and kept; or NULL. */
    struct cuda_matrix *transposed;
    uint32_t *tile_rows;
    enum { CUDA_ROWS_UNKNOWN, CUDA_ROWS_ALL, CUDA_ROWS_SOME } rows; /* have entries */
    struct cuda_prepared *prepared; /* for cuSPARSE (library.c) */
    struct cuda_packed *packed;     /* for products with full matrices (full.c) */
    struct cuda_reordered_graph *layout;     /* made by sl_matrix_optimize (layout.h), or NULL */
    /* The tuples that it was made of, as one process's piece (model.h), or NULL. */
    struct cuda_model *model;
    bool ordered; /* there is the layout alone, or the model: start and index are NULL */
    bool far;     /* index and values are in pinned memory of the host */
    cuda_range range; /* of the values, once somebody has asked */
} cuda_matrix;
void sl_cuda_free_prepared(struct cuda_prepared *prepared);
void sl_cuda_free_packed(struct cuda_packed *packed);
/* Frees what was made of it and kept. */
void sl_cuda_forget_made(cuda_matrix *A);
/* Frees index and values, wherever they are. */
void sl_cuda_free_entries(cuda_matrix *A);

/*
 * A vector: a bitmap with values; or, where all entries are there, the values alone; or, where
 * its entries are few compared with its size, a list of these. Of the latter two their number
 * is known. Operations that have nothing for them find bitmaps (engine.c).
 */
typedef struct {
    uint64_t nvals;             /* CUDA_UNKNOWN until somebody asks: see sl_cuda_count_entries */
    uint32_t *bits;             /* ceil(size / 32) words: where there is an entry; or NULL */
    bool full;                  /* entries are everywhere, and there are no bits */
    void *values;               /* size, unspecified where there is none */
    cuda_matrix *list;          /* a row that has a list's entries; NULL: the host has */
    cuda_host_list few;               /* them, here, and there is nothing on the device */
    unsigned singles;           /* entries that were set or removed one by one: see entries.c */
    struct cuda_frontier_list *survey; /* of these entries, or NULL */
    struct cuda_ahead *ahead;   /* a search that owes it entries (ahead.h), or NULL */
    struct cuda_unfinished *unfinished; /* one whose end fills it (search.h), or NULL */
} cuda_vector;

/*
 * A vector's entries counted, with the rows of a matrix, and perhaps as a list, beside the
 * bitmap: what costs O(n) by the bitmap costs O(entries) by the list. A product that is a
 * step of a search leaves one with its result (steps.c), as that most often is the next
 * product's vector: it is made by the same kernel, and known to the host without a wait
 * for any other.
 */
typedef struct cuda_frontier_list {
    cuda_frontier frontier;       /* lies in `memory`; NULL: the entries are not listed */
    void *memory, *spare;         /* room for two lists, where they were needed */
    uint32_t *zero;               /* a bitmap of the vector's size without a bit, or NULL */
    cuda_frontier_counts *counts; /* pinned */
    uint64_t stamp;               /* they have come when they bear it, */
    bool there;                   /* and that was seen */
    /* What the mask of the product let through, and about the edges of that; or
     * CUDA_UNKNOWN. */
    uint64_t missing, missing_edges;
    uint64_t serial; /* of the matrix whose rows are counted */
} cuda_frontier_list;

/* A new survey, nobody's yet, with nothing listed. */
sl_status sl_cuda_new_frontier_list(sl_context *ctx, cuda_frontier_list **survey, const cuda_matrix *M);
void sl_cuda_free_frontier_list(cuda_frontier_list *survey);
/* Room for a list of n entries, which become the survey's list; and for another one and
 * the empty bitmap. */
sl_status sl_cuda_frontier_list_room(sl_context *ctx, cuda_frontier_list *survey, uint64_t n);
sl_status sl_cuda_frontier_list_spare(sl_context *ctx, cuda_frontier_list *survey, uint64_t n);
/* The list in such memory, and what it takes for each entry. */
enum { CUDA_LISTED_BYTES = sizeof(uint64_t) + sizeof(uint32_t) };
cuda_frontier sl_cuda_frontier_in(void *memory, uint64_t n);
/* Nothing is listed any more; the memory stays. */
void sl_cuda_frontier_list_reset(cuda_frontier_list *survey);
/* Where the kernel that fills it reports. */
sl_status sl_cuda_report_to(sl_context *ctx, cuda_report *report, cuda_frontier_list *survey,
                            unsigned edge_bits);
/* The survey along M's rows (NULL: any), waited for, or *survey is NULL. */
sl_status sl_cuda_get_frontier_list(sl_context *ctx, cuda_frontier_list **survey, cuda_vector *v,
                             const cuda_matrix *M);
/* The same if it is listed, without waiting; of which the count is known. */
const cuda_frontier_list *sl_cuda_listed(const cuda_vector *v);
/* After a write. */
void sl_cuda_drop_frontier_list(cuda_vector *v);

/* How far above its edges a frontier's vertices are counted; 0: not in one number. */
unsigned sl_cuda_edge_bits(uint64_t vertices, uint64_t edges);

/* A number for a new matrix. */
uint64_t sl_cuda_serial(void);

/* Gives a matrix's arrays back, and its transpose's; NULL is allowed. */
void sl_cuda_free_matrix(cuda_matrix *A);

/* The transpose of A, which keeps it: made by the first who asks. */
sl_status sl_cuda_transposed(cuda_matrix **At, const sl_object *object, cuda_matrix *A);

#define CUDA_UNKNOWN UINT64_MAX

/* A vector's bits and values, which nothing has been written to yet. */
typedef struct {
    uint32_t *bits;
    void *values;
} cuda_bitmap;
/* For n values of `size` bytes; on failure there are none. */
sl_status sl_cuda_new_bitmap(sl_context *ctx, cuda_bitmap *made, uint64_t n, size_t size);
void sl_cuda_free_bitmap(cuda_bitmap *b);

/* Sees that a vector is a bitmap; a list becomes one in arrays that it then has, or in new
 * ones. */
sl_status sl_cuda_make_bitmap_in(const sl_object *object, cuda_vector *v, cuda_bitmap *in);
sl_status sl_cuda_make_bitmap(const sl_object *object, cuda_vector *v);
/* Sees that a vector is full: where it had no entry the value is unspecified. */
sl_status sl_cuda_make_full(const sl_object *object, cuda_vector *v);
static inline bool cuda_is_list(const cuda_vector *v)
{
    return !v->bits && !v->full;
}
/* True for a list that is on the host: no more than CUDA_HOST_LIST_MAX entries. */
static inline bool cuda_is_host_list(const cuda_vector *v)
{
    return cuda_is_list(v) && !v->list;
}
/* True for one with the host whose only entry is at `index`; its value's first `size` bytes are
 * those of `value`. */
static inline bool cuda_is_only(const cuda_vector *v, uint64_t index, size_t size, uint64_t value)
{
    return cuda_is_host_list(v) && v->nvals == 1 && v->few.index[0] == index &&
           memcmp(&v->few.value[0], &value, size) == 0;
}
/* No entries and no arrays are left: a list. */
void sl_cuda_clear_vector(cuda_vector *v);

/* Sees that v->nvals is known; waits if it has to be counted. */
sl_status sl_cuda_count_entries(const sl_object *object, cuda_vector *v);

extern const sl_store sl_store_cuda;
extern const sl_engine sl_engine_cuda;
extern const sl_device_group_search sl_cuda_device_group_search;

static inline uint64_t cuda_words(uint64_t n)
{
    return (n + 31) / 32;
}

static inline cuda_vector *cuda_vector_of(const sl_object *object)
{
    return sl_handle(object, &sl_store_cuda);
}
static inline cuda_matrix *cuda_matrix_of(const sl_object *object)
{
    return sl_handle(object, &sl_store_cuda);
}

/* The engine's operations. */
sl_status sl_cuda_vxm(sl_call *call); /* products.c */
sl_status sl_cuda_mxv(sl_call *call);
bool sl_cuda_is_step(const sl_call *call); /* steps.c: of vxm and mxv, what searches are made of */
sl_status sl_cuda_step(sl_call *call);
sl_status sl_cuda_reduce_rows(sl_call *call);
sl_status sl_cuda_mxm(sl_call *call);        /* mxm.c */
sl_status sl_cuda_map(sl_call *call);        /* elementwise.c: of vectors, and by way of */
sl_status sl_cuda_map_matrix(sl_call *call); /* maps.c: of matrices */
sl_status sl_cuda_reduce_all(sl_call *call);
sl_status sl_cuda_assign(sl_call *call); /* assign.c */
sl_status sl_cuda_assign_scalar(sl_call *call);
sl_status sl_cuda_extract(sl_call *call);
sl_status sl_cuda_assign_matrix(sl_call *call); /* submatrix.c */
sl_status sl_cuda_assign_scalar_matrix(sl_call *call);
sl_status sl_cuda_extract_matrix(sl_call *call);
sl_status sl_cuda_assign_row(sl_call *call); /* line.c */
sl_status sl_cuda_assign_column(sl_call *call);
sl_status sl_cuda_extract_column(sl_call *call);
sl_status sl_cuda_diag(sl_call *call);
sl_status sl_cuda_kronecker_product(sl_call *call);
sl_status sl_cuda_build(sl_call *call);
sl_status sl_cuda_resize(sl_call *call);
sl_status sl_cuda_closure(sl_call *call); /* closure.c */
sl_status sl_cuda_relax(sl_call *call);   /* relax.c: closures that are no searches */
sl_status sl_cuda_advance(sl_call *call); /* advance.c */
sl_status sl_cuda_optimize(sl_call *call);
sl_status sl_cuda_generate(sl_call *call); /* generate.c */
sl_status sl_cuda_edge_degrees(sl_call *call);
sl_status sl_cuda_check_tree(sl_call *call); /* tree.c */
sl_status sl_cuda_nvals(sl_call *call);      /* entries.c */
sl_status sl_cuda_is_pattern(sl_call *call);
sl_status sl_cuda_row_entries(sl_call *call);
sl_status sl_cuda_get(sl_call *call);
sl_status sl_cuda_set(sl_call *call);
sl_status sl_cuda_remove(sl_call *call);
sl_status sl_cuda_tuples(sl_call *call);

#endif
