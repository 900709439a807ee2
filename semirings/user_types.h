/*
 * The table behind the codes of user-defined types, for la/. The objects of a type are counted there
 * (sl_user in object.h): its element is cleared when the last is gone.
 */
#ifndef SEMLA_USER_TYPES_H
#define SEMLA_USER_TYPES_H

#include <semla/semirings.h>

typedef struct {
    size_t size;            /* of a value, in bytes */
    const char *name;       /* owned by `user` */
    struct sl_user_s *user; /* la/: the definition */
} sl_user_type;

/* The number of elements, to be read by __atomic_load_n. */
extern unsigned sl_user_type_count;

/* Gives a type, which must stay in place, a code; SL_TYPE_COUNT if none is free. */
sl_type sl_user_type_register(const sl_user_type *type);
void sl_user_type_unregister(sl_type type);
/* NULL for a built-in or invalid type. */
const sl_user_type *sl_user_type_of(sl_type type);

#endif
