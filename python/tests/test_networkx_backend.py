"""Calls of NetworkX that its backend "semla" answers, and those that it leaves to NetworkX: results
and errors are the same. The newest NetworkX runs its own tests with the backend, too."""

import copy
import itertools
import math
import os
import pickle
import random
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import pytest

import semla

nx = pytest.importorskip("networkx")
if tuple(map(int, nx.__version__.split(".")[:2])) < (3, 4):
    pytest.skip(f"networkx {nx.__version__} is older than 3.4", allow_module_level=True)
import numpy as np  # noqa: E402

from semla import networkx_backend as backend  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")
HUGE = 12000000000000000001
KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
FUNCTIONS = sorted(name for name, thing in vars(backend).items() if hasattr(thing, "reason"))


@pytest.fixture
def preferred():
    """NetworkX asks the backend first, and falls back."""
    nx.config.backend_priority = ["semla"]
    yield
    nx.config.backend_priority = []


def outcome(name, graph, *args, **kwargs):
    """The result of a function of NetworkX, or the type and text of its error."""
    try:
        result = getattr(nx, name)(graph, *args, **kwargs)
        if name == "single_target_shortest_path_length":
            return dict(result)  # NetworkX 3.4 returns pairs
        return list(result) if hasattr(result, "__next__") else result
    except NotImplementedError as error:
        return NotImplementedError, str(error.__cause__)
    except Exception as error:
        return type(error), str(error)


def assert_same(name, graph, *args, **kwargs):
    """With the backend, or by NetworkX where the backend declines, the outcome is NetworkX's."""
    right = outcome(name, graph, *args, backend="networkx", **kwargs)
    got = outcome(name, graph, *args, **kwargs)
    about = name, args, kwargs, list(graph.nodes), list(graph.edges(data=True))
    if isinstance(right, dict):
        assert set(got) == set(right) and got == pytest.approx(right, nan_ok=True), about
    elif name == "strongly_connected_components" and isinstance(right, list):
        assert set(map(frozenset, got)) == set(map(frozenset, right)), about
    elif isinstance(right, float):
        assert got == pytest.approx(right, nan_ok=True), about
    else:
        assert got == right, about
    return got


def demanded(name, graph, *args, **kwargs):
    return outcome(name, graph, *args, backend="semla", **kwargs)


def test_an_answer_does_not_depend_on_earlier_calls():
    def graph():
        made = nx.Graph()
        made.add_edge(0, 1, weight=4, km=0.5)
        made.add_edge(1, 2, weight=4)
        made.add_edge(2, 3, weight="far", km=2)
        return made

    calls = [
        ("single_source_dijkstra_path_length", {"weight": None}),
        ("single_source_dijkstra_path_length", {"weight": "km"}),
        ("single_source_dijkstra_path_length", {"weight": "weight"}),
        ("single_source_dijkstra_path_length", {"weight": "none"}),
        ("pagerank", {"weight": None}),
        ("pagerank", {"weight": "km"}),
        ("is_connected", {}),
    ]
    for order in itertools.permutations(calls, 3):
        used = graph()
        for name, options in order:
            args = (0,) if "dijkstra" in name else ()
            got, alone = (demanded(name, g, *args, **options) for g in (used, graph()))
            assert got == (pytest.approx(alone) if isinstance(alone, dict) else alone)
            if options.get("weight") == "weight":
                assert got[0] is NotImplementedError and "weights of type str" in got[1]
            else:
                right = outcome(name, used, *args, backend="networkx", **options)
                assert got == (pytest.approx(right) if isinstance(right, dict) else right)


