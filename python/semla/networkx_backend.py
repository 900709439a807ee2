"""The backend "semla" of NetworkX: `nx.betweenness_centrality(G, backend="semla")`.

NetworkX finds it by the entry points of the package. It asks `can_run` whether the backend has a
function for the given arguments, converts the graph by `convert_from_nx`, once if it is used again,
and calls the function of the same name here. The functions have the parameters, results and errors
of NetworkX. A function raises NotImplementedError where the weights of a graph are not supported;
NetworkX then computes the result by its own code, unless the call demanded the backend.
"""

import functools
import inspect
import math
import random

import networkx as nx
import numpy as np
from networkx.algorithms.centrality.betweenness import _rescale

from . import algorithms
from .graph import Graph
from .networkx_graph import BackendGraph, decline
from .traversal import dependencies
from .vector import Vector

BATCH = 64  # sources whose dependencies are computed together
# NetworkX before 3.5 returns pairs from single_target_shortest_path_length, not a dict.
DICTS = tuple(map(int, nx.__version__.split(".")[:2])) >= (3, 5)


def convert_from_nx(
    graph,
    *,
    edge_attrs=None,
    node_attrs=None,
    preserve_edge_attrs=False,
    preserve_node_attrs=False,
    preserve_graph_attrs=False,
    name=None,
    graph_name=None,
):
    """A graph of NetworkX as a BackendGraph, which has all attributes of edges."""
    return BackendGraph(graph)


def convert_to_nx(result, *, name=None):
    """A result for NetworkX: a graph is converted, anything else is returned as it is."""
    return result.to_networkx() if isinstance(result, (BackendGraph, Graph)) else result


# ---- what the backend declines --------------------------------------------------------------


def _is_number(value):
    return isinstance(value, (int, float, np.integer, np.floating))


def _attribute(weight):
    return (callable(weight) or isinstance(weight, bool)) and "a weight that is no attribute"


def _undirected(what):
    return lambda G, **_: G.is_directed() and f"the {what} of directed graphs"


def _coefficients(G, weight):
    return (G.is_directed() or weight is not None) and "clustering by directions or weights"


def _is_seeded(seed):
    """Whether NetworkX made a generator from a seed; without one it passes the global generator."""
    return not (seed is None or isinstance(seed, int) or seed is random._inst)


def _cutoff(G, cutoff, **_):
    return cutoff is not None and not _is_number(cutoff) and "a cutoff that is no number"


# The reason why a function does not run with its arguments, or something false.
_REASONS = {
    "average_clustering": lambda G, weight, **_: _coefficients(G, weight),
    "betweenness_centrality": lambda weight, endpoints, **_: (
        (weight is not None and "weights of betweenness") or (endpoints and "endpoints")
    ),
    "closeness_centrality": lambda distance, wf_improved, **_: (
        (distance is not None and "distances of closeness")
        or (not wf_improved and "wf_improved=False")
    ),
    "clustering": lambda G, weight, **_: _coefficients(G, weight),
    "core_number": _undirected("core numbers"),
    "descendants_at_distance": lambda distance, **_: (
        not _is_number(distance) and "a distance that is no number"
    ),
    "dijkstra_path_length": lambda weight, **_: _attribute(weight),
    "has_path": lambda source, target, **_: (source is None or target is None) and "all pairs",
    "is_bipartite": _undirected("sides"),
    "maximal_independent_set": lambda nodes, seed, **_: (
        (nodes and "nodes that are in the set") or (_is_seeded(seed) and "the set of a seed")
    ),
    "pagerank": lambda weight, **_: _attribute(weight),
    "single_source_dijkstra_path_length": lambda weight, cutoff, **_: (
        _attribute(weight) or _cutoff(None, cutoff)
    ),
    "single_source_shortest_path_length": _cutoff,
    "single_target_shortest_path_length": _cutoff,
    "transitivity": _undirected("transitivity"),
}


