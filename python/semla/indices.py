"""Indices as Python writes them, turned into what the library takes."""

import operator

import numpy as np

from ._library import ffi
from .errors import OutOfRange
from .types import INDEX

ALL = (ffi.NULL, 0)  # a whole dimension: the count is not read
_RANGE = 2**64 - 1  # SL_RANGE: the list is {begin, end, step}


class Axis:
    """The indices of one dimension: one integer, a range, or a list.

    size: how many they are; None for an integer, which drops its dimension.
    pointer, count: the library's list; it lives as long as this object.
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
        try:
            index = operator.index(key)
        except TypeError:
            raise TypeError(
                f"an index is an integer, a slice or a list of integers, not {key!r}"
            ) from None
        self.single = _from_end(index, length)
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
        keys = np.asarray(key)
        if keys.ndim != 1 or (keys.size > 0 and keys.dtype.kind not in "iu"):
            raise TypeError(
                "a list of indices has one dimension, of integers; use a mask for booleans"
            )
        if keys.dtype.kind == "i" and keys.size > 0 and keys.min() < 0:
            keys = np.where(keys < 0, keys + length, keys)
            if keys.min() < 0:
                raise OutOfRange(f"index {keys.min() - length} is outside of {length}")
        self.size = keys.size
        self._keep(keys.astype(INDEX))

    def _keep(self, indices):
        # No list is NULL, even one of nothing: that would stand for all.
        self._indices = indices if indices.size else np.zeros(1, INDEX)
        self.pointer, self.count = ffi.from_buffer("uint64_t[]", self._indices), indices.size


def _from_end(index, length):
    if not -length <= index < length:
        raise OutOfRange(f"index {index} is outside of {length}")
    return index + length if index < 0 else index


def axes(key, shape):
    """An Axis for each dimension."""
    keys = key if isinstance(key, tuple) else (key,)
    if len(keys) != len(shape):
        raise TypeError(
            f"{len(shape)} index{'es are' if len(shape) > 1 else ' is'} needed, not {len(keys)}"
        )
    return [Axis(one, length) for one, length in zip(keys, shape)]
