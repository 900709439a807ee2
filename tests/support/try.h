/* For scenarios in which a call may fail, as where memory runs out. */
#ifndef SEMLA_TEST_TRY_H
#define SEMLA_TEST_TRY_H

/* Returns a status that is not SL_OK. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        sl_status try_status_ = (call);                                                            \
        if (try_status_ != SL_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

/* Keeps the status in `status`, and goes to `out` if it is not SL_OK. */
#define TRY_OR_OUT(call)                                                                           \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

#endif
