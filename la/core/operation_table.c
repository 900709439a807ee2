/* Names and classes of the operations, from the table SL_OPERATIONS. */
#include <semla/call.h>

const char *sl_operation_name(sl_operation op)
{
    static const char *const names[] = {
#define X(NAME, name, CLASS) #name,
        SL_OPERATIONS(X)
#undef X
    };
    return (unsigned)op < SL_OP_COUNT ? names[op] : "?";
}

sl_operation_class sl_operation_class_of(sl_operation op)
{
    static const sl_operation_class classes[] = {
#define X(NAME, name, CLASS) SL_CLASS_##CLASS,
        SL_OPERATIONS(X)
#undef X
    };
    return classes[op];
}
