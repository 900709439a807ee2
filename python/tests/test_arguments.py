"""Tests of arguments and results that would be misread: they are errors that name the value."""

import errno
import pickle
import re
from fractions import Fraction

import numpy as np
import pytest

import semla

PATH = semla.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], [1.0, 1.0, 2.0, 2.0], nrows=3, ncols=3)
SPARSE = semla.Vector.from_coo([0, 2], [1, 5], size=4)
FULL = semla.Vector.from_dense([1, 2, 3])


# ---- ids and numbers ----------------------------------------------------------------

# Each takes the id of a vertex, or an index.
IDS = {
    "bfs": lambda v: semla.bfs(PATH, v),
    "bfs_targets": lambda v: semla.bfs(PATH, 0, targets=[1, v]),
    "bfs_target": lambda v: semla.bfs(PATH, 0, targets=v),
    "betweenness": lambda v: semla.betweenness(PATH, [v]),
    "sssp": lambda v: semla.sssp(PATH, v),
    "khop": lambda v: semla.khop(PATH, [v], 2),
    "multi_source_bfs": lambda v: semla.multi_source_bfs(PATH, [0, v]),
    "st_connected": lambda v: semla.st_connected(PATH, 0, v),
    "pseudo_diameter": lambda v: semla.pseudo_diameter(PATH, source=v),
    "personalisation": lambda v: semla.pagerank(PATH, personalisation={v: 1.0}),
    "closure": lambda v: semla.closure(semla.Vector("FP64", 3), None, PATH, "min_plus", source=v),
    "dependencies": lambda v: semla.dependencies(semla.Vector("FP64", 3), PATH, [v]),
    "from_coo": lambda v: semla.Vector.from_coo([0, v], [1, 1], size=3),
    "from_coo_rows": lambda v: semla.Matrix.from_coo([0, v], [1, 1], nrows=3, ncols=3),
    "from_dict": lambda v: semla.Vector.from_dict({v: 1}, size=3),
    "from_csr": lambda v: semla.Matrix.from_csr([0, 1], [v], ncols=3),
}


@pytest.mark.parametrize("use", IDS.values(), ids=IDS)
def test_ids(use):
    for value in (1, np.int8(1), np.uint64(1)):
        use(value)
    for value in (1.0, 1.5, np.float64(1), np.float32(1.5), "1"):
        with pytest.raises(TypeError, match="must be an integer, not"):
            use(value)
    for value in (-1, np.int64(-1), 2**64, -(2**70), 2**70, 3, 2**63):
        with pytest.raises(IndexError) as caught:
            use(value)
        assert str(int(value)) in str(caught.value), caught.value


def test_ids_of_other_types():
    parents, _ = semla.bfs(PATH, FULL[0])
    assert semla.bfs(PATH, semla.Scalar(1))[0].isequal(parents)
    assert semla.bfs(PATH, 1, targets=semla.Vector.from_dense([0, 2]))[0].nvals == 3
    for wrong in (True, np.True_, None, [1], PATH, FULL.apply("abs")):
        with pytest.raises(TypeError, match="bfs: source must be an integer, not"):
            semla.bfs(PATH, wrong)
    for wrong in ([True], np.array([True]), [[0, 1]], [None], {0, 1}):
        with pytest.raises(TypeError, match="bfs: target"):
            semla.bfs(PATH, 0, targets=wrong)


def test_keys():
    for key in (1.5, np.float64(1), "a", True, None):
        with pytest.raises(TypeError, match="integer"):
            SPARSE[key]
        with pytest.raises(TypeError, match="integer"):
            PATH[0, key]
    with pytest.raises(TypeError, match="1.5"):
        SPARSE[[1.5, 2]]
    for key in (4, -5, 2**70):
        with pytest.raises(IndexError, match=str(key)):
            SPARSE[key]
    assert SPARSE[-2] == 5  # from the end, as in lists


