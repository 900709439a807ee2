"""Tests of reading, writing and generating graphs and vectors."""

import os
import warnings

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import semla

KARATE = os.path.join(os.environ["SEMLA_TEST_DATA"], "karate.mtx")


def random_matrix(dtype=np.int64):
    dense = scipy.sparse.random(9, 9, 0.3, random_state=1).toarray()
    return semla.Matrix.from_dense((dense * 100).astype(dtype), missing_value=0)


def test_read():
    A = semla.read(KARATE)
    assert A.shape == (34, 34) and A.nvals == 156 and A.is_pattern and A.is_symmetric
    np.testing.assert_array_equal(A.to_dense(0), scipy.io.mmread(KARATE).toarray() != 0)


@pytest.mark.parametrize("name", ["a.mtx", "a.mtx.gz", "a.txt", "a.gr"])
def test_there_and_back(tmp_path, name):
    A, path = random_matrix(), tmp_path / name
    A.write(path)
    B = semla.read(path, vertices=9 if name == "a.txt" else 0)
    assert B.isequal(A)
    if name == "a.mtx":
        np.testing.assert_array_equal(scipy.io.mmread(path).toarray(), A.to_dense(0))


@pytest.mark.parametrize("dtype", ["bool", "int64", "uint64", "float64"])
def test_ones_keep_their_type(tmp_path, dtype):
    A = semla.Matrix.from_coo([0, 1], [1, 0], [1, 1], dtype, nrows=2, ncols=2)
    A.write(tmp_path / "a.mtx")
    assert str(semla.read(tmp_path / "a.mtx").dtype) == dtype


def test_unsigned_integers(tmp_path):
    A = semla.Matrix.from_coo([0], [1], [2**64 - 1], "UINT64", nrows=2, ncols=2)
    A.write(tmp_path / "a.mtx")
    assert semla.read(tmp_path / "a.mtx").isequal(A, check_dtype=True)


@pytest.mark.parametrize("value", ["1e400", "1e-400", "9007199254740993"])
def test_numbers_that_fp64_cannot_hold(tmp_path, value):
    path = tmp_path / "edges"
    path.write_text(f"0 1 1\n1 0 {value}\n")
    with pytest.raises(semla.Error, match=f"edges:2:5: .*{value}"):
        semla.read(path)


def test_options(tmp_path):
    path = tmp_path / "edges"
    path.write_text("10 20 1.5\n20 20 2\n20 10 3\n10 20 4\n")
    A, ids = semla.read(path, renumber=True, duplicates="sum", return_ids=True)
    assert ids.tolist() == [10, 20] and A.to_dense(0).tolist() == [[0, 5.5], [3, 2]]
    A = semla.read(path, renumber=True, no_loops=True, pattern=True, transpose=True)
    assert A.is_pattern and list(A) == [(0, 1), (1, 0)]
    A, ids = semla.read(path, return_ids=True, format="edge_list", duplicates="last")
    assert ids is None and A.nrows == 21 and A[10, 20].value == 4
    with pytest.raises(semla.Syntax, match="more than once"):
        semla.read(path, duplicates="error")
    with pytest.raises(ValueError, match="duplicates"):
        semla.read(path, duplicates="most")
    with pytest.raises(ValueError, match="format"):
        semla.read(path, format="png")


@pytest.mark.parametrize("name", ["v.txt", "v.mtx", "v.npy", "v.npy.gz"])
@pytest.mark.parametrize("dtype", ["INT64", "FP64"])
def test_vectors(tmp_path, name, dtype):
    v = semla.Vector.from_coo([0, 3], [5, 7], dtype, size=6)
    path = tmp_path / name
    v.write(path, fill=-1 if "npy" in name else None)
    assert semla.read_vector(path, fill=-1 if "npy" in name else None).isequal(v, check_dtype=True)
    if name == "v.npy":
        assert np.load(path).tolist() == [5, -1, -1, 7, -1, -1]


def test_ids_of_a_text(tmp_path):
    path = tmp_path / "v.txt"
    semla.Vector.from_coo([0, 2], [5, 7]).write(path, ids=[100, 200, 300])
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    assert lines == ["100 5", "300 7"]
    with pytest.raises(ValueError, match="ids"):
        semla.Vector("INT8", 3).write(path, ids=[1])


def test_nothing_partial_is_left(tmp_path):
    A = random_matrix()
    with pytest.raises(semla.IO):
        A.write(tmp_path / "no" / "folder.mtx")
    with pytest.raises(semla.Error):
        A.write(tmp_path / "a.npy.zip.rar" / "x")
    assert os.listdir(tmp_path) == []


