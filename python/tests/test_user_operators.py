"""Tests of operators, monoids and semirings made of Python functions."""

import gc
import threading

import numpy as np
import pytest

import semla


def vector(values, dtype=None):
    return semla.Vector.from_coo(range(len(values)), values, dtype)


@pytest.mark.parametrize("dtype", list(semla.TYPES.values()))
def test_unary_of_every_type(dtype):
    op = semla.unary.new(lambda x: not x if dtype == bool else x + 1, dtype)
    assert op.dtype == op.result == dtype
    expected = [1, 0] if dtype == bool else [1, 2]
    assert vector([0, 1], dtype).apply(op).new().to_dict() == dict(enumerate(expected))


def test_unary_with_another_result():
    op = semla.unary.new(lambda x: x / 2, "INT32", "FP64", name="half")
    assert "half" in op.name
    w = vector([1, 2, 3], "INT32").apply(op).new()
    assert w.dtype == "float64" and w.to_dict() == {0: 0.5, 1: 1, 2: 1.5}


def test_binary():
    op = semla.binary.new(lambda x, y: abs(x - y), "INT64")
    u, v = vector([1, 5, 3]), vector([4, 4, 4])
    assert u.ewise_mult(v, op).new().to_dict() == {0: 3, 1: 1, 2: 1}
    assert u.apply(op, 2).new().to_dict() == {0: 1, 1: 3, 2: 1}
    u(accum=op) << v
    assert u.to_dict() == {0: 3, 1: 1, 2: 1}
    last = semla.binary.new(lambda x, y: y, "INT64")
    assert semla.Vector.from_coo([1, 1], [5, 6], size=2, dup_op=last).to_dict() == {1: 6}
    mixed = semla.binary.new(lambda x, y: x * y, "INT8", "FP64", right="FP32")
    assert vector([2], "INT8").ewise_mult(vector([0.5], "FP32"), mixed).new().to_dict() == {0: 1.0}


def test_index_operators():
    A = semla.Matrix.from_coo([0, 1, 2], [2, 1, 0], [5, 6, 7], nrows=3, ncols=3)
    op = semla.indexunary.new(lambda x, i, j, k: x + 10 * i + 100 * j + k, "INT64")
    assert A.apply(op, 1000).new().to_dense(0).tolist() == [[0, 0, 1205], [0, 1116, 0], [1027, 0, 0]]
    even = semla.select.new(lambda x, i, j, thunk: (i + j + thunk) % 4 == 3, "INT64", bool)
    assert A.select(even, 1).new().nvals == 3 and A.select(even, 0).new().nvals == 0


def test_monoids_and_semirings():
    gcd = semla.binary.new(np.gcd, "INT64", name="gcd")
    monoid = semla.monoid.new(gcd, 0, terminal=1, idempotent=True)
    assert monoid.identity == 0 and monoid.terminal == 1 and monoid.idempotent
    assert vector([12, 18, 30]).reduce(monoid).value == 6
    semiring = semla.semiring.new(monoid, semla.binary.times["INT64"])
    A = semla.Matrix.from_coo([0, 1, 2], [0, 0, 0], [2, 3, 5])
    assert vector([6, 4, 6]).vxm(A, semiring).new().to_dict() == {0: 6}
    assert semiring.monoid.name == monoid.name and semiring.binaryop.name == "times_int64"

    mixed = semla.semiring.new(semla.monoid.max["INT64"], gcd)
    assert vector([6, 4, 6]).vxm(A, mixed).new().to_dict() == {0: 2}


def test_what_they_are_made_of_may_go():
    def made():
        op = semla.binary.new(lambda x, y: max(x, y), "FP64")
        return semla.semiring.new(semla.monoid.new(op, float("-inf")), semla.binary.plus["FP64"])

    semiring = made()
    gc.collect()
    A = semla.Matrix.from_coo([0, 1], [0, 0], [1.0, 2.0])
    assert vector([5.0, 1.0]).vxm(A, semiring).new().to_dict() == {0: 6.0}
    expression = vector([5.0, 1.0]).vxm(A, semiring)
    del semiring
    gc.collect()
    assert expression.new().to_dict() == {0: 6.0}


