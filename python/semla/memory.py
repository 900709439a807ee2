"""Arrays in the library's memory: what it hands out becomes numpy's without a copy, and
what numpy fills in there it can take without one."""

import weakref

import numpy as np

from ._library import ffi, lib
from .errors import NoMemory


class Memory:
    """A block from sl_malloc as an array of numpy's, freed by sl_free with the last of its
    views, unless the library has taken it."""

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
        """A block for so many elements, not filled in."""
        pointer = lib.sl_malloc(max(1, count * dtype.itemsize))
        if not pointer:
            raise NoMemory(f"no memory for {count} elements of {dtype}")
        return cls(pointer, count, dtype)

    @classmethod
    def copy_of(cls, values, dtype):
        """A block with a copy of an array, cast to a dtype."""
        values = np.asarray(values)
        memory = cls.new(values.size, dtype)
        np.copyto(memory.array, values.reshape(-1), casting="unsafe")
        return memory

    @property
    def array(self):
        """The block as an array; the same one as long as it or a view of it is alive."""
        array = self._view() if self._view is not None else None
        if array is None:
            array = np.asarray(self)
            self._view = weakref.ref(array)
        return array

    @property
    def in_use(self):
        """True if an array over this block is alive."""
        return self._view is not None and self._view() is not None

    @property
    def pointer(self):
        """The block; ffi.NULL once it is the library's."""
        return self._pointer

    def release(self):
        """The block is the library's from now on."""
        self._pointer = ffi.NULL

    def __del__(self, free=lib.sl_free):
        free(self._pointer)