@pytest.mark.parametrize("kind", KINDS)
def test_values_written_into_edges_count(kind):
    graph = nx.cycle_graph(7, create_using=kind)
    graph.add_edge(1, 2, **({"key": 0} if graph.is_multigraph() else {}))
    data = graph.get_edge_data(1, 2)
    data = data[0] if graph.is_multigraph() else data
    for value in (10, 2, 2.5, "far", 0, None, False, 10**30, 1):
        data["weight"] = value
        for name, args in (("single_source_dijkstra_path_length", (0,)), ("pagerank", ())):
            got = demanded(name, graph, *args)
            if isinstance(value, (int, float)) and value != 10**30:
                right = outcome(name, graph, *args, backend="networkx")
                assert got == pytest.approx(right, rel=1e-5), (name, value)
            else:
                assert got[0] is NotImplementedError


def test_a_graph_that_the_backend_knows_is_copied_pickled_and_used_in_other_contexts():
    graph = nx.path_graph(4, create_using=nx.DiGraph)
    right = {2: 0, 1: 1, 0: 2}
    assert demanded("single_target_shortest_path_length", graph, 2) == right
    for other in (copy.deepcopy(graph), pickle.loads(pickle.dumps(graph)), graph):
        with semla.Context("suitesparse", threads=1):
            assert demanded("single_target_shortest_path_length", other, 2) == right
    graph.remove_edge(0, 1)
    assert demanded("single_target_shortest_path_length", graph, 2) == {2: 0, 1: 1}


@pytest.mark.parametrize("kind", (nx.MultiGraph, nx.MultiDiGraph))
def test_parallel_edges_count_in_pagerank_and_the_least_is_the_length(kind, preferred):
    graph = kind([(0, 1), (0, 1), (0, 1), (1, 2)])
    assert demanded("pagerank", graph, weight=None) == pytest.approx(
        nx.pagerank(graph, weight=None, backend="networkx"), rel=1e-12
    )
    graph = kind([(0, 1, {"w": 5}), (0, 1, {"w": 2}), (1, 2, {"w": 3}), (1, 2), (2, 2, {"w": 4})])
    for weight in ("w", None, "none"):
        assert isinstance(demanded("pagerank", graph, weight=weight), dict)
        assert_same("pagerank", graph, weight=weight)
        assert_same("single_source_dijkstra_path_length", graph, 0, weight=weight)
    assert demanded("dijkstra_path_length", graph, 0, 2, weight="w") == 3
    made = backend.convert_to_nx(backend.convert_from_nx(graph, preserve_edge_attrs=True))
    assert type(made) is kind and nx.utils.graphs_equal(made, graph)


WEIGHTS = [
    (False, True), (0, 0.5), (1, 2.5, True), (3, 2**53 + 1), (2**53 + 1, 0.5), (2**62, 2**61),
    (2**65, 1), (1.0, math.inf), (1.0, math.nan), (-1, 2), (-0.5, 2), (1e308, 1.5e308), (None, 1),
    ("x", 1), (Decimal("0.1"), Decimal(2)), (Fraction(1, 3), 1), (1 + 0j, 1), (np.int64(2), 3),
    (np.float64(0.1), 3), (np.float32(0.1), 3), (np.uint8(200), np.uint8(100)), (np.bool_(True), 1),
]  # fmt: skip


@pytest.mark.parametrize("weights", WEIGHTS, ids=repr)
@pytest.mark.parametrize("kind", KINDS)
def test_weights_of_any_type(kind, weights, preferred):
    graph = kind()
    for vertex in range(6):
        graph.add_edge(vertex, vertex + 1, weight=weights[vertex % len(weights)])
    graph.add_edge("p", "q", weight=weights[0])  # not reached
    graph.add_edge(1, 5)
    assert_same("single_source_dijkstra_path_length", graph, 0)
    assert_same("single_source_dijkstra_path_length", graph, 0, cutoff=2)
    assert_same("dijkstra_path_length", graph, 0, 6)
    assert_same("pagerank", graph)


