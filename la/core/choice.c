/*
 * The choice of SL_ENGINE_AUTO between the host and a device: see choice.h. One table of constants,
 * one function that compares two sums; the rest of the file counts entries and transfers.
 */
#include <semla/edge_generator.h>
#include <semla/engine.h>

/*
 * Microseconds of a call, and nanoseconds of an entry, on a host of 16 cores (Xeon) and an H200.
 * From `bench_small_operations --host` and `--gpu` (tests/bench): the line through the times
 * at small and at large sizes.
 */
static const struct {
    double host_us, host_ns, device_us, device_ns;
} costs[SL_WORK_KINDS] = {
    [SL_WORK_PRODUCT] = {5, 1.5, 15, 0.015},    [SL_WORK_MATRIX_PRODUCT] = {15, 2, 140, 0.1},
    [SL_WORK_ELEMENTWISE] = {4, 0.1, 11, 0.01}, [SL_WORK_REDUCTION] = {2, 0.06, 22, 0.002},
    [SL_WORK_ASSIGNMENT] = {4, 0.1, 11, 0.01},  [SL_WORK_BUILD] = {5, 10, 100, 5},
    [SL_WORK_TRAVERSAL] = {12, 0.5, 90, 0.01},  [SL_WORK_OPTIMIZE] = {12, 0.5, 90, 0.01},
    [SL_WORK_GENERATE] = {20, 5, 200, 0.1},
};

/* A transfer waits for the device and passes the entries through arrays on the host. */
static const double transfer_us = 25, transfer_bytes_per_us = 3000, host_list_us = 1;

/* A matrix that was built, read or generated is the input of a program, which reads it often. */
enum { READS_OF_AN_INPUT = 16 };

/* The number of elements up to which no operation on vectors is faster on a device. */
enum { MAX_SHORT = 256 };

sl_choice sl_choose(const sl_work *work)
{
    const double host =
        costs[work->kind].host_us + 1e-3 * costs[work->kind].host_ns * work->entries;
    const double device =
        costs[work->kind].device_us + 1e-3 * costs[work->kind].device_ns * work->entries;
    sl_choice choice = {
        .made = true, .host_us = host + work->to_host_us, .device_us = device + work->to_device_us};
    choice.device = choice.device_us < choice.host_us;
    return choice;
}

double sl_transfer_us(uint64_t bytes, uint32_t reads)
{
    const double once = bytes ? transfer_us + (double)bytes / transfer_bytes_per_us : host_list_us;
    return once / (1 + (double)reads);
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

static sl_work_kind kind_of(sl_operation op)
{
    switch (sl_operation_class_of(op)) {
    case SL_CLASS_PRODUCT:
        return op == SL_OP_VXM || op == SL_OP_MXV ? SL_WORK_PRODUCT : SL_WORK_MATRIX_PRODUCT;
    case SL_CLASS_ELEMENTWISE:
        return SL_WORK_ELEMENTWISE;
    case SL_CLASS_REDUCTION:
        return SL_WORK_REDUCTION;
    case SL_CLASS_ASSIGNMENT:
    case SL_CLASS_STRUCTURAL:
        return SL_WORK_ASSIGNMENT;
    case SL_CLASS_PREPARATION:
        return SL_WORK_OPTIMIZE;
    case SL_CLASS_GENERATION:
        return SL_WORK_GENERATE;
    case SL_CLASS_TRAVERSAL:
        return SL_WORK_TRAVERSAL;
    case SL_CLASS_ACCESS:
        return op == SL_OP_BUILD ? SL_WORK_BUILD : SL_WORK_ASSIGNMENT;
    }
    return SL_WORK_KINDS;
}

/* The entries of a matrix that meet those of a vector, if rows have equal lengths. */
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
    return call->op == SL_OP_ASSIGN_SCALAR && call->nrows
               ? (double)call->nrows * (double)(out->is_matrix ? call->ncols : 1)
               : (double)out->nrows;
}

static double work_entries(const sl_call *call)
{
    switch (kind_of(call->op)) {
    case SL_WORK_PRODUCT:
    case SL_WORK_MATRIX_PRODUCT:
        return product_entries(call);
    case SL_WORK_TRAVERSAL:
    case SL_WORK_OPTIMIZE:
        return (double)call->a->nrows + entries_of(call->a);
    case SL_WORK_GENERATE:
        return (double)call->edges->count;
    case SL_WORK_BUILD:
        return (double)call->count;
    default: {
        const double read = entries_of(call->a) + entries_of(call->b) + entries_of(call->mask);
        return read > 0 ? read : written_entries(call);
    }
    }
}

/* ---- operands and their memories ---------------------------------------------------- */

