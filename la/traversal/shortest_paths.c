/* Which closures are shortest paths: engines compute these by algorithms of their own, for which they can
 * prepare a matrix. */
#include "la/traversal/traverse.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

bool sl_wants_final_pi_only(const sl_closure_options *o)
{
    return !o->bounded && !o->targets && !o->level && !o->log;
}

/* The greatest number of a type, or a little less. */
static double greatest_of(sl_type type)
{
    switch (type) {
    case SL_FP64:
        return DBL_MAX;
    case SL_FP32:
        return FLT_MAX;
    case SL_INT64:
    case SL_UINT64:
        return 9.2e18;
    case SL_INT32:
    case SL_UINT32:
        return INT32_MAX - 1; /* INT32_MAX may stand for no entry */
    case SL_INT16:
    case SL_UINT16:
        return INT16_MAX;
    default:
        return INT8_MAX;
    }
}

/* A path that improves a value visits no vertex twice, so that its length is at most n times the
 * greatest length, and at most the sum of all lengths, which is rounded. */
static bool sums_are_in_range(const sl_value_range *lengths, uint64_t n, double initial,
                              sl_type type)
{
    const double most = greatest_of(type);
    const double path = fmin(lengths->greatest * ((double)n + 1), 1.001 * lengths->sum);
    return lengths->least >= 0 && isfinite(lengths->sum) && lengths->greatest <= most &&
           path + fabs(initial) <= most;
}

sl_status sl_is_shortest_paths(bool *is, const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_semiring semiring = call->operators.semiring;
    sl_value_range lengths;
    sl_switches on;
    *is = false;
    if (!t->from_source || !sl_wants_final_pi_only(t->options) ||
        sl_semiring_is_user_defined(semiring) || semiring->add->code != SL_MONOID_MIN ||
        semiring->multiply->code != SL_BINARY_PLUS || semiring->result == SL_BOOL)
        return SL_OK;
    SL_TRY(sl_switches_read(&on, call->ctx));
    if (sl_switched(on.off, SL_SWITCH_NODELTA))
        return SL_OK;
    SL_TRY(sl_matrix_value_range(&lengths, t->A));
    const double initial =
        sl_scalar_cast(sl_scalar_cast(t->options->source_value, semiring->result), SL_FP64)
            .as.fp64_;
    *is = lengths.least > lengths.greatest ||
          sums_are_in_range(&lengths, call->a->nrows, initial, semiring->result);
    return SL_OK;
}

sl_status sl_prepare_paths(sl_matrix *A)
{
    const sl_object *object = &A->object;
    const sl_closure_options options = {.from_source = true, .source_value = sl_scalar_int64(0)};
    sl_traversal traversal = {.A = A, .options = &options, .from_source = true};
    sl_call call = {.op = SL_OP_PREPARE_PATHS,
                    .ctx = object->ctx,
                    .a = OF_M(A),
                    .operators.semiring = sl_semiring_get(SL_SEMIRING_MIN_PLUS, object->type),
                    .traversal = &traversal};
    if (object->nrows != object->ncols || !call.operators.semiring)
        return SL_OK;
    sl_status status = sl_is_shortest_paths(&traversal.shortest_paths, &call);
    if (status == SL_OK && traversal.shortest_paths && sl_dispatch_supports(&call))
        status = sl_dispatch(&call);
    return status == SL_NO_MEMORY ? SL_OK : status;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sl_typical_length(double *lengths, size_t count, double degree)
{
    qsort(lengths, count, sizeof *lengths, compare_numbers);
    size_t k = (size_t)((double)count / fmax(degree, 1));
    k = k < count ? k : count - 1;
    while (k < count && !(lengths[k] > 0))
        k++;
    return k < count ? lengths[k] : 1;
}
