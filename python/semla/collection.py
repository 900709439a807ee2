"""The operations that vectors and matrices have in common."""

import inspect

import numpy as np

from ._library import ffi, lib
from .aggregators import aggregator
from .errors import Invalid
from .expressions import READS, REPLACE, Deferred, Expression, Mask, Output, Part
from .formatting import as_html, as_text
from .lifetime import adopt
from .infix import Assignable, Infix
from .operators import find
from .scalar import ScalarExpression, number
from .types import dtype_of, join_scalar, name_of, pack, type_holds, unify

NO_VALUE = lib.SL_NO_VALUE
_COUNT = ffi.typeof("uint64_t *")

# Methods that change an object; they would change a temporary copy of an expression.
WRITES = {"clear", "resize", "give", "lend", "optimize", "promise_symmetric", "setdiag", "update"}

_functions = {"vector": {}, "matrix": {}}  # {kind: {name: function of the library}}
KINDS = {}  # {number of dimensions: class}; vector.py and matrix.py add theirs


def expect(kind, operand):
    """Returns the operand if it is a vector or a matrix, as `kind` says; an expression of one is
    computed. TypeError otherwise."""
    if not isinstance(operand, (Operand, Expression)) or operand._kind != kind:
        raise TypeError(f"expected a {kind.capitalize()}, not {operand!r}")
    return evaluated(operand)


def evaluated(value):
    """The value itself; an expression is computed first."""
    return value.new() if isinstance(value, Expression) else value


