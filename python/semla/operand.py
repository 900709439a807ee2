"""The operations that read a vector, a matrix or the transpose of a matrix."""

from ._library import ffi, lib
from .aggregators import aggregator
from .expressions import Deferred, Expression
from .infix import Infix
from .operators import find
from .scalar import ScalarExpression, number
from .types import join_scalar, unify

NO_VALUE = lib.SL_NO_VALUE

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
        operands = op, self, op._operand(left), other, op._operand(right, second=True)
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
            return self._unary("apply_second", op, after=(op._operand(value, second=True),))
        return self._unary("apply_first", op, before=(op._operand(value),))

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
        return self._unary(name, op, after=(op._operand(thunk),), dtype=dtype)

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
