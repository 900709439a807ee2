/*
 * The arguments of a call that all ranks must pass. The hash of a call and its text are made by the
 * same walk over the arguments: each argument is a name and up to three numbers, or a name and a
 * text.
 */
#include "dist/grid/arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <semla/agreement.h>
#include <semla/edge_generator.h>

#include "dist/grid/dist_switches.h"

/* Where the arguments go: to the hash, or, if `text` is not NULL, to the text. */
typedef struct {
    uint64_t hash;
    char *text;
    size_t size, used;
} sink;

static void add_text(sink *s, const char *name, const char *value)
{
    if (!s->text)
        s->hash = sl_hash_text(sl_hash(s->hash, 2), value);
    else if (s->used < s->size)
        s->used += (size_t)snprintf(s->text + s->used, s->size - s->used, "%s %s\n", name, value);
}

static void add(sink *s, const char *name, uint64_t value)
{
    if (!s->text)
        s->hash = sl_hash(s->hash, value);
    else if (s->used < s->size)
        s->used +=
            (size_t)snprintf(s->text + s->used, s->size - s->used, "%s %" PRIu64 "\n", name, value);
}

/* A value that messages do not print. */
static void add_hash(sink *s, const char *name, uint64_t value)
{
    if (!s->text)
        s->hash = sl_hash(s->hash, value);
    else if (s->used < s->size)
        s->used += (size_t)snprintf(s->text + s->used, s->size - s->used, "%s #%" PRIx64 "\n", name,
                                    value);
}

static void add_list(sink *s, const char *name, const sl_index_list *list)
{
    uint64_t hash = sl_hash(1, list->items ? list->count : 0);
    for (uint64_t k = 0; list->items && k < (list->range ? 3 : list->count); k++)
        hash = sl_hash(hash, list->items[k]);
    add_hash(s, name, sl_hash(hash, list->range));
}

static void add_object(sink *s, const char *name, const sl_object *object)
{
    char value[96] = "NULL";
    if (s->text && object)
        snprintf(value, sizeof value, "%" PRIu64 " x %" PRIu64 " of %s", object->nrows,
                 object->ncols, sl_type_name(object->type));
    if (s->text) {
        add_text(s, name, value);
        return;
    }
    /* The codes of user-defined types may differ between ranks. */
    const bool other = object && sl_type_is_user_defined(object->type);
    add(s, name, object ? 1 + (uint64_t)(other ? SL_TYPE_COUNT : object->type) : 0);
    if (other)
        add_text(s, name, sl_type_name(object->type));
    add(s, name, object ? object->nrows : 0);
    add(s, name, object ? object->ncols : 0);
}

/* Values of user-defined types are not compared: they may be pointers of each rank's own. */
static void add_scalar(sink *s, const char *name, const sl_scalar *scalar)
{
    uint64_t bits = 0;
    if (sl_type_is_user_defined(scalar->type)) {
        add_text(s, name, sl_type_name(scalar->type));
        return;
    }
    memcpy(&bits, &scalar->as, sl_type_size(scalar->type));
    add_hash(s, name, sl_hash(bits, scalar->type));
}

static void add_operators(sink *s, const sl_call *call)
{
    add_text(s, "accum", call->accum ? call->accum->name : "");
    add_text(s, "semiring", call->operators.semiring ? call->operators.semiring->name : "");
    add_text(s, "monoid", call->operators.monoid ? call->operators.monoid->name : "");
    add_text(s, "operator",
             call->operators.binary  ? call->operators.binary->name
             : call->operators.unary ? call->operators.unary->name
             : call->operators.index ? call->operators.index->name
                                     : "");
    if (call->op == SL_OP_REDUCE_PAIR)
        add_text(s, "unary", call->operators.unary ? call->operators.unary->name : "");
}

static void add_traversal(sink *s, const sl_traversal *t)
{
    const sl_closure_options *o = t->options;
    add_object(s, "pi", t->pi);
    add_object(s, "q", t->q);
    add(s, "direction", t->direction);
    add(s, "shortest_paths", t->shortest_paths);
    if (!o)
        return;
    add(s, "direction", o->direction);
    add(s, "from_source", o->from_source);
    if (o->from_source) {
        add(s, "source", o->source);
        add_scalar(s, "source_value", &o->source_value);
    }
    add(s, "bounded", o->bounded);
    if (o->bounded)
        add(s, "max_iterations", o->max_iterations);
    add(s, "until", o->until);
    add_object(s, "targets", o->targets ? sl_object_of_vector(o->targets) : NULL);
    add_object(s, "level", o->level ? sl_object_of_vector(o->level) : NULL);
    add_object(s, "parent", o->parent ? sl_object_of_vector(o->parent) : NULL);
    add(s, "log", o->log != NULL);
}

static void add_edges(sink *s, const sl_edge_generator *edges)
{
    add(s, "model", edges->model);
    add(s, "vertices", edges->vertices);
    add(s, "edges", edges->count);
}

static void add_call(sink *s, const sl_call *call)
{
    add_text(s, "operation", sl_operation_name(call->op));
    add_object(s, "out", call->out);
    add_object(s, "mask", call->mask);
    add_object(s, "a", call->a);
    add_object(s, "b", call->b);
    add_operators(s, call);
    add(s, "desc", call->flags);
    add(s, "flags", call->settings.optimize_flags);
    if (call->traversal)
        add_traversal(s, call->traversal);
    if (call->edges)
        add_edges(s, call->edges);
    if (call->op == SL_OP_BUILD)
        return;
    if (call->op != SL_OP_REDUCE && call->op != SL_OP_REDUCE_PAIR) {
        add_scalar(s, "scalar", &call->scalar);
        add_scalar(s, "beta", &call->beta);
    }
    add(s, "row", call->row);
    add(s, "col", call->col);
    add_hash(s, "diagonal", (uint64_t)call->settings.offset);
    if (call->op == SL_OP_RESIZE) {
        add(s, "nrows", call->rows.count);
        add(s, "ncols", call->cols.count);
    }
    add_list(s, "rows", &call->rows);
    add_list(s, "cols", &call->cols);
    add_hash(s, "SEMLA_DIST", sl_grid_device_switches_hash(sl_grid_of(call->ctx)));
}

uint64_t sl_grid_call_hash(const sl_call *call)
{
    sink s = {.hash = 1};
    add_call(&s, call);
    return s.hash;
}

void sl_grid_call_text(char *text, size_t size, const sl_call *call)
{
    sink s = {.text = text, .size = size};
    s.used = (size_t)snprintf(text, size, "%s\n", sl_operation_name(call->op));
    add_call(&s, call);
}
