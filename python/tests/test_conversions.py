"""Tests of conversions from and to numpy and scipy.sparse: all types and formats, and zero-copy
moves."""

import gc

import numpy as np
import pytest
import scipy
import scipy.sparse

import semla
from model import TYPES, Dense, check, dense

INDEX_TYPES = ["int8", "uint16", "int32", "int64", "uint64"]


@pytest.fixture(params=range(3))
def rng(request):
    return np.random.default_rng([request.param, *request.function.__name__.encode()])


def random_dense(rng, *shape, dtype=np.float64):
    return Dense.random(rng, shape or tuple(rng.integers(1, 9, 2)), np.dtype(dtype))


# ---- lists ------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("index", INDEX_TYPES)
def test_coo(dtype, index):
    i, j, x = np.array([2, 0, 1], index), np.array([0, 3, 1], index), np.array([1, 0, 1], dtype)
    v = semla.Vector.from_coo(i, x, size=4)
    assert v.dtype == dtype and v.to_dict() == {0: 0, 1: 1, 2: 1}
    A = semla.Matrix.from_coo(i, j, x, nrows=3, ncols=4)
    assert A.dtype == dtype and [a.tolist() for a in A.to_coo()] == [
        [0, 1, 2],
        [3, 1, 0],
        [0, 1, 1],
    ]
    assert [a.dtype for a in A.to_coo()] == ["uint64", "uint64", dtype]


def test_coo_options():
    v = semla.Vector.from_coo([1, 1, 4], [1, 2, 3], "FP32", dup_op="plus")
    assert v.size == 5 and v.dtype == "float32" and v.to_dict() == {1: 3, 4: 3}
    assert semla.Vector.from_coo([1, 2], 7).to_dict() == {1: 7, 2: 7}
    assert semla.Vector.from_coo([1, 2]).dtype == bool
    A = semla.Matrix.from_coo([0, 1], [1, 0])
    assert A.is_pattern and A.shape == (2, 2) and A.dtype == bool
    assert semla.Matrix.from_coo([0, 1], [1, 0], dtype="INT8").to_dense(0).tolist() == [
        [0, 1],
        [1, 0],
    ]
    assert semla.Vector.from_coo([], []).size == 0 and semla.Matrix.from_coo([], []).shape == (0, 0)
    assert (
        semla.Vector.from_dict({3: 1.5}, size=9).to_dense(-1).tolist()
        == [-1] * 3 + [1.5] + [-1] * 5
    )


def test_wrong_lists():
    make = semla.Vector.from_coo
    for error, arguments in (
        (semla.Mismatch, ([1, 2], [1])),
        (semla.OutOfRange, ([-1], [1])),
        (TypeError, ([0.5], [1])),
        (TypeError, ([[1]], [1])),
        (TypeError, ([1], [1j])),
        (TypeError, ([1], ["a"])),
    ):
        with pytest.raises(error):
            make(*arguments)
    with pytest.raises(semla.Mismatch):
        semla.Matrix.from_coo([1, 2], [1], [1, 2])


# ---- dense ---------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", TYPES)
def test_dense(rng, dtype):
    a = random_dense(rng, dtype=dtype)
    for values in (a.values, np.asfortranarray(a.values), a.values[::-1, ::2]):
        everything = Dense(np.ones(values.shape, bool), values)
        check(semla.Matrix.from_dense(values), everything)
        nonzero = semla.Matrix.from_dense(values, missing_value=0)
        check(nonzero, Dense(values != 0, values))
        np.testing.assert_array_equal(nonzero.to_dense(0), values)
        np.testing.assert_array_equal(semla.Matrix.from_dense(values).to_dense(0), values)
    row = a.values[0]
    check(semla.Vector.from_dense(row), Dense(np.ones(row.shape, bool), row))
    np.testing.assert_array_equal(semla.Vector.from_dense(row, missing_value=0).to_dense(0), row)


def test_dense_options():
    v = semla.Vector.from_dense([1.5, np.nan, 2.5], missing_value=np.nan)
    assert v.to_dict() == {0: 1.5, 2: 2.5}
    assert v.to_dense(-1, "INT8").tolist() == [1, -1, 2]
    assert semla.Vector.from_dense([1, 2], dtype="FP32").dtype == "float32"
    swapped = semla.Vector.from_dense(np.array([1, 2], ">i4"))
    assert swapped.dtype == "int32" and swapped.to_dict() == {0: 1, 1: 2}
    with pytest.raises(semla.Mismatch):
        semla.Vector.from_dense([[1]])
    with pytest.raises(TypeError):
        semla.Vector.from_dense(np.zeros(3, np.float16))


