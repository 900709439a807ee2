/* Operands for tests in which allocations fail, and whether they are still whole. */
#ifndef SEMLA_TESTS_OPERANDS_H
#define SEMLA_TESTS_OPERANDS_H

#include "support.h"
#include "try.h"

enum { SIDE = 6 };

/* What an operation may use; all but the outputs C and w are inputs. */
typedef struct {
    sl_matrix *A, *B, *mask, *C;
    sl_vector *u, *v, *vmask, *w;
} operands;

/* How the inputs' entries are kept: a few, as lists; all but one; all; and a few
 * that were set one by one, which an engine may not have put in order yet. */
typedef enum { SPARSE, DENSE, FULL, SET, FORMS } form;

sl_status make_operands(operands *o, sl_context *ctx, form kept);
void free_operands(operands *o);
/* Inputs are as they were; outputs hold something, and can be filled anew. */
void check_operands(operands *o, sl_context *ctx, form kept);

#endif