def test_what_a_function_raises():
    def fail(x):
        if x == 3:
            raise KeyError("three")
        return x

    op, u = semla.unary.new(fail, "INT64"), vector(range(6))
    with pytest.raises(KeyError, match="three"):
        u.apply(op).new()
    with pytest.raises(OverflowError):
        u.apply(semla.unary.new(lambda x: x + 300, "INT8")).new()
    with pytest.raises(semla.Invalid, match="must not call semla"):
        u.apply(semla.unary.new(lambda x: u.nvals, "INT64")).new()
    assert u.apply("abs").new().isequal(u)  # the failure has no effect on later calls


def plain(x, *_):
    return x


def test_errors():
    plus = semla.binary.new(lambda x, y: x + y, "INT64")
    with pytest.raises(semla.Invalid):
        semla.unary.new(abs, "INT64", source="")
    for new in (semla.unary.new, semla.binary.new, semla.indexunary.new):
        for dtype in ("INT64", None):
            for wrong in (5, "abs", None, [abs]):
                with pytest.raises(TypeError, match=r"\.new: function must be a function, not"):
                    new(wrong, dtype)
            with pytest.raises(TypeError, match="is an operator already"):
                new(semla.unary.abs, dtype)
            with pytest.raises(TypeError, match="source must be a str, not 5"):
                new(plain, dtype, source=5)
            with pytest.raises(TypeError, match="name must be a str, not 5"):
                new(plain, dtype, name=5)
        with pytest.raises(semla.Invalid, match=r"the source does not write \*z"):
            new(plain, "INT64", source="return x")
    with pytest.raises(semla.Invalid, match=r"the source does not write \*z"):
        semla.unary.new(plain, source="return x")
    with semla.Context():
        other = vector([1, 2])
    with pytest.raises(semla.Mismatch):
        other.ewise_mult(other, plus).new()


def test_called_from_several_threads():
    """Threads of the library call Python functions while other Python threads compute."""
    seen = set()
    size = 20000

    def note(x):
        seen.add(threading.get_ident())
        return 2 * x

    op = semla.unary.new(note, "INT64")
    u = vector(np.arange(size))
    stop = threading.Event()

    def compute():
        with semla.Context("suitesparse"):
            while not stop.is_set():
                vector([1, 2, 3]).reduce().new()

    other = threading.Thread(target=compute)
    other.start()
    try:
        w = u.apply(op).new()
    finally:
        stop.set()
        other.join()
    assert seen and w.reduce().value == size * (size - 1)


def test_compiled_functions():
    numba = pytest.importorskip("numba")

    @numba.njit
    def square(x):
        return x * x

    u = vector([1.5, -2.0, 3.0])
    assert u.apply(semla.unary.new(square, "FP64")).new().to_dict() == {0: 2.25, 1: 4.0, 2: 9.0}
    half = semla.unary.new(lambda x: x / 2, "INT8", "FP32", compile=True)
    assert vector([1, 3], "INT8").apply(half).new().to_dict() == {0: 0.5, 1: 1.5}
    far = semla.binary.new(lambda x, y: abs(x - y) > 2, "INT64", bool, compile=True)
    assert vector([1, 9]).apply(far, 2).new().to_dict() == {0: False, 1: True}
    nor = semla.binary.new(lambda x, y: not (x or y), bool, compile=True)
    assert vector([True, False]).apply(nor, False).new().to_dict() == {0: False, 1: True}
    band = semla.select.new(lambda x, i, j, k: abs(i - j) <= k, "FP64", bool, compile=True)
    A = semla.Matrix.from_dense(np.ones((4, 4)))
    assert A.select(band, 1).new().nvals == 10


