/* Includes all public headers of la/: objects, operations and traversals. */
#ifndef SEMLA_LA_H
#define SEMLA_LA_H

#include <semla/arrays.h>
#include <semla/context.h>
#include <semla/lend.h>
#include <semla/matrix.h>
#include <semla/operations.h>
#include <semla/operators.h>
#include <semla/progress.h>
#include <semla/traversal.h>

#endif