# Each takes a number of something that is not an index.
COUNTS = {
    "size": lambda n: semla.Vector("FP64", n),
    "nrows": lambda n: semla.Matrix("FP64", n, 3),
    "ncols": lambda n: semla.Matrix("FP64", 3, n),
    "coo_size": lambda n: semla.Vector.from_coo([0], [1], size=n),
    "csr_ncols": lambda n: semla.Matrix.from_csr([0, 1], [0], ncols=n),
    "resize": lambda n: semla.Vector("FP64", 3).resize(n),
    "arrays": lambda n: semla.Arrays("full", "FP64", n),
    "max_depth": lambda n: semla.bfs(PATH, 0, max_depth=n),
    "max_iterations": lambda n: semla.pagerank(PATH, max_iterations=n),
    "closure": lambda n: semla.closure(
        semla.Vector("FP64", 3), None, PATH, "min_plus", source=0, max_iterations=n
    ),
    "vertices": lambda n: semla.generate("path", vertices=n),
    "seed": lambda n: semla.generate("uniform", vertices=4, edges=4, seed=n),
    "memory_limit": lambda n: semla.Context().set_memory_limit(n),
    "threads": lambda n: semla.Context(threads=n),
}


@pytest.mark.parametrize("use", COUNTS.values(), ids=COUNTS)
def test_counts(use):
    use(4)
    use(np.int32(4))
    for value in (1.5, 4.0, np.float32(4), "4", [4]):
        with pytest.raises(TypeError, match="must be an integer, not"):
            use(value)
    for value in (-1, -(2**70), 2**70):
        with pytest.raises(ValueError, match=str(value)):
            use(value)


def test_sides_and_ids_of_files(tmp_path):
    with pytest.raises(ValueError, match="4 sides"):
        semla.generate("grid", sides=(2, 2, 2, 2))
    with pytest.raises(TypeError, match="2.5"):
        semla.generate("grid", sides=(2.5, 2))
    with pytest.raises(IndexError, match="-2"):
        semla.generate("grid", sides=(-2, 2))
    path = tmp_path / "v.txt"
    with pytest.raises(TypeError, match="0.5"):
        FULL.write(path, ids=[0.5, 1, 2])
    with pytest.raises(IndexError, match="-7"):
        FULL.write(path, ids=[0, -7, 2])
    for base in (2, 0.5, -1):
        with pytest.raises(ValueError, match=f"base must be 0 or 1, not {base}"):
            PATH.write(tmp_path / "A.edges", base=base)
    assert list(tmp_path.iterdir()) == []


def test_values_that_no_type_holds():
    A = PATH.dup()
    for value in (2**64, 2**70, -(2**63) - 1):
        for use in (
            lambda value: A.__setitem__((0, 0), value),
            lambda value: SPARSE.apply("plus", value),
            lambda value: SPARSE.ewise_union(SPARSE, "plus", value, 0),
            semla.Scalar,
        ):
            with pytest.raises(ValueError, match=str(value)):
                use(value)
    assert A.isequal(PATH)
    A[0, 0] = 2**64 - 1
    assert A[0, 0] == float(2**64)


# {an integer type: numbers that it does not have}
WRONG = {
    "INT8": (300, -129, 128.0, np.nan, np.float32(np.inf), np.int64(300), np.uint8(128)),
    "UINT8": (-1, 256, -1.0, np.int8(-1), np.float64(1e300)),
    "INT64": (2**63, np.uint64(2**63), 2.0**63, -np.inf, np.nan),
    "UINT64": (-1, np.int8(-1), 2.0**64, np.nan),
}

# {a constructor: a function of a list or array of one value and a type}
CONSTRUCTORS = {
    "coo": lambda x, t: semla.Vector.from_coo([0], x, t),
    "one": lambda x, t: semla.Vector.from_coo([0], x[0], t),
    "pairs": lambda x, t: semla.Vector.from_pairs([(0, x[0])], t),
    "dict": lambda x, t: semla.Vector.from_dict({0: x[0]}, t),
    "dense": lambda x, t: semla.Vector.from_dense(x, dtype=t),
    "present": lambda x, t: semla.Vector.from_dense(x, 7, t),
    "scalar": lambda x, t: semla.Vector.from_scalar(x[0], 1, t),
    "matrix_coo": lambda x, t: semla.Matrix.from_coo([0], [0], x, t),
    "matrix_dense": lambda x, t: semla.Matrix.from_dense([x], dtype=t),
    "matrix_present": lambda x, t: semla.Matrix.from_dense([x], 7, t),
    "matrix_scalar": lambda x, t: semla.Matrix.from_scalar(x[0], 1, 1, t),
    "csr": lambda x, t: semla.Matrix.from_csr([0, 1], [0], x, t),
    "csc": lambda x, t: semla.Matrix.from_csc([0, 1], [0], x, t),
    "dicts": lambda x, t: semla.Matrix.from_dicts({0: {0: x[0]}}, t),
    "edges": lambda x, t: semla.Matrix.from_edgelist([(0, 0, x[0])], None, t),
    "edge_values": lambda x, t: semla.Matrix.from_edgelist([(0, 0)], x, t),
    "arrays": lambda x, t: semla.Vector.take(semla.Arrays.copy_of("full", t, 1, values=x)),
}


