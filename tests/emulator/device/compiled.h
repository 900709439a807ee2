/* Included before programs that are compiled at run time, as by NVRTC, which defines this name. */
#include "emulator.h"
#define __CUDACC_RTC__
