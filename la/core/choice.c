/*
 * The choice of SL_ENGINE_AUTO between the host and a device: see choice.h. One table of constants,
 * one function that compares two sums; the rest of the file counts entries and transfers.
 */
#include <math.h>

#include <semla/edge_generator.h>
#include <semla/engine.h>

/*
 * Microseconds of a call, and nanoseconds of an entry, on a host of 16 cores (Xeon) and on an H200:
 * lines through the times of `bench_small_operations --engines openmp,cuda` (tests/bench; searches from
 * several frontiers: `bench_multi_source`), which are near them where the two cross.
 */
static const struct {
    double host_us, host_ns, device_us, device_ns;
} costs[SL_WORK_KINDS] = {
    [SL_WORK_PRODUCT] = {3, 1.6, 15, 0.008},
    [SL_WORK_PATTERN_SUMS] = {3, 0.75, 15, 0.008}, /* la/openmp/neighbour_sums.c */
    [SL_WORK_SPARSE_PRODUCT] = {3, 1.5, 47, 0.01},
    [SL_WORK_MATRIX_PRODUCT] = {7, 4, 125, 0.11},
    [SL_WORK_ELEMENTWISE] = {1, 0.2, 5.8, 0.001},
    [SL_WORK_MERGE] = {1.5, 0.18, 9, 0.002},
    [SL_WORK_SELECT] = {1.5, 1.1, 9.3, 0.003},
    [SL_WORK_REDUCTION] = {0.4, 0.2, 16, 0.002},
    [SL_WORK_ASSIGNMENT] = {1.5, 0.25, 5.8, 0.004},
    [SL_WORK_BUILD] = {5, 24, 200, 7},
    [SL_WORK_SEARCH] = {15, 0.6, 62, 0.008},
    [SL_WORK_SEARCHES] = {20, 0.15, 190, 0.009},
    [SL_WORK_SHORTEST_PATHS] = {30, 10, 600, 1.5},
    [SL_WORK_COMPONENTS] = {5, 2.2, 60, 0.04},
    [SL_WORK_GENERATE] = {50, 35, 1500, 1},
};

/* A device waits for its threads after each iteration of shortest paths: 4.4 ms on a lattice of 262,144
 * vertices, 42 ms on one of 16.8 million (docs/performance.md), both about 9 us times the root of the
 * number of vertices. Such graphs have few edges per vertex. */
static const double round_us = 9, entries_per_vertex_of_roads = 3;

/* A transfer waits for the device and passes the entries through arrays on the host. */
static const double transfer_us = 12, transfer_bytes_per_us = 3000, host_list_us = 1;

/* Contents that were read fewer times are likely to be written before they are read often. */
enum { READS_OF_A_TEMPORARY = 4 };

/* A matrix that was built, read or generated is the input of a program, which reads it often. */
enum { READS_OF_AN_INPUT = 16 };

/* The number of elements up to which no operation on vectors is faster on a device. */
enum { MAX_SHORT = 2048 };

/* Vectors belong on the device if an operation on the matrix of their size gains more there than the
 * operations on vectors beside it lose by their launches: PageRank has four, which lose 25. */
static const double gain_of_vectors_us = 40;

/* A vector with entries at fewer than one index of FEW_ENTRIES is pushed. */
enum { FEW_ENTRIES = 8 };

sl_choice sl_choose(const sl_work *work)
{
    const double host =
        costs[work->kind].host_us + 1e-3 * costs[work->kind].host_ns * work->entries;
    const double device =
        costs[work->kind].device_us + 1e-3 * costs[work->kind].device_ns * work->entries;
    sl_choice choice = {.estimated = true,
                        .host_us = host + work->to_host_us,
                        .device_us = device + work->rounds * round_us + work->to_device_us};
    choice.gain_us = host - device - work->rounds * round_us;
    choice.host = choice.host_us <= choice.device_us;
    return choice;
}

double sl_transfer_us(uint64_t bytes, uint32_t reads)
{
    const double once = bytes ? transfer_us + (double)bytes / transfer_bytes_per_us : host_list_us;
    return reads < READS_OF_A_TEMPORARY ? once : once / (1 + (double)reads);
}

/* ---- the work of a call ------------------------------------------------------- */

