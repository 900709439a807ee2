"""Matrices and vectors as plain arrays, moved in and out without a copy where the library can."""

import threading

import numpy as np

from ._library import ffi, lib
from .context import current_context
from .errors import Mismatch
from .memory import Memory
from .types import INDEX, code_of, dtype_of, lookup_dtype, name_of

FORMATS = {
    name[len("SL_FORMAT_") :].lower(): code
    for name, code in ffi.typeof("sl_format").relements.items()
}
_NAMES = {code: name for name, code in FORMATS.items()}
_PRESENT = np.dtype("int8")
_DTYPES = {"start": INDEX, "rows": INDEX, "cols": INDEX, "present": _PRESENT}


def _lengths(format, nrows, ncols, nvals):
    """The arrays of a format, and their elements: the table of <semla/arrays.h>."""
    places = nrows * ncols
    return {
        "coo": {"rows": nvals, "cols": nvals, "values": nvals},
        "csr": {"start": nrows + 1, "cols": nvals, "values": nvals},
        "csc": {"start": ncols + 1, "rows": nvals, "values": nvals},
        "list": {"rows": nvals, "values": nvals},
        "bitmap": {"present": places, "values": places},
        "full": {"values": places},
    }[format]


class Arrays:
    """The arrays of one matrix or vector, in memory that the library can take.

    format: "coo", "csr", "csc", "bitmap" or "full" of a matrix; "list", "bitmap" or "full" of a
        vector, which is a matrix of one column here.
    start, rows, cols, present, values: arrays of numpy's over that memory, or None where the
        format has none. What they mean stands in <semla/arrays.h>.
    iso: True if all entries have one value, which `values` holds alone. `values` is None
        for a pattern, of which all entries are 1.

    To move them into an object, `Matrix.take(arrays)`, no array of theirs may be in use.
    """

    def __init__(self, format, dtype, nrows, ncols=1, nvals=0, *, iso=False, pattern=False):
        """Arrays to be filled in."""
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
            raise ValueError(f"format is one of {', '.join(FORMATS)}, not {format!r}")
        self.format, self.dtype, self.nrows, self.ncols = format, dtype, nrows, ncols
        self.nvals, self.iso = nvals, iso
        self._lock = threading.Lock()  # of those who look at the arrays and who takes them

    @classmethod
    def _of(cls, arrays):
        """What the library handed out, which belongs to this object from now on."""
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
        """A copy of arrays, each cast to its type; values=None makes a pattern."""
        made = cls.__new__(cls)
        made._describe(format, lookup_dtype(dtype), nrows, ncols, nvals, False)
        made._memory = {}
        for name, length in _lengths(format, nrows, ncols, nvals).items():
            if arrays[name] is None:
                continue
            source = np.asarray(arrays[name])
            if source.size != length:
                raise Mismatch(f"{name} has {source.size} elements, but {length} are needed")
            made._memory[name] = Memory.copy_of(source, _DTYPES.get(name, made.dtype))
        return made

    def _array(name):  # noqa: N805: makes the properties below
        def get(self):
            with self._lock:
                memory = self._memory.get(name)
                return None if memory is None else memory.array

        return property(get)

    start, rows, cols = _array("start"), _array("rows"), _array("cols")
    present, values = _array("present"), _array("values")

    @property
    def is_pattern(self):
        return "values" not in self._memory

    def expand(self):
        """Gives every entry a value of its own, where one stood for all or it was a pattern."""
        if self.iso or self.is_pattern:
            length = _lengths(self.format, self.nrows, self.ncols, self.nvals)["values"]
            one = self.values[0] if self.iso else 1
            self._memory["values"] = Memory.new(length, self.dtype)
            self.values[:] = one
            self.iso = False
        return self

    def _take(self, kind, context, trusted):
        """An object of a kind, which these arrays become; nothing is left here."""
        context = context or current_context()
        take, out = getattr(lib, f"sl_{kind._kind}_take"), ffi.new(f"sl_{kind._kind} **")
        with self._lock:
            if any(memory.in_use for memory in self._memory.values()):
                raise BufferError("arrays that are in use cannot be moved")
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


class Movable:
    """What a vector or a matrix does with Arrays."""

    @classmethod
    def take(cls, arrays, *, trusted=False, context=None):
        """The object that Arrays are moved into; they are empty afterwards. Nothing is copied, but
        for "coo", which has to be put in order.

        Their contents are checked, unless they are `trusted`: then what is wrong may crash.
        """
        return arrays._take(cls, context, trusted)

    def give(self, format):
        """The contents moved out as Arrays; this object is empty afterwards.

        Nothing is copied if the library keeps them in that format: the one they came
        in with, as long as they were only read.
        """
        empty = type(self)(self.dtype, *self.shape, context=self.context)
        arrays = ffi.new("sl_arrays *")

        def move(pointer):
            status = self._function("give")(arrays, ffi.new(f"sl_{self._kind} **", pointer), code)
            if status == 0:
                self._finalizer.detach()
                empty._finalizer.detach()
                self._own(self.context, empty._pointer)
            return status

        code = _format(format)
        self._write(move, self)
        return Arrays._of(arrays)

    def to_arrays(self, format):
        """A copy of the contents as Arrays."""
        arrays = ffi.new("sl_arrays *")
        self.context._call(self._function("copy_out"), arrays, self, _format(format))
        return Arrays._of(arrays)


def _format(format):
    if format not in FORMATS:
        raise ValueError(f"format is one of {', '.join(FORMATS)}, not {format!r}")
    return FORMATS[format]