def test_nodes_of_any_type(preferred):
    nodes = [HUGE, HUGE + 1, 2**70, -3, 1.5, math.inf, "a", "a\0", "", b"a", (1, 2), (3, 4), (1,),
             frozenset([1]), Fraction(1, 3), int, True, ("x", (1, 2))]  # fmt: skip
    for kind in KINDS:
        for chosen in (nodes, nodes[:2], nodes[10:12], nodes[6:8]):
            graph = nx.path_graph(chosen, create_using=kind)
            for name in ("pagerank", "closeness_centrality", "betweenness_centrality"):
                got = assert_same(name, graph)
                assert all(a is b for a, b in zip(got, graph))
            assert_same("descendants", graph, chosen[0])
            if not graph.is_directed():
                assert demanded("number_connected_components", graph) == 1


def test_a_node_that_does_not_exist_or_cannot_be_one():
    for kind in KINDS:
        graph = nx.path_graph(4, create_using=kind)
        for node in (9, "none", (7, 8), [1], None):
            for name, args in (
                ("ancestors", (node,)),
                ("descendants", (node,)),
                ("descendants_at_distance", (node, 1)),
                ("single_source_shortest_path_length", (node,)),
                ("single_target_shortest_path_length", (node,)),
                ("single_source_dijkstra_path_length", (node,)),
                ("dijkstra_path_length", (node, 1)),
                ("dijkstra_path_length", (1, node)),
                ("has_path", (node, 1)),
                ("has_path", (1, node)),
                ("closeness_centrality", (node,)),
                ("triangles", (node,)),
                ("triangles", ([0, node],)),
                ("clustering", (node,)),
                ("node_connected_component", (node,)),
            ):
                right = outcome(name, graph, *args, backend="networkx")
                got = demanded(name, graph, *args)
                if isinstance(got, tuple) and got[0] is NotImplementedError:
                    # NetworkX computes paths from all nodes; and clustering by directions
                    assert node is None or (name == "clustering" and graph.is_directed())
                else:
                    assert got == right, (name, args, kind)


def test_graphs_of_the_wrong_kind():
    for kind in KINDS:
        for graph in (kind(), kind([(0, 1), (1, 2), (2, 0)]), kind([(0, 0), (0, 1)])):
            for name in FUNCTIONS:
                args = {"has_path": (0, 1), "dijkstra_path_length": (0, 1)}.get(name, ())
                args = (0, 1) if name == "descendants_at_distance" else args
                if name.startswith("single") or name in ("ancestors", "descendants"):
                    args = (0,)
                args = (0,) if name == "node_connected_component" else args
                got = demanded(name, graph, *args)
                if isinstance(got, tuple) and got[0] is NotImplementedError:
                    continue
                right = outcome(name, graph, *args, backend="networkx")
                if isinstance(right, tuple):
                    assert got == right, (name, kind)
                elif name != "maximal_independent_set":
                    assert not isinstance(got, tuple), (name, kind, got)


CUTOFFS = (0, 1, 2, 2.0, 1.5, 0.5, -1, -0.5, math.inf, -math.inf, math.nan, True, 10**30, "2")


@pytest.mark.parametrize("cutoff", CUTOFFS, ids=repr)
def test_cutoffs(cutoff, preferred):
    for kind in KINDS:
        graph = nx.path_graph(5, create_using=kind)
        assert_same("single_source_shortest_path_length", graph, 0, cutoff=cutoff)
        assert_same("single_target_shortest_path_length", graph, 4, cutoff=cutoff)
        assert_same("single_source_dijkstra_path_length", graph, 0, cutoff=cutoff)
        assert_same("descendants_at_distance", graph, 0, cutoff)
        if cutoff != "2":
            assert isinstance(
                demanded("single_source_shortest_path_length", graph, 0, cutoff=cutoff), dict
            )