sl_operands sl_call_operands(const sl_call *call)
{
    sl_operands o;
    o.count = 0;
    const sl_traversal *t = call->traversal;
    if (call->out)
        o.list[o.count++] = call->out;
    if (call->second_out)
        o.list[o.count++] = call->second_out;
    if (t) {
        o.list[o.count++] = t->pi;
        if (t->delta)
            o.list[o.count++] = t->delta;
        if (t->options && t->options->level)
            o.list[o.count++] = sl_object_of_vector(t->options->level);
        if (t->options && t->options->parent)
            o.list[o.count++] = sl_object_of_vector(t->options->parent);
    }
    o.outputs = o.count;
    if (call->mask)
        o.list[o.count++] = call->mask;
    if (call->a)
        o.list[o.count++] = call->a;
    if (call->b)
        o.list[o.count++] = call->b;
    if (t) {
        o.list[o.count++] = t->q;
        if (t->options && t->options->targets)
            o.list[o.count++] = sl_object_of_vector(t->options->targets);
    }
    return o;
}

static bool replaces_output(sl_operation op)
{
    switch (sl_operation_class_of(op)) {
    case SL_CLASS_PRODUCT:
    case SL_CLASS_ELEMENTWISE:
    case SL_CLASS_REDUCTION:
    case SL_CLASS_STRUCTURAL:
        return true;
    default:
        return op == SL_OP_EXTRACT || op == SL_OP_EXTRACT_COLUMN || op == SL_OP_GATHER;
    }
}

bool sl_call_overwrites(const sl_call *call)
{
    return call->out && replaces_output(call->op) && !call->accum &&
           (!call->mask || call->flags & SL_REPLACE) && call->out != call->a &&
           call->out != call->b && call->out != call->mask;
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
    const double us = sl_transfer_us(sl_object_bytes(object), object->reads);
    if (host)
        work->to_device_us += us;
    else
        work->to_host_us += us;
}

/* True if the operands of the call have no contents, and its result has as many elements as the
 * matrix that the device read last has rows: the vector is likely to be used with it. */
static bool begins_vector(const sl_call *call, const sl_operands *operands)
{
    for (size_t k = 0; k < operands->count; k++)
        if (sl_object_has_contents(operands->list[k]))
            return false;
    return call->out && !call->out->is_matrix && call->out->nrows == call->ctx->device_rows;
}

/* True if the operation only fills or reads an object: it runs where the contents are. The first
 * entries of an object choose a memory for it. */
static bool follows_contents(const sl_call *call)
{
    return sl_operation_class_of(call->op) == SL_CLASS_ACCESS &&
           ((call->op != SL_OP_BUILD && call->op != SL_OP_SET) ||
            sl_object_has_contents(call->out));
}

/* True if all operands are short vectors, and none is on the device: the host is faster at any
 * operation, and the estimate would take as long as the operation. */
static bool is_short(const sl_call *call, const sl_operands *operands)
{
    const unsigned device = call->ctx->chain[0]->store->slot;
    for (size_t k = 0; k < operands->count; k++) {
        const sl_object *object = operands->list[k];
        if (object->is_matrix || object->nrows > MAX_SHORT || object->held[device])
            return false;
    }
    return sl_operation_class_of(call->op) != SL_CLASS_GENERATION;
}

sl_choice sl_choice_of(const sl_call *call, const sl_operands *operands)
{
    const sl_operation op = call->op;
    if (!call->ctx->by_size || follows_contents(call))
        return (sl_choice){0};
    if (!call->ctx->trace && is_short(call, operands))
        return (sl_choice){.made = true};
    sl_work work = {.kind = kind_of(op), .entries = work_entries(call)};
    /* Whether edges are generated must not depend on where a vector is: see edge_generator.c. */
    if (sl_operation_class_of(op) != SL_CLASS_GENERATION)
        for (size_t k = sl_call_overwrites(call); k < operands->count; k++)
            add_transfers(&work, operands->list[k]);
    if (begins_vector(call, operands))
        work.to_host_us += sl_transfer_us(call->out->nrows * sl_type_size(call->out->type), 0);
    return sl_choose(&work);
}

void sl_choice_ran(const sl_call *call, const sl_operands *operands, bool device)
{
    if (!call->ctx->by_size)
        return;
    for (size_t k = 0; k < operands->count; k++) {
        sl_object *object = operands->list[k];
        object->reads += k >= operands->outputs && object->reads < UINT32_MAX;
        if (object->is_matrix)
            call->ctx->device_rows = device ? object->nrows : 0;
    }
    const sl_operation_class class = sl_operation_class_of(call->op);
    if (call->out && call->out->is_matrix &&
        (class == SL_CLASS_ACCESS || class == SL_CLASS_GENERATION))
        call->out->reads = READS_OF_AN_INPUT;
}