/* An estimate of the number of entries, which waits for nothing. */
static double entries_of(const sl_object *object)
{
    for (unsigned slot = 0; object && slot < SL_MAX_STORES; slot++)
        if (object->held[slot]) {
            const sl_store *store = sl_store_of_slot(object->ctx, slot);
            return store->entries
                       ? (double)store->entries(object, object->held[slot])
                       : (double)object->nrows * (double)(object->is_matrix ? object->ncols : 1);
        }
    return 0;
}

static bool has_few_entries(const sl_object *vector)
{
    return FEW_ENTRIES * entries_of(vector) < (double)vector->nrows;
}

/* True if the product of a vector and a matrix adds values of the vector. */
static bool sums_values(const sl_call *call)
{
    const sl_binary_op multiply = call->operators.semiring->multiply;
    return call->operators.semiring->add->code == SL_MONOID_PLUS &&
           !(call->op == SL_OP_VXM ? multiply->reads_y : multiply->reads_x);
}

static sl_work_kind kind_of_product(const sl_call *call)
{
    if (call->op != SL_OP_VXM && call->op != SL_OP_MXV)
        return SL_WORK_MATRIX_PRODUCT;
    if (has_few_entries(call->op == SL_OP_VXM ? call->a : call->b))
        return SL_WORK_SPARSE_PRODUCT;
    return sums_values(call) ? SL_WORK_PATTERN_SUMS : SL_WORK_PRODUCT;
}

static sl_work_kind kind_of_traversal(const sl_call *call)
{
    if (call->op == SL_OP_COMPONENTS)
        return SL_WORK_COMPONENTS;
    if (call->op == SL_OP_CLOSURES)
        return SL_WORK_SEARCHES;
    if (call->op == SL_OP_DEPENDENCIES)
        return SL_WORK_SEARCH;
    return sl_semiring_is_search(call->operators.semiring) ? SL_WORK_SEARCH
                                                           : SL_WORK_SHORTEST_PATHS;
}

static sl_work_kind kind_of(const sl_call *call)
{
    switch (sl_operation_class_of(call->op)) {
    case SL_CLASS_PRODUCT:
        return kind_of_product(call);
    case SL_CLASS_ELEMENTWISE:
        if (call->op == SL_OP_SELECT)
            return SL_WORK_SELECT;
        return call->mask || call->accum ? SL_WORK_MERGE : SL_WORK_ELEMENTWISE;
    case SL_CLASS_REDUCTION:
        return SL_WORK_REDUCTION;
    case SL_CLASS_ASSIGNMENT:
    case SL_CLASS_STRUCTURAL:
        return SL_WORK_ASSIGNMENT;
    case SL_CLASS_PREPARATION:
        return call->op == SL_OP_PREPARE_PATHS ? SL_WORK_SHORTEST_PATHS : SL_WORK_SEARCH;
    case SL_CLASS_GENERATION:
        return SL_WORK_GENERATE;
    case SL_CLASS_TRAVERSAL:
        return kind_of_traversal(call);
    case SL_CLASS_ACCESS:
        return call->op == SL_OP_BUILD         ? SL_WORK_BUILD
               : call->op == SL_OP_SUM_MIRRORS ? SL_WORK_REDUCTION
                                               : SL_WORK_ASSIGNMENT;
    }
    return SL_WORK_KINDS;
}

/* The entries of a matrix that meet entries of a vector, if rows have equal lengths. */
static double met_entries(const sl_object *matrix, const sl_object *vector)
{
    const double n = vector->nrows > 0 ? (double)vector->nrows : 1, k = entries_of(vector);
    return k + entries_of(matrix) * (k < n ? k / n : 1);
}

static double product_entries(const sl_call *call)
{
    if (call->op == SL_OP_VXM)
        return met_entries(call->b, call->a);
    if (call->op == SL_OP_MXV)
        return met_entries(call->a, call->b);
    const double a = entries_of(call->a), b = entries_of(call->b);
    if (call->op == SL_OP_KRONECKER)
        return a * b;
    const uint64_t inner = call->flags & SL_TRANSPOSE_A ? call->a->nrows : call->a->ncols;
    return a + b + a * b / (inner > 0 ? (double)inner : 1);
}

/* The sizes of the objects that an operation without entries writes: the region of assign_scalar,
 * or the whole vector. */