def each_wrong():
    return [(dtype, value) for dtype, values in WRONG.items() for value in values]


def named(dtype, value):
    return pytest.raises(semla.Invalid, match=f"the value {re.escape(str(value))} is no {dtype}")


@pytest.mark.parametrize("make", CONSTRUCTORS.values(), ids=CONSTRUCTORS)
def test_constructors_refuse_values_that_the_type_does_not_have(make):
    for dtype, value in each_wrong():
        for values in ([value], np.array([value]), np.array([value], object)):
            with named(dtype, value):
                make(values, dtype)
    for dtype, value in (("UINT64", 2**63 + 1), ("INT64", -(2**63)), ("INT8", 1.75), ("BOOL", np.nan)):
        made = make([value], dtype)
        assert made.dtype == semla.TYPES[dtype]
        found = made[0] if made._kind == "vector" else made[0, 0]
        assert found == (True if dtype == "BOOL" else int(value))


def test_lists_of_large_integers_are_exact():
    big = 2**63 + 1
    for values, dtype, right in (
        ([1, big], None, "UINT64"),
        ([np.uint64(big), 1], None, "UINT64"),
        (np.array([1, big], object), None, "UINT64"),
        ([1, big], "UINT64", "UINT64"),
        ([0.5, big], "UINT64", "UINT64"),
        ([Fraction(3, 2), 2**53 + 1], "INT64", "INT64"),
    ):
        for made in (
            semla.Vector.from_coo([0, 1], values, dtype),
            semla.Vector.from_dense(values, dtype=dtype),
            semla.Vector.from_dense(values, 7, dtype=dtype),
        ):
            assert made.dtype == semla.TYPES[right]
            assert made.to_dense().tolist() == [int(value) for value in values]
        A = semla.Matrix.from_csr([0, 1, 2], [0, 1], values, dtype)
        assert A.to_csr()[2].tolist() == [int(value) for value in values]
    assert semla.Vector.from_dense([0.5, big]).dtype == semla.FP64
    assert semla.Vector.from_dense([10**30], dtype="FP64").get(0) == 1e30
    for values, word in (([-1, 2**63], "-1 and 9223372036854775808"), ([2**64], str(2**64))):
        with pytest.raises(semla.Invalid, match=word):
            semla.Vector.from_dense(values)
    with pytest.raises(semla.Invalid, match="above the greatest FP64"):
        semla.Vector.from_dense([10**400], dtype="FP64")
    for wrong in (["1"], [1j], [None], np.array(["2020-01-01"], "M8[D]")):
        with pytest.raises(TypeError, match="the values must be numbers"):
            semla.Vector.from_dense(wrong, dtype="INT64")


def test_missing_values_are_not_converted():
    v = semla.Vector.from_dense([1, np.nan, 3], missing_value=np.nan, dtype="INT8")
    assert v.to_dict() == {0: 1, 2: 3}


def test_assigned_values_that_the_type_does_not_have():
    for dtype, value in each_wrong():
        v, A = semla.Vector(dtype, 3), semla.Matrix(dtype, 3, 3)
        indices = semla.Vector.from_dense([0, 1])
        for use in (
            lambda: v.__setitem__(0, value),
            lambda: v.__setitem__(slice(None), value),
            lambda: v.__setitem__(indices, value),
            lambda: v << value,
            lambda: v.update(value),
            lambda: v(accum="plus") << value,
            lambda: v(accum="plus").__setitem__(0, value),
            lambda: A.__setitem__((0, 1), value),
            lambda: A.__setitem__((slice(None), 1), value),
            lambda: A(accum="min").__setitem__((0, [1, 2]), value),
            lambda: A.setdiag(value),
            lambda: A.setdiag([value] * 3),
        ):
            with named(dtype, value):
                use()
        assert v.nvals == A.nvals == 0
    v[0] = 1.5
    v(accum="plus")[0] << 2.5
    assert v[0] == 3


