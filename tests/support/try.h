/* Macros for functions with calls that may fail, for example because memory runs out. */
#ifndef SEMLA_TEST_TRY_H
#define SEMLA_TEST_TRY_H

/* Returns from the function with the status of the call if it is not SL_OK. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* Stores the status of the call in `status`, and jumps to `out` if it is not SL_OK. */
#define TRY_OR_OUT(call)                                                                           \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

#endif
