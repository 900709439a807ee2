/* Formats numbers as text. Each function writes at `out` and returns the end of the text. */
#ifndef SEMLA_IO_PUT_NUMBER_H
#define SEMLA_IO_PUT_NUMBER_H

#include <semla/semirings.h>

#pragma GCC visibility push(hidden)

enum { MAX_NUMBER_TEXT = 32 }; /* maximum number of characters of a number */

char *put_index(char *out, uint64_t n);

/*
 * Writes a value. Floating-point numbers get the shortest decimal that reads back as the same
 * number. The thread's locale must be "C".
 */
char *put_value(char *out, sl_scalar value);

#pragma GCC visibility pop
#endif
