/*
 * The list of registered algorithms, and the search for one by name. The descriptions are in
 * describe_NAME.c.
 */
#include "algorithms/describe.h"

#define DESCRIPTION_ADDRESS(name) &sl_describe_##name,
static const sl_algorithm *const algorithms[] = {SL_ALGORITHMS(DESCRIPTION_ADDRESS)};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

const sl_algorithm *sl_algorithm_at(size_t position)
{
    return position < ALGORITHMS ? algorithms[position] : NULL;
}

static bool same_name(const char *name, const char *given)
{
    for (; *name && (*name == *given || (*name == '_' && *given == '-')); name++)
        given++;
    return *name == '\0' && *given == '\0';
}

const sl_algorithm *sl_algorithm_find(const char *name)
{
    for (size_t k = 0; name && k < ALGORITHMS; k++)
        if (same_name(algorithms[k]->name, name))
            return algorithms[k];
    return NULL;
}