# ---- compressed ------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", TYPES)
def test_compressed(rng, dtype):
    a = random_dense(rng, dtype=dtype)
    A, index = a.semla(), rng.choice(INDEX_TYPES)
    nrows, ncols = a.present.shape
    start, cols, values = A.to_csr()
    B = semla.Matrix.from_csr(
        start.astype(index), cols.astype(index), values, nrows=nrows, ncols=ncols
    )
    check(B, a)
    start, rows, values = A.to_csc()
    check(
        semla.Matrix.from_csc(
            start.astype(index), rows.astype(index), values, nrows=nrows, ncols=ncols
        ),
        a,
    )
    assert semla.Matrix.from_csr(*A.to_csr()).nrows == nrows
    pattern = semla.Matrix.from_csr(*A.to_csr()[:2], ncols=ncols)
    assert pattern.same_pattern(A) and (pattern.is_pattern or A.nvals == 0)


def test_wrong_compressed():
    make = semla.Matrix.from_csr
    for error, arguments in (
        (semla.Mismatch, ([0, 1], [0], [1, 2])),
        (semla.Error, ([0, 2], [0], [1])),
        (semla.Error, ([1, 1], [0], [1])),
        (semla.Error, ([0, 2, 1], [0, 1], [1, 2])),
        (semla.Error, ([0, 2], [1, 1], [1, 2])),
        (semla.Error, ([0, 2], [1, 0], [1, 2])),
        (semla.OutOfRange, ([0, 1], [-1], [1])),
    ):
        with pytest.raises(error):
            make(*arguments)
    with pytest.raises(semla.OutOfRange):
        make([0, 1], [5], [1], ncols=3)
    with pytest.raises(semla.Mismatch):
        make([0, 1], [0], [1], nrows=7)


# ---- scipy ---------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
@pytest.mark.parametrize("dtype", [dtype for dtype in TYPES if dtype != "float16"])
def test_scipy(rng, format, dtype):
    a = random_dense(rng, dtype=dtype)
    for kind in (scipy.sparse.coo_matrix, scipy.sparse.coo_array):
        A = semla.Matrix.from_scipy(kind(a.values).asformat(format))
        assert A.dtype == dtype
        np.testing.assert_array_equal(A.to_dense(0), a.values)
    back = A.to_scipy(format)
    assert back.format == format and back.dtype == dtype
    np.testing.assert_array_equal(back.toarray(), a.values)


def test_scipy_with_zeros_and_duplicates():
    coo = scipy.sparse.coo_matrix(([1, 2, 0], ([0, 0, 1], [1, 1, 0])), (2, 2))
    assert dict(zip(semla.Matrix.from_scipy(coo), semla.Matrix.from_scipy(coo).to_coo()[2])) == {
        (0, 1): 3,
        (1, 0): 0,
    }
    unsorted = scipy.sparse.csr_matrix(([1, 2, 3], [1, 0, 1], [0, 3, 3]), (2, 2))
    assert semla.Matrix.from_scipy(unsorted).to_dense(0).tolist() == [[2, 4], [0, 0]]
    assert unsorted.indices.tolist() == [1, 0, 1]  # the input is not changed


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
def test_zeros_that_fill_blocks_and_diagonals_are_no_entries(format):
    dense = np.eye(6)
    dense[0, 3] = dense[5, 4] = 2
    for kind in (scipy.sparse.coo_matrix, scipy.sparse.coo_array):
        A = kind(dense).asformat(format)
        assert list(semla.Matrix.from_scipy(A)) == [*zip(*map(np.ndarray.tolist, dense.nonzero()))]
    assert semla.components(A).to_dense().tolist() == [0, 1, 2, 0, 4, 4]


def test_a_zero_in_a_sum_of_blocks_is_an_entry():
    blocks = np.array([[[1, 0], [0, 1]], [[-1, 0], [0, 1]]])
    A = scipy.sparse.bsr_matrix((blocks, [0, 0], [0, 2]), shape=(2, 2))
    assert semla.Matrix.from_scipy(A).to_dicts() == {0: {0: 0}, 1: {1: 2}}


class Sparse:  # as the arrays of one and of three dimensions that new versions of scipy have
    format = "coo"

    def __init__(self, *shape):
        self.shape = shape

    def tocoo(self):
        return self


@pytest.mark.parametrize("shape", [(3,), (2, 2, 2)])
def test_scipy_arrays_of_other_dimensions(shape):
    others, (major, minor) = [Sparse(*shape)], map(int, scipy.__version__.split(".")[:2])
    if (major, minor) >= (1, 15):
        others += [scipy.sparse.coo_array(np.ones(shape))]
        if len(shape) == 1:
            others += [others[1].asformat("csr"), others[1].asformat("dok")]
    for A in others:
        with pytest.raises(semla.Mismatch, match=r"^from_scipy: .* the shape \([0-9, ]+\); a matrix has two"):
            semla.Matrix.from_scipy(A)
        with pytest.raises(semla.Mismatch, match="a matrix has two dimensions"):
            semla.components(A)


def test_scipy_graph_algorithms():
    A = semla.generate("path", vertices=5)
    graph = A.to_scipy(index_dtype="int32")
    assert scipy.sparse.csgraph.shortest_path(graph, unweighted=True)[0].tolist() == [0, 1, 2, 3, 4]


# ---- without copying ---------------------------------------------------------------------------


def addresses(arrays):
    return {name: getattr(arrays, name).ctypes.data for name in arrays._memory}


