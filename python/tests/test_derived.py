"""Edge lists, dicts, DLPack, binsparse, powers, shifted copies and comparisons with a tolerance."""

import numpy as np
import pytest

import semla

A = semla.Matrix.from_coo([0, 0, 1, 3], [1, 3, 2, 0], [1.5, 2.0, -1.0, 4.0], nrows=4, ncols=5)
u = semla.Vector.from_coo([0, 2], [1.5, 2.5], size=4)


def test_edge_lists():
    edges, values = A.to_edgelist()
    assert edges.tolist() == [[0, 1], [0, 3], [1, 2], [3, 0]]
    shape = {"nrows": 4, "ncols": 5}
    assert semla.Matrix.from_edgelist(edges, values, **shape).isequal(A)
    triples = [(*edge, value) for edge, value in zip(edges.tolist(), values.tolist())]
    assert semla.Matrix.from_edgelist(triples, **shape).isequal(A)
    assert semla.Matrix.from_edgelist([(0, 1), (1, 1)]).is_pattern
    assert semla.Matrix.from_edgelist([], nrows=2, ncols=2).nvals == 0
    assert semla.Matrix.from_edgelist([(0, 0, 1), (0, 0, 2)], dup_op="plus")[0, 0] == 3
    with pytest.raises(semla.Mismatch, match="all"):
        semla.Matrix.from_edgelist([(0, 1), (1, 2, 3)])
    with pytest.raises(semla.Mismatch, match="shape"):
        semla.Matrix.from_edgelist(np.zeros((2, 4), int))
    with pytest.raises(TypeError, match="already"):
        semla.Matrix.from_edgelist(triples, values)


def test_dicts_and_pairs():
    assert semla.Matrix.from_dicts(A.to_dicts(), nrows=4, ncols=5).isequal(A)
    assert A.to_dicts() == {0: {1: 1.5, 3: 2.0}, 1: {2: -1.0}, 3: {0: 4.0}}
    assert semla.Vector.from_pairs([(0, 1.5), (2, 2.5)], size=4).isequal(u)
    assert semla.Vector.from_pairs([], "FP64", size=4).nvals == 0


def test_dlpack():
    v = semla.Vector.from_dlpack(np.arange(5.0))
    assert v.to_dense().tolist() == [0, 1, 2, 3, 4]
    assert semla.Vector.from_dlpack(v).isequal(v)
    assert semla.Matrix.from_dlpack(np.ones((2, 3), np.float32)).dtype == "float32"

    class OnDevice:
        def __dlpack_device__(self):
            return 2, 0

    with pytest.raises(BufferError, match="host memory"):
        semla.Vector.from_dlpack(OnDevice())


class Received:
    """An object of another library with the protocol."""

    def __init__(self, format, shape, types, arrays):
        self.arrays, self.description = (
            arrays,
            {
                "version": "0.1",
                "format": format,
                "shape": shape,
                "number_of_stored_values": 2,
                "data_types": types,
            },
        )

    def __binsparse_descriptor__(self):
        return {"binsparse": self.description}

    def __binsparse__(self):
        return self.arrays


def test_binsparse():
    for made in (A, u, A.dup("INT8"), u.dup(bool)):
        assert type(made).from_binsparse(made).isequal(made, check_dtype=True)
    description = A.__binsparse_descriptor__()["binsparse"]
    assert description["format"] == "CSR" and description["shape"] == [4, 5]
    assert description["number_of_stored_values"] == 4
    assert description["data_types"] == {
        "pointers_to_1": "uint64",
        "indices_1": "uint64",
        "values": "float64",
    }
    assert u.dup(bool).__binsparse_descriptor__()["binsparse"]["data_types"]["values"] == "bint8"
    index = {"indices_0": "int32", "indices_1": "int32"}
    arrays = {"indices_0": [0, 1], "indices_1": [2, 0], "values": [7.0]}
    found = Received("COOR", [2, 3], {**index, "values": "iso[float64]"}, arrays)
    assert semla.Matrix.from_binsparse(found).to_dicts() == {0: {2: 7.0}, 1: {0: 7.0}}
    arrays = {"indices_0": [0, 2], "indices_1": [1, 0], "values": [1, 0]}
    found = Received("COOC", [2, 3], {**index, "values": "bint8"}, arrays)
    made = semla.Matrix.from_binsparse(found)
    assert made.to_dicts() == {1: {0: True}, 0: {2: False}} and made.dtype == bool
    csc = {"pointers_to_1": [0, 1, 2, 2], "indices_1": [1, 0], "values": [1.0, 2.0]}
    found = Received("CSC", [2, 3], dict.fromkeys(csc, "float64"), csc)
    assert semla.Matrix.from_binsparse(found).to_dicts() == {1: {0: 1.0}, 0: {1: 2.0}}
    found = Received("DMATR", [1, 2], {"values": "float64"}, [np.array([1.0, 2.0])])
    assert semla.Matrix.from_binsparse(found).to_dense().tolist() == [[1.0, 2.0]]
    found.description["format"] = "DCSR"
    with pytest.raises(TypeError, match="DCSR"):
        semla.Matrix.from_binsparse(found)
    found.description["version"] = "2.0"
    with pytest.raises(TypeError, match="version 2.0"):
        semla.Matrix.from_binsparse(found)
    with pytest.raises(TypeError, match="no __binsparse__"):
        semla.Matrix.from_binsparse(3)
    with pytest.raises(BufferError):
        A.__binsparse__(copy=False)