static double written_entries(const sl_call *call)
{
    const sl_object *out = call->out;
    if (!out)
        return 0;
    return call->op == SL_OP_ASSIGN_SCALAR && call->rows.count
               ? (double)call->rows.count * (double)(out->is_matrix ? call->cols.count : 1)
               : (double)out->nrows;
}

static double work_entries(const sl_call *call, sl_work_kind kind)
{
    switch (kind) {
    case SL_WORK_PRODUCT:
    case SL_WORK_PATTERN_SUMS:
    case SL_WORK_SPARSE_PRODUCT:
    case SL_WORK_MATRIX_PRODUCT:
        return product_entries(call);
    case SL_WORK_SEARCH:
    case SL_WORK_SEARCHES:
    case SL_WORK_SHORTEST_PATHS:
    case SL_WORK_COMPONENTS: {
        const double searches = call->op == SL_OP_DEPENDENCIES ? (double)call->rows.count
                                : call->op == SL_OP_CLOSURES   ? (double)call->b->nrows
                                                               : 1;
        return searches * ((double)call->a->nrows + entries_of(call->a));
    }
    case SL_WORK_GENERATE:
        return (double)call->edges->count;
    case SL_WORK_BUILD:
        return (double)call->count;
    default: {
        /* An output that is merged is read too, but counting a matrix would finish its pending work. */
        const bool merges = call->accum && call->out && !call->out->is_matrix;
        const double read = entries_of(call->a) + entries_of(call->b) + entries_of(call->mask) +
                            entries_of(merges ? call->out : NULL);
        return read > 0 ? read : written_entries(call);
    }
    }
}

/* ---- operands and their memories ---------------------------------------------------- */

/* A vector that is stored as one value is copied as n values. */
static uint64_t bytes_to_copy(const sl_object *object)
{
    const uint64_t bytes = sl_object_bytes(object);
    const double values =
        object->is_matrix ? 0 : entries_of(object) * (double)sl_type_size(object->type);
    return bytes && values > (double)bytes ? (uint64_t)values : bytes;
}

/* Adds the transfers that an operand needs before the call can run in either memory. */
static void add_transfers(sl_work *work, const sl_object *object)
{
    const sl_store *device = NULL;
    bool host = false;
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++) {
        const sl_store *store = object->held[slot] ? sl_store_of_slot(object->ctx, slot) : NULL;
        if (store && store->memory == SL_MEMORY_HOST)
            host = true;
        else if (store)
            device = store;
    }
    if (host == (device != NULL))
        return;
    const double us = sl_transfer_us(bytes_to_copy(object), object->reads);
    if (host)
        work->to_device_us += us;
    else
        work->to_host_us += us;
}

/* The root of the number of vertices if the graph is as sparse as a road network; else 0. */
static double rounds_of(const sl_object *A)
{
    const double n = (double)A->nrows;
    return entries_of(A) < entries_per_vertex_of_roads * n ? sqrt(n) : 0;
}

/* True if the operation only fills or reads an object: it runs where the contents are. The first
 * entries of an object choose a memory for it; the sum that tells symmetry comes before work on the matrix. */
static bool follows_contents(const sl_call *call)
{
    return sl_operation_class_of(call->op) == SL_CLASS_ACCESS && call->op != SL_OP_SUM_MIRRORS &&
           ((call->op != SL_OP_BUILD && call->op != SL_OP_SET) ||
            sl_object_has_contents(call->out));
}

static bool on_device(const sl_call *call, const sl_object *object)
{
    return object->held[call->ctx->chain[0]->store->slot];
}

static bool any_on_device(const sl_call *call, const sl_operands *operands)
{
    for (size_t k = 0; k < operands->count; k++)
        if (on_device(call, operands->list[k]))
            return true;
    return false;
}

/* True if the call is on vectors that belong on the device (sl_choice_ran): they have as many elements
 * as the matrix by which the device gains most, and one of them is there, or none has contents yet. */
static bool is_beside_product(const sl_call *call, const sl_operands *operands)
{
    bool begins = call->out != NULL;
    for (size_t k = 0; k < operands->count; k++) {
        if (operands->list[k]->is_matrix || operands->list[k]->nrows != call->ctx->device_rows)
            return false;
        begins = begins && !sl_object_has_contents(operands->list[k]);
    }
    return call->ctx->device_rows > 0 && operands->count > 0 &&
           (begins || any_on_device(call, operands));
}

