/*
 * The choice of SL_ENGINE_AUTO between the host and a device, for each call: by the kind of
 * operation, the number of entries that it reads, and the memories in which its operands are.
 *
 * The time in each memory is estimated as a constant plus a time per entry (la/core/choice.c has
 * the table and the measurements that it comes from), plus the transfers of the operands that are
 * only in the other memory. The call runs where the sum is less. Transfers keep operations beside
 * their operands: a small vector that is on the device stays there, although the host would
 * be faster if it had it.
 *
 * A transfer is divided among the reads that it serves: contents that were read k times since they
 * were written, k not small, are expected to be read k times more, so that an object that is read
 * often moves as soon as the reads from the wrong memory have cost as much as the transfer.
 *
 * A program iterates over a product and operations on vectors, which are too short for a device of
 * their own. If the device gains more by the product than the launches of such operations cost, all
 * of them run there: each vector is transferred once, not in each iteration.
 */
#ifndef SEMLA_CHOICE_H
#define SEMLA_CHOICE_H

#include <semla/call.h>

/* Kinds of work that have their own row of constants. */
typedef enum {
    SL_WORK_PRODUCT,        /* a matrix by a vector; entries: of the matrix that meet the vector */
    SL_WORK_PATTERN_SUMS,   /* the same, over plus, and the matrix's values are not read */
    SL_WORK_SPARSE_PRODUCT, /* the same, by a vector with few entries */
    SL_WORK_MATRIX_PRODUCT, /* entries: products of two values */
    SL_WORK_ELEMENTWISE, /* without mask and accumulator; entries: of the operands, here and below */
    SL_WORK_MERGE,       /* elementwise, with mask or accumulator */
    SL_WORK_SELECT,
    SL_WORK_REDUCTION,
    SL_WORK_ASSIGNMENT,     /* and gathers, transposes, diagonals */
    SL_WORK_BUILD,          /* entries: tuples */
    SL_WORK_SEARCH,         /* and preparation; entries: of the matrix, here and below */
    SL_WORK_SEARCHES,       /* from several frontiers; entries: of the matrix, for each frontier */
    SL_WORK_SHORTEST_PATHS, /* and other closures that relax */
    SL_WORK_COMPONENTS,
    SL_WORK_GENERATE, /* entries: edges */
    SL_WORK_KINDS
} sl_work_kind;

/* What an operation does, and what it costs to bring its operands to one memory. */
typedef struct {
    sl_work_kind kind;
    double entries;
    double rounds; /* SHORTEST_PATHS: iterations that a large diameter is expected to need; or 0 */
    double to_host_us, to_device_us; /* transfers before the operation can run there */
} sl_work;

/* The memory in which the call runs. */
typedef struct {
    bool host;      /* only engines on the host's memory are asked; else all */
    bool estimated; /* the times decided: */
    double host_us, device_us;
    double gain_us; /* what the device gains once the operands are in both memories */
} sl_choice;

/* Of SL_ENGINE_AUTO: a pure function of `work`. */
sl_choice sl_choose(const sl_work *work);

/* The share of one read in the transfer of contents of so many bytes that were read `reads` times,
 * in microseconds. 0 bytes: contents in host memory that the device's store keeps there. */
double sl_transfer_us(uint64_t bytes, uint32_t reads);

/* The objects of a call, first the `outputs` that it writes. An object with several roles is listed
 * several times. */
enum { SL_MAX_OPERANDS = 12 };
typedef struct {
    size_t outputs, count;
    sl_object *list[SL_MAX_OPERANDS];
} sl_operands;
void sl_call_operands(sl_operands *operands, const sl_call *call);

/* The choice for a call with these operands. All engines are asked if the context does not choose
 * by size. An operation that only fills or reads an object runs where the contents are. */
sl_choice sl_choice_of(const sl_call *call, const sl_operands *operands);

/* Notes that a call has run after a choice: the reads of its operands, for sl_transfer_us, and
 * whether the device gains so much by its matrix that vectors of the same size belong there. */
void sl_choice_ran(const sl_call *call, const sl_operands *operands, const sl_choice *choice);

/* True if the operation replaces all contents of call->out without reading them. */
bool sl_call_overwrites(const sl_call *call);

#endif
