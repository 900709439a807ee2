"""The backend "semla" of NetworkX: `nx.betweenness_centrality(G, backend="semla")`.

NetworkX finds it by the entry points of the package. It converts a graph by `convert_from_nx`, once
if `G` is used again, calls the function of the same name here, and leaves what `can_run` refuses to
its own code, or raises NotImplementedError if the backend was demanded. The functions have the
parameters, results and errors of NetworkX.
"""

import networkx as nx
import numpy as np

from .graph import Graph


class BackendGraph(Graph):
    """A Graph which NetworkX passes back to this backend."""

    __networkx_backend__ = "semla"
    _unusable_weights = None  # why functions that read weights do not run on this graph

    def is_directed(self):
        """Whether edges have a direction."""
        return self.directed

    def is_multigraph(self):
        """False: parallel edges are one entry of the matrix."""
        return False

    def number_of_nodes(self):
        """The number of vertices."""
        return len(self.labels)

    __len__ = number_of_nodes

    def __iter__(self):
        return iter(self.labels.tolist())

    def __contains__(self, label):
        try:
            self.vertex(label)
        except (KeyError, TypeError):
            return False
        return True


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
    """A graph of NetworkX as a BackendGraph, with the one weight that the function reads."""
    weight, default = next(iter(edge_attrs.items())) if edge_attrs else (None, None)
    default = 1 if default is None else default
    unusable = None if weight is None else _unusable_weights(graph, weight, default)
    made = BackendGraph.from_networkx(graph, None if unusable else weight, default=default)
    made._unusable_weights = unusable
    return made


def _unusable_weights(graph, weight, default):
    values = [w for *_, w in graph.edges(data=weight, default=default)]
    if values and np.asarray(values).dtype.kind not in "biuf":
        return "weights that are no numbers"
    if graph.is_multigraph() and len(values) > len(set(graph.edges())):
        return "parallel edges with weights"  # which functions add, others take the least
    return None


def convert_to_nx(result, *, name=None):
    """A result for NetworkX: a graph is converted, anything else is returned as it is."""
    return result.to_networkx() if isinstance(result, Graph) else result


def _require(condition, what):
    if not condition:
        raise NotImplementedError(f"the backend semla does not have {what}")


def _require_weights(G):
    _require(G._unusable_weights is None, G._unusable_weights)


def _require_vertex(G, source):
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")


def _require_undirected(G):
    if G.directed:
        raise nx.NetworkXNotImplemented("not implemented for directed type")


def _require_directed(G):
    if not G.directed:
        raise nx.NetworkXNotImplemented("not implemented for undirected type")


def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    _require(k is None and weight is None and not endpoints, "k, weight or endpoints")
    centrality = dict(G.betweenness(normalised=bool(normalized)))
    if G.directed and not normalized and G.matrix.is_symmetric:
        # semla counts each pair of vertices of a symmetric matrix once
        centrality = {label: 2 * value for label, value in centrality.items()}
    return centrality


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
    _require(nstart is None and dangling is None, "nstart or dangling")
    _require_weights(G)
    _require(_weights_are_one(G), "weights of edges")
    _require(0 < alpha < 1 and tol > 0, "this alpha or tol")
    if len(G) == 0:
        return {}
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    if personalization is not None and sum(personalization.values()) == 0:
        raise ZeroDivisionError
    ranks, info = G.pagerank(
        damping=alpha,
        tolerance=tol * len(G),
        max_iterations=max_iter,
        personalisation=personalization,
        return_info=True,
    )
    if not info["converged"]:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(ranks)


def _weights_are_one(G):
    values = G.matrix.to_coo()[2]
    return bool(np.all(values == 1))


def _by_root(roots):
    """The sets of vertices that have the same value in a result."""
    components = {}
    for label, root in roots.items():
        components.setdefault(root, set()).add(label)
    return components.values()


def _component_lists(G):
    return _by_root(G.components())


def connected_components(G):
    _require_undirected(G)
    yield from _component_lists(G)


def number_connected_components(G):
    _require_undirected(G)
    return len(set(G.components().values()))


def is_connected(G):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_connected_components(G) == 1


def node_connected_component(G, n):
    _require_undirected(G)
    parents, _ = G.bfs(n)
    return set(parents)


