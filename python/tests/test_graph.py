"""Graphs with labels, made of lists and tables; their algorithms take and return labels."""

import numpy as np
import pytest

import semla

TOWNS = [("Graz", "Linz", 220.0), ("Linz", "Wien", 185.0), ("Graz", "Wien", 195.0)]


def test_lists_and_arrays():
    roads = semla.Graph.from_edges(TOWNS)
    assert roads.labels.tolist() == ["Graz", "Linz", "Wien"] and not roads.directed
    assert roads.matrix.nvals == 6 and roads.matrix.is_symmetric
    distances, parents = roads.sssp("Linz")
    assert distances == {"Graz": 220.0, "Linz": 0.0, "Wien": 185.0}
    assert parents == {"Graz": "Linz", "Linz": "Linz", "Wien": "Linz"}
    numbers = semla.Graph.from_edges(np.array([[30, 10], [10, 20]]), directed=True)
    assert numbers.labels.tolist() == [10, 20, 30] and numbers.matrix.dtype == semla.BOOL
    assert dict(numbers.bfs(30)[1]) == {30: 0, 10: 1, 20: 2}
    assert [column.tolist() for column in numbers.edges()[:2]] == [[10, 30], [20, 10]]
    mixed = semla.Graph.from_edges([(1, "a"), ("a", (2, 3))])
    assert mixed.labels.tolist() == [1, "a", (2, 3)] and set(mixed.components().values()) == {1}
    assert len(semla.Graph.from_edges([]).labels) == 0


def test_parallel_edges_loops_and_more_labels():
    edges = [("b", "a", 1), ("b", "a", 2), ("a", "a", 5)]
    summed = semla.Graph.from_edges(edges, labels=["z", "a"])
    assert summed.labels.tolist() == ["z", "a", "b"]
    assert summed.matrix.to_dense(0).tolist() == [[0, 0, 0], [0, 5, 3], [0, 3, 0]]
    least = semla.Graph.from_edges(edges, dup="min", directed=True)
    assert least.matrix.to_dense(0).tolist() == [[5, 0], [1, 0]]
    once = semla.Graph.from_edges([edge[:2] for edge in edges + edges])
    assert once.matrix.nvals == 3


def graphs_of(edges, tmp_path, **options):
    """The undirected graph of weighted edges, of a list, of a table and of a file."""
    yield semla.Graph.from_edges(edges, **options)
    table = dict(zip("stw", map(list, zip(*edges))))
    yield semla.Graph.from_edges(table, "s", "t", "w", **options)
    path = tmp_path / "edges.csv"
    path.write_text("source,target,weight\n" + "".join("%s,%s,%s\n" % edge for edge in edges))
    options = {"duplicates": options["dup"]} if options else {}
    yield semla.Graph.read(path, symmetric=True, **options)


def test_both_directions_of_an_undirected_edge_are_one_edge(tmp_path):
    both = [("a", "b", 5), ("b", "a", 5), ("c", "b", 2), ("c", "c", 9), ("b", "c", 2)]
    for graph in graphs_of(both, tmp_path):
        assert dict(graph.sssp("a")[0]) == {"a": 0, "b": 5, "c": 7} and graph.matrix.is_symmetric
        assert [column.tolist() for column in graph.edges()] == [list("abc"), list("bcc"), [5, 2, 9]]
    parallel = [("a", "b", 1), ("b", "a", 2), ("a", "b", 2), ("b", "a", 1), ("b", "c", 4), ("b", "c", 4)]
    for graph in graphs_of(parallel, tmp_path):
        assert graph.matrix.to_dense(0).tolist() == [[0, 3, 0], [3, 0, 8], [0, 8, 0]]
    without = semla.Graph.from_edges([edge[:2] for edge in both + parallel])
    assert without.matrix.nvals == 5 and without.matrix.is_pattern


def test_directions_with_different_weights_are_an_error_with_the_pair(tmp_path):
    edges = [("b", "c", 1), ("a", "b", 5), ("b", "a", 7)]
    message = "the edge 'a' -> 'b' has the weight 5.*, 'b' -> 'a' has 7"
    with pytest.raises(semla.Invalid, match=f"from_edges: {message}"):
        next(graphs_of(edges, tmp_path))
    *_, last = graphs_of(edges, tmp_path, dup="min")
    with pytest.raises(semla.Invalid, match=f"Graph.read: {message}"):
        semla.Graph.read(tmp_path / "edges.csv", symmetric=True)
    for rule, weight in ("min", 5), ("max", 7):
        for graph in graphs_of(edges, tmp_path, dup=rule):
            assert graph.matrix.to_dense(0).tolist() == [[0, weight, 0], [weight, 0, 1], [0, 1, 0]]
    for rule, weight in ("plus", 12), ("first", 5), ("second", 7), ("minus", -2):
        graph = semla.Graph.from_edges(edges, dup=rule)
        assert graph.matrix[0, 1].value == graph.matrix[1, 0].value == weight
    one_way = semla.Graph.from_edges(edges, directed=True)
    assert [one_way.matrix[0, 1].value, one_way.matrix[1, 0].value] == [5, 7]


