"""Blocks of the library's allocator as numpy arrays, so that both sides can use them without a
copy."""

import weakref

import numpy as np

from ._library import ffi, lib
from .errors import NoMemory


class Memory:
    """A block from sl_malloc, with numpy arrays over it.

    The block is freed by sl_free when this object and all arrays over it are gone, unless the
    library has taken it over (`release`).
    """

    def __init__(self, pointer, count, dtype):
        self._pointer, self._count, self._dtype = pointer, count, dtype
        self._view = None
        self.__array_interface__ = {
            "shape": (count,),
            "typestr": dtype.str,
            "data": (int(ffi.cast("uintptr_t", pointer)), False),
            "version": 3,
        }

    @classmethod
    def new(cls, count, dtype):
        """An uninitialised block of `count` elements."""
        pointer = lib.sl_malloc(max(1, count * dtype.itemsize))
        if not pointer:
            raise NoMemory(f"out of memory: cannot allocate {count} elements of {dtype}")
        return cls(pointer, count, dtype)

    @classmethod
    def copy_of(cls, values, dtype):
        """A block with a copy of an array, cast to `dtype`."""
        values = np.asarray(values)
        memory = cls.new(values.size, dtype)
        np.copyto(memory.array, values.reshape(-1), casting="unsafe")
        return memory

    @property
    def array(self):
        """A numpy array over the block. While it or a view of it is alive, the same one is
        returned."""
        array = self._view() if self._view is not None else None
        if array is None:
            array = np.asarray(self)
            self._view = weakref.ref(array)
        return array

    @property
    def in_use(self):
        """True while a numpy array over the block is alive."""
        return self._view is not None and self._view() is not None

    @property
    def pointer(self):
        """The address of the block; ffi.NULL after `release`."""
        return self._pointer

    def release(self):
        """Leaves the block to the library, which frees it."""
        self._pointer = ffi.NULL

    def __del__(self, free=lib.sl_free):
        free(self._pointer)
