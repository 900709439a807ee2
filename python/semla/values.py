"""Arrays of values and of indices, as the conversions pass them to the library."""

import numpy as np

from ._library import ffi
from .errors import Mismatch
from .operators import find
from .types import INDEX, lookup_dtype


def checked_values(values, length, dtype):
    """(array, dtype): `length` values as a numpy array, and the type that they will have.

    One number is repeated. None, for a pattern, stays None.
    """
    if values is None:
        return None, lookup_dtype(dtype if dtype is not None else bool)
    array = np.asarray(values)
    dtype = lookup_dtype(dtype if dtype is not None else array.dtype)
    if array.ndim == 0:
        array = np.full(length, array)
    if array.shape != (length,):
        raise Mismatch(f"there are {length} indices, but the values have shape {array.shape}")
    return array, dtype


def value_array(values, length, dtype):
    """As checked_values, with the array converted to the dtype."""
    array, dtype = checked_values(values, length, dtype)
    return None if array is None else np.ascontiguousarray(array, dtype), dtype


def as_pointer(array):
    """The address of the elements of an array; NULL for None."""
    if array is None:
        return ffi.NULL
    return ffi.from_buffer("uint64_t[]" if array.dtype == INDEX else "char[]", array)


def duplicates(dup_op, dtype):
    """The operator that combines the values of equal indices; NULL for None."""
    return ffi.NULL if dup_op is None else find(dup_op, "binary")._for(dtype)
