/* The objects of a call, and whether it reads its output. */
#include <semla/engine.h>

void sl_call_operands(sl_operands *o, const sl_call *call)
{
    o->count = 0;
    const sl_traversal *t = call->traversal;
    if (call->out)
        o->list[o->count++] = call->out;
    if (call->second_out)
        o->list[o->count++] = call->second_out;
    if (t) {
        if (t->pi)
            o->list[o->count++] = t->pi;
        if (t->delta)
            o->list[o->count++] = t->delta;
        if (t->options && t->options->level)
            o->list[o->count++] = sl_object_of_vector(t->options->level);
        if (t->options && t->options->parent)
            o->list[o->count++] = sl_object_of_vector(t->options->parent);
    }
    o->outputs = o->count;
    if (call->mask)
        o->list[o->count++] = call->mask;
    if (call->a)
        o->list[o->count++] = call->a;
    if (call->b)
        o->list[o->count++] = call->b;
    if (t) {
        if (t->q)
            o->list[o->count++] = t->q;
        if (t->options && t->options->targets)
            o->list[o->count++] = sl_object_of_vector(t->options->targets);
    }
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
           (call->flags & SL_REPLACE || !(call->mask || call->flags & SL_COMPLEMENT)) &&
           call->out != call->a && call->out != call->b && call->out != call->mask;
}
