"""Arrays of values and of indices, as the conversions pass them to the library.

An integer type gets each value exactly, without its fraction: a value that it does not have is
Invalid. numpy would wrap it, and would round integers of more than 53 bits of a list beside floats,
or of a list that neither INT64 nor UINT64 holds.
"""

import numbers

import numpy as np

from ._library import ffi
from .errors import Invalid, Mismatch
from .operators import find
from .types import INDEX, TYPES, check_number, convert, lookup_dtype, type_holds

_EXACT = 2.0**53  # FP64 has all integers up to this one


def number_array(values):
    """The values as a numpy array; of objects if numpy would round integers of a list."""
    array = np.asarray(values)
    if array.dtype.kind == "f" and not hasattr(values, "dtype") and (abs(array) >= _EXACT).any():
        objects = np.asarray(values, object)
        if any(isinstance(value, numbers.Integral) for value in objects.flat):
            return objects
    return array


def checked_array(values, dtype=None):
    """(array, dtype): the values as an array, and the type to which they can then be cast.

    Without a dtype it follows from the values. Invalid names a value that the type does not have.
    """
    array = number_array(values)
    if array.dtype.kind == "O":
        return _of_objects(array, dtype)
    own = array.dtype if dtype is None else lookup_dtype(dtype)
    if dtype is None:
        return array, lookup_dtype(own)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"the values must be numbers, not {array.dtype}")
    if own.kind in "iu" and array.size and not np.can_cast(array.dtype, own):
        with np.errstate(invalid="ignore"):
            extremes = array.min(), array.max()  # both NaN if a value is NaN
        for value in extremes:
            check_number(value, own)
    return array, own


def _of_objects(array, dtype):
    """As checked_array, for an array of Python's numbers."""
    for value in array.flat:
        if not isinstance(value, (numbers.Real, np.bool_)):
            raise TypeError(f"the values must be numbers, not {value!r}")
    dtype = _type_of_objects(array) if dtype is None else lookup_dtype(dtype)
    made = np.empty(array.shape, dtype)
    made.reshape(-1)[:] = [convert(value, dtype) for value in array.flat]
    return made, dtype


def _type_of_objects(array):
    """BOOL, INT64, UINT64 or FP64. Invalid for integers that no integer type has."""
    kinds = {type(value) for value in array.flat}
    if kinds and kinds <= {bool, np.bool_}:
        return TYPES["BOOL"]
    if not kinds or not all(issubclass(kind, (numbers.Integral, np.bool_)) for kind in kinds):
        return TYPES["FP64"]
    least, greatest = int(min(array.flat)), int(max(array.flat))
    for name in ("INT64", "UINT64"):
        if type_holds(TYPES[name], least) and type_holds(TYPES[name], greatest):
            return TYPES[name]
    raise Invalid(
        f"no integer type has both {least} and {greatest}; dtype='FP64' rounds the values"
        if least != greatest
        else f"no integer type has the value {least}; dtype='FP64' rounds it"
    )


def checked_values(values, length, dtype):
    """(array, dtype): `length` values as a numpy array, and the type to which they can be cast.

    One number is repeated. None, for a pattern, stays None.
    """
    if values is None:
        return None, lookup_dtype(dtype if dtype is not None else bool)
    array, dtype = checked_array(values, dtype)
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