def test_scalars_that_the_type_does_not_have():
    for dtype, value in each_wrong():
        s, v = semla.Scalar(7, dtype), semla.Vector.from_dense([1], dtype=dtype)
        add, above = semla.binary.plus[dtype], semla.select.valuegt[dtype]
        for use in (
            lambda: semla.Scalar(value, dtype),
            lambda: semla.Scalar.from_value(value, dtype),
            lambda: s << value,
            lambda: s << semla.Vector.from_dense([value]).reduce("max"),
            lambda: semla.Vector.from_dense([value])[0].new(dtype),
            lambda: v.apply(add, value),
            lambda: v.apply(add, left=value),
            lambda: v.select(above, value),
            lambda: v.ewise_union(v, add, value, 0),
            lambda: v.ewise_union(v, add, 0, value),
            lambda: semla.monoid.new(add, value),
            lambda: semla.monoid.new(add, 0, terminal=value),
        ):
            with named(dtype, value):
                use()
        assert s.value == 7
    # A sum is tested in the common type of the scalar and the reduction.
    s, v = semla.Scalar(100, "INT8"), semla.Vector.from_dense([100, 100])
    with named("INT8", 300):
        s("plus") << v.reduce()
    s("minus") << v.reduce()
    assert s.value == -100
    with named("INT64", 2**64 - 1):
        v.apply("plus", 2**64 - 1)


def test_lists_of_indices_name_the_wrong_one():
    for key, wrong in (([0, 1.5], "1.5"), ([0, True], "True"), (np.array([0.5]), "0.5")):
        with pytest.raises(TypeError, match=f"this one has .*{wrong}"):
            FULL[key]
    with pytest.raises(TypeError, match="sources must be an integer, not True"):
        semla.multi_source_bfs(PATH, [0, True])
    with pytest.raises(TypeError, match="row must be an integer, not False"):
        semla.Matrix.from_coo([1, False], [0, 0], [1, 1])


def test_entries_are_formatted_like_their_values():
    v = semla.Vector.from_dict({0: 2.375}, size=2)
    assert f"{v[0]:.2f}" == "2.38" and round(v[0], 1) == 2.4 and round(v[0]) == 2
    with pytest.raises(TypeError, match="no entry at 1"):
        f"{v[1]:.2f}"


def test_personalisation():
    ranks = semla.pagerank(PATH, personalisation=semla.Vector.from_coo([0], [1.0], size=3))
    with pytest.raises(ValueError, match="least is 0"):
        semla.pagerank(PATH, personalisation={0: 0.0})
    with pytest.raises(ValueError, match="the personalisation has no entries"):
        semla.pagerank(PATH, personalisation={})
    assert semla.pagerank(PATH, personalisation={0: 1}).isequal(ranks)
    assert semla.pagerank(PATH, personalisation={0: 5.0}).isequal(ranks)
    for wrong in ([1.0, 0, 0], np.ones(3), PATH, "0"):
        with pytest.raises(TypeError, match="pagerank: personalisation must be a Vector or a dict"):
            semla.pagerank(PATH, personalisation=wrong)
    for wrong in ("0.85", None.__class__, [0.85]):
        with pytest.raises(TypeError, match="pagerank: damping must be a number"):
            semla.pagerank(PATH, damping=wrong)


# ---- keywords --------------------------------------------------------------------------


