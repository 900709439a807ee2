/* A user's operators, one of each kind, and every operation that uses one. */
#ifndef SEMLA_TESTS_OPERATOR_USES_H
#define SEMLA_TESTS_OPERATOR_USES_H

#include "support.h"

#include <stdatomic.h>

enum { SIDE = 6 };

/* One of each kind. */
typedef struct {
    sl_unary_op unary;
    sl_binary_op binary, multiply;
    sl_index_op index, condition;
    sl_monoid monoid;
    sl_semiring semiring;
} operators;

/* A user's own, of the context; freed by free_operators, also where this fails. */
sl_status define_operators(operators *o, sl_context *of);
/* Built-in ones of the same meaning. */
operators built_in_operators(void);
void free_operators(operators *o);

/* The user's accumulator counts its calls while it is said to be freed. */
extern bool freed;
extern atomic_int calls_of_the_freed;

/* A is a band, B and v have one value everywhere; C, w and x are written. */
typedef struct {
    sl_matrix *A, *B, *mask, *C;
    sl_vector *u, *v, *w;
    sl_scalar x;
} objects;

sl_status make_objects(objects *o, sl_context *ctx);
void free_objects(objects *o);

typedef struct {
    sl_status (*run)(const operators *f, objects *o);
    bool clears; /* what it writes, before it uses an operator */
} use;
extern const use uses[];
extern const size_t uses_count;

#endif