/* A product takes the vectors of a program to the device, or leaves them on the host: the operations
 * on vectors that follow run where the result is. */
static bool any_vector_on_device(const sl_call *call, const sl_operands *operands)
{
    for (size_t k = 0; k < operands->count; k++)
        if (!operands->list[k]->is_matrix && on_device(call, operands->list[k]))
            return true;
    return false;
}

static uint64_t bytes_of_vector(const sl_object *vector)
{
    return vector->nrows * sl_type_size(vector->type);
}

static bool is_vector_product(sl_work_kind kind)
{
    return kind == SL_WORK_PRODUCT || kind == SL_WORK_PATTERN_SUMS;
}

/* True if all operands are short vectors or tiny matrices, and none is on the device: the host is
 * faster at any operation, and the estimate would take as long as the operation. */
static bool is_short(const sl_call *call, const sl_operands *operands)
{
    for (size_t k = 0; k < operands->count; k++) {
        const sl_object *object = operands->list[k];
        if (object->nrows > MAX_SHORT / (object->is_matrix ? object->ncols + 1 : 1) ||
            on_device(call, object))
            return false;
    }
    return sl_operation_class_of(call->op) != SL_CLASS_GENERATION;
}

/* An output that is replaced needs no copy, but if its contents were read, the new contents are
 * likely to be read in the same memory: the copy back counts. */
static bool keeps_no_place(const sl_call *call)
{
    return sl_call_overwrites(call) && call->out->reads == 0;
}

/* Whether edges are generated must not depend on where a vector is (edge_generator.c), and a matrix
 * is prepared where the traversals that follow are faster. */
static bool counts_transfers(sl_operation op)
{
    const sl_operation_class class = sl_operation_class_of(op);
    return class != SL_CLASS_GENERATION && class != SL_CLASS_PREPARATION;
}

sl_choice sl_choice_of(const sl_call *call, const sl_operands *operands)
{
    if (!call->ctx->by_size)
        return (sl_choice){0};
    if (follows_contents(call)) {
        const sl_object *object = call->out ? call->out : call->a;
        return (sl_choice){.host = object && !on_device(call, object)};
    }
    if (!call->ctx->trace && is_short(call, operands))
        return (sl_choice){.host = true};
    sl_work work = {.kind = kind_of(call)};
    work.entries = work_entries(call, work.kind);
    work.rounds = work.kind == SL_WORK_SHORTEST_PATHS ? rounds_of(call->a) : 0;
    const sl_choice without = sl_choose(&work);
    const bool beside = is_beside_product(call, operands);
    if (without.host && !any_on_device(call, operands) && !beside)
        return without; /* transfers to the device would only confirm it */
    if (counts_transfers(call->op))
        for (size_t k = keeps_no_place(call); k < operands->count; k++)
            add_transfers(&work, operands->list[k]);
    if (is_vector_product(work.kind) && !any_vector_on_device(call, operands))
        work.to_device_us += sl_transfer_us(bytes_of_vector(call->out), 0);
    if (is_vector_product(work.kind) && without.gain_us > gain_of_vectors_us)
        work.to_device_us /= READS_OF_A_TEMPORARY; /* the vectors stay there */
    if (beside) /* what goes to the host comes back for the next product */
        work.to_host_us += work.to_host_us + sl_transfer_us(bytes_of_vector(operands->list[0]), 0);
    return sl_choose(&work);
}

void sl_choice_ran(const sl_call *call, const sl_operands *operands, const sl_choice *choice)
{
    if (!call->ctx->by_size)
        return;
    const bool gains = choice->estimated && choice->gain_us > gain_of_vectors_us;
    const bool counts = sl_operation_class_of(call->op) != SL_CLASS_ACCESS;
    for (size_t k = 0; k < operands->count; k++) {
        sl_object *object = operands->list[k];
        object->reads += counts && k >= operands->outputs && object->reads < UINT32_MAX;
        if (object->is_matrix && choice->estimated)
            call->ctx->device_rows = gains ? object->nrows : 0;
    }
    const sl_operation_class class = sl_operation_class_of(call->op);
    if (call->out && call->out->is_matrix &&
        (class == SL_CLASS_ACCESS || class == SL_CLASS_GENERATION))
        call->out->reads = READS_OF_AN_INPUT;
}
