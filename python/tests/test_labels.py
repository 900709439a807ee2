"""Labels of vertices keep their values: types, numbers, missing and equal labels."""

import collections
import datetime

import numpy as np
import pytest

import semla
from semla.labels import column_array, label_array, number

BIG = [12000000000000000001, 12000000000000000002, 3000000000000000001, 700000000000000003]
U64, I64 = np.uint64, np.int64
FLOATS = {"s": np.array([2**53 + 1, 2**53]), "t": np.array([1.5, 3.0])}


@pytest.mark.parametrize(
    "edges, source, expected, kind",
    [
        ([(BIG[0], BIG[2]), (BIG[2], BIG[3]), (BIG[1], BIG[3])], None, BIG, "u"),
        ([(2**63, 1), (2**63 - 1, 2)], None, [1, 2, 2**63 - 1, 2**63], "u"),
        ([(-1, 2**63), (2**63 + 1, 2**63)], None, [-1, 2**63, 2**63 + 1], "O"),
        ([(2**64, 2**64 + 1)], None, [2**64, 2**64 + 1], "O"),
        ({"s": [2**63 + 1, 1], "t": [2**63 + 2, 2]}, "s", [1, 2, 2**63 + 1, 2**63 + 2], "u"),
        ({"s": np.array([2**63 + 1], U64), "t": np.array([2**62 + 1])}, "s", [2**62 + 1, 2**63 + 1], "u"),
        ({"s": np.array([2**63 + 1], U64), "t": np.array([-1])}, "s", [-1, 2**63 + 1], "O"),
        ({"s": np.array([2**53 + 1], U64), "t": np.array([-(2**53) - 1])}, "s", [-(2**53) - 1, 2**53 + 1], "i"),
        (FLOATS, "s", [1.5, 3.0, 2**53, 2**53 + 1], "O"),
        ({"s": np.array([7], np.int8), "t": np.array([2.5], np.float32)}, "s", [2.5, 7], "f"),
        ([(2**53 + 1, 2.0**53)], None, [2**53, 2**53 + 1], "O"),
        ([(U64(2**63 + 5), I64(5))], None, [5, 2**63 + 5], "u"),
        (np.array([[2**63 + 1, 2**63 + 2]], U64), None, [2**63 + 1, 2**63 + 2], "u"),
    ],
)
def test_numbers_are_exact_and_sorted(edges, source, expected, kind):
    graph = semla.Graph.from_edges(edges, source, source and "t")
    assert graph.labels.tolist() == sorted(expected) and graph.labels.dtype.kind == kind
    assert set(graph.components()) == set(expected)


def test_graphs_of_networkx_keep_their_nodes():
    networkx = pytest.importorskip("networkx")
    a, b, c, d = BIG
    given = networkx.Graph([(a, c), (c, d), (b, d)])
    given.add_nodes_from([2.5, "x", -1])
    graph = semla.Graph.from_networkx(given)
    assert graph.labels.tolist() == list(given)
    assert networkx.utils.graphs_equal(graph.to_networkx(), given)


def test_texts():
    nul = semla.Graph.from_edges([("a", "a\0"), ("a\0", "b")])
    assert nul.labels.tolist() == ["a", "a\0", "b"] and nul.matrix.nvals == 4
    long = semla.Graph.from_edges([("u" * 1000, "v"), ("v", "\u65e5\u672c"), ("", "\xe9")])
    assert long.labels.tolist() == ["", "u" * 1000, "v", "\xe9", "\u65e5\u672c"]
    assert semla.Graph(semla.Matrix("BOOL", 3, 3), [1, "1", 1.5]).labels.tolist() == [1, "1", 1.5]
    pairs = semla.Graph(semla.Matrix("BOOL", 2, 2), [(1, 2), (3, 4)])
    assert pairs.vertex((3, 4)) == 1


def test_dates():
    days = np.array(["2020-01-01", "2020-01-02"], "M8[ns]")
    graph = semla.Graph.from_edges({"s": days, "t": days[::-1]}, "s", "t")
    assert dict(graph.bfs(datetime.datetime(2020, 1, 2))[1]) == {
        datetime.datetime(2020, 1, 1): 1,
        datetime.datetime(2020, 1, 2): 0,
    }
    fine = days + np.array([1, 2], "m8[ns]")
    assert semla.Graph.from_edges({"s": fine, "t": fine}, "s", "t").labels.tolist() == list(fine)


def missing_labels():
    nan, nat = float("nan"), np.datetime64("NaT")
    masked = np.ma.masked_array([1, 2, 3], [False, False, True])
    for column in [1, 2, nan], [1, 2, None], ["a", "b", None], ["a", 2.5, nan], ["a", "a", None], masked:
        yield column
    yield np.array(["a", "a", None, "b", None], object)[:3]
    yield np.array([nan, "b", 7, "b", 7], object)[4::-2]
    for column in [1, 2, nan], ["2020-01-01", "2020-01-02", nat]:
        yield np.array(column, "M8[D]" if column[2] is nat else None)
    try:
        import pandas
    except ImportError:
        return
    yield pandas.Series([1.0, 2.0, nan])
    yield pandas.Series(["a", "b", None])
    yield pandas.Series(["a", "b", pandas.NA], dtype="string")
    yield pandas.Series([1, 2, pandas.NA], dtype="Int64")
    yield pandas.Series(pandas.to_datetime(["2020-01-01", "2020-01-02", None]))
    yield pandas.Series(["a", "b", None], dtype="category")


