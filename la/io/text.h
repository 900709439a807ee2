/* Numbers as text. Each function writes at `out` and returns behind what it wrote. */
#ifndef SEMLA_IO_TEXT_H
#define SEMLA_IO_TEXT_H

#include <semla/semirings.h>

#pragma GCC visibility push(hidden)

enum { TEXT_LONGEST = 32 }; /* characters of a number */

char *put_index(char *out, uint64_t n);

/* Decimals are the shortest that read back the same. The thread's locale has to be "C". */
char *put_value(char *out, sl_scalar value);

#pragma GCC visibility pop
#endif
