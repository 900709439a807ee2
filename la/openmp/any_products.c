/*
 * Products over `any`: which calls they are, and the search of one level that each is (any_product.h). O(entries) time.
 */
#include <string.h>

#include "openmp/any_product.h"

static product_value value_of(const sl_call *call)
{
    switch (call->operators.semiring->multiply->code) {
    case SL_BINARY_PAIR:
        return VALUE_ONE;
    case SL_BINARY_FIRST:
        return call->op == SL_OP_VXM ? VALUE_OF_VECTOR : VALUE_OTHER;
    case SL_BINARY_SECOND:
        return call->op == SL_OP_MXV ? VALUE_OF_VECTOR : VALUE_OTHER;
    case SL_BINARY_FIRSTJ:
    case SL_BINARY_SECONDI:
        return VALUE_INDEX;
    default:
        return VALUE_OTHER;
    }
}

bool sl_openmp_takes_any(const sl_call *call)
{
    const sl_semiring semiring = call->operators.semiring;
    const product_value value = value_of(call);
    if (sl_call_has_user_operator(call) || !semiring->add->any || value == VALUE_OTHER ||
        call->accum || call->out->type != semiring->result)
        return false;
    if (value == VALUE_OF_VECTOR && any_vector(call)->type != semiring->result)
        return false;
    const unsigned needs = SL_REPLACE | SL_STRUCTURE;
    return call->mask ? (call->flags & needs) == needs : !(call->flags & SL_COMPLEMENT);
}

/* ---- operands --------------------------------------------------------------------------------- */

/* The vector may be the mask. */
static sl_status open_operands(any_product *p)
{
    const sl_object *mask = p->call->mask;
    const bool as_arrays = p->value == VALUE_OF_VECTOR && !p->listed;
    sl_status status = SL_OK;
    if (p->vector.object && as_arrays) /* it was opened as a list, to count */
        status = sl_openmp_any_close(&p->vector);
    if (status == SL_OK && !p->vector.object)
        status = sl_openmp_any_open(&p->vector, p->u, as_arrays);
    if (status == SL_OK && mask && mask != p->u)
        status = sl_openmp_any_open(&p->mask, mask, false);
    return status;
}

static sl_status close_operands(any_product *p)
{
    const sl_status vector = sl_openmp_any_close(&p->vector), mask = sl_openmp_any_close(&p->mask);
    return vector == SL_OK ? mask : vector;
}

/* ---- the search before its level -------------------------------------------------------------- */

static sl_status allocate(any_product *p)
{
    search *s = &p->s;
    const bool parents = p->value != VALUE_ONE;
    s->graph.words = search_words(s->graph.n);
    s->visited = sl_malloc(s->graph.words * sizeof *s->visited);
    s->frontier = sl_malloc(s->graph.words * sizeof *s->frontier);
    s->next_frontier = sl_malloc(s->graph.words * sizeof *s->next_frontier);
    s->hubs = sl_malloc((s->graph.edges / HUB_EDGES + 1) * sizeof *s->hubs);
    /* A vertex enters the queue at most twice: as an entry of the vector, and when it is reached. */
    s->queue = sl_openmp_scratch(s->prepared, (2 + parents) * s->graph.id_count, s->threads);
    if (!s->visited || !s->frontier || !s->next_frontier || !s->hubs || !s->queue)
        return sl_openmp_any_no_memory(p);
    s->out.new_parent = parents ? s->queue + 2 * s->graph.id_count : NULL;
    return SL_OK;
}

static void free_search(search *s)
{
    sl_free(s->visited);
    sl_free(s->frontier);
    sl_free(s->next_frontier);
    sl_free(s->hubs);
}

/* ---- the product ------------------------------------------------------------------------------ */

/* After many pulls in the caller's order: makes the graph that searches read, in which pulls take half of the time. */
static sl_status prepare_graph(any_product *p)
{
    sl_openmp_prepared *prepared;
    sl_call call = {.op = SL_OP_OPTIMIZE,
                    .ctx = p->call->ctx,
                    .a = &p->A->object,
                    .settings.optimize_flags = SL_FOR_TRAVERSAL,
                    .settings.unasked = true};
    sl_status status = sl_openmp_prepared_of(&prepared, p->A);
    if (status != SL_OK || prepared->pulls != ANY_PULLS_BEFORE_ORDER)
        return status;
    prepared->pulls++;
    p->A->optimized = true;
    status = sl_openmp_optimize(&call);
    return status == SL_NO_MEMORY ? SL_OK : status; /* the product needs no order */
}

static sl_status multiply(sl_direction *direction, any_product *p)
{
    search *s = &p->s;
    sl_status status = allocate(p);
    if (status == SL_OK)
        status = open_operands(p);
    if (status == SL_OK)
        status = sl_interrupted(p->call->ctx, sl_operation_name(p->call->op));
    if (status != SL_OK)
        return status;
    sl_openmp_any_begin(p);
    status = sl_openmp_any_direction(direction, p);
    if (status != SL_OK)
        return status;
    s->prepared->pulls += *direction == SL_PULL && !s->graph.old_id;
    sl_iteration step = {.direction = *direction};
    sl_openmp_level(s, *direction, &step);
    sl_openmp_frontier_to_bits(s);
    return sl_openmp_any_results(p);
}

static sl_status multiply_few(any_product *p)
{
    const sl_status status = open_operands(p);
    return status == SL_OK ? sl_openmp_any_few(p) : status;
}

sl_status sl_openmp_any_product(sl_call *call)
{
    const char *reason;
    sl_direction direction = SL_PUSH;
    any_product p = {.call = call,
                     .A = (sl_matrix *)any_matrix(call),
                     .u = any_vector(call),
                     .by_vector = any_by_vector(call),
                     .value = value_of(call),
                     .size = sl_type_size(call->out->type)};
    sl_status status = prepare_graph(&p);
    if (status == SL_OK)
        status = sl_openmp_any_examine(&reason, &p);
    if (status == SL_OK && reason) {
        close_operands(&p);
        return sl_openmp_hand_over(call, reason);
    }
    if (status == SL_OK)
        status = sl_openmp_any_graph(&p);
    if (status == SL_OK)
        status = p.listed ? multiply_few(&p) : multiply(&direction, &p);
    call->outcome.note = p.listed ? "list" : direction == SL_PULL ? "pull" : "push";
    const sl_status closed = close_operands(&p);
    status = status == SL_OK ? closed : status;
    if (status == SL_OK) /* w may be an operand */
        status = sl_openmp_any_take(&p);
    sl_arrays_free(&p.list);
    sl_free(p.result.present);
    sl_free(p.result.values);
    free_search(&p.s);
    return status;
}