def test_arguments_of_pagerank(preferred):
    directed = nx.DiGraph([(1, 2), (2, 3), (4, 3)])
    for graph in (directed, nx.karate_club_graph(), nx.MultiDiGraph(directed), nx.empty_graph(2)):
        for options in (
            {},
            {"personalization": {1: 1, 99: 1}},
            {"personalization": {99: 1}},
            {"personalization": {}},
            {"personalization": {1: 0.25, 2: 3}, "weight": None},
            {"nstart": {1: 1, 2: 3, "none": 4}},
            {"dangling": {1: 1, 99: 3}, "weight": None},
            {"alpha": 0.0},
            {"alpha": 1.0, "max_iter": 3},
            {"max_iter": 0},
            {"max_iter": 2, "weight": None},
            {"tol": 0},
            {"tol": 1e-12, "max_iter": 1000, "weight": None},
        ):
            got = demanded("pagerank", graph, **options)
            assert isinstance(got, dict) or got[0] is not NotImplementedError
            if options.get("personalization") is None or any(
                node in graph for node in options["personalization"]
            ):
                assert_same("pagerank", graph, **options)
            else:
                assert got[0] is ZeroDivisionError


def test_sampled_betweenness_takes_the_sample_of_networkx(preferred):
    for graph in (nx.karate_club_graph(), nx.gnp_random_graph(30, 0.1, seed=1, directed=True)):
        for k, normalized in itertools.product((1, 2, 10, len(graph)), (True, False)):
            options = {"k": k, "normalized": normalized}
            assert_same("betweenness_centrality", graph, seed=5, **options)
            assert isinstance(demanded("betweenness_centrality", graph, **options), dict)
        assert demanded("betweenness_centrality", graph, k=1000)[0] is ValueError
    both_ways = nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 1)])  # directed, although symmetric
    assert nx.betweenness_centrality(both_ways, normalized=False, backend="semla")[1] == 2


def test_strong_components_come_after_those_that_they_lead_to():
    for seed in range(5):
        graph = nx.gnp_random_graph(60, 0.02, seed=seed, directed=True)
        found = list(nx.strongly_connected_components(graph, backend="semla"))
        place = {node: number for number, part in enumerate(found) for node in part}
        assert all(place[u] >= place[v] for u, v in graph.edges())
        graph = nx.DiGraph((u, v) if u < v else (v, u) for u, v in graph.edges())
        right = list(nx.strongly_connected_components(graph, backend="networkx"))
        assert list(nx.strongly_connected_components(graph, backend="semla")) == right


def test_reasons():
    undirected, directed = nx.path_graph(3), nx.path_graph(3, create_using=nx.DiGraph)
    declined = [
        ("betweenness_centrality", (undirected,), {"weight": "weight"}, "weights of betweenness"),
        ("betweenness_centrality", (undirected,), {"endpoints": True}, "endpoints"),
        ("closeness_centrality", (undirected,), {"wf_improved": False}, "wf_improved=False"),
        ("dijkstra_path_length", (undirected, 0, 1, lambda u, v, d: 1), {}, "no attribute"),
        ("core_number", (directed,), {}, "directed graphs"),
        ("single_source_shortest_path_length", (undirected, 0, "far"), {}, "no number"),
        ("pagerank", (undirected,), {"unknown": 1}, "unknown"),
    ]
    for name, args, kwargs, reason in declined:
        assert reason in backend.can_run(name, args, kwargs)
        assert reason in backend.should_run(name, args, kwargs)
        with pytest.raises(NotImplementedError, match=reason):
            getattr(backend, name)(*args, **kwargs)
        with pytest.raises(NotImplementedError, match="not implemented by 'semla' backend"):
            getattr(nx, name)(*args, backend="semla", **kwargs)
    assert backend.can_run("betweenness_centrality", (directed,), {"k": 2}) is True


