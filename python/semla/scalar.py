"""Scalars: results of reductions, and single entries, which may be missing."""

import operator

import numpy as np

from ._library import ffi, lib
from .operators import find
from .types import code_of, convert, lookup_dtype, name_of, pack, scalar_dtype, unify, unpack


class Value:
    """What Scalar and ScalarExpression have in common: they act like the Python number `value`.

    They can be compared, added and so on, and passed where a number is expected. Without a value,
    `==` is true for None alone, `bool` is False, and everything else raises TypeError.
    """

    __hash__ = None

    def _number(self):
        value = self.value
        if value is None:
            raise TypeError(f"{self._missing}, so it has no value; test `.value is None`")
        return value

    _missing = "the scalar is empty"

    def __eq__(self, other):
        value, other = self.value, number(other)
        return other is None if value is None else value == other

    def __bool__(self):
        return bool(self.value)

    def __int__(self):
        return int(self._number())

    def __index__(self):
        return operator.index(self._number())

    def __float__(self):
        return float(self._number())

    def __round__(self, digits=None):
        return round(self._number(), digits)

    def __format__(self, wanted):
        return format(self._number(), wanted) if wanted else str(self)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self._number(), self.dtype if dtype is None else dtype)


def _forward(name, reflected):
    """Makes Value's method of an operator, which applies it to the number."""
    apply = getattr(operator, name)

    def method(self, other):
        return apply(self._number(), number(other))

    def reflected_method(self, other):
        return apply(number(other), self._number())

    setattr(Value, f"__{name}__", method)
    if reflected:
        setattr(Value, f"__r{name}__", reflected_method)


for _name in ("lt", "le", "gt", "ge"):
    _forward(_name, reflected=False)
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    _forward(_name, reflected=True)
for _name in ("neg", "pos", "abs"):
    setattr(
        Value, f"__{_name}__", lambda self, apply=getattr(operator, _name): apply(self._number())
    )


class Scalar(Value):
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
        self._entry = None if value is None else convert(value, self.dtype)

    @classmethod
    def from_value(cls, value, dtype=None):
        """Make a scalar with a value; by default with the type of the value.

        Parameters
        ----------
        value : number
        dtype : dtype, optional

        Returns
        -------
        Scalar
        """
        return cls(value, dtype)

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
            self._entry = None if value is None else convert(value, self.dtype)

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


class ScalarExpression(Value, Selection):
    """A reduction, or a single entry, which is read each time that its value is needed.

    `v[0] == 1`, `v[0] + 1` and `float(v[0])` read it.
    """

    def __init__(self, dtype, read, missing="there is no entry"):
        self.dtype = dtype
        self._missing = missing
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
            # The library accumulates in the type of *result; the sum is converted when it is known.
            dtype = _accumulation_dtype(out.dtype, self.dtype)
            result[0] = lib.sl_scalar_cast(pack(out._entry), code_of(dtype))
            accumulator = find(accum, "binary")._for(dtype)
        exists = self._read(result, accumulator)
        out._entry = convert(unpack(result[0]), out.dtype) if exists else None

    def __reduce__(self):
        raise TypeError(f"{self!r}: an expression cannot be pickled; pickle its .new() or .value")

    def __repr__(self):
        return f"<ScalarExpression {name_of(self.dtype)}; .value reads it>"


def _accumulation_dtype(dtype, result):
    """The type in which a result is accumulated into a scalar of a dtype: their common type, unless
    that is a floating-point type for INT64 and UINT64."""
    joined = unify(dtype, result)
    return dtype if joined.kind == "f" and "f" not in (dtype.kind, result.kind) else joined


def number(value):
    """The number in a Scalar or a ScalarExpression, None if there is none; or the value itself."""
    if isinstance(value, ScalarExpression):
        value = value.new()
    return value._entry if isinstance(value, Scalar) else value
