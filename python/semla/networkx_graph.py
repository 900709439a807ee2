"""The graphs of the backend "semla" of NetworkX: networkx_backend.py has its functions."""

import itertools
import math
import operator
from collections.abc import Mapping

import networkx as nx
import numpy as np

from .context import current_context
from .matrix import Matrix


def decline(what):
    """Tell NetworkX that the backend does not have something."""
    raise NotImplementedError(f"the backend semla does not have {what}")


class BackendGraph:
    """A graph of NetworkX as arrays, and as matrices for the functions of this backend.

    The arrays have an element for every edge and direction, and for every parallel edge. Nodes stay
    the objects that they are in NetworkX. Attributes are read from the dicts of the edges whenever
    a function needs them, because programs write into these dicts without telling NetworkX
    (`G[u][v]["weight"] = 2`): so one graph serves functions that read different attributes, or
    none, and NetworkX may keep it for as long as it has the same nodes and edges.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    """

    __networkx_backend__ = "semla"

    def __init__(self, graph):
        self.directed, self.multigraph = graph.is_directed(), graph.is_multigraph()
        self.labels = list(graph)
        self.vertex_of = {label: vertex for vertex, label in enumerate(self.labels)}
        self.data = []
        self._kept = None, {}
        sources, degrees, targets = [], [], []
        for source, neighbours in graph.adjacency():
            if not isinstance(neighbours, Mapping):  # a subclass with sets
                neighbours = graph[source]
            if self.multigraph:
                lists = [list(edges.values()) for edges in neighbours.values()]
                targets += [t for t, edges in zip(neighbours, lists) for _ in edges]
                edges = list(itertools.chain.from_iterable(lists))
            else:
                targets += neighbours
                edges = neighbours.values()
            sources.append(self.vertex_of[source])
            degrees.append(len(edges))
            self.data += edges
        self.rows = np.repeat(np.array(sources, np.int64), degrees)
        cols = map(self.vertex_of.__getitem__, targets)
        self.cols = np.fromiter(cols, np.int64, len(targets))

    def __getstate__(self):
        return {**self.__dict__, "_kept": (None, {})}  # matrices are made again

    def is_directed(self):
        """Whether edges have a direction."""
        return self.directed

    def is_multigraph(self):
        """Whether there can be parallel edges."""
        return self.multigraph

    def __len__(self):
        return len(self.labels)

    number_of_nodes = __len__

    def __iter__(self):
        return iter(self.labels)

    def __contains__(self, label):
        try:
            return label in self.vertex_of
        except TypeError:
            return False

    nbunch_iter = nx.Graph.nbunch_iter  # reads only _adj, the nodes of which it compares

    @property
    def _adj(self):
        return self.vertex_of

    def _keep(self, key, make, values=()):
        """What `make` makes of the values, in the current context; kept for the next call."""
        context = current_context()
        kept = self._kept
        if kept[0] is not context:
            kept = self._kept = context, {}
        known, made = kept[1].get(key, (None, None))
        if known is None or not all(map(operator.is_, known, values)):
            made = make()
            kept[1][key] = values, made
        return made

    def pattern(self, reverse=False):
        """The BOOL matrix of the edges, or of the edges turned round."""
        if reverse and self.directed:
            return self._keep("reverse", lambda: self._matrix(self.cols, self.rows, True, "lor"))
        return self._keep("pattern", lambda: self._matrix(self.rows, self.cols, True, "lor"))

    def lengths(self, attribute):
        """The matrix of the lengths of edges, the least of parallel ones; None if all are 1."""
        values = [edge.get(attribute, 1) for edge in self.data]
        return self._keep((attribute, "lengths"), lambda: self._lengths(_numbers(values)), values)

    def _lengths(self, lengths):
        total = float(np.sum(lengths, dtype=float))
        if not np.all(lengths >= 0) or not math.isfinite(total):
            decline("lengths that are negative, infinite or NaN")
        if lengths.dtype.kind == "i" and total >= 2.0**62:
            decline("integers whose sums exceed 64 bits")
        if lengths.dtype.kind == "i" and np.all(lengths == 1):
            return None
        return self._matrix(self.rows, self.cols, lengths, "min")

    def sums(self, attribute):
        """The FP64 matrix of the weights, added over parallel edges, and its sums of rows. None
        stands for the matrix if all its values are 1."""
        values = [1] * len(self.data)
        if attribute is not None:
            values = [edge.get(attribute, 1) for edge in self.data]
        return self._keep((attribute, "sums"), lambda: self._sums(_numbers(values)), values)

    def _sums(self, weights):
        weights = weights.astype(float)
        if not np.isfinite(np.abs(weights).sum()):
            decline("weights that are infinite or NaN")
        matrix = None
        if self.multigraph or not np.all(weights == 1):
            matrix = self._matrix(self.rows, self.cols, weights, "plus")
        return matrix, np.bincount(self.rows, weights, len(self))

    def _matrix(self, rows, cols, values, dup):
        n = len(self)
        made = Matrix.from_coo(rows, cols, values, nrows=n, ncols=n, dup_op=dup)
        if not self.directed and dup != "plus":  # sums may be rounded differently
            made.promise_symmetric()
        return made

    def to_networkx(self):
        """The graph for NetworkX, with the attributes of edges."""
        kind = nx.MultiDiGraph if self.directed else nx.MultiGraph
        if not self.multigraph:
            kind = nx.DiGraph if self.directed else nx.Graph
        made = kind()
        made.add_nodes_from(self.labels)
        for row, col, data in zip(self.rows.tolist(), self.cols.tolist(), self.data):
            if self.directed or row <= col:
                made.add_edges_from([(self.labels[row], self.labels[col], data)])
        return made


def _numbers(values):
    """Weights as an array of INT64 or FP64 that computes as Python computes with them."""
    for kind in set(map(type, values)):
        if not issubclass(kind, (int, float, np.int64)):  # others wrap or fail in NetworkX
            decline(f"weights of type {kind.__name__}")
    whole = [int(value) for value in values if not isinstance(value, float)]
    if len(whole) == len(values):
        if any(not -(2**63) <= value < 2**63 for value in whole):
            decline("integers of more than 64 bits as weights")
        return np.array(whole, np.int64)
    if sum(map(abs, whole)) > 2**53:
        decline("integers whose sums exceed 2^53 beside floating-point numbers")
    return np.array(values, float)
