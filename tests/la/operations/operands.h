/* Operands for tests in which allocations fail, and checks that they are unchanged or valid. */
#ifndef SEMLA_TESTS_OPERANDS_H
#define SEMLA_TESTS_OPERANDS_H

#include "support.h"
#include "try.h"

enum { SIDE = 6 };

/* The operands of one operation: C and w are the outputs, all others are inputs. */
typedef struct {
    sl_matrix *A, *B, *mask, *C;
    sl_vector *u, *v, *vmask, *w;
} operands;

/* How the entries of the inputs are stored: SPARSE, a few as lists; DENSE, all but one; FULL, all;
 * SET, a few set one by one, which SuiteSparse may not have assembled yet. */
typedef enum { SPARSE, DENSE, FULL, SET, FORMS } form;

sl_status make_operands(operands *o, sl_context *ctx, form stored);
void free_operands(operands *o);
/* Checks that the inputs are unchanged, and that the outputs are valid and can be written again. */
void check_operands(operands *o, sl_context *ctx, form stored);

#endif
