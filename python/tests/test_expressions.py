"""Infix operators, calls of operators, and expressions as operands, against dense arrays."""

import operator

import numpy as np
import pytest
from model import TYPES

import semla

RANDOM = np.random.default_rng(7)


def random_matrix(dtype, nrows=5, ncols=5):
    """A matrix with about half of its entries, its values, and where it has an entry."""
    present = RANDOM.random((nrows, ncols)) < 0.5
    values = np.where(present, RANDOM.integers(1, 9, (nrows, ncols)), 0).astype(
        semla.types.lookup_dtype(dtype)
    )
    rows, cols = np.nonzero(present)
    made = semla.Matrix.from_coo(rows, cols, values[rows, cols], dtype, nrows=nrows, ncols=ncols)
    return made, values, present


def check(expression, values, present):
    """The entries of a matrix or an expression are the values where `present` is true."""
    result = expression.new() if hasattr(expression, "new") else expression
    rows, cols, found = result.to_coo()
    assert np.array_equal(np.nonzero(present), (rows, cols))
    assert np.allclose(found, values[rows, cols])


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_comparisons(name):
    compare = getattr(operator, name)
    A, a, in_a = random_matrix("INT32")
    B, b, in_b = random_matrix("FP64")
    check(compare(A, B), compare(a, b), in_a & in_b)
    check(compare(A, 4), compare(a, 4), in_a)
    check(compare(4, A), compare(4, a), in_a)
    assert compare(A, B).dtype == semla.BOOL


@pytest.mark.parametrize("dtype", [t for t in TYPES if t != semla.BOOL])
@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv"])
def test_arithmetic(name, dtype):
    compute = getattr(operator, name)
    A, a, in_a = random_matrix(dtype)
    B, b, in_b = random_matrix(dtype)
    both = in_a & in_b
    where = in_a | in_b if name in ("add", "sub") else both
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        check(compute(A, B), compute(a, b), where)
        check(compute(A, 2), compute(a, a.dtype.type(2)), in_a)
        check(compute(2, A), compute(a.dtype.type(2), a), in_a)
        check(compute(np.float64(2.5), A), compute(2.5, a.astype(float)), in_a)
    if name == "truediv":
        assert (A / B).dtype == (dtype if dtype.kind == "f" else semla.FP64)


def test_signs():
    A, a, in_a = random_matrix("INT64")
    check(-A, -a, in_a)
    check(+A, a, in_a)
    check(abs(-A), a, in_a)


def test_entries_and_reductions_are_numbers():
    v = semla.Vector.from_dict({0: 2, 2: 5}, size=3)
    assert (v + v[0]).new().to_dict() == {0: 4, 2: 7}
    assert (v.reduce() - v).new().to_dict() == {0: 5, 2: 2}
    assert (v * semla.Scalar(3)).new().to_dict() == {0: 6, 2: 15}
    with pytest.raises(TypeError, match="empty"):
        (v + v[1]).new()


def test_expressions_are_operands():
    A, a, _ = random_matrix("INT64")
    B, b, _ = random_matrix("INT64")
    u = semla.Vector.from_dense([1, 2, 3, 4, 5])
    dense = u.to_dense()
    assert ((A @ B) @ A).new().to_dense(0).tolist() == (a @ b @ a).tolist()
    assert ((A + 1) @ u).new().to_dense(0).tolist() == ((a + (a > 0)) @ dense).tolist()
    assert (u @ (A @ B)).new().to_dense(0).tolist() == (dense @ a @ b).tolist()
    assert (A.T @ (A @ u)).new().to_dense(0).tolist() == (a.T @ (a @ dense)).tolist()
    assert (A @ B).reduce_scalar().value == (a @ b).sum()
    assert (A @ B).nvals == (A @ B).new().nvals
    assert (A @ B).T.new().isequal((B.T @ A.T).new())
    assert np.asarray(u * 2).tolist() == [2, 4, 6, 8, 10]
    assert (u * 2)[1] == 4 and 1 in u * 2 and u[u - 1].new().to_dict() == u.to_dict()
    assert A.isequal(A + 0)
    w = semla.Vector("INT64", 5)
    w(mask=u > 2) << u + 1
    assert w.to_dict() == {2: 4, 3: 5, 4: 6}
    w(~(u > 2).V, replace=True) << u
    assert w.to_dict() == {0: 1, 1: 2}
    C = semla.Matrix("INT64", 5, 5)
    C[:, :] = A @ B
    assert C.isequal(A @ B)
    assert semla.bfs(A + A.T, 0)[1].isequal(semla.bfs((A + A.T).new(), 0)[1])


def test_methods_that_write_are_not_those_of_expressions():
    v = semla.Vector.from_dense([1, 2])
    for name in ("clear", "resize", "give", "lend", "from_dict"):
        assert not hasattr(v + 1, name) and name not in dir(v + 1)
    assert "to_dict" in dir(v + 1) and "reduce" in dir(v + 1)


