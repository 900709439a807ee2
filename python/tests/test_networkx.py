"""Conversion from and to NetworkX, and the functions of its backend "semla" on converted graphs,
which any NetworkX has; test_networkx_backend.py has the calls by NetworkX."""

import inspect
import os
import sys

import pytest

import semla

nx = pytest.importorskip("networkx")
from semla import networkx_backend as backend  # noqa: E402


def graphs():
    """Named graphs, directed and not, with isolated vertices, loops and odd labels."""
    weighted = nx.Graph([("a", "b", {"weight": 2}), ("b", "c", {"weight": 3}), ("x", "y")])
    loops = nx.DiGraph([(1, 2), (2, 3), (3, 1), (3, 3), (4, 1)])
    loops.add_node("alone")
    return [nx.karate_club_graph(), nx.path_graph(5), weighted, loops, nx.empty_graph(3)]


def test_conversions():
    for graph in graphs():
        made = semla.Graph.from_networkx(graph, "weight")
        assert list(made.labels) == list(graph) and made.directed == graph.is_directed()
        again = made.to_networkx()
        assert set(again) == set(graph) and again.number_of_edges() == graph.number_of_edges()
        for u, v, weight in graph.edges(data="weight", default=1):
            assert again[u][v].get("weight", 1) == weight
    multi = nx.MultiGraph([(0, 1, {"w": 2}), (0, 1, {"w": 5})])
    assert semla.Graph.from_networkx(multi, "w").matrix.to_dense(0).tolist() == [[0, 7], [7, 0]]


def check_functions(run):
    """`run(name, graph, arguments...)` calls a function of the backend."""
    for graph in graphs():
        centrality = run("betweenness_centrality", graph)
        assert centrality == pytest.approx(nx.betweenness_centrality(graph))
        plain = run("betweenness_centrality", graph, normalized=False)
        assert plain == pytest.approx(nx.betweenness_centrality(graph, normalized=False))
        ranks = run("pagerank", graph, weight=None, tol=1e-10, max_iter=500)
        assert ranks == pytest.approx(nx.pagerank(graph, weight=None, tol=1e-10, max_iter=500))
        source = next(iter(graph))
        lengths = run("single_source_shortest_path_length", graph, source)
        assert lengths == dict(nx.single_source_shortest_path_length(graph, source))
        assert run("descendants", graph, source) == nx.descendants(graph, source)
        if not graph.is_directed():
            found = {frozenset(part) for part in run("connected_components", graph)}
            assert found == {frozenset(part) for part in nx.connected_components(graph)}
            assert run("number_connected_components", graph) == len(found)
            assert run("triangles", graph) == nx.triangles(graph)
    weighted = graphs()[2]
    lengths = run("single_source_dijkstra_path_length", weighted, "a")
    assert lengths == nx.single_source_dijkstra_path_length(weighted, "a")


def check_more_functions(run):
    """As check_functions: what is defined for graphs of one kind only, or without loops."""
    for graph in graphs():
        for name in ("closeness_centrality",):
            assert run(name, graph) == pytest.approx(getattr(nx, name)(graph))
        source = next(iter(graph))
        assert run("closeness_centrality", graph, source) == pytest.approx(
            nx.closeness_centrality(graph, source)
        )
        assert run("ancestors", graph, source) == nx.ancestors(graph, source)
        for distance in (0, 1, 2):
            found = run("descendants_at_distance", graph, source, distance)
            assert found == nx.descendants_at_distance(graph, source, distance)
        lengths = run("single_target_shortest_path_length", graph, source)
        assert dict(lengths) == dict(nx.single_target_shortest_path_length(graph, source))
        if graph.is_directed():
            for kind in ("strongly", "weakly"):
                name = f"{kind}_connected_components"
                expected = {frozenset(part) for part in getattr(nx, name)(graph)}
                assert {frozenset(part) for part in run(name, graph)} == expected
                assert run(f"number_{name}", graph) == len(expected)
                assert run(f"is_{kind}_connected", graph) == (len(expected) == 1)
            continue
        assert run("clustering", graph) == pytest.approx(nx.clustering(graph))
        assert run("average_clustering", graph) == pytest.approx(nx.average_clustering(graph))
        assert run("transitivity", graph) == pytest.approx(nx.transitivity(graph))
        assert run("core_number", graph) == nx.core_number(graph)
        assert run("is_bipartite", graph) == nx.is_bipartite(graph)
        members = run("maximal_independent_set", graph, seed=3)
        joined = {v for u in members for v in graph[u]}
        assert not joined & set(members) and joined | set(members) == set(graph)
    weighted = graphs()[2]
    assert run("dijkstra_path_length", weighted, "a", "c") == 5
    with pytest.raises(nx.NetworkXNoPath):
        run("dijkstra_path_length", weighted, "a", "x")


def test_functions():
    def run(name, graph, *arguments, **options):
        edge_attrs = {"weight": 1} if "dijkstra" in name else None
        converted = backend.convert_from_nx(graph, edge_attrs=edge_attrs)
        return getattr(backend, name)(converted, *arguments, **options)

    check_functions(run)
    check_more_functions(run)
    path = backend.convert_from_nx(nx.path_graph(3))
    assert backend.has_path(path, 0, 2) and backend.is_connected(path)
    assert backend.node_connected_component(path, 1) == {0, 1, 2}
    assert backend.triangles(path, [0, 1]) == {0: 0, 1: 0} and backend.triangles(path, 2) == 0
    with pytest.raises(nx.NodeNotFound):
        backend.single_source_shortest_path_length(path, 7)
    with pytest.raises(nx.PowerIterationFailedConvergence):
        backend.pagerank(backend.convert_from_nx(nx.star_graph(4)), max_iter=1, tol=1e-12)
    with pytest.raises(NotImplementedError, match="does not have endpoints"):
        backend.betweenness_centrality(path, endpoints=True)


def test_what_the_backend_leaves_to_networkx():
    def converted(graph, attribute=None):
        return backend.convert_from_nx(graph, edge_attrs=attribute and {attribute: 1})

    text = converted(nx.Graph([(0, 1, {"w": "far"})]), "w")
    with pytest.raises(NotImplementedError, match="weights of type str"):
        backend.single_source_dijkstra_path_length(text, 0, weight="w")
    loop = nx.path_graph(3)
    loop.add_edge(1, 1)
    with pytest.raises(nx.NetworkXNotImplemented):
        backend.core_number(converted(loop))
    assert not backend.is_bipartite(converted(loop))
    assert backend.clustering(converted(loop)) == nx.clustering(loop)
    directed = converted(nx.DiGraph([(0, 1)]))
    for name in ("clustering", "core_number", "is_bipartite", "transitivity"):
        with pytest.raises(NotImplementedError):
            getattr(backend, name)(directed)
    with pytest.raises(nx.NetworkXNotImplemented):
        list(backend.strongly_connected_components(converted(loop)))


def test_the_description_lists_the_functions():
    sys.path.insert(0, os.path.join(os.environ["SEMLA_PROJECT"], "python"))
    from _semla_networkx import get_info

    functions = {
        name
        for name, thing in vars(backend).items()
        if inspect.isfunction(thing) and hasattr(thing, "reason")
    }
    assert set(get_info()["functions"]) == functions
    for name in functions:
        theirs = inspect.signature(getattr(nx, name)).parameters
        ours = inspect.signature(getattr(backend, name)).parameters
        assert set(ours) <= set(theirs), name
