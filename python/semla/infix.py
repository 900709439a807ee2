"""Infix operators of vectors, matrices and expressions.

`A + 1`, `A > B`, `-A` and so on are elementwise; `A @ B` is a product; `A | B` has an entry where
either operand has one, `A & B` where both have one. An operator that is called replaces the one of
`@`, `|` and `&`: `min_plus(A @ B)`, `max(A | B)`.
"""

import numpy as np

from .operators import binary, select
from .scalar import Value
from .types import TYPES

# {method: (operator, meaning)}; the meaning says where the result has entries.
_ADD, _UNION, _MULT = "ewise_add", "ewise_union", "ewise_mult"
_ARITHMETIC = {
    "add": ("plus", _ADD),
    "sub": ("minus", _UNION),
    "mul": ("times", _MULT),
    "truediv": ("div", _MULT),
    "floordiv": ("floordiv", _MULT),
    "mod": ("mod", _MULT),
    "pow": ("pow", _MULT),
}
_COMPARISONS = {name: name for name in ("eq", "ne", "lt", "le", "gt", "ge")}


def _is_number(value):
    return isinstance(value, (bool, int, float, np.generic, Value))


def _quotient_type(*operands):
    """The type of `/`: FP64 unless an operand is a floating-point number, as in Python."""
    kinds = [getattr(one, "dtype", np.dtype(type(one))).kind for one in operands]
    return None if "f" in kinds else TYPES["FP64"]


def _combine(left, right, name, meaning):
    """The expression left OP right; one of them is a vector, a matrix or an expression."""
    op = binary[name]
    if name == "div" and (wanted := _quotient_type(left, right)) is not None:
        op = op[wanted]
    if _is_number(right):
        expression = left.apply(op, right=right)
        if name in _COMPARISONS:
            expression._comparison = left, name, right
        return expression
    if _is_number(left):
        return right.apply(op, left=left)
    if meaning == _UNION:
        return left.ewise_union(right, op, 0, 0)
    return getattr(left, meaning)(right, op)


def _accepts(one, other):
    return _is_number(other) or getattr(other, "_kind", None) == one._kind


class Infix:
    """The infix operators. A subclass has `_kind`, and the methods of vectors and matrices."""

    __array_priority__ = 1000  # numpy leaves `array_or_number OP object` to the object
    __hash__ = object.__hash__  # `==` compares entries; objects are equal as keys if identical

    def __dir__(self):
        """The public names."""
        return [name for name in super().__dir__() if name[0] != "_" or name.startswith("__")]

    def __matmul__(self, other):
        kinds = self._kind, getattr(other, "_kind", None)
        if kinds == ("matrix", "matrix"):
            return _open(self.mxm, other)
        if kinds == ("matrix", "vector"):
            return _open(self.mxv, other)
        if kinds == ("vector", "matrix"):
            return _open(self.vxm, other)
        if kinds == ("vector", "vector"):
            raise TypeError("u @ v is not defined; the inner product is (u & v).reduce()")
        return NotImplemented

    def __or__(self, other):
        if getattr(other, "_kind", None) != self._kind:
            return NotImplemented
        return _open(self.ewise_add, other, _default(self, other, "lor", "plus"))

    def __and__(self, other):
        if getattr(other, "_kind", None) != self._kind:
            return NotImplemented
        return _open(self.ewise_mult, other, _default(self, other, "land", "times"))

    def __xor__(self, other):
        if getattr(other, "_kind", None) != self._kind:
            return NotImplemented
        return _open(self.ewise_add, other, "lxor")

    def __neg__(self):
        return self.apply("ainv")

    def __pos__(self):
        return self.apply("identity")

    def __abs__(self):
        return self.apply("abs")


def _default(one, other, logical, arithmetic):
    return logical if one.dtype == other.dtype == TYPES["BOOL"] else arithmetic


def _open(method, other, *default):
    """The expression method(other, op) for the default operator; a call of another one replaces
    it."""
    expression = method(other, *default)
    expression._with_operator = lambda op: method(other, op)
    return expression


def _add_operator(name, op, meaning, reflected):
    def method(self, other):
        return _combine(self, other, op, meaning) if _accepts(self, other) else NotImplemented

    def reflected_method(self, other):
        return _combine(other, self, op, meaning) if _accepts(self, other) else NotImplemented

    setattr(Infix, f"__{name}__", method)
    if reflected:
        setattr(Infix, f"__r{name}__", reflected_method)


for _name, (_op, _meaning) in _ARITHMETIC.items():
    _add_operator(_name, _op, _meaning, reflected=True)
for _name, _op in _COMPARISONS.items():
    _add_operator(_name, _op, _MULT, reflected=False)


class Assignable:
    """`A += B` and so on: they write the result of the operator to the object itself."""


def _add_assignment(name):
    def method(self, other):
        result = getattr(Infix, f"__{name}__")(self, other)
        if result is NotImplemented:
            return result
        self << result
        return self

    setattr(Assignable, f"__i{name}__", method)


for _name in (*_ARITHMETIC, "matmul", "or", "and", "xor"):
    _add_assignment(_name)


# ---- the entries that a comparison is true for: semla.select.value(A > 5) ----------------


def _compared(expression, function):
    comparison = getattr(expression, "_comparison", None)
    if comparison is None:
        raise TypeError(
            f"select.{function}: give the comparison of an object with a number, as in "
            f"select.{function}(A > 5), not {expression!r}"
        )
    return comparison


def _select_value(expression):
    """The entries of A for which `A > 5` or another comparison with a number is true.

    Parameters
    ----------
    expression : Expression

    Returns
    -------
    Expression
    """
    operand, name, thunk = _compared(expression, "value")
    return operand.select(f"value{name}", thunk)


def _select_position(function, operator):
    def selected(expression):
        operand, name, thunk = _compared(expression, function)
        if name not in ("lt", "le", "gt", "ge"):
            raise TypeError(f"select.{function}: use <, <=, > or >=")
        last = thunk - 1 if name in ("lt", "ge") else thunk
        return operand.select(operator + ("le" if name[0] == "l" else "gt"), last)

    selected.__name__ = function
    selected.__doc__ = f"""The entries of which the {function} is as the comparison says: `{function}(A < 5)`.

    Parameters
    ----------
    expression : Expression

    Returns
    -------
    Expression
    """
    return selected


select.value = _select_value
select.row = _select_position("row", "row")
select.column = _select_position("column", "col")
select.index = _select_position("index", "row")