def test_assignments():
    v = semla.Vector.from_dict({0: 2, 2: 5}, size=3)
    same = v
    v += 1
    v *= v
    assert same is v and v.to_dict() == {0: 9, 2: 36}
    v -= semla.Vector.from_dict({1: 4}, size=3)
    assert v.to_dict() == {0: 9, 1: -4, 2: 36}
    v |= semla.Vector.from_dict({0: 1}, size=3)
    assert v.to_dict() == {0: 10, 1: -4, 2: 36}
    v &= semla.Vector.from_dict({0: 2}, size=3)
    assert v.to_dict() == {0: 20}
    v @= semla.Matrix.from_coo([0], [2], [3], nrows=3, ncols=3)
    assert v.to_dict() == {2: 60}


def test_calls_of_operators():
    A, a, in_a = random_matrix("FP64")
    B, b, in_b = random_matrix("FP64")
    assert semla.semiring.min_plus(A @ B).new().isequal(A.mxm(B, "min_plus"))
    assert semla.semiring.min_plus["FP32"](A @ B).dtype == semla.FP32
    u = semla.Vector.from_dense([1.0, 2, 3, 4, 5])
    assert semla.semiring.max_plus(A @ u).new().isequal(A.mxv(u, "max_plus"))
    assert semla.semiring.max_plus(u @ A).new().isequal(u.vxm(A, "max_plus"))
    check(semla.binary.minus(A & B), a - b, in_a & in_b)
    check(semla.monoid.max(A | B), np.maximum(a, b), in_a | in_b)
    check(semla.binary.minus(A, 1), a - 1, in_a)
    check(semla.binary.minus(1, A), 1 - a, in_a)
    check(semla.unary.ainv(A), -a, in_a)
    check(semla.unary.abs(A - 3), abs(a - 3), in_a)
    rows = np.indices(a.shape)[0]
    check(semla.indexunary.rowindex(A, 2), rows + 2, in_a)
    flags = A > 2
    check(flags | (B > 2), (a > 2) | (b > 2), in_a | in_b)
    check(flags & (B > 2), (a > 2) & (b > 2), in_a & in_b)


def test_semirings_without_a_type():
    longest = semla.semiring.new("min", "max")
    edges = [[0, 1, 1], [1, 2, 0]]
    for dtype in ("INT8", "FP32"):
        A = semla.Matrix.from_coo(*edges, [5, 3, 4], dtype, nrows=3, ncols=3)
        result = longest(A @ A).new()
        assert result.dtype == A.dtype and result[0, 2] == 5 and result[0, 0] == 5
        assert longest[dtype].dtype == A.dtype
    typed_in_part = semla.semiring.new(longest["FP32"].monoid, "max")
    assert typed_in_part(A @ A).new().isequal(longest(A @ A))
    counting = semla.semiring.new("plus", "land")
    A = semla.Matrix.from_coo(*edges, nrows=3, ncols=3)
    assert counting(A @ A).new()[0, 2] == 1
    with semla.Context():
        B = semla.Matrix.from_coo(*edges, [5, 3, 4], nrows=3, ncols=3)
        assert longest(B @ B).new()[0, 2] == 5


