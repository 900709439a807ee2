/* One user-defined operator of each kind, and a table of all operations that take an operator. */
#ifndef SEMLA_TESTS_USER_OPERATOR_CALLS_H
#define SEMLA_TESTS_USER_OPERATOR_CALLS_H

#include "support.h"

#include <stdatomic.h>

enum { SIDE = 6 };

/* One operator of each kind. */
typedef struct {
    sl_unary_op unary;
    sl_binary_op binary, multiply;
    sl_index_op index, condition;
    sl_monoid monoid;
    sl_semiring semiring;
} operators;

/* Creates user-defined operators in context `of`; the caller frees them with free_operators, also
 * if this fails. */
sl_status define_operators(operators *o, sl_context *of);
/* Built-in operators with the same meaning. */
operators built_in_operators(void);
void free_operators(operators *o);

/* If `freed` is true, the user-defined accumulator counts its calls: there must be none after it
 * was freed. */
extern bool freed;
extern atomic_int calls_of_the_freed;

/* A is a band matrix; B and v are full with one value; C, w and x are outputs. */
typedef struct {
    sl_matrix *A, *B, *mask, *C;
    sl_vector *u, *v, *w;
    sl_scalar x;
} objects;

sl_status make_objects(objects *o, sl_context *ctx);
void free_objects(objects *o);

typedef struct {
    sl_status (*run)(const operators *f, objects *o);
    bool clears; /* true if the operation writes an output before it uses an operator */
} use;
extern const use uses[];
extern const size_t uses_count;

#endif
