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
    edges = [("b", "a", 1), ("a", "b", 2), ("a", "a", 5)]
    summed = semla.Graph.from_edges(edges, labels=["z", "a"])
    assert summed.labels.tolist() == ["z", "a", "b"]
    assert summed.matrix.to_dense(0).tolist() == [[0, 0, 0], [0, 5, 3], [0, 3, 0]]
    least = semla.Graph.from_edges(edges, dup="min", directed=True)
    assert least.matrix.to_dense(0).tolist() == [[5, 2], [1, 0]]
    once = semla.Graph.from_edges([edge[:2] for edge in edges + edges])
    assert once.matrix.nvals == 3


def test_tables():
    table = {"from": ["x", "y"], "to": ["y", "w"], "km": [2.0, 3.0]}
    graph = semla.Graph.from_edges(table, "from", "to", "km")
    assert dict(graph.sssp("x")[0]) == {"x": 0.0, "y": 2.0, "w": 5.0}
    with pytest.raises(ValueError, match="no column 'miles'"):
        semla.Graph.from_edges(table, "from", "to", "miles")
    with pytest.raises(TypeError, match="both source and target"):
        semla.Graph.from_edges(table, "from")


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
