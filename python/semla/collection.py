"""What vectors and matrices have in common."""

import weakref

import numpy as np

from ._library import ffi, lib
from .expressions import Expression, Mask, Output, Part, flags
from .operators import find
from .scalar import ScalarExpression, number
from .types import join_scalar, pack, unify

NO_VALUE = lib.SL_NO_VALUE

KINDS = {}  # the class of each number of dimensions: vector.py and matrix.py enter theirs


def expect(kind, operand):
    """The operand, if it is of the kind; TypeError else."""
    if not isinstance(operand, Operand) or operand._kind != kind:
        raise TypeError(f"a {kind} is needed, not {operand!r}; an expression has .new()")
    return operand


class Operand:
    """An input of operations: a vector, a matrix, or a matrix transposed.

    `_kind` is "vector" or "matrix"; `_transposed` says whether `_pointer` is to be read so.
    """

    _transposed = False

    def _function(self, name):
        return getattr(lib, f"sl_{self._kind}_{name}")

    def _expression(self, dtype, shape, compute):
        return Expression(dtype, shape, self._empty, compute)

    def _empty(self, dtype, *shape):
        """An empty output of operations on this object."""
        return KINDS[len(shape)](dtype, *shape, context=self.context)

    def _of_both(self, function, op, other, shape=None):
        """An expression of a binary operator of two operands of one kind."""
        expect(self._kind, other)
        op = op._for(unify(self.dtype, other.dtype))
        transposed = flags(transpose_first=self._transposed, transpose_second=other._transposed)
        return self._expression(
            op.result,
            shape or self.shape,
            lambda out: out.run(function, op.result, op, self, other, transposed=transposed),
        )

    def ewise_add(self, other, op="plus"):
        """The union of patterns: op where both have an entry, else the one there is."""
        return self._of_both(self._function("ewise_add"), find(op, "binary"), other)

    def ewise_mult(self, other, op="times"):
        """The intersection of patterns."""
        return self._of_both(self._function("ewise_mult"), find(op, "binary"), other)

    def ewise_union(self, other, op, left_default, right_default):
        """The union of patterns: op everywhere, of a default where one has no entry."""
        expect(self._kind, other)
        left, right = number(left_default), number(right_default)
        dtype = join_scalar(join_scalar(unify(self.dtype, other.dtype), left), right)
        op = find(op, "binary")._for(dtype)
        transposed = flags(transpose_first=self._transposed, transpose_second=other._transposed)
        return self._expression(
            op.result,
            self.shape,
            lambda out: out.run(
                self._function("ewise_union"),
                op.result,
                op,
                self,
                pack(left),
                other,
                pack(right),
                transposed=transposed,
            ),
        )

    def apply(self, op, right=None, *, left=None):
        """op of every entry.

        A unary operator takes the entry; a binary one the entry and `right`, or `left` and
        the entry; an index-unary one the entry, its row and column, and `right` (0 if
        not given).
        """
        bound = right is not None or left is not None
        op = find(op, "binary" if bound else "unary", "indexunary")
        if op.kind == "unary":
            return self._of_one("apply", op._for(self.dtype))
        if op.kind == "indexunary":
            if left is not None:
                raise TypeError("an index-unary operator has a thunk: right, not left")
            return self._with_thunk("apply_index", op, right)
        if right is not None and left is not None:
            raise TypeError("either left or right is bound, not both")
        value = number(right if left is None else left)
        op = op._for(join_scalar(self.dtype, value))
        if left is None:
            return self._of_one("apply_second", op, after=(pack(value),))
        return self._of_one("apply_first", op, before=(pack(value),))

    def select(self, op, thunk=None):
        """The entries for which an operator of semla.select is true."""
        return self._with_thunk("select", find(op, "indexunary"), thunk, dtype=self.dtype)

    def _with_thunk(self, name, op, thunk, dtype=None):
        thunk = 0 if thunk is None else number(thunk)
        op = op._for(join_scalar(self.dtype, thunk))
        return self._of_one(name, op, after=(pack(thunk),), dtype=dtype)

    def _of_one(self, name, op, before=(), after=(), dtype=None):
        """An expression of this operand, of the operator's result if no dtype is given."""
        dtype = op.result if dtype is None else dtype
        which = "transpose_second" if before else "transpose_first"
        transposed = flags(**{which: self._transposed})
        return self._expression(
            dtype,
            self.shape,
            lambda out: out.run(
                self._function(name), dtype, op, *before, self, *after, transposed=transposed
            ),
        )

    def _reduced(self, monoid):
        """An expression of the sum of all entries; of none, the monoid's identity."""
        monoid = find(monoid, "monoid")._for(self.dtype)

        def read(room, accumulator):
            self.context._call(self._function("reduce"), room, accumulator, monoid, self)
            return True

        return ScalarExpression(monoid.result, read)

    def _entry(self, *position):
        """An expression of one entry, which may be missing."""

        def read(room, accumulator):
            if accumulator != ffi.NULL:
                raise TypeError("a scalar accumulates reductions alone")
            return self.context._call(self._function("get"), room, self, *position) != NO_VALUE

        return ScalarExpression(self.dtype, read)


