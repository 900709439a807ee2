"""Lends the memory of a vector, on the host or on a GPU, to other libraries without a copy."""

import weakref

from . import dlpack
from ._library import ffi, lib
from .errors import Unsupported
from .types import dtype_of

_MEMORIES = {"host": lib.SL_MEMORY_HOST, "cuda": lib.SL_MEMORY_CUDA}


class _Lease:
    """While a lease is alive, its vector stays alive and cannot be written."""

    def __init__(self, vector, memory, device):
        self.vector, self.memory, self.device = vector, memory, device
        vector._leases.add(self)


class View:
    """The arrays of a vector, in place and read-only. `Vector.lend` returns one.

    While the view or one of its arrays is alive, writing to the vector raises BufferError.

    Attributes
    ----------
    values : Array
        `size` values. The value of an index without an entry is unspecified.
    present : Array or None
        None if every index has an entry. Otherwise 32-bit words: bit i % 32 of word i // 32 is set
        if index i has an entry.
    size, nvals : int
        The size of the vector, and the number of its entries.
    memory : str
        "host" or "cuda".
    device : int
        The ordinal of the GPU; 0 on the host.
    stream : int
        The address of the CUDA stream that the library uses. All its work on the arrays is
        complete.
    """

    def __init__(self, vector, memory):
        if memory not in _MEMORIES:
            raise ValueError(f"memory must be one of {', '.join(_MEMORIES)}, not {memory!r}")
        view = ffi.new("sl_vector_view *")
        leases = []

        def lend(pointer):  # makes the lease while the context is locked, before others can write
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
    """One read-only array of a View, for `numpy.from_dlpack`, `cupy.asarray` and similar functions.

    It supports DLPack, and the array interface of numpy (on the host) or of CUDA (on a GPU).

    Attributes
    ----------
    address : int
    count : int
        The number of elements.
    dtype : numpy.dtype
    """

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
            raise AttributeError("the array is in the memory of a GPU")
        return self._interface()

    @property
    def __cuda_array_interface__(self):
        if self._lease.memory != "cuda":
            raise AttributeError("the array is in host memory")
        return self._interface(strides=None, stream=None)  # None: the data is complete

    def __dlpack_device__(self):
        return dlpack.DEVICES[self._lease.memory], self._lease.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """A DLPack capsule. `stream` is ignored, because the data is complete."""
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("the array cannot be exported to another device")
        if copy:
            raise BufferError("the array cannot be exported as a copy")
        versioned = max_version is not None and tuple(max_version) >= (1, 0)
        return dlpack.capsule(self, versioned)


class LendingMixin:
    """The methods of a vector that lend its memory."""

    @property
    def _leases(self):
        """The leases that are alive."""
        if self._lent is None:
            self._lent = weakref.WeakSet()
        return self._lent

    def lend(self, memory="host"):
        """Lend the arrays of the vector, without a copy.

        Parameters
        ----------
        memory : {"host", "cuda"}, default "host"
            Where the arrays must be.

        Returns
        -------
        View
            While it or one of its arrays is alive, the vector cannot be written.

        Raises
        ------
        Unsupported
            If the vector is not in that memory, or if it is on the host and has no entry at some
            index.
        """
        return View(self, memory)

    def _lent_values(self):
        """The values, on a GPU if they are there, else on the host."""
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

    def __dlpack__(self, **options):
        return self._lent_values().__dlpack__(**options)

    @property
    def __cuda_array_interface__(self):
        """For a vector on a GPU with an entry at every index. Valid until the vector is written."""
        try:
            return self._lent_values().__cuda_array_interface__
        except BufferError as error:
            raise AttributeError(str(error)) from None