def test_weights_of_both_directions_that_are_nan_or_sums_in_another_order():
    nan = float("nan")
    assert semla.Graph.from_edges([("a", "b", nan), ("b", "a", nan)]).matrix.nvals == 2
    with pytest.raises(semla.Invalid, match="has the weight nan"):
        semla.Graph.from_edges([("a", "b", nan), ("b", "a", 1.0)])
    terms = [0.1, 0.2, 0.3]
    assert sum(terms) != sum(terms[::-1])
    there = [("a", "b", weight) for weight in terms]
    graph = semla.Graph.from_edges(there + [("b", "a", weight) for weight in terms[::-1]])
    assert graph.matrix.is_symmetric and abs(graph.matrix[0, 1].value - 0.6) < 1e-15


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_sums_of_parallel_weights_do_not_wrap(dtype):
    greatest = int(np.iinfo(dtype).max)
    for weights, dup in ([greatest, greatest], None), ([greatest, 2], "plus"), ([greatest, 3], "times"):
        table = {"s": [0, 0], "t": [1, 1], "w": np.array(weights, dtype)}
        expected = sum(weights) if dup != "times" else weights[0] * weights[1]
        for directed in True, False:
            graph = semla.Graph.from_edges(table, "s", "t", "w", dup=dup, directed=directed)
            assert graph.matrix[0, 1].value == expected
    small = semla.Graph.from_edges({**table, "w": np.array([1, 2], dtype)}, "s", "t", "w")
    assert small.matrix.dtype == dtype and small.matrix[0, 1].value == 3


def test_sums_that_no_type_has_are_an_error():
    def weight(*weights, dtype="int64", dup=None):
        table = {"s": ["a"] * len(weights), "t": ["b"] * len(weights), "w": np.array(weights, dtype)}
        return semla.Graph.from_edges(table, "s", "t", "w", dup=dup).matrix[0, 1].value

    top = 2**63 - 1
    assert weight(2**62, 2**62 - 1) == top and weight(top, 1, -1) == top
    assert weight(-(2**62), -(2**62)) == -(2**63)
    assert weight(2**63, 2**63 - 1, dtype="uint64") == 2**64 - 1
    assert weight(2**31, 2**31, dup="times") == 2**62 and weight(top, top, dup="min") == top
    for weights, dtype, dup in (
        ([top, 1], "int64", None),
        ([-top, -2], "int64", "plus"),
        ([2**63, 2**63], "uint64", None),
        ([2**32, 2**31], "int64", "times"),
        ([255] * 9, "uint8", "times"),
    ):
        with pytest.raises(semla.Invalid, match="the edges 'a' -> 'b' make -?[0-9]"):
            weight(*weights, dtype=dtype, dup=dup)


def test_tables():
    table = {"from": ["x", "y"], "to": ["y", "w"], "km": [2.0, 3.0]}
    graph = semla.Graph.from_edges(table, "from", "to", "km")
    assert dict(graph.sssp("x")[0]) == {"x": 0.0, "y": 2.0, "w": 5.0}
    with pytest.raises(ValueError, match="no column 'miles'"):
        semla.Graph.from_edges(table, "from", "to", "miles")
    with pytest.raises(TypeError, match="both source and target"):
        semla.Graph.from_edges(table, "from")
    with pytest.raises(TypeError, match="the names of its columns"):
        semla.Graph.from_edges(table)
    with pytest.raises(ValueError, match="2 sources, but 1 targets"):
        semla.Graph.from_edges({**table, "to": ["y"]}, "from", "to")


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"from": ["x", "y"], "to": ["y", "w"], "km": [2.0, 3.0]})
    graph = semla.Graph.from_edges(frame, "from", "to", "km")
    series = graph.sssp("x")[0].to_series("km")
    assert series.name == "km" and series.to_dict() == {"x": 0.0, "y": 2.0, "w": 5.0}
    assert graph.bfs("x")[0].to_series()["w"] == "y"