def single_source_shortest_path_length(G, source, cutoff=None):
    _require_vertex(G, source)
    _require(cutoff is None or cutoff == int(cutoff), "a cutoff that is no integer")
    _, levels = G.bfs(source, max_depth=cutoff)
    return dict(sorted(levels.items(), key=lambda item: item[1]))


def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    _require_vertex(G, source)
    _require(cutoff is None and not callable(weight), "cutoff or a function as weight")
    _require_weights(G)
    distances, _ = G.sssp(source)
    return dict(sorted(distances.items(), key=lambda item: item[1]))


def has_path(G, source, target):
    _require_vertex(G, source)
    _require_vertex(G, target)
    _, levels = G.bfs(source, targets=[target])
    return target in levels


def descendants(G, source):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    parents, _ = G.bfs(source)
    return set(parents) - {source}


def triangles(G, nodes=None):
    _require_undirected(G)
    counts = dict.fromkeys(G, 0)
    _, per_vertex = G.triangles(per_vertex=True)
    counts.update(per_vertex)
    return _chosen(counts, G, nodes)


def _chosen(values, G, nodes):
    """The values of all vertices, of one, or of those in a list that the graph has, as NetworkX
    returns them."""
    if nodes is None:
        return values
    if nodes in G:
        return values[nodes]
    return {label: values[label] for label in nodes if label in values}


def _has_loops(G):
    return G.matrix.diag().nvals > 0


def _reversed(G):
    """The graph with its edges turned round."""
    return BackendGraph(G.matrix.T.new(), G.labels) if G.directed else G


def _coefficients(G, weight):
    _require(not G.directed and weight is None, "clustering of directed or weighted graphs")
    return G.local_clustering(return_info=True)


def clustering(G, nodes=None, weight=None):
    coefficients, _ = _coefficients(G, weight)
    return _chosen({**dict.fromkeys(G, 0), **coefficients}, G, nodes)


def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    coefficients = clustering(G, nodes, weight)
    values = [c for c in coefficients.values() if count_zeros or abs(c) > 0]
    return sum(values) / len(values)


def transitivity(G):
    _require(not G.directed, "the transitivity of directed graphs")
    return _coefficients(G, None)[1]["global"] if len(G) else 0


def core_number(G):
    _require(not G.directed, "core numbers of directed graphs")
    if _has_loops(G):
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; Consider using "
            "G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return dict(G.core_numbers())


def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    _require(distance is None and wf_improved, "distance, or wf_improved=False")
    if u is None:
        return {**dict.fromkeys(G, 0.0), **G.closeness()}
    return G.closeness([u]).get(u, 0.0)


def maximal_independent_set(G, nodes=None, seed=None):
    _require_undirected(G)
    _require(nodes is None, "nodes that are in the set")
    _require(seed is None or isinstance(seed, int), "a seed that is no integer")
    if seed is None:
        seed = int(np.random.default_rng().integers(2**31))
    return list(G.independent_set(seed=seed))


def is_bipartite(G):
    _require(not G.directed, "sides of directed graphs")
    return len(G) == 0 or G.bipartite()[0] is not None


def _strong_lists(G):
    _require_directed(G)
    return _by_root(G.scc())


def strongly_connected_components(G):
    yield from _strong_lists(G)


def number_strongly_connected_components(G):
    return len(_strong_lists(G))


def is_strongly_connected(G):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_strongly_connected_components(G) == 1


def weakly_connected_components(G):
    _require_directed(G)
    yield from _component_lists(G)


def number_weakly_connected_components(G):
    _require_directed(G)
    return len(_component_lists(G))


def is_weakly_connected(G):
    _require_directed(G)
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_weakly_connected_components(G) == 1


def ancestors(G, source):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    parents, _ = _reversed(G).bfs(source)
    return set(parents) - {source}


def descendants_at_distance(G, source, distance):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    _require(distance == int(distance) and distance >= 0, "this distance")
    _, levels = G.bfs(source, max_depth=int(distance))
    return {label for label, level in levels.items() if level == distance}


def single_target_shortest_path_length(G, target, cutoff=None):
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return single_source_shortest_path_length(_reversed(G), target, cutoff)


def dijkstra_path_length(G, source, target, weight="weight"):
    _require(not callable(weight), "a function as weight")
    _require_weights(G)
    _require_vertex(G, source)
    if source == target:
        return 0
    distances, _ = G.sssp(source)
    if target not in distances:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return distances[target]