def random_graph(draw):
    """A small graph of any kind, with loops and with weights of one type."""
    graph = draw.choice(KINDS)()
    n = draw.choice((0, 1, 2, 4, 6, 9))
    graph.add_nodes_from(range(n) if draw.random() < 0.7 else map(str, range(n)))
    nodes, weights = list(graph), draw.choice(WEIGHTS)
    for _ in range(draw.choice((0, n, 2 * n, n * n // 2)) if n else 0):
        ends = draw.choice(nodes), draw.choice(nodes)
        if ends[0] != ends[1] or draw.random() < 0.1:
            data = {"weight": draw.choice(weights)} if draw.random() < 0.8 else {}
            graph.add_edge(*ends, **data)
    return graph


def random_arguments(draw, name, graph):
    def node():
        return draw.choice([*graph, 99]) if len(graph) else 99

    some = {
        "weight": lambda: draw.choice((None, "weight", "none")),
        "cutoff": lambda: draw.choice((None, 0, 1, 2.5, -1, math.inf)),
        "nodes": lambda: draw.choice((None, node(), [node(), node()])),
        "u": lambda: draw.choice((None, node())),
        "k": lambda: draw.choice((None, 1, 2, len(graph))),
        "normalized": lambda: draw.random() < 0.5,
        "distance": lambda: draw.choice((0, 1, 2)),
        "personalization": lambda: draw.choice((None, {node(): 1, node(): 2.5})),
        "nstart": lambda: draw.choice((None, {node(): 1, 99: 2})),
        "dangling": lambda: draw.choice((None, {node(): 1})),
    }
    if name == "closeness_centrality":
        some["distance"] = lambda: None
    required = {parameter: node() for parameter in ("source", "target", "n")}
    parameters = backend.inspect.signature(getattr(backend, name)).parameters
    given = {key: required[key] for key in parameters if key in required}
    return {**given, **{key: value() for key, value in some.items() if key in parameters}}


@pytest.mark.parametrize("seed", range(8))
def test_random_calls_answer_as_networkx_does(seed, preferred):
    draw = random.Random(seed)
    for _ in range(60):
        graph = random_graph(draw)
        for name in draw.sample(FUNCTIONS, 4):
            if name == "maximal_independent_set":
                continue
            options = random_arguments(draw, name, graph)
            if name == "betweenness_centrality":
                options["seed"] = 3
            assert_same(name, graph, **options)


def test_an_independent_set_is_maximal_and_that_of_a_seed_is_networkx_own(preferred):
    for graph in (nx.karate_club_graph(), nx.empty_graph(3), nx.MultiGraph([(0, 1), (0, 1)])):
        members = nx.maximal_independent_set(graph, backend="semla")
        joined = {v for u in members for v in graph[u]}
        assert not joined & set(members) and joined | set(members) == set(graph)
        assert_same("maximal_independent_set", graph, seed=4)


# Tests of NetworkX in which functions of the backend are called.
OWN_TESTS = (
    "algorithms.tests.test_cluster",
    "algorithms.tests.test_core",
    "algorithms.tests.test_mis",
    "algorithms.tests.test_dag",
    "algorithms.bipartite.tests.test_basic",
    "algorithms.centrality.tests.test_betweenness_centrality",
    "algorithms.centrality.tests.test_closeness_centrality",
    "algorithms.components",
    "algorithms.link_analysis.tests.test_pagerank",
    "algorithms.shortest_paths",
    "algorithms.traversal",
    "readwrite.tests.test_text",  # depends on the order of strong components
)


@pytest.mark.parametrize(
    "environment",
    (
        {"NETWORKX_BACKEND_PRIORITY": "semla"},
        {"NETWORKX_TEST_BACKEND": "semla", "NETWORKX_FALLBACK_TO_NX": "True"},
    ),
    ids=lambda environment: next(iter(environment)),
)
def test_networkx_tests_pass_with_the_backend(environment, tmp_path):
    """All of them with SEMLA_NETWORKX_TESTS=all, which takes some minutes."""
    chosen = [f"networkx.{name}" for name in OWN_TESTS]
    if os.environ.get("SEMLA_NETWORKX_TESTS") == "all":
        chosen = ["networkx"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", *chosen],
        cwd=tmp_path,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr
