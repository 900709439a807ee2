/* Choice of engines and seeds of support.h. */
#include "support.h"

#include <stdlib.h>

bool next_engine(sl_engine_info *engine, size_t *position)
{
    static bool told[SL_ENGINE_COUNT];
    for (; sl_engine_describe(*position, engine) == SL_OK; ++*position) {
        if (engine->present) {
            ++*position;
            return true;
        }
        if (!told[engine->choice])
            print_message("engine %s skipped: %s\n", engine->name, engine->unavailable_reason);
        told[engine->choice] = true;
    }
    return false;
}

uint64_t test_number(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

test_seeds test_seeds_from(uint64_t first, uint64_t count)
{
    const bool alone = getenv("SEMLA_TEST_SEED") != NULL;
    first = test_number("SEMLA_TEST_SEED", first);
    count = alone ? 1 : test_number("SEMLA_TEST_TRIALS", count);
    return (test_seeds){first, first + count};
}