def test_what_is_refused():
    A, _, _ = random_matrix("FP64")
    u = semla.Vector.from_dense([1, 2, 3, 4, 5])
    for wrong in (
        lambda: A + u,
        lambda: A + "x",
        lambda: [1, 2] + u,
        lambda: A | 1,
        lambda: u @ u,
        lambda: u @ 2,
        lambda: bool(A == A),
        lambda: semla.binary.plus(A, A),
        lambda: semla.binary.plus(A),
        lambda: semla.binary.plus(A @ A)["x"],
        lambda: semla.unary.abs(A, 1),
        lambda: semla.semiring.min_plus(A),
        lambda: semla.monoid.min(A, A),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(semla.Mismatch):
        (A + semla.Matrix("FP64", 2, 2)).new()


def test_objects_are_keys():
    u = semla.Vector.from_dense([1])
    assert {u: 1}[u] == 1 and len({u, u.dup()}) == 2


def test_printing():
    A = semla.Matrix.from_coo([0, 2], [1, 0], [1.5, -3], nrows=3, ncols=2)
    assert repr(A) == "<Matrix FP64, 3 x 2, 2 entries>\n   0   1\n0    1.5\n1\n2 -3"
    v = semla.Vector.from_dict({1: 7}, size=20)
    assert repr(v).splitlines() == [
        "<Vector INT64, size 20, 1 entry>",
        " 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 ...",
        "   7",
    ]
    assert repr(semla.Matrix("BOOL", 3, 4)) == "<Matrix BOOL, 3 x 4, 0 entries>"
    large = semla.Matrix.from_coo([0, 99], [0, 99], [1, 2])
    lines = repr(large).splitlines()
    assert len(lines) == 15 and lines[-1].strip() == "..." and lines[2].split() == ["0", "1"]
    html = A._repr_html_()
    assert "<table>" in html and "Matrix FP64, 3 x 2, 2 entries" in html and "<td>1.5</td>" in html
    assert repr(A.T) == "<transpose of Matrix FP64, 3 x 2, 2 entries>"
    assert repr(~A.S) == "<mask ~.S of Matrix FP64, 3 x 2, 2 entries>"
    assert "3 x 2, FP64" in repr(A + 1)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
def test_division_rounded_down_is_that_of_numpy(dtype):
    rng = np.random.default_rng(39)
    few = [0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, 0.1, 1e16, 2**52 + 1, 5e-324, np.inf, -np.inf, np.nan]
    wide = rng.standard_normal((2, 20000)) * 10.0 ** rng.integers(-3, 16, (2, 20000))
    kind = {"FP32": np.float32, "FP64": np.float64}[dtype]
    x = np.concatenate([np.repeat(few, len(few)), wide[0]]).astype(kind)
    y = np.concatenate([np.tile(few, len(few)), wide[1]]).astype(kind)
    u, v = semla.Vector.from_dense(x), semla.Vector.from_dense(y)
    with np.errstate(all="ignore"):
        for got, right in ((u // v, np.floor_divide(x, y)), (u % v, np.remainder(x, y))):
            dense = got.new().to_dense()
            np.testing.assert_array_equal(dense, right)
            numbers = ~np.isnan(right)
            np.testing.assert_array_equal(np.signbit(dense[numbers]), np.signbit(right[numbers]))


def test_one_value_operands_keep_their_order():
    power = semla.Vector.from_scalar(3.0, 500) ** semla.Vector.from_coo([2], [2.0], size=500)
    assert power.new().to_dict() == {2: 9.0}


@pytest.mark.parametrize("dtype", ["INT8", "INT64", "FP32", "FP64"])
def test_python_s_division_and_power(dtype):
    x = np.array([7, -7, 6, -6, 5], semla.TYPES[dtype])
    y = np.array([2, 2, -4, -3, 3], semla.TYPES[dtype])
    u, v = semla.Vector.from_dense(x), semla.Vector.from_dense(y)
    np.testing.assert_array_equal((u // v).new().to_dense(), x // y)
    np.testing.assert_array_equal((u % v).new().to_dense(), x % y)
    np.testing.assert_array_equal((u // 2).new().to_dense(), x // 2)
    np.testing.assert_array_equal((20 % v).new().to_dense(), 20 % y)
    np.testing.assert_array_equal((u**2).new().to_dense(), x**2)
    np.testing.assert_array_equal((2 ** abs(v)).new().to_dense(), 2 ** np.abs(y))
    u //= 3
    np.testing.assert_array_equal(u.to_dense(), x // 3)
    assert (u // v).new().dtype == u.dtype


def test_exclusive_or():
    a = semla.Vector.from_coo([0, 1], [True, False], size=3)
    b = semla.Vector.from_coo([1, 2], [True, True], size=3)
    assert (a ^ b).new().to_dict() == {0: True, 1: True, 2: True}
    assert (a ^ a).new().to_dict() == {0: False, 1: False}
    with pytest.raises(TypeError):
        a ^ 1


def test_selection_by_comparison():
    A = semla.Matrix.from_dense([[1, 5], [3, 2]])
    select = semla.select
    assert select.value(A > 2).new().to_dicts() == {0: {1: 5}, 1: {0: 3}}
    assert select.value(A != 5).new().nvals == 3
    assert select.row(A < 1).new().to_dicts() == select.row(A <= 0).new().to_dicts()
    assert select.row(A >= 1).new().to_dicts() == {1: {0: 3, 1: 2}}
    assert select.column(A > 0).new().to_dicts() == {0: {1: 5}, 1: {1: 2}}
    v = semla.Vector.from_dense([4, 5, 6])
    assert select.index(v >= 1).new().to_dict() == {1: 5, 2: 6}
    for wrong in A, A + 1, A @ A, A > A:
        with pytest.raises(TypeError, match="give the comparison"):
            select.value(wrong)
    with pytest.raises(TypeError, match="use <"):
        select.row(A == 1)


def test_positions():
    v = semla.Vector.from_coo([1, 3], [7, 8], size=4)
    assert v.apply(semla.unary.positioni).new().to_dict() == {1: 1, 3: 3}
    assert v.apply("positioni1").new().to_dict() == {1: 2, 3: 4}
    A = semla.Matrix.from_coo([0], [2], [5.0], nrows=3, ncols=3)
    assert semla.unary.positionj(A).new().to_dicts() == {0: {2: 2}}
    assert semla.unary.positionj1(A).new().to_dicts() == {0: {2: 3}}


def test_bits():
    v = semla.Vector.from_dense(np.array([5, 3, 6], np.int8))
    assert v.reduce(semla.monoid.band).value == 0 and v.reduce("bor").value == 7
    assert semla.binary.bset(v, 4).new().to_dense().tolist() == [13, 11, 14]
    assert semla.binary.bclr(v, 1).new().to_dense().tolist() == [4, 2, 6]
    assert semla.binary.bget(v, 2).new().to_dense().tolist() == [0, 1, 1]
    assert semla.binary.bshift(v, -1).new().to_dense().tolist() == [2, 1, 3]
    assert semla.monoid.eq.name == "lxnor"
    with pytest.raises(TypeError):
        semla.Vector.from_dense([1.5]).reduce("bor")