def test_c_functions():
    numba = pytest.importorskip("numba")

    @numba.cfunc("void(CPointer(double), CPointer(double))")
    def negate(z, x):
        z[0] = -x[0]

    op = semla.unary.new(negate, "FP64", name="negate")
    assert vector([1.0, 2.0]).apply(op).new().to_dict() == {0: -1.0, 1: -2.0}
    with pytest.raises(TypeError, match="float.*is needed"):
        semla.unary.new(negate, "FP32")
    with pytest.raises(TypeError, match="float.*is needed"):
        semla.binary.new(negate, "FP64")


def test_compile_without_numba(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match="needs numba"):
        semla.unary.new(lambda x: x, "FP64", compile=True)


def test_operators_without_a_type():
    halve = semla.unary.new(lambda x: x / 2, name="halve")
    assert halve(vector([1, 2])).new().to_dict() == {0: 0.5, 1: 1.0}
    assert halve(vector([1, 2], "FP32")).new().dtype == semla.FP32
    assert halve["INT8"].result == semla.FP64 and repr(halve) == "semla.unary.halve"
    less = semla.binary.new(lambda x, y: x < y)
    u, v = vector([1, 5, 3], "INT8"), vector([4, 4, 4], "INT8")
    assert less(u & v).new().dtype == semla.BOOL
    larger = semla.binary.new(max)
    assert larger(u | v).new().dtype == semla.INT8
    assert larger(u, 3.5).new().to_dict() == {0: 3.5, 1: 5.0, 2: 3.5}
    u(accum=larger) << v
    assert u.to_dict() == {0: 4, 1: 5, 2: 4}
    above = semla.select.new(lambda x, i, j, thunk: x + i > thunk)
    assert u.select(above, 5).new().to_dict() == {1: 5, 2: 4}
    assert semla.unary.new(lambda x: x, result="FP32")["INT64"].result == semla.FP32


def test_monoids_and_semirings_without_a_type():
    larger = semla.monoid.new(semla.binary.new(max), -1000, name="larger")
    assert vector([3, 7, 5]).reduce(larger).value == 7
    assert vector([3, 7.5, 5]).reduce(larger).value == 7.5
    assert semla.monoid.new("times", 1)["INT8"].dtype == semla.INT8
    semiring = semla.semiring.new(larger, semla.binary.new(lambda x, y: x * y + 1))
    A = semla.Matrix.from_dense([[1, 2], [3, 4]])
    assert semiring(A @ A).new().to_dense().tolist() == [[7, 9], [13, 17]]
    assert semiring(A.dup("FP64") @ A).new().dtype == semla.FP64


def test_operators_without_a_type_in_several_contexts():
    halve = semla.unary.new(lambda x: x / 2)
    for _ in range(2):
        with semla.Context("suitesparse"):
            assert halve(vector([1, 2])).new().to_dict() == {0: 0.5, 1: 1.0}


def test_errors_of_operators_without_a_type():
    fails = semla.unary.new(lambda x: x.real_part)
    with pytest.raises(TypeError, match="fails for the operands 1.*give dtype and result"):
        fails(vector([1]))
    with pytest.raises(TypeError, match="need a dtype"):
        semla.binary.new(max, right="INT8")
    with pytest.raises(TypeError, match="need a dtype"):
        semla.indexunary.new(max, thunk="INT8")


def test_compiled_operators_without_a_type():
    numba = pytest.importorskip("numba")
    halve = semla.unary.new(lambda x: x / 2, compile=True)
    assert halve(vector([1, 2])).new().to_dict() == {0: 0.5, 1: 1.0}
    add = semla.binary.new(numba.njit(lambda x, y: x + y))
    for dtype in "INT8", "FP32", "FP64", "UINT16":
        assert add(vector([1], dtype) | vector([2], dtype)).new().dtype == semla.TYPES[dtype]
    positive = semla.unary.new(numba.njit(lambda x: x > 0))
    assert positive(vector([1, -1])).new().to_dict() == {0: True, 1: False}
    with pytest.raises(TypeError, match="has types"):
        semla.unary.new(
            numba.cfunc("void(CPointer(double), CPointer(double))")(lambda z, x: None)
        )
