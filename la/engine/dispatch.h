/* Chooses the engine of a call and runs it. */
#ifndef SEMLA_DISPATCH_H
#define SEMLA_DISPATCH_H

#include <semla/call.h>
#include <semla/for_module.h>

/* True if some engine of the context has the operation and does not decline the call. */
SL_FOR_MODULE bool sl_dispatch_supports(const sl_call *call);

/*
 * Runs a call; the caller has checked its arguments: chooses the engine, migrates the operands to
 * its store, runs the operation, marks the outputs as modified, counts, and traces. SL_UNSUPPORTED
 * if no engine takes the call. Collective on a grid.
 */
SL_FOR_MODULE sl_status sl_dispatch(sl_call *call);

#endif