class Collection(Operand):
    """A vector or a matrix of the library's, owned by this object."""

    def _own(self, context, pointer):
        """Becomes the owner of an object of the library."""
        self.context, self._pointer = context, pointer
        self._lent = None  # the leases of its memory that are alive: see lending.py
        self._finalizer = weakref.finalize(
            self, context._owner.discard, self._function("free"), pointer
        )
        self._finalizer.atexit = False  # the process's end frees all

    @classmethod
    def _made(cls, context, function, *arguments):
        """The object that function(&object, arguments...) makes."""
        out = ffi.new(f"sl_{cls._kind} **")
        context._call(function, out, *arguments)
        return cls._owning(context, out[0])

    @classmethod
    def _owning(cls, context, pointer):
        made = cls.__new__(cls)
        made._own(context, pointer)
        return made

    def _write(self, function, *arguments, also=None):
        """A call that changes this object, and perhaps another."""

        def unless_lent(*pointers):
            for written in (self, also):
                if written is not None and written._lent:
                    raise BufferError("a vector cannot be written while its memory is lent")
            return function(*pointers)

        self.context._call(unless_lent, *arguments)

    def joined(self, dtype):
        """The type in which a result of a dtype is accumulated into this object."""
        return unify(self.dtype, dtype)

    @property
    def nvals(self):
        """The number of entries."""
        out = ffi.new("uint64_t *")
        self.context._call(self._function("nvals"), out, self)
        return out[0]

    @property
    def S(self):
        """The mask of this object's pattern."""
        return Mask(self, structure=True)

    @property
    def V(self):
        """The mask of this object's values: those that are not 0."""
        return Mask(self, structure=False)

    def clear(self):
        """Removes all entries."""
        self._write(self._function("clear"), self)

    def dup(self, dtype=None):
        """A copy, in another type if one is given."""
        if dtype is not None:
            out = self._empty(dtype, *self.shape)
            out << self
            return out
        return self._made(self.context, self._function("dup"), self)

    def isequal(self, other, *, check_dtype=False):
        """True if shapes, patterns and values are equal, NaN being equal to NaN.

        Types may differ, if they are not to be checked: both are cast to the one that
        holds both.
        """
        expect(self._kind, other)
        if self.dtype != other.dtype:
            if check_dtype or self.shape != other.shape:
                return False
            dtype = unify(self.dtype, other.dtype)
            return self.dup(dtype).isequal(other.dup(dtype))
        return self._compared("equal", other)

    def same_pattern(self, other):
        """True if shapes and patterns are equal."""
        return self._compared("same_pattern", expect(self._kind, other))

    def _compared(self, name, other):
        out = ffi.new("bool *")
        self.context._call(self._function(name), out, self, other)
        return bool(out[0])

    def __call__(self, mask=None, accum=None, replace=False):
        """How to write: out(mask, accum=op, replace=True) << expression. A single operator is
        the accumulator."""
        if accum is None and (isinstance(mask, str) or hasattr(mask, "kind")):
            mask, accum = None, mask
        return Output(self, mask, accum, replace)

    def __lshift__(self, value):
        Output(self) << value

    def _assign(self, output, value):
        """All of this object, under a mask: from an expression, an object or a number."""
        if isinstance(value, Expression):
            if len(value.shape) != len(self.shape):
                raise TypeError(f"{value!r} is no {self._kind}")
            value._compute(output)
        elif isinstance(value, Operand):
            self._assign_all(output, expect(self._kind, value))
        else:
            self._assign_part(output, (slice(None),) * len(self.shape), value)

    def __getitem__(self, key):
        found = self._extract(key)
        found._part = Part(Output(self), key)
        return found

    def __setitem__(self, key, value):
        Output(self)[key] = value

    def get(self, *key, default=None):
        """The value at an index, or the default where there is none."""
        value = self[key if len(key) > 1 else key[0]].value
        return default if value is None else value

    def __contains__(self, key):
        return self[key].value is not None


def as_scalar(value):
    """A value to assign, as an sl_scalar."""
    value = number(value)
    if value is None or not isinstance(value, (bool, int, float, np.generic)):
        raise TypeError(f"{value!r} cannot be assigned: it is no number")
    return pack(value)


def evaluated(value):
    """A value to assign to a part: an expression is computed first."""
    return value.new() if isinstance(value, Expression) else value
