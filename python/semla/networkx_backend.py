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
    return BackendGraph.from_networkx(graph, weight, default=1 if default is None else default)


def convert_to_nx(result, *, name=None):
    """A result for NetworkX: a graph is converted, anything else is returned as it is."""
    return result.to_networkx() if isinstance(result, Graph) else result


def _require(condition, what):
    if not condition:
        raise NotImplementedError(f"the backend semla does not have {what}")


def _require_vertex(G, source):
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")


def _require_undirected(G):
    if G.directed:
        raise nx.NetworkXNotImplemented("not implemented for directed type")


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


def _component_lists(G):
    components = {}
    for label, root in G.components().items():
        components.setdefault(root, set()).add(label)
    return components.values()


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
    if nodes is None:
        return counts
    if nodes in G:
        return counts[nodes]
    return {label: counts[label] for label in nodes if label in counts}
