/* Look-ups in the table of predefined objects. */
#ifndef SEMLA_GRB_PREDEFINED_H
#define SEMLA_GRB_PREDEFINED_H

#include "graphblas/api_object.h"

/* Looks up the operators, monoids and semirings of semla that the predefined objects stand for. */
void grb_resolve_predefined(void);
/* The predefined type with a code of semla, and semla's monoid of an operator; NULL: there is none. */
GrB_Type grb_type_of(sl_type code);
sl_monoid grb_monoid_of(GrB_BinaryOp op);

#endif
