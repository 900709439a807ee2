"""A vector's memory, on the host or a GPU, lent to other libraries without a copy."""

import weakref

from . import dlpack
from ._library import ffi, lib
from .errors import Unsupported
from .types import dtype_of

_MEMORIES = {"host": lib.SL_MEMORY_HOST, "cuda": lib.SL_MEMORY_CUDA}


class _Lease:
    """What arrays hold on to: as long as it lives, the vector lives and is not written."""

    def __init__(self, vector, memory, device):
        self.vector, self.memory, self.device = vector, memory, device
        vector._leases.add(self)


class View:
    """A vector's arrays where they are: read-only. As long as it or one of its arrays is
    used, the vector cannot be written.

    values: an array of the vector's size, unspecified where there is no entry.
    present: None if every index has an entry; else an array of 32-bit words, of which bit
        i % 32 of word i // 32 says whether i has one.
    memory, device, stream: "host" or "cuda"; the GPU's ordinal; the address of the CUDA
        stream in which the library works on the arrays. What it had queued there is done.
    """

    def __init__(self, vector, memory):
        if memory not in _MEMORIES:
            raise ValueError(f"memory is one of {', '.join(_MEMORIES)}, not {memory!r}")
        view = ffi.new("sl_vector_view *")
        leases = []

        def lend(pointer):  # with a lease before anybody else can write
            status = lib.sl_vector_lend(view, pointer, _MEMORIES[memory])
            if status == 0:
                leases.append(_Lease(vector, memory, view.device))
            return status

        vector.context._call(lend, vector)
        (lease,) = leases
        self.memory, self.device, self.size, self.nvals = memory, view.device, view.size, view.nvals
        self.stream = int(ffi.cast("uintptr_t", view.stream))
        self.values = Array(lease, view.values, view.size, dtype_of(view.type))
        self.present = None
        if view.present:
            self.present = Array(
                lease, view.present, (view.size + 31) // 32, dtype_of(lib.SL_UINT32)
            )


class Array:
    """One array of a view, for numpy.from_dlpack, cupy.asarray and their kin. Read-only."""

    def __init__(self, lease, pointer, count, dtype):
        self._lease = lease
        self.address, self.count, self.dtype = int(ffi.cast("uintptr_t", pointer)), count, dtype

    def _interface(self, **more):
        return {
            "shape": (self.count,),
            "typestr": self.dtype.str,
            "data": (self.address, True),
            "version": 3,
            **more,
        }

    @property
    def __array_interface__(self):
        if self._lease.memory != "host":
            raise AttributeError("the array is on a GPU")
        return self._interface()

    @property
    def __cuda_array_interface__(self):
        if self._lease.memory != "cuda":
            raise AttributeError("the array is on the host")
        return self._interface(strides=None, stream=None)  # there is nothing to wait for

    def __dlpack_device__(self):
        return dlpack.DEVICES[self._lease.memory], self._lease.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A capsule. The data is there for any stream, so that `stream` is not looked at."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("the array is lent where it is, and not on another device")
        if copy:
            raise BufferError("the array is lent, not copied")
        versioned = max_version is not None and tuple(max_version) >= (1, 0)
        return dlpack.capsule(self, versioned)


class Lender:
    """What a vector offers to other libraries."""

    @property
    def _leases(self):
        """Those that are alive."""
        if self._lent is None:
            self._lent = weakref.WeakSet()
        return self._lent

    def lend(self, memory="host"):
        """The vector's arrays in the memory of the host or of a GPU ("cuda"), without a copy.

        Unsupported is raised if it is not there, or on the host if not every index has
        an entry.
        """
        return View(self, memory)

    def _lent_values(self):
        """The values where they are: on a GPU, if they are there, else on the host."""
        try:
            view = self.lend("cuda")
        except Unsupported:
            try:
                view = self.lend("host")
            except Unsupported as error:
                raise BufferError(str(error)) from None
        if view.present is not None:
            raise BufferError("not every index has an entry: use lend()")
        return view.values

    def __dlpack_device__(self):
        return self._lent_values().__dlpack_device__()

    def __dlpack__(self, **wishes):
        return self._lent_values().__dlpack__(**wishes)

    @property
    def __cuda_array_interface__(self):
        """For a vector on a GPU with an entry at every index. Valid until it is next written."""
        try:
            return self._lent_values().__cuda_array_interface__
        except BufferError as error:
            raise AttributeError(str(error)) from None
