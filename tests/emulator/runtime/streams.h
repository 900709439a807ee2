/* Streams: work is done when it is given, or, with EMULATED_STREAMS, later by a thread for each stream. */
#ifndef SEMLA_EMULATOR_STREAMS_H
#define SEMLA_EMULATOR_STREAMS_H

#include "emulator.h"
#undef threadIdx

namespace emulator
{

/* Waits until the work given so far is done: of one stream (NULL: of all), or of all streams. */
void finish(cudaStream_t stream);
void finish_all();

} // namespace emulator

#endif
