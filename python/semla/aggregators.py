"""Aggregators: what `A.reduce_rowwise(semla.agg.mean)` computes of the entries of a row.

An aggregator is a monoid, or a formula of reductions. The formulas are written once for the rows of
a matrix, where a reduction is an expression of a vector, and for whole objects, where it is a number:
both have the operators `+`, `-` and `/`.
"""

import math
from operator import getitem

from ._library import ffi
from .operators import monoid, semiring, unary
from .scalar import ScalarExpression, number
from .types import TYPES, pack

_INT64, _FP64 = TYPES["INT64"], TYPES["FP64"]


class _OfRows:
    """Reductions of the rows of a matrix."""

    index = "colindex"

    def __init__(self, operand):
        self.operand = operand

    def reduce(self, values, op):
        """The expression of a vector."""
        return values.reduce_rowwise(op)

    def combine(self, op, per_row):
        """op(entry, value of its row) for each entry."""
        spread = per_row.diag().mxm(self.operand, semiring.any_first)
        return self.operand.ewise_mult(spread, op)

    def function(self, name, value):
        """The function `name` of a result."""
        return value.apply(name)


class _OfAll:
    """Reductions of all entries of a vector or a matrix to a number."""

    def __init__(self, operand):
        self.operand = operand

    @property
    def index(self):
        """The operator that gives the index of an entry."""
        if self.operand._kind == "matrix":
            raise TypeError(
                "an aggregator of positions reduces vectors, rows or columns, not a whole matrix"
            )
        return "rowindex"

    def reduce(self, values, op):
        """The number."""
        return number((values.reduce if values._kind == "vector" else values.reduce_scalar)(op))

    def combine(self, op, value):
        """op(entry, value) for each entry."""
        return self.operand.apply(op, right=value)

    def function(self, name, value):
        """The function `name` of a result."""
        return getattr(math, name)(value)


class Aggregator:
    """A reduction of the entries of a row, of a column or of an object.

    `A.reduce_rowwise(agg)`, `A.reduce_columnwise(agg)`, `A.reduce_scalar(agg)` and `v.reduce(agg)` use
    it, or a call: `agg(A, rowwise=True)`, `agg(v)`. Its name as a string serves, too, unless a monoid
    has that name.

    Attributes
    ----------
    name : str
    """

    kind = "aggregator"

    def __init__(self, name, formula, dtype=None, empty=None):
        self.name, self._formula, self._dtype, self._empty = name, formula, dtype, empty

    def of_rows(self, A):
        """The expression of a vector, without an entry where the row has none."""
        if isinstance(self._formula, str):
            return A.reduce_rowwise(self._formula)
        return self._formula(_OfRows(A))

    def of_all(self, x):
        """The expression of a number; without entries it is empty, or the identity of a monoid."""
        if isinstance(self._formula, str):
            return x.reduce(self._formula) if x._kind == "vector" else x.reduce_scalar(self._formula)

        def read(result, accumulator):
            if accumulator != ffi.NULL:
                raise TypeError(f"a scalar cannot accumulate {self!r}: assign its value")
            empty = (x.T if x._transposed else x).nvals == 0
            value = self._empty if empty else number(self._formula(_OfAll(x)))
            if value is not None:
                result[0] = pack(value)
            return value is not None

        return ScalarExpression(self._dtype or x.dtype, read, "the object has no entries")

    def __call__(self, x, *, rowwise=False, columnwise=False):
        """The reduction of a vector or a matrix; `rowwise` and `columnwise` select vectors."""
        if rowwise or columnwise:
            return x.reduce_rowwise(self) if rowwise else x.reduce_columnwise(self)
        return x.reduce(self) if x._kind == "vector" else x.reduce_scalar(self)

    def __reduce__(self):
        return getitem, (agg, self.name)

    def __repr__(self):
        return f"semla.agg.{self.name}"


# ---- formulas: functions of _OfRows or _OfAll ------------------------------------------


def _ones(r):
    return r.operand.apply(unary.one[_INT64])


def _count(r):
    return r.reduce(_ones(r), "plus")


def _floats(r):
    return r.operand.apply(unary.identity[_FP64])


def _sum(r):
    return r.reduce(_floats(r), "plus")


def _mean(r):
    return _sum(r) / _count(r)


def _squares(r):
    return r.reduce(r.operand.ewise_mult(r.operand, "times"), "plus")


def _square_sum(r):
    values = _floats(r).new()
    return r.reduce(values.ewise_mult(values, "times"), "plus")


def _inverses(r):
    return r.reduce(r.operand.apply(unary.minv[_FP64]), "plus")


def _deviations(r):
    """The sum of the squares of the differences from the mean."""
    differences = r.combine("minus", _mean(r)).new()
    return r.reduce(differences.ewise_mult(differences, "times"), "plus")


def _variance(r):
    return _deviations(r) / _count(r)


