/* Calls with user-defined types: which of them the engine declines, and how it runs the others. */
#ifndef SEMLA_CUDA_STORED_CALLS_H
#define SEMLA_CUDA_STORED_CALLS_H

#include <semla/engine.h>

/* Why the device does not compute with a user-defined type; NULL: it does, or the type is built in. */
const char *sl_cuda_type_reason(sl_type type);
/* Why a call with user-defined types is declined, or NULL. */
const char *sl_cuda_user_types_reason(const sl_call *call);
/* Runs the call on the unsigned integers that store the values of user-defined types. */
sl_status sl_cuda_run_stored(sl_call *call, sl_status (*run)(sl_call *call));

#endif
