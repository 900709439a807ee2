"""What vectors and matrices have in common: they own an object of the library, and are written."""

import inspect

import numpy as np

from ._library import ffi
from .expressions import READS, REPLACE, Deferred, Expression, Mask, Output, Part
from .formatting import as_html, as_text
from .infix import Assignable
from .lifetime import adopt
from .operand import KINDS, Operand, expect
from .scalar import number
from .signatures import name_constructors
from .types import check_number, dtype_of, pack, unify

_COUNT = ffi.typeof("uint64_t *")

# Methods that change an object; they would change a temporary copy of an expression.
WRITES = {"clear", "resize", "give", "lend", "optimize", "promise_symmetric", "setdiag", "update"}


class Collection(Assignable, Operand):
    """A vector or a matrix of the library, owned by this object."""

    _writes = 0  # how often it was written; see VertexMap

    def _own(self, context, pointer):
        """Makes this object the owner of an object of the library."""
        self.context, self._pointer = context, pointer
        self._dtype = self._shape = None  # as the library says, once they were asked for
        self._lent = None  # a set of the leases that are alive, or None: see lending.py
        self._reference = adopt(self, context._owner, self._function("free"), pointer)

    @classmethod
    def _create(cls, context, function, *arguments):
        """The owner of the object that function(&object, arguments...) makes."""
        out = ffi.new(f"sl_{cls._kind} **")
        context._call(function, out, *arguments)
        return cls._owning(context, out[0])

    @classmethod
    def _owning(cls, context, pointer):
        """The owner of an existing object of the library."""
        made = cls.__new__(cls)
        made._own(context, pointer)
        return made

    def _write(self, function, *arguments, also=()):
        """Runs a call that changes this object, and the objects `also` that are not None."""
        written = (self, *also) if also else (self,)
        self.context._owner.call(function, *arguments, written=written)

    def _accumulation_dtype(self, dtype):
        """The type in which a result of this dtype is accumulated into the object."""
        return unify(self.dtype, dtype)

    @property
    def dtype(self):
        """The type of the values, a numpy dtype."""
        if self._dtype is None:
            self._dtype = dtype_of(self.context._run_locked(self._function("type"), self))
        return self._dtype

    @property
    def nvals(self):
        """The number of entries."""
        out = ffi.new(_COUNT)
        self.context._owner.call(self._function("nvals"), out, self)
        return out[0]

    @property
    def S(self):
        """The mask that selects the indices at which this object has an entry."""
        return Mask(self, structure=True)

    @property
    def V(self):
        """The mask that selects the indices at which this object has an entry other than 0."""
        return Mask(self, structure=False)

    def clear(self):
        """Remove all entries."""
        self._write(self._function("clear"), self)

    def dup(self, dtype=None):
        """Return a copy, cast to `dtype` if one is given.

        Parameters
        ----------
        dtype : dtype, optional

        Returns
        -------
        Vector or Matrix
        """
        if dtype is not None:
            out = self._empty(dtype, *self.shape)
            out << self
            return out
        return self._create(self.context, self._function("dup"), self)

    def isequal(self, other, *, check_dtype=False):
        """Return True if shapes, patterns and values are equal. NaN equals NaN.

        Parameters
        ----------
        other : Vector or Matrix
            Of the same kind.
        check_dtype : bool, default False
            Whether the types must be equal, too. Otherwise both are cast to a common type.
        """
        other = expect(self._kind, other)
        if self.dtype != other.dtype:
            if check_dtype or self.shape != other.shape:
                return False
            dtype = unify(self.dtype, other.dtype)
            return self.dup(dtype).isequal(other.dup(dtype))
        return self._compare("equal", other)

    def same_pattern(self, other):
        """Return True if shapes and patterns are equal, whatever the values are.

        Parameters
        ----------
        other : Vector or Matrix
            Of the same kind.

        Returns
        -------
        bool
        """
        return self._compare("same_pattern", expect(self._kind, other))

    def _compare(self, name, other):
        out = ffi.new("bool *")
        self.context._call(self._function(name), out, self, other)
        return bool(out[0])

    def __call__(self, *given, mask=None, accum=None, replace=False, dup=None):
        """The left side of `<<` with a mask or an accumulator.

        Parameters
        ----------
        *given
            Masks, accumulators and `semla.replace`, in any order: `C(M.S, "plus", semla.replace)`.
        mask : Mask, Vector or Matrix, optional
            An object stands for its `.V`.
        accum : binary operator or str, optional
            Combines the old value with the new one.
        replace : bool, default False
            Whether entries outside the mask are removed.
        dup : monoid or str, optional
            For `w(dup=op)[indices] << u`, where `indices` is a Vector: combines the values of u that
            have the same index. By default one of them is taken; it is unspecified which.

        Examples
        --------
        >>> w = semla.Vector.from_dense([1, 2, 3])
        >>> w(accum="plus") << w
        >>> w.to_dict()
        {0: 2, 1: 4, 2: 6}
        """
        for one in given:
            if one is REPLACE or isinstance(one, bool):
                replace = one is REPLACE or one
            elif isinstance(one, str) or hasattr(one, "kind"):
                if accum is not None:
                    raise TypeError(f"there are two accumulators, {accum!r} and {one!r}")
                accum = one
            elif one is not None:
                if mask is not None:
                    raise TypeError(f"there are two masks, {mask!r} and {one!r}")
                mask = one
        return Output(self, mask, accum, replace, dup)

    def __lshift__(self, value):
        if type(value) is Deferred and len(value.shape) == len(self.shape):
            self._write(*value._whole_call(self))
        else:
            Output(self) << value

    def update(self, value):
        """Write an expression, an object or a number: the same as `self << value`.

        Parameters
        ----------
        value : Expression, Vector, Matrix or number
        """
        Output(self) << value

    def _assign(self, output, value):
        """Writes an expression, an object or a number to the whole object, as `output` says."""
        if isinstance(value, Expression):
            if len(value.shape) != len(self.shape):
                raise TypeError(f"expected an expression of a {self._kind}, not {value!r}")
            value._compute(output)
        elif isinstance(value, Operand):
            self._assign_all(output, expect(self._kind, value))
        else:
            self._assign_part(output, (slice(None),) * len(self.shape), value)

    def __getitem__(self, key):
        selection = self._extract(key)
        selection._part = Part(Output(self), key)
        return selection

    def __setitem__(self, key, value):
        Output(self)[key] = value

    def get(self, *key, default=None):
        """Return the value at an index (of a matrix, at a row and a column).

        `default`, which may also follow the index, is returned if there is no entry.

        Parameters
        ----------
        *key : int
            The index; of a matrix the row and the column.
        default : number, optional

        Returns
        -------
        number
        """
        if len(key) == len(self.shape) + 1:
            key, default = key[:-1], key[-1]
        value = self[key if len(key) > 1 else key[0]].value
        return default if value is None else value

    def __contains__(self, key):
        return self[key].value is not None

    def __repr__(self):
        return as_text(self)

    def _repr_html_(self):
        return as_html(self)


def as_scalar(value, dtype):
    """The sl_scalar of a value to assign to an object of a dtype, to which the library casts it.
    Invalid if that is an integer type that does not have the value."""
    value = number(value)
    if value is None or not isinstance(value, (bool, int, float, np.generic)):
        raise TypeError(f"cannot assign {value!r}: it is not a number")
    return pack(check_number(value, dtype))


def register(kind, made):
    """Makes `made` the class of the objects of a kind; expressions get its methods that read."""
    KINDS[2 if kind == "matrix" else 1] = name_constructors(made)
    READS[kind] = {
        name
        for name in dir(made)
        if not name.startswith("_")
        and not isinstance(inspect.getattr_static(made, name), (classmethod, staticmethod))
        and name not in WRITES
    }