def test_unknown_keywords_name_the_function_and_the_nearest_one():
    G = semla.Graph(PATH)
    for use, words in (
        (lambda: semla.pagerank(PATH, dampening=0.5), "pagerank: .*'dampening'; did you mean 'damping'"),
        (lambda: G.pagerank(max_it=5), "Graph.pagerank: .*'max_it'; did you mean 'max_iterations'"),
        (lambda: semla.bfs(PATH, 0, max_dept=1), "bfs: .* did you mean 'max_depth'"),
        (lambda: G.bfs(0, max_dept=1), "bfs: .* did you mean 'max_depth'"),
        (lambda: semla.read("x", symetric=True), "read: .* did you mean 'symmetric'"),
        (lambda: semla.Graph.read("x", weight_colum=1), "read: .* did you mean 'weight_column'"),
        (lambda: semla.generate("path", n=3), "generate: .*'n'; it takes model, seed, .*vertices"),
        (lambda: semla.Matrix.from_coo([0], [0], vals=1), "Matrix.from_coo: .* mean 'values'"),
        (lambda: semla.Context(thread=1), "Context: .* did you mean 'threads'"),
        (lambda: semla.closure(1, 2, PATH, "min_plus", max_iter=2), "closure: .*'max_iterations'"),
        (lambda: PATH.write("x", fmt="csv"), "write: .* did you mean 'format'"),
        (lambda: semla.st_connected(PATH, 0), "st_connected: missing .*'target'"),
        (lambda: G.st_connected(), "Graph.st_connected: missing .*'source'"),
        (lambda: semla.bfs(PATH), "bfs: missing .*'source'"),
        (lambda: semla.pagerank(PATH, A=PATH), "pagerank: multiple values for argument 'A'"),
    ):
        with pytest.raises(TypeError, match=words):
            use()
    for name in (*semla.algorithms.REGISTERED, "read", "read_vector", "advance", "plan"):
        with pytest.raises(TypeError, match=f"^{name}: got an unexpected keyword argument 'qqqq'"):
            getattr(semla, name)(PATH, qqqq=1)


def test_errors_in_a_function_are_not_those_of_its_call():
    with pytest.raises(TypeError, match="bfs: source must be an integer, not 'a'"):
        semla.bfs(PATH, "a")
    with pytest.raises(TypeError, match="semla has no type"):
        semla.Matrix.from_coo([0], [0], dtype="complex128")


# ---- missing entries ------------------------------------------------------------------


def test_to_dense_needs_a_value_for_missing_entries():
    with pytest.raises(TypeError, match="2 of 4 elements have no entry"):
        SPARSE.to_dense()
    with pytest.raises(TypeError, match="5 of 9 elements have no entry"):
        PATH.to_dense()
    # An unreached vertex does not get the level of the source.
    _, levels = semla.bfs(PATH, 0, max_depth=1)
    with pytest.raises(TypeError):
        levels.to_dense()
    assert levels.to_dense(-1).tolist() == [0, 1, -1]
    assert SPARSE.to_dense(fill_value=semla.Scalar(7)).tolist() == [1, 7, 5, 7]
    assert FULL.to_dense().tolist() == [1, 2, 3]
    assert semla.Vector("FP64", 0).to_dense().tolist() == []
    assert semla.Matrix("FP64", 0, 5).to_dense().shape == (0, 5)
    assert semla.Matrix.from_dense([[1, 2], [3, 4]]).to_dense().tolist() == [[1, 2], [3, 4]]


def test_fill_value_must_fit():
    unsigned = semla.Vector.from_coo([0], [1], "UINT8", size=2)
    for value in (-1, 256, 0.5, np.nan, np.inf, 2**70, "x"):
        with pytest.raises(ValueError, match="fill value"):
            unsigned.to_dense(value)
    assert unsigned.to_dense(255).tolist() == [1, 255]
    assert unsigned.to_dense(-1, "INT16").tolist() == [1, -1]
    assert np.isnan(unsigned.to_dense(np.nan, "FP32")[1])
    assert semla.Vector.from_coo([0], [1.0], "FP32", size=2).to_dense(0.1)[1] == np.float32(0.1)


def test_numpy_arrays():
    assert np.asarray(FULL).tolist() == [1, 2, 3] and np.asarray(FULL).dtype == np.int64
    assert np.asarray(FULL, dtype=np.float32).dtype == np.float32
    full = semla.Matrix.from_dense([[1, 2], [3, 4]])
    assert np.array(full).tolist() == [[1, 2], [3, 4]]
    assert np.asarray(full.T).tolist() == [[1, 3], [2, 4]]
    assert np.asarray(FULL[1]).tolist() == 2 and np.asarray(semla.Scalar(4)).tolist() == 4
    for wrong in (SPARSE, PATH, PATH.T, SPARSE[1], semla.Scalar(dtype="FP64")):
        with pytest.raises(TypeError):
            np.asarray(wrong)
        with pytest.raises(TypeError):
            np.sum(wrong)


