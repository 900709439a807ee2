"""Scalars: results of reductions, and single entries, which may be missing."""

from ._library import ffi, lib
from .operators import find
from .types import code_of, lookup_dtype, name_of, pack, scalar_dtype, unpack


class Scalar:
    """A number with a type, or no number.

    `s << v.reduce("plus")` and `s(accum) << v.reduce("plus")` write it. A Scalar can be used
    wherever a number can: as a bound argument, as a thunk, or as a value to assign.

    Parameters
    ----------
    value : number, optional
    dtype : dtype, optional
        Required if there is no value; by default the type of the value.

    Examples
    --------
    >>> s = semla.Scalar(dtype="INT64")
    >>> s << semla.Vector.from_dense([1, 2, 3]).reduce()
    >>> s.value
    6
    """

    def __init__(self, value=None, dtype=None):
        if value is None and dtype is None:
            raise TypeError("Scalar: give a value or a dtype")
        self.dtype = lookup_dtype(dtype) if dtype is not None else scalar_dtype(value)
        self._entry = None if value is None else self.dtype.type(value)

    @property
    def value(self):
        """The value as a Python bool, int or float; None if there is none."""
        return None if self._entry is None else self._entry.item()

    @property
    def is_empty(self):
        """True if there is no value."""
        return self._entry is None

    def __call__(self, accum=None):
        return _Accumulating(self, accum)

    def __lshift__(self, expression):
        self._update(expression, None)

    def _update(self, expression, accum):
        if isinstance(expression, ScalarExpression):
            expression._write(self, accum)
        elif accum is not None:
            raise TypeError("a scalar can accumulate reductions only")
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
    """A Scalar with an accumulator: the left side of `<<`."""

    def __init__(self, scalar, accum):
        self._scalar, self._accum = scalar, accum

    def __lshift__(self, expression):
        self._scalar._update(expression, self._accum)


class Selection:
    """The result of indexing an object: `.new()` reads it, `<<` assigns to it."""

    _part = None  # the Part of an output to assign to; None if this is not an indexed object

    def __lshift__(self, value):
        if self._part is None:
            raise TypeError(f"cannot assign to {self!r}")
        self._part << value


class ScalarExpression(Selection):
    """A reduction, or a single entry, which is not read yet."""

    def __init__(self, dtype, read):
        self.dtype = dtype
        # Function of an sl_scalar to write to and the accumulator; False: there is no entry.
        self._read = read

    def new(self, dtype=None):
        """Return a new Scalar with the value, of the given dtype or that of the expression."""
        out = Scalar(dtype=dtype if dtype is not None else self.dtype)
        self._write(out, None)
        return out

    @property
    def value(self):
        """The value as a Python bool, int or float; None if there is no entry."""
        return self.new().value

    def _write(self, out, accum):
        result = ffi.new("sl_scalar *")
        accumulator = ffi.NULL
        if accum is not None and out._entry is not None:
            result[0] = pack(out._entry)
            accumulator = find(accum, "binary")._for(out.dtype)
        exists = self._read(result, accumulator)
        out._entry = unpack(lib.sl_scalar_cast(result[0], code_of(out.dtype))) if exists else None

    def __repr__(self):
        return f"ScalarExpression({name_of(self.dtype)})"


def number(value):
    """The number in a Scalar or a ScalarExpression, None if there is none; or the value itself."""
    if isinstance(value, ScalarExpression):
        value = value.new()
    return value._entry if isinstance(value, Scalar) else value