def test_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"from": [7, 8], "to": [8, 9]})
    graph = semla.Graph.from_edges(table, "from", "to")
    levels = graph.bfs(7)[1].to_arrow("town", "level")
    assert levels.to_pydict() == {"town": [7, 8, 9], "level": [0, 1, 2]}


def test_results_are_mappings():
    graph = semla.Graph.from_edges(TOWNS + [("Rom", "Pisa", 1.0)])
    levels = graph.bfs("Graz")[1]
    assert len(levels) == 3 and "Rom" not in levels and "Paris" not in levels
    assert (
        levels.get("Rom") is None
        and levels["Wien"] == 1
        and list(levels) == ["Graz", "Linz", "Wien"]
    )
    with pytest.raises(KeyError, match="'Rom' has no value"):
        levels["Rom"]
    with pytest.raises(KeyError, match="no vertex 'Paris'"):
        graph.bfs("Paris")
    with pytest.raises(KeyError, match="no vertex 'Paris'"):
        graph.sssp("Paris")
    assert repr(levels) == "<VertexMap {'Graz': 0, 'Linz': 1, 'Wien': 1}>"
    ranks = graph.pagerank(personalisation={"Pisa": 1})
    assert set(ranks) == set(graph.labels.tolist()) and abs(sum(ranks.values()) - 1) < 1e-6
    assert ranks["Graz"] == 0 and graph.betweenness()["Graz"] == 0
    assert graph.label(semla.Vector.from_dict({1: 4}, size=5)) == {"Linz": 4}
    with pytest.raises(TypeError, match="size 5"):
        graph.label(semla.Vector("INT8", 4))


def test_a_dict_of_a_result_reads_the_vector_once(monkeypatch):
    levels = semla.Graph.from_edges(TOWNS).bfs("Graz")[1]
    expected = {"Graz": 0, "Linz": 1, "Wien": 1}
    with monkeypatch.context() as patch:
        patch.setattr(semla.Vector, "__getitem__", None)
        assert dict(levels) == {label: levels[label] for label in levels} == expected
        assert {**levels} == expected
    for change in (lambda v: v.__setitem__(0, 7), lambda v: v << semla.Vector.from_dense([7, 8, 9])):
        assert dict(levels) != {"Graz": 7}
        change(levels.vector)
        assert levels["Graz"] == 7 and dict(levels) == dict(levels.items())
    levels.vector.give("bitmap")
    assert dict(levels) == {}


def test_what_is_refused():
    for wrong in ([(1, 2), (1, 2, 3)], [(1,)], [(1, 2, 3, 4)]):
        with pytest.raises(ValueError, match="edges must be"):
            semla.Graph.from_edges(wrong)
    with pytest.raises(TypeError, match="square Matrix"):
        semla.Graph(semla.Matrix("BOOL", 2, 3))
    with pytest.raises(ValueError, match="3 labels for 2 vertices"):
        semla.Graph(semla.Matrix("BOOL", 2, 2), ["a", "b", "c"])


def test_every_algorithm_is_a_method():
    for name in semla.algorithms.REGISTERED:
        assert callable(getattr(semla.Graph, name)) and name in getattr(semla.Graph, name).__doc__


def test_unread_weights_of_tables():
    table = {"a": ["x", "y"], "b": ["y", "z"], "km": [3.0, 4.0], "name": ["A1", "A2"]}
    message = "sssp: the table has a column 'km', but no weight was given: from_edges"
    tables = [table]
    for module, make in ("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"):
        try:
            tables.append(getattr(__import__(module), make)(table))
        except ImportError:
            pass
    for edges in tables:
        graph = semla.Graph.from_edges(edges, "a", "b")
        with pytest.raises(semla.Invalid, match=message):
            graph.sssp("x")
        assert dict(graph.bfs("x")[1]) == {"x": 0, "y": 1, "z": 2}
        weighted = semla.Graph.from_edges(edges, "a", "b", "km")
        assert dict(weighted.sssp("x")[0]) == {"x": 0, "y": 3, "z": 7}
    for columns in {"id": [1, 2]}, {}:  # several columns of numbers, or none
        others = {key: table[key] for key in ("a", "b", *(["km"] if columns else []))} | columns
        graph = semla.Graph.from_edges(others, "a", "b")
        assert dict(graph.sssp("x")[0]) == {"x": 0, "y": 1, "z": 2}
