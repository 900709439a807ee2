/* Definitions of types and operators in C, as text that a GPU's compiler takes. */
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

/* The text of a type's definition for semla (`source` of sl_type_new), in new memory from malloc; NULL if the
 * definition is NULL, or memory is short. */
char *grb_text_of_type(const char *definition);

#endif