class Operand(Infix):
    """An input of operations: a vector, a matrix, or the transpose of a matrix.

    `_kind` is "vector" or "matrix". `_transposed` is True if the operand is the transpose of the
    matrix at `_pointer`.
    """

    _transposed = False

    def _function(self, name):
        """The library's function sl_vector_NAME or sl_matrix_NAME."""
        functions = _functions[self._kind]
        if name not in functions:
            functions[name] = getattr(lib, f"sl_{self._kind}_{name}")
        return functions[name]

    def _expression(self, dtype, shape, compute):
        return Expression(dtype, shape, self._empty, compute)

    def _deferred(self, function, dtype, shape, *operands, first=None, second=None):
        """The expression function(out, mask, accumulator, operands..., descriptor).

        `first` and `second` are the operands to which the descriptor's transpose flags apply.
        """
        transposed = 0
        if first is not None and first._transposed:
            transposed |= lib.SL_TRANSPOSE_A
        if second is not None and second._transposed:
            transposed |= lib.SL_TRANSPOSE_B
        return Deferred(dtype, shape, self._empty, function, operands, transposed)

    def _empty(self, dtype, *shape):
        """A new object without entries, in the context of this one."""
        return KINDS[len(shape)](dtype, *shape, context=self.context)

    def _binary(self, function, op, other, shape=None):
        """The expression of an operator on this operand and another one of the same kind."""
        other = expect(self._kind, other)
        op = op._for(unify(self.dtype, other.dtype))
        shape = shape or self.shape
        return self._deferred(function, op.result, shape, op, self, other, first=self, second=other)

    def ewise_add(self, other, op="plus"):
        """Combine the entries of two objects; the result has an entry where either has one.

        Where only one has an entry, its value is taken unchanged.

        Parameters
        ----------
        other : Vector or Matrix
            Of the same kind and shape.
        op : binary operator or str, default "plus"
            Applied where both have an entry.

        Returns
        -------
        Expression
        """
        return self._binary(self._function("ewise_add"), find(op, "binary"), other)

    def ewise_mult(self, other, op="times"):
        """Combine the entries of two objects; the result has an entry where both have one.

        Parameters
        ----------
        other : Vector or Matrix
            Of the same kind and shape.
        op : binary operator or str, default "times"

        Returns
        -------
        Expression
        """
        return self._binary(self._function("ewise_mult"), find(op, "binary"), other)

    def ewise_union(self, other, op, left_default, right_default):
        """Combine the entries of two objects, with default values for missing entries.

        The result has an entry where either object has one. Unlike in `ewise_add`, the operator is
        applied to every entry of the result.

        Parameters
        ----------
        other : Vector or Matrix
            Of the same kind and shape.
        op : binary operator or str
        left_default, right_default : number
            The value of a missing entry of this object, and of the other one.

        Returns
        -------
        Expression
        """
        other = expect(self._kind, other)
        left, right = number(left_default), number(right_default)
        dtype = join_scalar(join_scalar(unify(self.dtype, other.dtype), left), right)
        op = find(op, "binary")._for(dtype)
        operands = op, self, pack(left), other, pack(right)
        function = self._function("ewise_union")
        return self._deferred(function, op.result, self.shape, *operands, first=self, second=other)

    def apply(self, op, right=None, *, left=None):
        """Apply an operator to every entry.

        Parameters
        ----------
        op : operator or str
            Unary: applied to the value. Binary: applied to the value and `right`, or to `left` and
            the value. Index-unary: applied to the value, its row, its column and `right`.
        right, left : number, optional
            The other operand of a binary operator: give one of them. The thunk of an index-unary
            operator is `right`, by default 0.

        Returns
        -------
        Expression

        Examples
        --------
        >>> v = semla.Vector.from_dense([1, -2])
        >>> v.apply("abs").new().to_dict()
        {0: 1, 1: 2}
        >>> v.apply("minus", left=10).new().to_dict()
        {0: 9, 1: 12}
        """
        bound = right is not None or left is not None
        op = find(op, "binary" if bound else "unary", "indexunary")
        if op.kind == "unary":
            return self._unary("apply", op._for(self.dtype))
        if op.kind == "indexunary":
            if left is not None:
                raise TypeError(
                    "apply: give the thunk of an index-unary operator as right, not left"
                )
            return self._with_thunk("apply_index", op, right)
        if right is not None and left is not None:
            raise TypeError("apply: give left or right, not both")
        value = number(right if left is None else left)
        if value is None:
            raise TypeError(f"apply: the scalar for {op!r} is empty")
        op = op._for(join_scalar(self.dtype, value))
        if left is None:
            return self._unary("apply_second", op, after=(pack(value),))
        return self._unary("apply_first", op, before=(pack(value),))

    def select(self, op, thunk=None):
        """Keep the entries for which an operator is true.

        Parameters
        ----------
        op : operator of semla.select, or str
            For example "tril", "diag", "valuegt".
        thunk : number, optional
            The operand of the operator, by default 0: a diagonal, or a value to compare with.

        Returns
        -------
        Expression
        """
        return self._with_thunk("select", find(op, "indexunary"), thunk, dtype=self.dtype)

    def _with_thunk(self, name, op, thunk, dtype=None):
        thunk = op._thunk if thunk is None else number(thunk)
        op = op._for(join_scalar(self.dtype, thunk))
        return self._unary(name, op, after=(pack(thunk),), dtype=dtype)

    def _unary(self, name, op, before=(), after=(), dtype=None):
        """The expression of an operator on this operand, with scalars before or after it.

        The dtype is by default that of the operator's result.
        """
        transposed = (lib.SL_TRANSPOSE_B if before else lib.SL_TRANSPOSE_A) * self._transposed
        return Deferred(
            op.result if dtype is None else dtype,
            self.shape,
            self._empty,
            self._function(name),
            (op, *before, self, *after),
            transposed,
        )

    def _reduced(self, monoid):
        """The expression that combines all entries with a monoid or an aggregator."""
        if (one := aggregator(monoid)) is not None:
            return one.of_all(self)
        monoid = find(monoid, "monoid")._for(self.dtype)

        def read(result, accumulator):
            self.context._call(self._function("reduce"), result, accumulator, monoid, self)
            return True

        return ScalarExpression(monoid.result, read)

    def _entry(self, *position):
        """The expression of one entry, which may be missing."""

        def read(result, accumulator):
            if accumulator != ffi.NULL:
                raise TypeError("a scalar can accumulate reductions only")
            return self.context._call(self._function("get"), result, self, *position) != NO_VALUE

        where = ", ".join(map(str, position))
        return ScalarExpression(self.dtype, read, f"the {self._kind} has no entry at {where}")


class Collection(Assignable, Operand):
    """A vector or a matrix of the library, owned by this object."""

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


def as_scalar(value, dtype=None):
    """The sl_scalar of a value to assign. A Python integer that `dtype`, if given, does not have is
    Invalid; the library casts all other values."""
    value = number(value)
    if value is None or not isinstance(value, (bool, int, float, np.generic)):
        raise TypeError(f"cannot assign {value!r}: it is not a number")
    if dtype is not None and dtype.kind in "iu" and isinstance(value, int):
        if not type_holds(dtype, value):
            raise Invalid(f"the value {value} is no {name_of(dtype)}")
    return pack(value)


def register(kind, made):
    """Makes `made` the class of the objects of a kind; expressions get its methods that read."""
    KINDS[2 if kind == "matrix" else 1] = made
    READS[kind] = {
        name
        for name in dir(made)
        if not name.startswith("_")
        and not isinstance(inspect.getattr_static(made, name), (classmethod, staticmethod))
        and name not in WRITES
    }
