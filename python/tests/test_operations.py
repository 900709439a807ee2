"""Tests of every operation with random operands, masks and accumulators, against numpy.

A failure prints its seed: `pytest test_operations.py -k "mxm and 7"` repeats it.
"""

import numpy as np
import pytest

import semla
from model import (
    BINARY,
    COMPARISONS,
    MONOIDS,
    NUMBERS,
    SEMIRINGS,
    Dense,
    check,
    intersection,
    kronecker,
    multiply,
    reduce,
    union,
    union_of,
    write,
)

SEEDS = range(25)


class Trial:
    """Makes random operands, and a random mask, accumulator and replace flag."""

    def __init__(self, seed, name):
        self.rng = np.random.default_rng([seed, *name.encode()])

    def pick(self, choices):
        choices = list(choices)
        return choices[self.rng.integers(len(choices))]

    def shape(self, *sizes):
        return tuple(int(n) for n in self.rng.integers(1, 7, len(sizes) or 2))

    def size(self):
        return int(self.rng.integers(1, 7))

    def operand(self, *shape):
        return Dense.random(self.rng, shape, self.pick(NUMBERS))

    def flip(self, model, thing):
        """An operand as a matrix, or as the transpose of its transpose."""
        return thing if model.present.ndim == 1 or self.rng.random() < 0.5 else model.T.semla().T

    def run(self, expression, result):
        """Computes an expression into a new object, and into an object with entries."""
        if result.values.dtype == expression.dtype:
            check(expression.new(), result)
        out = self.operand(*result.present.shape)
        mask = Dense.random(self.rng, result.present.shape, self.pick([bool, "int8", float]))
        structure, complement, replace = self.rng.random(3) < 0.5
        accum = self.pick([None, "plus", "min", "second", "minus"])
        target, mask_of_semla = out.semla(), mask.semla()
        where = mask_of_semla.S if structure else mask_of_semla.V
        target(~where if complement else where, accum=accum, replace=replace) << expression
        there = mask.present if structure else mask.present & (mask.values != 0)
        check(target, write(out, result, there != complement, accum, replace))
        target = out.semla()
        target(accum=accum) << expression
        check(target, write(out, result, None, accum))


@pytest.fixture(params=SEEDS)
def trial(request):
    return Trial(request.param, request.function.__name__)


def unified(*operands):
    return np.result_type(*(operand.values.dtype for operand in operands))


# ---- products --------------------------------------------------------------------


def test_mxm(trial):
    m, k, n = trial.size(), trial.size(), trial.size()
    A, B, op = trial.operand(m, k), trial.operand(k, n), trial.pick(SEMIRINGS)
    expression = trial.flip(A, A.semla()).mxm(trial.flip(B, B.semla()), getattr(semla.semiring, op))
    trial.run(expression, multiply(op, A, B, unified(A, B)))


def test_mxv_and_vxm(trial):
    m, n, op = trial.size(), trial.size(), trial.pick(SEMIRINGS)
    A, u, v = trial.operand(m, n), trial.operand(n), trial.operand(m)
    product = multiply(op, A, Dense(u.present[:, None], u.values[:, None]), unified(A, u))
    trial.run(
        trial.flip(A, A.semla()).mxv(u.semla(), op),
        Dense(product.present[:, 0], product.values[:, 0]),
    )
    product = multiply(op, Dense(v.present[None], v.values[None]), A, unified(A, v))
    trial.run(
        v.semla().vxm(trial.flip(A, A.semla()), op), Dense(product.present[0], product.values[0])
    )


def test_kronecker(trial):
    A, B, op = trial.operand(*trial.shape()), trial.operand(2, 3), trial.pick(BINARY)
    expression = trial.flip(A, A.semla()).kronecker(trial.flip(B, B.semla()), op)
    trial.run(expression, kronecker(op, A, B, unified(A, B)))


# ---- elementwise ------------------------------------------------------------------


@pytest.mark.parametrize("dimensions", [1, 2])
def test_ewise(trial, dimensions):
    shape = trial.shape()[:dimensions]
    a, b, op = trial.operand(*shape), trial.operand(*shape), trial.pick(BINARY)
    dtype = unified(a, b)
    x, y = trial.flip(a, a.semla()), trial.flip(b, b.semla())
    trial.run(x.ewise_mult(y, op), intersection(op, a, b, dtype))
    trial.run(x.ewise_union(y, op, 3, 2), union_of(op, a, 3, b, 2, dtype))
    op = trial.pick(set(BINARY) - COMPARISONS)
    trial.run(x.ewise_add(y, op), union(op, a, b, dtype))


# ---- apply and select ---------------------------------------------------------------


@pytest.mark.parametrize("dimensions", [1, 2])
def test_apply(trial, dimensions):
    a, op = trial.operand(*trial.shape()[:dimensions]), trial.pick(BINARY)
    x = trial.flip(a, a.semla())
    three = np.full_like(a.values, 3)
    trial.run(x.apply(op, right=3), Dense(a.present, BINARY[op](a.values, three)))
    trial.run(x.apply(op, left=3), Dense(a.present, BINARY[op](three, a.values)))
    trial.run(x.apply(semla.unary.ainv), Dense(a.present, -a.values))
    trial.run(x.apply("abs"), Dense(a.present, np.abs(a.values)))
    trial.run(x.apply(semla.unary.one), Dense(a.present, np.ones_like(a.values)))
    rows = np.broadcast_to(
        np.arange(a.present.shape[0])[(...,) + (None,) * (dimensions - 1)], a.present.shape
    )
    trial.run(x.apply(semla.indexunary.rowindex, 5), Dense(a.present, rows + 5))