@pytest.mark.parametrize("column", list(missing_labels()))
def test_missing_labels_are_an_error_with_the_row(column):
    others = [5, 6, 7]
    listed = column if isinstance(column, list) else np.ma.asarray(column).tolist()
    with pytest.raises(ValueError, match="^from_edges: row 2 of column 's', counted from 0, has no"):
        semla.Graph.from_edges({"s": column, "t": others}, "s", "t")
    with pytest.raises(ValueError, match="row 2 of column 't'"):
        semla.Graph.from_edges({"s": others, "t": column}, "s", "t")
    with pytest.raises(ValueError, match="row 2 of the targets"):
        semla.Graph.from_edges(list(zip(others, listed)))
    with pytest.raises(ValueError, match="row 2 of labels"):
        semla.Graph.from_edges([(1, 2)], labels=column)
    with pytest.raises(ValueError, match="^Graph: row 2 of labels"):
        semla.Graph(semla.Matrix("BOOL", 3, 3), column)


@pytest.mark.parametrize("labels", [["x", "x", "y"], [1, 2, 1], [1, 1.0, 2], [0.5, 0.5, 1.0], [(1,), (1,), 2]])
def test_equal_labels_are_an_error(labels):
    with pytest.raises(ValueError, match=r"^Graph: the vertices 0 and [12] have the same label"):
        semla.Graph(semla.Matrix("BOOL", 3, 3), labels)
    with pytest.raises(ValueError, match=r"^from_edges: the vertices 0 and [12] have the same label"):
        semla.Graph.from_edges([(7, 8)], labels=labels)


def test_labels_of_csv_files(tmp_path):
    path = tmp_path / "edges.csv"
    for ids in [9300000000000000001, 3], [*BIG[:2], 3], [-5, 7], [-5, 2**64], [10**30, 10**30 + 1]:
        path.write_text("source,target\n" + "".join(f"{one},{ids[0]}\n" for one in ids))
        graph = semla.Graph.read(path)
        assert sorted(graph.labels.tolist()) == sorted(ids)
        assert set(graph.components()) == set(ids)
    path.write_text("source,target\n-05,1\n2,3\n")
    assert set(semla.Graph.read(path).labels.tolist()) == {"-05", "1", "2", "3"}


POOLS = {
    "integers": [-(2**63), 2**63 - 1, 0, *range(40)],
    "unsigned": [2**63, 2**64 - 1, 2**53, 2**53 + 1, *range(5)],
    "floats": [0.5, -1e300, float("inf"), *(k / 3 for k in range(30))],
    "numbers": [2**63, -1, 0.5, 2**53 + 1, 2.0**53, 3, 4.0],
    "short texts": [f"v{k}" for k in range(40)] + ["", "\xe9", "\u65e5\u672c"],
    "texts": ["x" * k for k in range(70)],
    "objects": [1, "1", (1, 2), b"x", frozenset(), 2.5],
}


@pytest.mark.parametrize("name", POOLS)
def test_numbers_of_labels_equal_those_of_a_dict(name):
    pool, rng = POOLS[name], np.random.default_rng(1)
    for length in 0, 1, 7, 500:
        columns = [[pool[k] for k in rng.integers(0, len(pool), length)] for _ in range(2)]
        for first in None, pool[::3]:
            given = None if first is None else label_array(first)
            labels, numbers = number("test", list(map(column_array, columns)), ["s", "t"], given)
            objects = [np.array([*column, None], object)[:-1] for column in columns]
            again, others = number("test", list(map(column_array, objects)), ["s", "t"], given)
            assert again.tolist() == labels.tolist() and again.dtype == labels.dtype
            assert [one.tolist() for one in others] == [one.tolist() for one in numbers]
            labels = labels.tolist()
            assert [[labels[k] for k in column] for column in numbers] == columns
            assert collections.Counter(labels) == collections.Counter(
                {label: 1 for label in [*(first or []), *columns[0], *columns[1]]}
            )
            if first is not None:
                assert labels[: len(first)] == first
            elif name != "objects":
                assert labels == sorted(labels)


def test_many_labels_in_one_slot():
    """Labels of several words whose hashes agree in one round are told apart in a later one."""
    from semla import labels

    rows = np.arange(3000, dtype=np.uint64)
    words = [rows % np.uint64(50), rows % np.uint64(60)]  # 300 distinct rows
    found = labels._first_equal(words)
    first = {}
    expected = [first.setdefault(row, k) for k, row in enumerate(zip(*(w.tolist() for w in words)))]
    assert found.tolist() == expected
