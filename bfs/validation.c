/* Questions about vectors that the rules in validate_in_place.c and validate_tree.c ask. */
#include "bfs/validation.h"

sl_status sl_validation_vector(const sl_validation *c, sl_vector **v, sl_type type)
{
    return sl_vector_new(v, c->ctx, type, c->n);
}

/* The least index of an entry, or *found is false. */
static sl_status first_of(bool *found, uint64_t *index, const sl_vector *v)
{
    uint64_t nvals;
    sl_status status = sl_vector_nvals(&nvals, v);
    *found = status == SL_OK && nvals > 0;
    return *found ? sl_first_index(index, v) : status;
}

sl_status sl_validation_find(const sl_validation *c, bool *found, uint64_t *index, int64_t *value,
                             const sl_vector *v, sl_index_op op, int64_t thunk)
{
    sl_vector *those = NULL;
    sl_scalar x;
    sl_status status;
    TRY(sl_validation_vector(c, &those, SL_INT64));
    TRY(sl_vector_select(those, NULL, NULL, op, v, sl_scalar_int64(thunk), NULL));
    TRY(first_of(found, index, those));
    if (*found) {
        TRY(sl_vector_get(&x, those, *index));
        *value = x.as.int64_;
    }
out:
    sl_vector_free(those);
    return status;
}

sl_status sl_validation_find_outside(const sl_validation *c, bool *found, uint64_t *index,
                                     const sl_vector *v, const sl_vector *mask)
{
    sl_vector *lone = NULL;
    sl_status status;
    TRY(sl_validation_vector(c, &lone, SL_BOOL));
    TRY(sl_vector_apply(lone, mask, NULL, SL_ONE_BOOL, v,
                        sl_descriptor_get(SL_STRUCTURE | SL_COMPLEMENT)));
    TRY(first_of(found, index, lone));
out:
    sl_vector_free(lone);
    return status;
}

sl_status sl_validation_value(int64_t *value, const sl_vector *v, uint64_t index)
{
    sl_scalar x = sl_scalar_int64(SL_UNREACHED);
    sl_status status = sl_vector_get(&x, v, index);
    *value = status == SL_OK ? x.as.int64_ : SL_UNREACHED;
    return status == SL_NO_VALUE ? SL_OK : status;
}

bool sl_validation_failed(const sl_validation *c)
{
    return c->result->reason[0] != '\0';
}