@pytest.mark.parametrize("dimensions", [1, 2])
def test_select(trial, dimensions):
    a, thunk = trial.operand(*trial.shape()[:dimensions]), int(trial.rng.integers(0, 4))
    x = trial.flip(a, a.semla())
    trial.run(
        x.select(semla.select.valuegt, thunk), Dense(a.present & (a.values > thunk), a.values)
    )
    trial.run(x.select("valuene"), Dense(a.present & (a.values != 0), a.values))
    rows = np.indices(a.present.shape)[0]
    trial.run(x.select("rowle", thunk), Dense(a.present & (rows <= thunk), a.values))
    if dimensions == 2:
        rows, cols = np.indices(a.present.shape)
        trial.run(x.select("tril", -1), Dense(a.present & (cols - rows <= -1), a.values))
        trial.run(x.select("offdiag"), Dense(a.present & (cols != rows), a.values))


# ---- reduce ---------------------------------------------------------------------------


def total(monoid, a):
    """The sum of all entries, or the identity."""
    sums = reduce(monoid, a, tuple(range(a.present.ndim)))
    return sums.values if sums.present else semla.monoid[monoid][a.values.dtype].identity


def test_reduce(trial):
    A, op = trial.operand(*trial.shape()), trial.pick(MONOIDS)
    x = trial.flip(A, A.semla())
    trial.run(x.reduce_rowwise(op), reduce(op, A, 1))
    trial.run(x.reduce_columnwise(getattr(semla.monoid, op)), reduce(op, A, 0))
    whole = total(op, A)
    assert x.reduce_scalar(op).value == whole
    assert x.reduce_scalar(op).new().dtype == A.values.dtype
    u = trial.operand(trial.size())
    scalar = semla.Scalar(2, dtype=u.values.dtype)
    scalar(accum="times") << u.semla().reduce(op)
    with np.errstate(over="ignore"):
        assert scalar.value == np.multiply(u.values.dtype.type(2), total(op, u))
    scalar << u.semla().reduce(op)
    assert scalar.value == total(op, u)


def test_reduce_pair():
    u = semla.Vector.from_coo([0, 2, 3], [1, -2, 3], size=5)
    v = semla.Vector.from_coo([1, 2, 3], [7, 4, 5], size=5)
    assert u.reduce_pair(v).value == -8 + 15
    assert u.reduce_pair(v, "minus", unary="abs").value == 6 + 2
    assert u.reduce_pair(v, "minus", unary="abs", monoid="max").value == 6
    assert u.reduce_pair(v, "lt", monoid="land").value
    assert semla.Vector("INT8", 5).reduce_pair(v).value == 0
    with pytest.raises(semla.Error):
        u.reduce_pair(semla.Vector("INT8", 4)).value


def test_sum_of_nothing_is_the_identity():
    v = semla.Vector("FP32", 4)
    assert v.reduce("plus").value == 0
    assert v.reduce("min").value == float("inf")


# ---- transpose, diag, resize --------------------------------------------------------------


def test_transpose(trial):
    A = trial.operand(*trial.shape())
    M = A.semla()
    check(M.T.new(), A.T)
    out = trial.operand(*A.T.present.shape)
    target = out.semla()
    target(accum="plus") << M.T
    check(target, write(out, A.T, None, "plus"))
    target = out.semla()
    target << M.T.T.T
    check(target, write(out, A.T))


def test_diag(trial):
    u, A, k = (
        trial.operand(trial.size()),
        trial.operand(*trial.shape()),
        int(trial.rng.integers(-3, 4)),
    )
    check(u.semla().diag(k), Dense(np.diag(u.present, k), np.diag(u.values, k)))
    check(A.semla().diag(k), Dense(np.diag(A.present, k), np.diag(A.values, k)))


def test_resize(trial):
    A, u = trial.operand(*trial.shape()), trial.operand(trial.size())
    shape = trial.shape()

    def resized(array, *shape):
        out = np.zeros(shape, array.dtype)
        part = tuple(slice(min(m, n)) for m, n in zip(shape, array.shape))
        out[part] = array[part]
        return out

    M, v = A.semla(), u.semla()
    M.resize(*shape)
    check(M, Dense(resized(A.present, *shape), resized(A.values, *shape)))
    v.resize(shape[0])
    check(v, Dense(resized(u.present, shape[0]), resized(u.values, shape[0])))


# ---- comparing --------------------------------------------------------------------------------


def test_isequal(trial):
    A = trial.operand(*trial.shape())
    M, N = A.semla(), A.semla()
    assert M.isequal(N, check_dtype=True) and M.same_pattern(N)
    wide = M.dup("FP64")
    assert M.isequal(wide)
    assert M.isequal(wide, check_dtype=True) == (A.values.dtype == float)
    N[0, 0] = 9
    assert not M.isequal(N)
    assert M.same_pattern(N) == A.present[0, 0]
    assert not M.isequal(Dense.random(trial.rng, (9, 9), float).semla())


# ---- whole objects and numbers -------------------------------------------------------------------


def test_assign_whole(trial):
    shape = trial.shape()
    out, A = trial.operand(*shape), trial.operand(*shape)
    mask = Dense.random(trial.rng, shape, bool)
    target = out.semla()
    target(mask.semla().S, accum="plus", replace=True) << A.semla()
    check(target, write(out, A, mask.present, "plus", True))
    target = out.semla()
    target(~mask.semla().S) << 3
    everywhere = Dense(np.ones(shape, bool), np.full(shape, 3, out.values.dtype))
    check(target, write(out, everywhere, ~mask.present))
