"""Matrices and vectors as plain arrays, moved into and out of the library without a copy if
possible."""

import threading

import numpy as np

from ._library import ffi, lib
from .context import current_context
from .errors import Mismatch, Unsupported
from .indices import count
from .lifetime import forget
from .memory import Memory
from .types import INDEX, code_of, dtype_of, lookup_dtype, name_of
from .values import checked_array

FORMATS = {
    name[len("SL_FORMAT_") :].lower(): code
    for code, name in sorted(ffi.typeof("sl_format").elements.items())
}
_NAMES = {code: name for name, code in FORMATS.items()}
_PRESENT = np.dtype("int8")
_DTYPES = {"start": INDEX, "rows": INDEX, "cols": INDEX, "present": _PRESENT}


def _lengths(format, nrows, ncols, nvals):
    """{name of an array: number of its elements} for a format, as in <semla/arrays.h>."""
    size = nrows * ncols
    return {
        "coo": {"rows": nvals, "cols": nvals, "values": nvals},
        "csr": {"start": nrows + 1, "cols": nvals, "values": nvals},
        "csc": {"start": ncols + 1, "rows": nvals, "values": nvals},
        "list": {"rows": nvals, "values": nvals},
        "bitmap": {"present": size, "values": size},
        "full": {"values": size},
    }[format]


class Arrays:
    """The arrays of one matrix or vector, in memory of the library's allocator.

    `Matrix.take(arrays)` and `Vector.take(arrays)` move them into a new object without a copy;
    `give` moves them out. No numpy array over them may be in use when they are moved.

    Parameters
    ----------
    format : str
        "coo", "csr", "csc", "bitmap" or "full" for a matrix; "list", "bitmap" or "full" for a
        vector, which counts as a matrix with one column.
    dtype : dtype
        The type of the values.
    nrows, ncols : int
        The shape; ncols is by default 1.
    nvals : int, default 0
        The number of entries, for the formats that store entries.
    iso : bool, default False
        True if all entries have the same value; `values` then has one element.
    pattern : bool, default False
        True if there are no values: `values` is None and every entry is 1.

    Attributes
    ----------
    start, rows, cols, present, values : numpy.ndarray or None
        Arrays over the memory, at first uninitialised; None if the format has no such array.
        <semla/arrays.h> defines their contents.

    Examples
    --------
    >>> arrays = semla.Arrays("csr", "FP64", nrows=2, ncols=2, nvals=2)
    >>> arrays.start[:], arrays.cols[:], arrays.values[:] = [0, 1, 2], [1, 0], [5.0, 6.0]
    >>> semla.Matrix.take(arrays)
    <Matrix FP64, 2 x 2, 2 entries>
      0 1
    0   5
    1 6
    """

    def __init__(self, format, dtype, nrows, ncols=1, nvals=0, *, iso=False, pattern=False):
        nrows, ncols, nvals = count(nrows, "nrows"), count(ncols, "ncols"), count(nvals, "nvals")
        self._describe(format, lookup_dtype(dtype), nrows, ncols, nvals, iso)
        lengths = _lengths(format, nrows, ncols, nvals)
        if pattern:
            del lengths["values"]
        elif iso:
            lengths["values"] = 1
        self._memory = {
            name: Memory.new(length, _DTYPES.get(name, self.dtype))
            for name, length in lengths.items()
        }

    def _describe(self, format, dtype, nrows, ncols, nvals, iso):
        if format not in FORMATS:
            raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
        self.format, self.dtype, self.nrows, self.ncols = format, dtype, nrows, ncols
        self.nvals, self.iso = nvals, iso
        self._lock = threading.Lock()  # protects _memory against a concurrent take

    @classmethod
    def _of(cls, arrays):
        """Takes ownership of an sl_arrays that the library filled in."""
        made = cls.__new__(cls)
        made._describe(
            _NAMES[arrays.format],
            dtype_of(arrays.type),
            arrays.nrows,
            arrays.ncols,
            arrays.nvals,
            bool(arrays.iso),
        )
        made._memory = {}
        for name, length in _lengths(made.format, made.nrows, made.ncols, made.nvals).items():
            pointer = getattr(arrays, name)
            if pointer:
                length = 1 if name == "values" and made.iso else length
                made._memory[name] = Memory(pointer, length, _DTYPES.get(name, made.dtype))
        return made

    @classmethod
    def copy_of(cls, format, dtype, nrows, ncols=1, nvals=0, **arrays):
        """Return Arrays with copies of the given arrays, each cast to its type.

        Parameters are as for the class; the arrays are given by name. `values=None` makes a
        pattern. Raises Mismatch if an array has the wrong number of elements, and Invalid if an
        integer type does not have a value.
        """
        made = cls.__new__(cls)
        made._describe(format, lookup_dtype(dtype), nrows, ncols, nvals, False)
        made._memory = {}
        for name, length in _lengths(format, nrows, ncols, nvals).items():
            if arrays[name] is None:
                continue
            source, _ = checked_array(arrays[name], _DTYPES.get(name, made.dtype))
            if source.size != length:
                raise Mismatch(f"{name} has {source.size} elements; {length} are needed")
            made._memory[name] = Memory.copy_of(source, _DTYPES.get(name, made.dtype))
        return made

    def _array(name):  # noqa: N805 # a function that makes the properties below
        def get(self):
            with self._lock:
                memory = self._memory.get(name)
                return None if memory is None else memory.array

        return property(get, doc=f"The array `{name}`; None if the format has none.")

    start, rows, cols = _array("start"), _array("rows"), _array("cols")
    present, values = _array("present"), _array("values")

    @property
    def is_pattern(self):
        """True if there are no values, so that every entry is 1."""
        return "values" not in self._memory

    def expand(self):
        """Make `values` an array with one element per entry, also for iso values and patterns."""
        if self.iso or self.is_pattern:
            length = _lengths(self.format, self.nrows, self.ncols, self.nvals)["values"]
            value = self.values[0] if self.iso else 1
            self._memory["values"] = Memory.new(length, self.dtype)
            self.values[:] = value
            self.iso = False
        return self

    def _take(self, kind, context, trusted):
        """Moves the arrays into a new object of class `kind`, and leaves none here."""
        context = context or current_context()
        refuse_arrays(context)
        take, out = getattr(lib, f"sl_{kind._kind}_take"), ffi.new(f"sl_{kind._kind} **")
        with self._lock:
            if any(memory.in_use for memory in self._memory.values()):
                raise BufferError(
                    "the arrays cannot be moved while a numpy array over them is in use"
                )
            context._call(take, out, context, self._as_struct(trusted))
            for memory in self._memory.values():
                memory.release()
            self._memory, self.nvals = {}, 0
        return kind._owning(context, out[0])

    def _as_struct(self, trusted):
        arrays = ffi.new("sl_arrays *")
        arrays.format, arrays.type = FORMATS[self.format], code_of(self.dtype)
        arrays.nrows, arrays.ncols, arrays.nvals = self.nrows, self.ncols, self.nvals
        arrays.iso, arrays.trusted = self.iso, trusted
        for name, memory in self._memory.items():
            setattr(arrays, name, ffi.cast(_POINTERS[name], memory.pointer))
        return arrays

    def __repr__(self):
        shape = f"{self.nrows} x {self.ncols}"
        return f"<Arrays {self.format} {name_of(self.dtype)}, {shape}: {', '.join(self._memory)}>"


