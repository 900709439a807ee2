/* Descriptors: one constant per set of flags. */
#include <semla/context.h>

struct sl_descriptor_s {
    unsigned flags;
};

enum { FLAG_SETS = 32 };

#define D1(f)                                                                                      \
    {                                                                                              \
        f                                                                                          \
    }
#define D2(f)  D1(f), D1((f) + 1)
#define D4(f)  D2(f), D2((f) + 2)
#define D8(f)  D4(f), D4((f) + 4)
#define D16(f) D8(f), D8((f) + 8)
static const struct sl_descriptor_s descriptors[FLAG_SETS] = {D16(0), D16(16)};

sl_descriptor sl_descriptor_get(unsigned flags)
{
    return flags < FLAG_SETS ? &descriptors[flags] : NULL;
}

unsigned sl_descriptor_flags(sl_descriptor desc)
{
    return desc ? desc->flags : 0;
}