def test_from_scalar():
    assert semla.Vector.from_scalar(3, 2).to_dense().tolist() == [3, 3]
    made = semla.Matrix.from_scalar(1.5, 2, 3)
    assert made.nvals == 6 and made.dtype == "float64"
    assert semla.Matrix.from_scalar(1, 2, 2, "INT8").dtype == "int8"


@pytest.mark.parametrize("n", range(8))
def test_power(n):
    rng = np.random.default_rng(n)
    values = rng.integers(0, 3, (6, 6))
    made = semla.Matrix.from_dense(values, 0).power(n).new()
    assert (made.to_dense(0) == np.linalg.matrix_power(values, n)).all()


def test_power_over_other_semirings():
    B = semla.Matrix.from_coo([0, 1, 2], [1, 2, 0], [1.0, 2.0, 3.0])
    assert B.power(0, "min_plus").new().to_dicts() == {k: {k: 0.0} for k in range(3)}
    assert B.power(3, "min_plus").new().to_dicts() == {k: {k: 6.0} for k in range(3)}
    with pytest.raises(ValueError, match="no identity"):
        B.power(0, "plus_first")
    with pytest.raises(ValueError, match="not square"):
        A.power(2)
    with pytest.raises(semla.Invalid):
        B.power(-1)


@pytest.mark.parametrize("rows", [-5, -1, 0, 2, 9])
@pytest.mark.parametrize("cols", [-2, 0, 3])
def test_reposition(rows, cols):
    expected = {}
    for i, j, value in zip(*(array.tolist() for array in A.to_coo())):
        if 0 <= i + rows < 6 and 0 <= j + cols < 3:
            expected.setdefault(i + rows, {})[j + cols] = value
    assert A.reposition(rows, cols, nrows=6, ncols=3).new().to_dicts() == expected
    moved = {i + rows: value for i, value in u.to_dict().items() if 0 <= i + rows < 4}
    assert u.reposition(rows).new().to_dict() == moved


def test_isclose():
    v = semla.Vector.from_dense([1.0, np.inf, 0.0])
    w = semla.Vector.from_dense([1.0 + 1e-9, np.inf, 0.0])
    assert v.isclose(w) and not v.isclose(w, rel_tol=1e-12) and not v.isequal(w)
    assert v.isclose(w, rel_tol=0, abs_tol=1e-8)
    assert not v.isclose(semla.Vector.from_dense([1.0, 5.0, 0.0]))
    assert not v.isclose(semla.Vector.from_dense([1.0, -np.inf, 0.0]))
    assert not v.isclose(v.dup("FP32"), check_dtype=True)
    assert not v.isclose(semla.Vector.from_dict({0: 1.0, 1: np.inf}, size=3))
    nan = semla.Vector.from_dense([np.nan])
    assert not nan.isclose(nan)
    assert A.isclose(A) and not A.isclose(A * 2)
    assert semla.Vector("FP64", 3).isclose(semla.Vector("FP64", 3))


def test_products_of_vectors():
    v = semla.Vector.from_coo([1, 2], [3.0, 4.0], size=3)
    assert u.outer(v).new().to_dicts() == {0: {1: 4.5, 2: 6.0}, 2: {1: 7.5, 2: 10.0}}
    assert u.outer(v, "minus").new()[2, 1] == -0.5
    assert v.inner(v) == 25.0 and v.inner(v, "min_plus") == 6.0


@pytest.mark.parametrize("k", [-3, -1, 0, 2])
def test_setdiag(k):
    B = semla.Matrix.from_dense(np.arange(20.0).reshape(4, 5))
    length = len(np.diag(np.zeros((4, 5)), k))
    expected = B.to_dense()
    expected[
        [i for i in range(4) if 0 <= i + k < 5], [i + k for i in range(4) if 0 <= i + k < 5]
    ] = -1
    B.setdiag(-1, k)
    assert (B.to_dense() == expected).all()
    B.setdiag(list(range(length)), k)
    assert B.diag(k).to_dense().tolist() == list(range(length))
    B.setdiag(semla.Vector.from_dict({0: 7.0}, size=length), k)
    assert B.diag(k).to_dict() == {0: 7.0} and B.nvals == 20 - length + 1
