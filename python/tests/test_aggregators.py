"""Aggregators, compared with numpy on rows, columns and whole objects."""

import numpy as np
import pytest

import semla


def norm(values):
    return np.sqrt(np.sum(np.square(values)))


def log_sum(values):
    return np.logaddexp.reduce(values)


# {name: (function of the values and the indices of the entries, dtype of the results of INT64)}
EXPECTED = {
    "sum": (lambda v, i: v.sum(), "INT64"),
    "prod": (lambda v, i: v.prod(), "INT64"),
    "all": (lambda v, i: np.all(v), "BOOL"),
    "any": (lambda v, i: np.any(v), "BOOL"),
    "min": (lambda v, i: v.min(), "INT64"),
    "max": (lambda v, i: v.max(), "INT64"),
    "bitwise_all": (lambda v, i: np.bitwise_and.reduce(v), "INT64"),
    "bitwise_any": (lambda v, i: np.bitwise_or.reduce(v), "INT64"),
    "count": (lambda v, i: v.size, "INT64"),
    "count_nonzero": (lambda v, i: np.count_nonzero(v), "INT64"),
    "count_zero": (lambda v, i: np.sum(v == 0), "INT64"),
    "exists": (lambda v, i: True, "BOOL"),
    "sum_of_squares": (lambda v, i: np.sum(v * v), "INT64"),
    "sum_of_inverses": (lambda v, i: np.sum(1 / v), "FP64"),
    "mean": (lambda v, i: v.mean(), "FP64"),
    "geometric_mean": (lambda v, i: np.exp(np.log(v).mean()), "FP64"),
    "harmonic_mean": (lambda v, i: v.size / np.sum(1 / v), "FP64"),
    "root_mean_square": (lambda v, i: np.sqrt(np.mean(v * v)), "FP64"),
    "varp": (lambda v, i: v.var(), "FP64"),
    "vars": (lambda v, i: v.var(ddof=1), "FP64"),
    "stdp": (lambda v, i: v.std(), "FP64"),
    "stds": (lambda v, i: v.std(ddof=1), "FP64"),
    "hypot": (lambda v, i: norm(v), "FP64"),
    "logaddexp": (lambda v, i: np.logaddexp.reduce(v.astype(float)), "FP64"),
    "logaddexp2": (lambda v, i: np.logaddexp2.reduce(v.astype(float)), "FP64"),
    "L0norm": (lambda v, i: np.count_nonzero(v), "INT64"),
    "L1norm": (lambda v, i: np.abs(v).sum(), "INT64"),
    "L2norm": (lambda v, i: norm(v), "FP64"),
    "Linfnorm": (lambda v, i: np.abs(v).max(), "INT64"),
    "peak_to_peak": (lambda v, i: v.max() - v.min(), "INT64"),
    "first": (lambda v, i: v[0], "INT64"),
    "last": (lambda v, i: v[-1], "INT64"),
    "first_index": (lambda v, i: i[0], "INT64"),
    "last_index": (lambda v, i: i[-1], "INT64"),
    "argmin": (lambda v, i: i[v.argmin()], "INT64"),
    "argmax": (lambda v, i: i[v.argmax()], "INT64"),
}
OF_POSITIONS = {"first", "last", "first_index", "last_index", "argmin", "argmax"}
POSITIVE = {"sum_of_inverses", "geometric_mean", "harmonic_mean"}


def sample(name):
    """A dense array and its mask of entries: an empty row, a row with one entry, an empty column."""
    random = np.random.default_rng(5)
    values = random.integers(1 if name in POSITIVE else -5, 6, (7, 9))
    mask = random.random(values.shape) < 0.6
    mask[3] = mask[4] = False
    mask[4, 6] = True
    mask[:, 2] = False
    return values, mask


def matrix(values, mask, dtype="INT64"):
    nrows, ncols = values.shape
    return semla.Matrix.from_coo(*np.nonzero(mask), values[mask], dtype, nrows=nrows, ncols=ncols)


def test_all_are_tested():
    assert {*EXPECTED, "any_value"} == set(semla.agg)


@pytest.mark.filterwarnings("ignore:Degrees of freedom", "ignore:invalid value")
@pytest.mark.parametrize("name", EXPECTED)
def test_rows_columns_and_objects(name):
    function, dtype = EXPECTED[name]
    values, mask = sample(name)
    A, agg = matrix(values, mask), semla.agg[name]
    for expression, v, m in (
        (A.reduce_rowwise(agg), values, mask),
        (A.reduce_columnwise(agg), values.T, mask.T),
        (A.T.reduce_rowwise(agg), values.T, mask.T),
        (agg(A, rowwise=True), values, mask),
    ):
        result = expression.new()
        lines = [k for k in range(len(v)) if m[k].any()]
        expected = [function(v[k][m[k]], np.nonzero(m[k])[0]) for k in lines]
        indices, found = result.to_coo()
        assert result.dtype == semla.TYPES[dtype] and indices.tolist() == lines
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    row = A[0, :].new()
    expected = function(values[0][mask[0]], np.nonzero(mask[0])[0])
    assert row.reduce(agg).value == pytest.approx(expected, rel=1e-12)
    if name in OF_POSITIONS:
        with pytest.raises(TypeError, match="positions"):
            float(A.reduce_scalar(agg))
    else:
        expected = function(values[mask], None)
        assert A.reduce_scalar(agg).value == pytest.approx(expected, rel=1e-12)
        assert A.T.reduce_scalar(agg).value == pytest.approx(expected, rel=1e-12)


def test_floats():
    values, mask = sample("mean")
    A = matrix(values / 4, mask, "FP32")
    np.testing.assert_allclose(
        A.reduce_rowwise("stdp").new().to_dense(-1)[:3],
        [np.std(values[k][mask[k]] / 4) for k in range(3)],
        rtol=1e-6,
    )
    big = semla.Vector.from_dense([1000.0, 1001.0])
    assert big.reduce("logaddexp").value == pytest.approx(np.logaddexp(1000, 1001))


def test_empty_objects():
    v, A = semla.Vector("FP64", 4), semla.Matrix("INT64", 3, 4)
    for name in semla.agg:
        assert A.reduce_rowwise(semla.agg[name]).new().nvals == 0
    assert v.reduce("count").value == 0 and v.reduce("exists").value is False
    assert v.reduce("mean").value is None and v.reduce(semla.agg.argmax).value is None
    assert v.reduce(semla.agg.sum).value == 0
    assert semla.Vector.from_coo([2], [5.0], size=4).reduce("varp").value == 0
    assert np.isnan(semla.Vector.from_coo([2], [5.0], size=4).reduce("vars").value)


def test_any_value():
    v = semla.Vector.from_coo([1, 3], [5, 6], size=4)
    assert v.reduce(semla.agg.any_value).value in (5, 6)


def test_names_and_outputs():
    A = matrix(*sample("mean"))
    w = semla.Vector("FP64", 7)
    w(accum="plus") << A.reduce_rowwise("mean")
    assert w.isclose(A.reduce_rowwise(semla.agg.mean).new())
    assert A.reduce_rowwise("any").new().dtype == semla.INT64  # the monoid of that name
    assert "mean" in semla.agg and repr(semla.agg.mean) == "semla.agg.mean"
    for wrong in ("median", 5):
        with pytest.raises(TypeError):
            A.reduce_rowwise(wrong)
    s = semla.Scalar(1.0)
    with pytest.raises(TypeError, match="cannot accumulate"):
        s("plus") << w.reduce("mean")