def _sample_variance(r):
    count = _count(r)
    if isinstance(r, _OfAll) and count == 1:
        return math.nan
    return _deviations(r) / (count - 1)


def _root(of):
    return lambda r: r.function("sqrt", of(r))


def _log_of_sum(exp, log):
    """log(sum(exp(x))), without overflow: of the differences from the maximum."""

    def formula(r):
        greatest = r.reduce(_floats(r), "max")
        return greatest + r.function(log, r.reduce(r.combine("minus", greatest).apply(exp), "plus"))

    return formula


def _geometric(r):
    return r.function("exp", r.reduce(r.operand.apply("log"), "plus") / _count(r))


def _index(which):
    return lambda r: r.reduce(r.operand.apply(r.index), which)


def _entries_at(r, op, values):
    """The positions of the entries for which op(entry, value) is true."""
    return r.combine(op, values).select("valuene", 0)


def _arg(which):
    """The least index of the entries with the least or the greatest value."""

    def formula(r):
        best = _entries_at(r, "eq", r.reduce(r.operand, which))
        return r.reduce(best.apply(r.index), "min")

    return formula


def _end(which):
    """The value of the entry with the least or the greatest index."""

    def formula(r):
        at = type(r)(r.operand.apply(r.index).new())
        there = _entries_at(at, "eq", at.reduce(at.operand, which))
        return r.reduce(r.operand.ewise_mult(there, "first"), "any")

    return formula


def _test_count(test):
    return lambda r: r.reduce(r.operand.apply(test, right=0), "plus")


# {name: (a monoid's name or a formula, the type of the number or None for that of the object, the
# number for an object without entries)}
_AGGREGATORS = {
    "sum": ("plus", None),
    "prod": ("times", None),
    "all": ("land", None),
    "any": ("lor", None),
    "min": ("min", None),
    "max": ("max", None),
    "any_value": ("any", None),
    "bitwise_all": ("band", None),
    "bitwise_any": ("bor", None),
    "count": (_count, _INT64, 0),
    "count_nonzero": (_test_count("ne"), _INT64, 0),
    "count_zero": (_test_count("eq"), _INT64, 0),
    "exists": (lambda r: r.reduce(r.operand.apply(unary.one["BOOL"]), "any"), TYPES["BOOL"], False),
    "sum_of_squares": (_squares, None),
    "sum_of_inverses": (_inverses, _FP64),
    "mean": (_mean, _FP64),
    "geometric_mean": (_geometric, _FP64),
    "harmonic_mean": (lambda r: _count(r) / _inverses(r), _FP64),
    "root_mean_square": (_root(lambda r: _square_sum(r) / _count(r)), _FP64),
    "varp": (_variance, _FP64),
    "vars": (_sample_variance, _FP64),
    "stdp": (_root(_variance), _FP64),
    "stds": (_root(_sample_variance), _FP64),
    "hypot": (_root(_square_sum), _FP64),
    "logaddexp": (_log_of_sum("exp", "log"), _FP64),
    "logaddexp2": (_log_of_sum("exp2", "log2"), _FP64),
    "L0norm": (_test_count("ne"), _INT64, 0),
    "L1norm": (lambda r: r.reduce(r.operand.apply("abs"), "plus"), None),
    "L2norm": (_root(_square_sum), _FP64),
    "Linfnorm": (lambda r: r.reduce(r.operand.apply("abs"), "max"), None),
    "peak_to_peak": (lambda r: r.reduce(r.operand, "max") - r.reduce(r.operand, "min"), None),
    "first": (_end("min"), None),
    "last": (_end("max"), None),
    "first_index": (_index("min"), _INT64),
    "last_index": (_index("max"), _INT64),
    "argmin": (_arg("min"), _INT64),
    "argmax": (_arg("max"), _INT64),
}


class Aggregators:
    """The aggregators by name: `semla.agg.mean` or `semla.agg["mean"]`. Iterating gives the names."""

    def __init__(self):
        self._known = {name: Aggregator(name, *of) for name, of in _AGGREGATORS.items()}

    def __reduce__(self):
        return "agg"  # pickled as the variable of this module

    def __getitem__(self, name):
        if name not in self._known:
            raise TypeError(f"there is no semla.agg.{name}")
        return self._known[name]

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._known:
            raise AttributeError(f"there is no semla.agg.{name}")
        return self._known[name]

    def __iter__(self):
        return iter(self._known)

    def __contains__(self, name):
        return name in self._known

    def __dir__(self):
        return list(self)

    def __repr__(self):
        return f"semla.agg: {', '.join(self)}"


agg = Aggregators()


def aggregator(op):
    """The aggregator that `op` is or names, or None: it is a monoid."""
    if not isinstance(op, str):
        return op if isinstance(op, Aggregator) else None
    return agg[op] if op in agg and op not in monoid else None