_POINTERS = {
    "start": "uint64_t *",
    "rows": "uint64_t *",
    "cols": "uint64_t *",
    "present": "int8_t *",
    "values": "void *",
}


class ArraysMixin:
    """The methods of vectors and matrices that exchange Arrays."""

    @classmethod
    def take(cls, arrays, *, trusted=False, context=None):
        """Make an object by moving Arrays into it. They are empty afterwards.

        Nothing is copied, except for the format "coo", which has to be sorted.

        Parameters
        ----------
        arrays : Arrays
        trusted : bool, default False
            Whether to skip the check of the contents, which reads the arrays once. Wrong contents
            can then crash the program.
        context : Context, optional
            By default the current context.

        Raises
        ------
        BufferError
            If a numpy array over the arrays is in use.
        Error
            If the contents are wrong; the arrays are as they were.
        """
        return arrays._take(cls, context, trusted)

    def give(self, format):
        """Move the contents out as Arrays. The object has no entries afterwards.

        Parameters
        ----------
        format : str
            A format of `Arrays`. Nothing is copied if the library stores the object in this
            format: that in which it was taken, if it has not been written since.

        Returns
        -------
        Arrays
        """
        refuse(self, "give")
        empty = type(self)(self.dtype, *self.shape, context=self.context)
        arrays = ffi.new("sl_arrays *")

        def move(pointer):
            status = self._function("give")(arrays, ffi.new(f"sl_{self._kind} **", pointer), code)
            if status == 0:
                forget(self._reference)
                forget(empty._reference)
                self._own(self.context, empty._pointer)
            return status

        code = _format(format)
        self._write(move, self)
        return Arrays._of(arrays)

    def to_arrays(self, format):
        """Return a copy of the contents as Arrays, in a format of that class.

        Parameters
        ----------
        format : str

        Returns
        -------
        Arrays
        """
        refuse(self, "to_arrays")
        arrays = ffi.new("sl_arrays *")
        self.context._call(self._function("copy_out"), arrays, self, _format(format))
        return Arrays._of(arrays)


def refuse(thing, what):
    """Raises Unsupported for a method that needs all entries, on a grid of several ranks."""
    if thing.context.processes > 1:
        raise Unsupported(
            f"{what}: each rank has a part of the entries; use gather(), or to_coo() for the part"
        )


def refuse_arrays(context):
    """Raises Unsupported for an object made of whole arrays, on a grid of several ranks."""
    if context.processes > 1:
        raise Unsupported(
            "on a grid each rank has a part of the entries, and no object is made of whole arrays; use "
            "from_coo() with the entries of each rank, and nrows and ncols, or size"
        )


def _format(format):
    if format not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
    return FORMATS[format]