def test_a_path_does_not_end_early(tmp_path):
    with pytest.raises(ValueError):
        semla.read(KARATE + "\0.gr")
    with pytest.raises(ValueError):
        random_matrix().write(str(tmp_path / "a\0b"))
    assert os.listdir(tmp_path) == []


def test_models():
    assert semla.generate("path", vertices=4).to_dense(0).sum() == 6
    assert semla.generate("path", vertices=4, symmetric=False).nvals == 3
    grid = semla.generate("grid", sides=(3, 4))
    assert grid.nrows == 12 and grid.is_symmetric and grid.is_pattern
    kronecker = semla.generate("kronecker", scale=6, edgefactor=4, seed=2, no_loops=True)
    assert kronecker.nrows == 64 and kronecker.diag().nvals == 0
    assert kronecker.isequal(
        semla.generate("kronecker", scale=6, edgefactor=4, seed=2, no_loops=True)
    )
    assert not kronecker.isequal(semla.generate("kronecker", scale=6, edgefactor=4, seed=3))
    with pytest.raises(semla.Invalid):
        semla.generate("kronecker", scale=99)
    with pytest.raises(ValueError, match="model"):
        semla.generate("small_world")


def test_existing_files(tmp_path):
    A = random_matrix()
    v = semla.Vector(float, 3)
    for made, name in (A, "A.mtx"), (v, "v.npy"):
        path = tmp_path / name
        path.write_text("old")
        path.chmod(0o600)
        with pytest.raises(semla.IO, match="the file exists"):
            made.write(path, overwrite=False)
        assert path.read_text() == "old"
        made.write(path)
        assert path.read_bytes() != b"old" and path.stat().st_mode & 0o777 == 0o600
        path.unlink()
        made.write(path, overwrite=False)
        assert sorted(os.listdir(tmp_path))[-1] == name


ROADS = 'From,to,Name,km\nGraz,Linz,A9,220.5\n"Wien",Linz,A1,185\n'


