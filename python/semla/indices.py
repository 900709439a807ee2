"""Converts Python's integers, slices and lists into numbers, ids and index lists of the library.

Nothing is rounded or wrapped: a float, a bool or a negative number is an error that names it.
"""

import operator

import numpy as np

from ._library import ffi
from .errors import Invalid, OutOfRange
from .types import INDEX

ALL = (ffi.NULL, 0)  # the list for a whole dimension; the library ignores its count
_INTEGERS = (int, np.integer)
_BOOLS = (bool, np.bool_)
_RANGE = 2**64 - 1  # SL_RANGE as a count: the list is {begin, end, step}


def _whole(value, what):
    """An int of any size."""
    try:
        if isinstance(value, _BOOLS):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {value!r}") from None


def integer(value, what, bits=64):
    """An integer of at most `bits` bits with its sign. `what` names the argument."""
    number = _whole(value, what)
    if not -(2 ** (bits - 1)) <= number < 2 ** (bits - 1):
        raise Invalid(f"{what} {number} has more than {bits} bits")
    return number


def count(value, what, bits=64, error=Invalid):
    """An integer from 0 to 2**bits - 1."""
    number = _whole(value, what)
    if number < 0:
        raise error(f"{what} {number} is negative")
    if number >= 2**bits:
        raise error(f"{what} {number} is above 2^{bits} - 1")
    return number


def index(value, what):
    """An index or the id of a vertex."""
    return count(value, what, error=OutOfRange)


def _as_array(values):
    """A numpy array, of objects if a list has bools, which numpy would take for 0 and 1."""
    bools = isinstance(values, (list, tuple)) and any(isinstance(v, _BOOLS) for v in values)
    return np.asarray(values, object if bools else None)


def integer_array(values, what):
    """Indices or ids as a numpy array of any integer type."""
    array = _as_array(values)
    if array.size == 0:
        return np.zeros(0, INDEX)
    if array.ndim != 1:
        raise TypeError(f"{what}: expected a one-dimensional array, not the shape {array.shape}")
    if array.dtype.kind not in "iu":  # numpy makes floats or objects of large integers
        array = np.array([index(value, what) for value in values], INDEX)
    if array.dtype.kind == "i" and array.min() < 0:
        raise OutOfRange(f"{what} {array.min()} is negative")
    return array


def index_array(values, what="index"):
    """Indices or ids as an array of uint64; copied if they have another type."""
    return np.ascontiguousarray(integer_array(values, what), INDEX)


def vertices(list_of_vertices, what):
    """The vertices as an array of uint64 that the library reads, and their number. `what` names the
    argument."""
    if np.ndim(list_of_vertices) == 0:
        list_of_vertices = [index(list_of_vertices, what)]
    array = index_array(list_of_vertices, what)
    return ffi.from_buffer("uint64_t[]", array), array.size


class Axis:
    """The indices of one dimension: an integer, a range, or a list.

    Attributes
    ----------
    single : int or None
        The index, if the key is an integer, which removes the dimension.
    size : int or None
        The number of indices; None for an integer.
    pointer, count
        The list for the library. It lives as long as this object.
    """

    def __init__(self, key, length):
        self.single = None
        self.size = None
        if isinstance(key, slice):
            self._from_slice(key, length)
        elif isinstance(key, (list, tuple, range, np.ndarray)) and np.ndim(key) > 0:
            self._from_list(key, length)
        else:
            self._from_integer(key, length)

    def _from_integer(self, key, length):
        self.single = _normalised(_whole(key, "an index"), length)
        self._keep(np.array([self.single], INDEX))

    def _from_slice(self, key, length):
        begin, end, step = key.indices(length)
        self.size = len(range(begin, end, step))
        if (begin, end, step) == (0, length, 1):
            self.pointer, self.count = ffi.NULL, length
        else:
            self._keep(np.array([begin, end, step], np.int64).view(INDEX))
            self.count = _RANGE

    def _from_list(self, key, length):
        keys = _as_array(key)
        if keys.ndim != 1 or (keys.size > 0 and keys.dtype.kind not in "iu"):
            wrong = next(
                (k for k in key if isinstance(k, _BOOLS) or not isinstance(k, _INTEGERS)), key
            )
            raise TypeError(
                "a list of indices must be one-dimensional and of integers, for booleans use a "
                f"mask; this one has {wrong!r}"
            )
        if keys.dtype.kind == "i" and keys.size > 0 and keys.min() < 0:
            keys = np.where(keys < 0, keys + length, keys)
            if keys.min() < 0:
                raise OutOfRange(f"index {keys.min() - length} is out of range for size {length}")
        self.size = keys.size
        self._keep(keys.astype(INDEX))

    def _keep(self, indices):
        # The pointer of an empty list must not be NULL, which stands for all indices.
        self._indices = indices if indices.size else np.zeros(1, INDEX)
        self.pointer, self.count = ffi.from_buffer("uint64_t[]", self._indices), indices.size


def _normalised(index, length):
    """The index, counted from the end if it is negative."""
    if not -length <= index < length:
        raise OutOfRange(f"index {index} is out of range for size {length}")
    return index + length if index < 0 else index


def axes(key, shape):
    """The Axis of each dimension of a key."""
    keys = key if isinstance(key, tuple) else (key,)
    if len(keys) != len(shape):
        raise TypeError(
            f"{len(shape)} index{'es' if len(shape) > 1 else ''} needed, not {len(keys)}"
        )
    return [Axis(one, length) for one, length in zip(keys, shape)]