def _function(function):
    """Decorator of the functions that NetworkX calls: checks the arguments."""
    signature = inspect.signature(function)
    check = _REASONS.get(function.__name__)

    def reason(args, kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:  # an argument of another version of NetworkX, or a wrong one
            return str(error)
        bound.apply_defaults()
        return check(**bound.arguments) if check else None

    @functools.wraps(function)
    def checked(*args, **kwargs):
        if why := reason(args, kwargs):
            decline(why)
        return function(*args, **kwargs)

    checked.reason = reason
    return checked


def can_run(name, args, kwargs):
    """True, or the reason why the function does not run with these arguments, as a str."""
    return globals()[name].reason(args, kwargs) or True


should_run = can_run  # the backend should run whatever it can


def _require_node(G, node, message, error=nx.NodeNotFound):
    if node not in G:
        raise error(message)


def _require_undirected(G):
    if G.directed:
        raise nx.NetworkXNotImplemented("not implemented for directed type")


def _require_directed(G):
    if not G.directed:
        raise nx.NetworkXNotImplemented("not implemented for undirected type")


def _require_no_parallel_edges(G):
    if G.multigraph:
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


def _require_nodes(G):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")


# ---- results with nodes instead of vertices ---------------------------------------------------


def _of_all(G, vector):
    """A dict from every node to its value, 0 without an entry."""
    return dict(zip(G.labels, vector.to_dense(0).tolist()))


def _of_found(G, vector):
    """A dict from the nodes with an entry to their values, by increasing value."""
    vertices, values = vector.to_coo()
    order = np.argsort(values, kind="stable")
    return dict(zip(_nodes(G, vertices[order]), values[order].tolist()))


def _nodes(G, vertices):
    return [G.labels[vertex] for vertex in vertices.tolist()]


def _chosen(values, G, nodes):
    """The values of all nodes, of one node, or of a list, as NetworkX returns them."""
    if nodes is None:
        return values
    if nodes in G:
        return values[nodes]
    return {label: values[label] for label in G.nbunch_iter(nodes)}


def _by_root(G, roots):
    """The sets of nodes with the same value, in the order of their first nodes. The value is the
    first vertex of the component."""
    components = {}
    for label, root in zip(G.labels, roots.to_dense(0).tolist()):
        components.setdefault(root, set()).add(label)
    return list(components.values())


# ---- centrality -------------------------------------------------------------------------------


@_function
def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    sample = None
    if k is not None:
        sample = nx.utils.create_py_random_state(seed).sample(G.labels, k)
    sources = G.labels if sample is None else sample
    sums = Vector("FP64", len(G))
    for first in range(0, len(sources), BATCH):
        batch = [G.vertex_of[label] for label in sources[first : first + BATCH]]
        dependencies(sums, G.pattern(), batch)
    scaling = {
        "normalized": normalized,
        "directed": G.directed,
        "k": k,
        "endpoints": False,
        "sampled_nodes": sample,
    }
    # NetworkX's own function: versions scale samples differently, by different arguments.
    taken = inspect.signature(_rescale).parameters
    scaling = {name: value for name, value in scaling.items() if name in taken}
    return _rescale(_of_all(G, sums), len(G), **scaling)


@_function
def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    if u is None:
        return _of_all(G, algorithms.closeness(G.pattern()))
    _require_node(G, u, f"Source {u} is not in G")
    return _of_all(G, algorithms.closeness(G.pattern(), [G.vertex_of[u]]))[u]


@_function
def pagerank(
    G,
    alpha=0.85,
    personalization=None,
    max_iter=100,
    tol=1e-06,
    nstart=None,
    weight="weight",
    dangling=None,
):
    n = len(G)
    if n == 0:
        return {}
    matrix, degrees = G.sums(weight)
    if matrix is None and personalization is None and nstart is None and dangling is None:
        if 0 < alpha < 1 and tol > 0 and max_iter >= 1:
            return _plain_pagerank(G, alpha, max_iter, tol)
    jumps = np.full(n, 1 / n)
    if personalization is not None:
        jumps = _by_node(G, personalization)
        if jumps.sum() == 0:
            raise ZeroDivisionError
        jumps /= jumps.sum()
    ranks = np.full(n, 1 / n) if nstart is None else _fractions(_by_node(G, nstart))
    leaps = jumps if dangling is None else _fractions(_by_node(G, dangling))
    ends = degrees == 0
    shares = np.divide(1, degrees, where=~ends, out=np.zeros(n))
    edges, product = (G.pattern(), "plus_first") if matrix is None else (matrix, "plus_times")
    for _ in range(max_iter):
        last = ranks
        moved = Vector.from_dense(last * shares).vxm(edges, product).new().to_dense(0.0)
        ranks = alpha * (moved + last[ends].sum() * leaps) + (1 - alpha) * jumps
        if np.abs(ranks - last).sum() < n * tol:
            return dict(zip(G.labels, ranks.tolist()))
    raise nx.PowerIterationFailedConvergence(max_iter)


def _plain_pagerank(G, alpha, max_iter, tol):
    """PageRank by the library, which has no weights and starts where it jumps to."""
    ranks, info = algorithms.pagerank(
        G.pattern(),
        damping=alpha,
        tolerance=tol * len(G),
        max_iterations=max_iter,
        return_info=True,
    )
    if not info["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return _of_all(G, ranks)


def _by_node(G, values):
    """An array of the values of a dict, 0 for nodes that it does not have."""
    return np.array([values.get(label, 0) for label in G.labels], float)


def _fractions(values):
    return values / values.sum()


# ---- components -------------------------------------------------------------------------------


def _components(G):
    return _by_root(G, algorithms.components(G.pattern()))


def _count_components(G):
    return algorithms.components(G.pattern(), return_info=True)[1]["components"]


@_function
def connected_components(G):
    _require_undirected(G)
    return iter(_components(G))


@_function
def number_connected_components(G):
    _require_undirected(G)
    return _count_components(G)


@_function
def is_connected(G):
    _require_undirected(G)
    _require_nodes(G)
    return _count_components(G) == 1


@_function
def node_connected_component(G, n):
    _require_undirected(G)
    return _reached(G, n)


@_function
def weakly_connected_components(G):
    _require_directed(G)
    return iter(_components(G))


@_function
def number_weakly_connected_components(G):
    _require_directed(G)
    return _count_components(G)


@_function
def is_weakly_connected(G):
    _require_directed(G)
    _require_nodes(G)
    return _count_components(G) == 1


def _sinks_first(G, roots):
    """The numbers of the strong components, which are in the order of their roots, in the order in
    which a depth-first search of the components leaves them. Edges lead from later ones to earlier
    ones; without cycles it is NetworkX's order (Tarjan's algorithm), which callers rely on."""
    found, number = np.unique(roots, return_inverse=True)
    sources, targets = number[G.rows], number[G.cols]
    between = np.flatnonzero(sources != targets)
    first = np.unique((sources * len(found) + targets)[between], return_index=True)[1]
    between = between[np.sort(first)]
    between = between[np.argsort(sources[between], kind="stable")]
    begin = np.searchsorted(sources[between], np.arange(len(found) + 1)).tolist()
    targets, place = targets[between].tolist(), begin[:-1]
    order, seen = [], [False] * len(found)
    for start in range(len(found)):
        path = [] if seen[start] else [start]
        seen[start] = True
        while path:
            component = path[-1]
            if place[component] == begin[component + 1]:
                order.append(path.pop())
                continue
            target = targets[place[component]]
            place[component] += 1
            if not seen[target]:
                seen[target] = True
                path.append(target)
    return order


@_function
def strongly_connected_components(G):
    _require_directed(G)
    roots = algorithms.scc(G.pattern())
    components = _by_root(G, roots)
    return iter([components[number] for number in _sinks_first(G, roots.to_dense(0))])


@_function
def number_strongly_connected_components(G):
    _require_directed(G)
    return algorithms.scc(G.pattern(), return_info=True)[1]["components"]


@_function
def is_strongly_connected(G):
    _require_directed(G)
    _require_nodes(G)
    return number_strongly_connected_components(G) == 1


# ---- paths ------------------------------------------------------------------------------------


def _levels(G, source, reverse=False, **options):
    """The vector of the numbers of edges on shortest paths from a node, or to it."""
    return algorithms.bfs(G.pattern(reverse), G.vertex_of[source], **options)[1]


def _reached(G, source, reverse=False):
    return set(_nodes(G, _levels(G, source, reverse).to_coo()[0]))


def _path_lengths(G, source, cutoff, reverse=False):
    if cutoff is not None:
        # NetworkX continues while the level is less than the cutoff, which NaN never allows
        cutoff = math.ceil(min(cutoff, len(G))) if cutoff > 0 else 0
    return _of_found(G, _levels(G, source, reverse, max_depth=cutoff))


@_function
def single_source_shortest_path_length(G, source, cutoff=None):
    _require_node(G, source, f"Source {source} is not in G")
    return _path_lengths(G, source, cutoff)


@_function
def single_target_shortest_path_length(G, target, cutoff=None):
    _require_node(G, target, f"Target {target} is not in G")
    lengths = _path_lengths(G, target, cutoff, reverse=True)
    return lengths if DICTS else iter(lengths.items())


def _distances(G, source, weight):
    """The vector of the lengths of shortest paths from a node."""
    lengths = None if weight is None else G.lengths(weight)
    if lengths is None:
        return _levels(G, source)
    return algorithms.sssp(lengths, G.vertex_of[source])[0]


@_function
def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    hash(source)  # TypeError as in NetworkX
    _require_node(G, source, f"Node {source} not found in graph")
    found = _of_found(G, _distances(G, source, weight))
    if cutoff is not None:
        found = {node: length for node, length in found.items() if not length > cutoff}
    return {source: 0, **found, source: 0}  # noqa: F602 # first, and an int whatever the type of the lengths


@_function
def dijkstra_path_length(G, source, target, weight="weight"):
    _require_node(G, source, f"Node {source} not found in graph")
    if source == target:
        return 0
    distances = _distances(G, source, weight)
    vertex = G.vertex_of.get(target)
    length = None if vertex is None else distances[vertex].value
    if length is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return length


@_function
def has_path(G, source, target):
    _require_node(G, source, f"Source {source} is not in G")
    _require_node(G, target, f"Target {target} is not in G")
    vertex = G.vertex_of[target]
    return _levels(G, source, targets=[vertex])[vertex].value is not None


def _require_start(G, source):
    hash(source)  # TypeError as in NetworkX
    kind = "digraph" if G.directed else "graph"
    _require_node(G, source, f"The node {source} is not in the {kind}.", nx.NetworkXError)


@_function
def descendants(G, source):
    _require_start(G, source)
    return _reached(G, source) - {source}


@_function
def ancestors(G, source):
    _require_start(G, source)
    return _reached(G, source, reverse=True) - {source}


@_function
def descendants_at_distance(G, source, distance):
    _require_node(G, source, f"The node {source} is not in the graph.", nx.NetworkXError)
    if not 0 <= distance < len(G) or distance != int(distance):
        return set()
    vertices, levels = _levels(G, source, max_depth=int(distance)).to_coo()
    return set(_nodes(G, vertices[levels == distance]))


# ---- communities ------------------------------------------------------------------------------


@_function
def triangles(G, nodes=None):
    _require_undirected(G)
    if nodes is not None:
        _require_no_parallel_edges(G)  # as NetworkX, which counts those of all nodes otherwise
    return _chosen(_of_all(G, algorithms.triangles(G.pattern(), per_vertex=True)[1]), G, nodes)


@_function
def clustering(G, nodes=None, weight=None):
    _require_no_parallel_edges(G)
    coefficients = _of_all(G, algorithms.local_clustering(G.pattern()))
    return _chosen({label: c or 0 for label, c in coefficients.items()}, G, nodes)


@_function
def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    coefficients = clustering(G, nodes).values()
    values = [c for c in coefficients if count_zeros or abs(c) > 0]
    return sum(values) / len(values)


@_function
def transitivity(G):
    _require_no_parallel_edges(G)
    return algorithms.local_clustering(G.pattern(), return_info=True)[1]["global"]


@_function
def core_number(G):
    _require_no_parallel_edges(G)
    if np.any(G.rows == G.cols):
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return _of_all(G, algorithms.core_numbers(G.pattern()))


@_function
def maximal_independent_set(G, nodes=None, seed=None):
    _require_undirected(G)
    if len(G) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    if np.any(G.rows == G.cols):
        decline("independent sets of graphs with loops")  # NetworkX may refuse its first choice
    seed = nx.utils.create_py_random_state(seed).getrandbits(63)
    return _nodes(G, algorithms.independent_set(G.pattern(), seed=seed).to_coo()[0])


@_function
def is_bipartite(G):
    return algorithms.bipartite(G.pattern())[0] is not None
