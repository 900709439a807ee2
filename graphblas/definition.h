/* Definitions of operators in C, as text that a GPU's compiler takes. */
#ifndef SEMLA_GRB_DEFINITION_H
#define SEMLA_GRB_DEFINITION_H

/*
 * The body of a function for semla (`source` in <semla/operators.h>), made of a definition
 *
 *     void name (TYPE *a, const TYPE *b, ...) { ... }
 *
 * names  what semla calls the parameters, in their order, ended by NULL: "z", "x", "y"
 *
 * Returns new memory from malloc; NULL if the definition is NULL or has another form, or memory is short.
 */
char *grb_body_of(const char *definition, const char *const names[]);

#endif