@pytest.mark.parametrize("format", ["csr", "csc", "bitmap", "full"])
def test_matrix_take_and_give_without_a_copy(format):
    A = semla.Matrix.from_dense(np.arange(12.0).reshape(3, 4) + 1)
    arrays = A.to_arrays(format).expand()
    before = addresses(arrays)
    B = semla.Matrix.take(arrays)
    assert arrays.values is None
    assert B.isequal(A)
    again = B.give(format)
    assert addresses(again) == before
    assert B.nvals == 0 and B.shape == (3, 4)  # the matrix has no entries now
    again.values[...] *= 2
    assert semla.Matrix.take(again).to_dense(0).tolist() == (A.to_dense() * 2).tolist()


@pytest.mark.parametrize("format", ["list", "bitmap", "full"])
def test_vector_take_and_give_without_a_copy(format):
    v = semla.Vector.from_dense(np.arange(5) + 1)
    arrays = v.to_arrays(format).expand()
    before = addresses(arrays)
    w = semla.Vector.take(arrays)
    assert w.isequal(v)
    assert addresses(w.give(format)) == before and w.nvals == 0 and w.size == 5


def test_scipy_uses_the_memory_of_the_library():
    A = semla.Matrix.from_dense(np.eye(4) + 1)
    arrays = A.give("csr")
    values = arrays.values
    assert semla.Matrix("FP64", 4, 4).isequal(A)
    matrix = scipy.sparse.csr_array((4, 4))
    matrix.data = values
    assert matrix.data.ctypes.data == values.ctypes.data

    exported = semla.Matrix.from_dense(np.eye(4) + 1).to_scipy()
    assert exported.data.base is not None and exported.indices.dtype == np.int64


def test_new_arrays():
    arrays = semla.Arrays("csr", "INT32", 2, 3, nvals=3)
    arrays.start[:], arrays.cols[:], arrays.values[:] = [0, 2, 3], [0, 2, 1], [5, 6, 7]
    assert semla.Matrix.take(arrays).to_dense(0).tolist() == [[5, 0, 6], [0, 7, 0]]
    arrays = semla.Arrays("list", "FP32", 4, nvals=2, iso=True)
    arrays.rows[:], arrays.values[:] = [1, 3], 0.5
    assert semla.Vector.take(arrays).to_dict() == {1: 0.5, 3: 0.5}
    arrays = semla.Arrays("csc", bool, 2, 2, nvals=1, pattern=True)
    arrays.start[:], arrays.rows[:] = [0, 0, 1], [0]
    assert arrays.is_pattern and semla.Matrix.take(arrays).is_pattern
    arrays = semla.Arrays("coo", "INT8", 2, 2, nvals=2)
    arrays.rows[:], arrays.cols[:], arrays.values[:] = [1, 0], [0, 1], [3, 4]
    assert semla.Matrix.take(arrays).to_dense(0).tolist() == [[0, 4], [3, 0]]


def test_take_refuses_arrays_in_use():
    arrays = semla.Matrix.from_dense([[1.0, 2.0]]).to_arrays("csr").expand()
    part = arrays.values[:1]
    with pytest.raises(BufferError):
        semla.Matrix.take(arrays)
    assert part[0] == 1
    del part
    semla.Matrix.take(arrays)
    with pytest.raises(semla.Error):
        semla.Matrix.take(arrays)  # the arrays are empty


def test_rejected_arrays_are_unchanged():
    arrays = semla.Arrays("csr", "INT32", 2, 3, nvals=1)
    arrays.start[:], arrays.cols[:], arrays.values[:] = [0, 1, 1], [9], [5]
    with pytest.raises(semla.OutOfRange, match="9"):
        semla.Matrix.take(arrays)
    arrays.cols[:] = 2
    assert semla.Matrix.take(arrays).to_dense(0).tolist() == [[0, 0, 5], [0, 0, 0]]
    with pytest.raises(semla.Invalid):
        semla.Vector.take(semla.Arrays("csr", "INT32", 2, 3))
    with pytest.raises(ValueError, match="format"):
        semla.Arrays("ellpack", "INT32", 2, 3)
    with pytest.raises(ValueError, match="format"):
        semla.Vector("INT8", 2).give("ellpack")
    with pytest.raises(semla.Mismatch):
        semla.Vector("INT8", 2).give("full")


def test_arrays_outlive_their_matrix():
    with semla.Context():
        A = semla.Matrix.from_dense(np.arange(1000.0) + np.zeros((3, 1)))
        values = A.to_csr()[2][10:20]
    del A
    gc.collect()
    noise = [semla.Vector.from_dense(np.zeros(3000)) for _ in range(20)]
    assert values.tolist() == list(range(10, 20)) and len(noise) == 20


def test_give_while_lent():
    v = semla.Vector.from_dense([1.0, 2.0])
    array = np.from_dlpack(v)
    with pytest.raises(BufferError):
        v.give("full")
    assert array.tolist() == [1, 2] and dense(v).present.all()
