/* The arguments of a call that all ranks must pass, as a hash and as a text. */
#ifndef SEMLA_DIST_ARGUMENTS_H
#define SEMLA_DIST_ARGUMENTS_H

#include <semla/call.h>

/* A hash of a call's arguments, without the tuples of a build, which may differ between ranks. */
uint64_t sl_grid_call_hash(const sl_call *call);

/* The same arguments as the text that sl_grid_agree_text compares (grid.h). */
void sl_grid_call_text(char *text, size_t size, const sl_call *call);

#endif
