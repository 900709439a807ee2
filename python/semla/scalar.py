"""Scalars: what reductions give, and single entries, which may be missing."""

from ._library import ffi, lib
from .operators import find
from .types import code_of, lookup_dtype, name_of, pack, scalar_dtype, unpack


class Scalar:
    """A number with a type, or none. `s << v.reduce(...)` and `s(accum) << ...` write it.

    A Scalar stands where a number does: as bound argument, thunk or value to assign.
    """

    def __init__(self, value=None, dtype=None):
        if value is None and dtype is None:
            raise TypeError("a Scalar without a value needs a dtype")
        self.dtype = lookup_dtype(dtype) if dtype is not None else scalar_dtype(value)
        self._entry = None if value is None else self.dtype.type(value)

    @property
    def value(self):
        """Python's bool, int or float; None where there is no value."""
        return None if self._entry is None else self._entry.item()

    @property
    def is_empty(self):
        return self._entry is None

    def __call__(self, accum=None):
        return _Accumulating(self, accum)

    def __lshift__(self, expression):
        self._update(expression, None)

    def _update(self, expression, accum):
        if isinstance(expression, ScalarExpression):
            expression._write(self, accum)
        elif accum is not None:
            raise TypeError("a scalar accumulates reductions alone")
        else:
            value = number(expression)
            self._entry = None if value is None else self.dtype.type(value)

    def __bool__(self):
        return bool(self._entry)

    def __int__(self):
        return int(self._entry)

    def __float__(self):
        return float(self._entry)

    def __eq__(self, other):
        return self._entry == number(other)

    __hash__ = None

    def __repr__(self):
        return f"Scalar({self.value}, {name_of(self.dtype)})"


class _Accumulating:
    def __init__(self, scalar, accum):
        self._scalar, self._accum = scalar, accum

    def __lshift__(self, expression):
        self._scalar._update(expression, self._accum)


class Selection:
    """What indexing gives: read by .new(), or assigned to by <<."""

    _part = None  # of an output, where that was indexed

    def __lshift__(self, value):
        if self._part is None:
            raise TypeError(f"{self!r} cannot be assigned to")
        self._part << value


class ScalarExpression(Selection):
    """A reduction or a single entry, not read yet."""

    def __init__(self, dtype, read):
        self.dtype = dtype
        self._read = read  # of the sl_scalar to write and the accumulator; None: no entry

    def new(self, dtype=None):
        """Reads it into a new Scalar."""
        out = Scalar(dtype=dtype if dtype is not None else self.dtype)
        self._write(out, None)
        return out

    @property
    def value(self):
        """Python's bool, int or float; None where there is no entry."""
        return self.new().value

    def _write(self, out, accum):
        room = ffi.new("sl_scalar *")
        accumulator = ffi.NULL
        if accum is not None and out._entry is not None:
            room[0] = pack(out._entry)
            accumulator = find(accum, "binary")._for(out.dtype)
        found = self._read(room, accumulator)
        out._entry = unpack(lib.sl_scalar_cast(room[0], code_of(out.dtype))) if found else None

    def __repr__(self):
        return f"ScalarExpression({name_of(self.dtype)})"


def number(value):
    """The number that a Scalar, a ScalarExpression, numpy or Python holds; None for none."""
    if isinstance(value, ScalarExpression):
        value = value.new()
    return value._entry if isinstance(value, Scalar) else value
