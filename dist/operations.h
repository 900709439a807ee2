/* The operations of the grid's engine, and what they share. */
#ifndef SEMLA_DIST_OPERATIONS_H
#define SEMLA_DIST_OPERATIONS_H

#include <semla/engine.h>

extern const sl_engine sl_engine_grid;

#endif
