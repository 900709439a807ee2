/* The error that cudaGetLastError returns. */
#ifndef SEMLA_EMULATOR_ERRORS_H
#define SEMLA_EMULATOR_ERRORS_H

#include <cuda_runtime_api.h>

namespace emulator
{
/* Remembers and returns the error. */
cudaError_t fail(cudaError_t error);
} // namespace emulator

#endif