def test_entries_act_like_their_values():
    entry, missing = SPARSE[0], SPARSE[1]
    for one in (entry, SPARSE[0].new(), semla.Scalar(1), FULL.reduce("min")):
        assert one == 1 and 1 == one and not one != 1 and one != 2 and one == 1.0
        assert np.int64(1) == one and one == np.float32(1)
        assert one < 2 and one <= 1 and one > 0 and one >= 1 and 2 > one
        assert one and int(one) == 1 and float(one) == 1.0 and [7, 8][one] == 8
        assert one + 1 == 2 and 3 - one == 2 and 2 * one == 2 and one / 2 == 0.5
        assert one // 2 == 0 and one % 2 == 1 and 2**one == 2 and -one == -1 and abs(-one) == 1
        assert one == SPARSE[0] and one != SPARSE[2] and not one == None  # noqa: E711
    for none in (missing, missing.new(), semla.Scalar(dtype="FP64"), PATH[0, 0]):
        assert not none and none == None and not none == 0 and none != 1  # noqa: E711
        assert none.value is None and none == SPARSE[3]
        for use in (int, float, abs, lambda s: s < 1, lambda s: s + 1, lambda s: 1 - s):
            with pytest.raises(TypeError, match="no entry|empty"):
                use(none)
    with pytest.raises(TypeError, match="no entry at 1,"):
        float(missing)
    with pytest.raises(TypeError, match="no entry at 2, 0,"):
        float(PATH[2, 0])
    with pytest.raises(TypeError):
        [7, 8][PATH[0, 1]]  # a float


# ---- files ----------------------------------------------------------------------------


def test_errors_of_files_are_those_of_the_system(tmp_path):
    missing, folder = tmp_path / "none.mtx", tmp_path / "folder.mtx"
    below, absent = tmp_path / "f" / "x.mtx", tmp_path / "none" / "x.mtx"
    folder.mkdir()
    (tmp_path / "f").write_text("")
    cases = [
        (lambda: semla.read(missing), FileNotFoundError, errno.ENOENT, missing),
        (lambda: semla.read(str(missing)), FileNotFoundError, errno.ENOENT, missing),
        (lambda: semla.read_vector(missing), FileNotFoundError, errno.ENOENT, missing),
        (lambda: semla.read(folder), IsADirectoryError, errno.EISDIR, folder),
        (lambda: semla.read(below), NotADirectoryError, errno.ENOTDIR, below),
        (lambda: PATH.write(below), NotADirectoryError, errno.ENOTDIR, below),
        (lambda: PATH.write(absent), FileNotFoundError, errno.ENOENT, absent),
        (lambda: FULL.write(below), NotADirectoryError, errno.ENOTDIR, below),
    ]
    for use, kind, code, path in cases:
        with pytest.raises(kind) as caught:
            use()
        error = caught.value
        assert isinstance(error, semla.IO) and isinstance(error, semla.Error)
        assert error.errno == code and error.filename == str(path) and error.strerror
        assert str(error).startswith(f"{path}: cannot ")
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error)
        assert (again.errno, again.filename) == (code, str(path))


def test_formats_have_the_names_of_the_command(tmp_path):
    pairs = {"mtx": "matrix_market", "edges": "edge_list", "gr": "dimacs", "metis": "metis", "g500": "graph500",
             "g500p": "graph500_packed", "semla": "native", "csv": "csv"}  # fmt: skip
    A = semla.generate("path", vertices=4)
    for short, long in pairs.items():
        one, other = tmp_path / f"one.{short}", tmp_path / f"other.{short}"
        A.write(one, format=short)
        A.write(other, format=long)
        assert one.read_bytes() == other.read_bytes()
        assert semla.read(one, format=long).isequal(semla.read(other, format=short))
    FULL.write(tmp_path / "v", format="mtx")
    assert semla.read_vector(tmp_path / "v", format="matrix_market").isequal(FULL)
    with pytest.raises(ValueError, match="one of auto, mtx, edges, .*, not 'edgelist'"):
        semla.read(one, format="edgelist")


def test_errors_of_contents_name_the_file(tmp_path):
    damaged = tmp_path / "A.mtx.gz"
    damaged.write_text("not compressed")
    with pytest.raises(semla.IO, match="gzip") as caught:
        semla.read(damaged)
    assert caught.value.errno is None and caught.value.filename == str(damaged)