def test_csv(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text(ROADS)
    A, labels = semla.read(path, return_ids=True)
    assert labels.tolist() == ["Graz", "Linz", "Wien"]
    assert A.is_pattern and A.to_dicts() == {0: {1: True}, 2: {1: True}}
    weighted = semla.read(path, weight_column="km")
    assert weighted.to_dicts() == {0: {1: 220.5}, 2: {1: 185.0}}
    columns = {"source_column": 2, "target_column": "From", "weight_column": 4}
    assert semla.read(path, **columns).isequal(weighted.T.new())
    names = semla.read(path, source_column="Name", return_ids=True)[1]
    assert names.tolist() == ["A1", "A9", "Linz"]
    path.write_text("a,b\nb,c\n")
    assert semla.read(path, no_header=True).nvals == 2
    path.write_text("007,5\n5,30\n")
    assert semla.read(path, return_ids=True)[1].tolist() == ["5", "30", "007"]
    path.write_text("7,5\n5,30\n")
    assert semla.read(path, return_ids=True)[1].tolist() == [5, 7, 30]
    path.write_text("source,target\n")
    assert semla.read(path).shape == (0, 0)


def test_unread_columns(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text(ROADS)
    words = r"roads.csv: columns that are not read: 'Name', 'km' \(weight_column chooses"
    message = "sssp: no column of .*roads.csv is known as the weight: weight_column='km' reads that"
    for reader, search in (semla.read, semla.sssp), (semla.Graph.read, semla.Graph.sssp):
        for symmetric in False, True:
            with pytest.warns(UserWarning, match=words) as caught:
                roads = reader(path, symmetric=symmetric)
            assert caught[0].filename == __file__
            source = "Graz" if reader == semla.Graph.read else 0
            with pytest.raises(semla.Invalid, match=message):
                search(roads, source)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert len(search(reader(path, pattern=True), source)) == 2
            assert len(search(reader(path, weight_column="km"), source)) == 2
    with pytest.warns(UserWarning):
        roads = semla.Graph.read(path, symmetric=True)
    assert len(dict(roads.components())) == 3  # reads no weights
    with pytest.raises(semla.Invalid, match="spanning_forest: no column of "):
        roads.spanning_forest()
    path.write_text("6,2,4,2010-11-08\n")
    with pytest.warns(UserWarning, match="not read: 3, 4"), pytest.raises(semla.Invalid, match="=3 r"):
        semla.sssp(semla.read(path), 0)
    path.write_text("from,to,km,min\na,b,1,2\n")
    with pytest.warns(UserWarning, match="'km', 'min'"):
        assert dict(semla.Graph.read(path).sssp("a")[0]) == {"a": 0, "b": 1}


def test_ids_of_64_bits(tmp_path):
    path = tmp_path / "edges.txt"
    cases = {
        "18446744073709551615 3\n3 5\n": [3, 5, 2**64 - 1],
        "-5 3\n3 -9223372036854775808\n": [-(2**63), -5, 3],
        "1152921504606846976 0\n": [0, 2**60],
        "-1 -2\n": [-2, -1],
    }
    for text, expected in cases.items():
        path.write_text(text)
        ids = semla.read(path, renumber=True, return_ids=True)[1]
        assert ids.tolist() == expected and ids.dtype.kind in "iu"
        graph = semla.Graph.read(path, renumber=True)
        assert graph.labels.tolist() == expected
        assert graph.bfs(expected[0])[1][expected[0]] == 0
        with pytest.raises(semla.OutOfRange, match="--renumber"):
            semla.read(path)
    path = tmp_path / "edges.csv"
    path.write_text("from,to\n-10,9\n-9,18446744073709551615\n")
    assert semla.read(path, return_ids=True)[1].tolist() == [-10, -9, 9, 2**64 - 1]


def test_files_of_scipy(tmp_path):
    """Unsigned integers are read and written as scipy writes and reads them."""
    path = tmp_path / "a.mtx"
    for dtype in np.uint8, np.uint32, np.uint64:
        values = np.array([7, np.iinfo(dtype).max], dtype)
        scipy.io.mmwrite(path, scipy.sparse.coo_array((values, ([0, 1], [1, 2])), shape=(3, 3)))
        assert semla.read(path).to_coo()[2].tolist() == values.tolist()
        A = semla.Matrix.from_coo([0, 1], [1, 2], values, nrows=3, ncols=3)
        A.write(path)
        assert scipy.io.mmread(path).toarray()[1, 2] == values[1]
        assert semla.read(path).to_coo()[2].tolist() == values.tolist()
    path.write_text("%%MatrixMarket vector coordinate real general\n3 2\n1 1.5\n3 2\n")
    v = semla.read_vector(path)
    assert v.size == 3 and v.to_dict() == {0: 1.5, 2: 2.0}
    v.write(path)  # scipy does not read the object vector
    assert scipy.io.mmread(path).toarray().T.tolist() == [[1.5, 0, 2]]
    path.write_text("%%MatrixMarket vector array integer general\n2\n4\n5\n")
    assert semla.read(path).to_dense().tolist() == [[4], [5]]


def test_ids_for_which_there_is_no_room(tmp_path):
    path = tmp_path / "enormous.txt"
    path.write_text("1 100000000000000\n1 5\n")
    message = "100000000000001 vertices: .* bytes are present; .*renumber=True"
    with pytest.raises(semla.NoMemory, match=message):
        semla.read(path)
    assert semla.read(path, renumber=True).shape == (3, 3)


def test_options_that_do_not_apply(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text(ROADS)
    for options in {"renumber": True}, {"vertices": 9}, {"base": 1}:
        with pytest.raises(semla.Invalid, match="cannot be combined with a CSV file"):
            semla.read(path, **options)
    for options in {"source_column": 1}, {"weight_column": "km"}, {"no_header": True}:
        with pytest.raises(semla.Invalid, match="applies to CSV files only"):
            semla.read(KARATE, **options)
    with pytest.raises(semla.Syntax, match="there is no column 'miles'"):
        semla.read(path, weight_column="miles")


def test_verify(tmp_path):
    path = tmp_path / "A.semla"
    A = random_matrix()
    A.write(path)
    assert semla.read(path, verify=True).isequal(A)
    damaged = bytearray(path.read_bytes())
    damaged[-5] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(semla.Error):
        semla.read(path, verify=True)


def test_graphs_of_files(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text(ROADS)
    roads = semla.Graph.read(path, symmetric=True, weight_column="km")
    assert dict(roads.sssp("Wien")[0]) == {"Wien": 0.0, "Linz": 185.0, "Graz": 405.5}
    assert not roads.directed and len(roads.edges()[0]) == 2
    assert semla.Graph.read(path).directed
    edges = tmp_path / "web.txt"
    edges.write_text("1000 7\n7 50\n")
    web = semla.Graph.read(edges, renumber=True)
    assert dict(web.bfs(1000)[1]) == {1000: 0, 7: 1, 50: 2}
    assert semla.Graph.read(KARATE).labels.tolist() == list(range(34))
    with pytest.raises(TypeError, match="the ids are the labels"):
        semla.Graph.read(path, return_ids=True)
