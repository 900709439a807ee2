"""Graphs whose vertices have labels: names, numbers, any values that a dict can have as keys.

The algorithms of the package work on matrices, whose vertices are 0, 1, 2, ... A Graph keeps the
label of each vertex. Its methods are the same algorithms: they take labels and return labels.
"""

from collections.abc import Mapping

import numpy as np

from . import algorithms
from ._library import lib, text
from .edge_tables import columns, matrix_of, undirected, unread_weight
from .files import read
from .labels import checked_labels, label_array, number
from .matrix import Matrix
from .signatures import bind, name_constructors
from .vector import Vector
from .vertex_map import VertexMap


@name_constructors
class Graph:
    """A matrix with a label for each vertex.

    Every algorithm of the package is a method: `graph.bfs(source)`, `graph.pagerank()`. Vertices
    are given by label, and a result for each vertex is a `VertexMap`, which acts like a dict from
    label to value; where the values are vertices, they are labels.

    Parameters
    ----------
    matrix : Matrix
        Square: entry (i, j) is the edge from i to j.
    labels : array_like, optional
        The label of each vertex; by default 0, 1, 2, ... ValueError if two are equal, or if one is
        missing (None, NaN, NaT, NA).
    directed : bool, optional
        False: the matrix is symmetric; `edges` then returns every edge once. By default True, unless
        the matrix is declared symmetric: read or generated with mirror entries, or by
        `Matrix.promise_symmetric`.

    Attributes
    ----------
    matrix, labels, directed
        As given; `labels` is a numpy array: of int64, uint64 or float64 if all labels are integers or
        all are floats that this type has exactly, of texts of up to 64 characters, else of objects.

    Examples
    --------
    >>> roads = semla.Graph.from_edges(
    ...     [("Graz", "Linz", 220.0), ("Linz", "Wien", 185.0), ("Graz", "Wien", 195.0)])
    >>> distances, parents = roads.sssp("Linz")
    >>> distances["Graz"], parents["Graz"], dict(distances)
    (220.0, 'Linz', {'Graz': 220.0, 'Linz': 0.0, 'Wien': 185.0})
    """

    def __init__(self, matrix, labels=None, *, directed=None):
        if not isinstance(matrix, Matrix) or matrix.nrows != matrix.ncols:
            raise TypeError(f"Graph: expected a square Matrix, not {matrix!r}")
        n = matrix.nrows
        if directed is None:
            directed = not matrix.is_declared_symmetric
        self.matrix, self.directed = matrix, bool(directed)
        self.labels = np.arange(n) if labels is None else checked_labels(labels, n)
        self._vertex_of = None

    @classmethod
    def _of(cls, matrix, labels, directed):
        """The graph with labels that are known to be distinct, an array of label_array."""
        made = cls(matrix, directed=directed)
        made.labels = labels
        return made

    @classmethod
    def from_edges(
        cls,
        edges,
        source=None,
        target=None,
        weight=None,
        *,
        directed=False,
        labels=None,
        dup=None,
        context=None,
    ):
        """Make a graph from a table or a list of edges.

        Parameters
        ----------
        edges : table, or sequence of (source, target) or (source, target, weight)
            A table is anything with columns by name: a pandas or polars DataFrame, an Arrow Table,
            a dict of arrays. `source`, `target` and `weight` then name its columns.
        source, target, weight : str, optional
            Without `weight` the edges have none. Algorithms that read weights, such as `sssp`, then
            raise Invalid if one other column of the table has numbers.
        directed : bool, default False
            False: each edge leads both ways. It may be listed once, or in both directions with the
            same weight.
        labels : array_like, optional
            Labels that come first, also of vertices without edges. By default the labels of the
            edges, sorted if they are all numbers or all strings.
        dup : binary operator or str, optional
            Combines all weights of an edge; of an undirected one those of both directions. By default
            the weights of parallel edges, which lead from one vertex to another in the same
            direction, are added. Without weights they are one edge. An operator with a type, such as
            `semla.binary.plus["UINT8"]`, computes in this type.
        context : Context, optional

        Returns
        -------
        Graph
            Its matrix is BOOL without weights. Otherwise it has the type of the weights, or INT64 or
            UINT64 where a smaller integer type does not have a sum or product of weights.

        Raises
        ------
        ValueError
            If a label is missing (None, NaN, NaT, NA): the message has the row. If the two directions
            of an undirected edge have different weights and there is no `dup`, or if no integer type
            has a sum of weights: the message has the labels.
        """
        sources, targets, weights, names = columns(edges, source, target, weight)
        first = None if labels is None else label_array(labels)
        found, (rows, cols) = number("from_edges", [sources, targets], names, first)
        matrix = matrix_of(rows, cols, weights, found, directed, dup, context)
        if source is not None and weight is None:
            matrix._unread = unread_weight(edges, source, target)
        return cls._of(matrix, found, directed)

    @classmethod
    def read(cls, path, *, context=None, **options):
        """Read a graph from a file, with the ids in the file as labels.

        A CSV file has labels in its columns. With `renumber=True` the labels are the ids that occur;
        otherwise they are 0, 1, 2, ...

        Parameters
        ----------
        path : str or os.PathLike
        context : Context, optional
            By default the current context.
        **options
            As for `semla.read`: `symmetric`, `format`, `source_column`, `weight_column`, ... With
            `symmetric=True`, or if the file says so, the graph is undirected. Without `duplicates`,
            edges that occur more than once count as in `from_edges`: parallel edges are added, and an
            undirected edge may be listed in both directions with the same weight.

        Returns
        -------
        Graph

        Examples
        --------
        >>> roads = semla.Graph.read("roads.csv", weight_column="km", symmetric=True)  # doctest: +SKIP
        """
        if "return_ids" in options:
            raise TypeError("Graph.read: the ids are the labels of the graph")
        is_symmetric = options.get("symmetric", False)
        as_listed = "duplicates" not in options
        if as_listed:
            options.update(duplicates="sum", symmetric=False)
        matrix, ids = read(path, return_ids=True, context=context, **options)
        labels = np.arange(matrix.nrows) if ids is None else label_array(ids)
        if as_listed and is_symmetric:
            hint = "Graph.read: {}; pass symmetric=False, or duplicates='min' or another rule"
            matrix = undirected(matrix, labels, hint)
        return cls._of(matrix, labels, False if is_symmetric else None)

    @classmethod
    def from_networkx(cls, graph, weight=None, *, default=1, context=None):
        """Make a graph from one of networkx.

        Parameters
        ----------
        graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
            Weights of parallel edges are added.
        weight : str, optional
            The attribute of edges with the weight; by default the edges have none.
        default : number, default 1
            The weight of edges without the attribute.
        context : Context, optional
        """
        edges = list(graph.edges())
        table = {"source": [u for u, _ in edges], "target": [v for _, v in edges]}
        if weight is not None:
            table["weight"] = [w for *_, w in graph.edges(data=weight, default=default)]
        names = "source", "target", None if weight is None else "weight"
        directed = graph.is_directed()
        return cls.from_edges(table, *names, directed=directed, labels=list(graph), context=context)

    def plot(self, kind="degrees", ax=None):
        """Draw the graph with matplotlib, into the axes `ax` or new ones, which are returned.

        Parameters
        ----------
        kind : {"degrees", "spy"}
            "degrees", or "spy" (the entries of its matrix).
        ax : matplotlib.axes.Axes, optional
            The axes to draw into.

        See Also
        --------
        semla.plot
        """
        return self.matrix.plot(kind, ax)

    def to_networkx(self, weight="weight"):
        """Return the graph as a networkx.Graph or DiGraph; the values become the attribute
        `weight`, unless the matrix is a pattern.

        Parameters
        ----------
        weight : str, default "weight"
            The name of the attribute.

        Returns
        -------
        networkx.Graph or networkx.DiGraph
        """
        import networkx

        made = networkx.DiGraph() if self.directed else networkx.Graph()
        made.add_nodes_from(self.labels.tolist())
        sources, targets, weights = (column.tolist() for column in self.edges())
        if self.matrix.is_pattern:
            made.add_edges_from(zip(sources, targets))
        else:
            made.add_weighted_edges_from(zip(sources, targets, weights), weight=weight)
        return made

    def edges(self):
        """Return the labels of the sources and of the targets, and the weights: three arrays."""
        rows, cols, values = self.matrix.to_coo()
        if not self.directed:
            once = rows <= cols
            rows, cols, values = rows[once], cols[once], values[once]
        return self.labels[rows], self.labels[cols], values

    def vertex(self, label):
        """Return the vertex of a label: its row and column in the matrix. KeyError without one.

        Parameters
        ----------
        label : hashable

        Returns
        -------
        int
        """
        if self._vertex_of is None:
            self._vertex_of = {label: v for v, label in enumerate(self.labels.tolist())}
        try:
            return self._vertex_of[label]
        except KeyError:
            raise KeyError(f"the graph has no vertex {label!r}") from None

    def label(self, vector, *, vertices=False):
        """Return a vector with an element per vertex as a VertexMap; with `vertices` its values
        are vertices, too.

        Parameters
        ----------
        vector : Vector
            Of a size equal to the number of vertices.
        vertices : bool, default False
            Whether the values are vertices.

        Returns
        -------
        VertexMap
        """
        if not isinstance(vector, Vector) or vector.size != len(self.labels):
            raise TypeError(f"label: expected a Vector of size {len(self.labels)}, not {vector!r}")
        return VertexMap(self, vector, vertices)

    def bfs(self, source, *, targets=None, **options):
        """Breadth-first search: (parents, levels); `semla.bfs` describes the options.

        Parameters
        ----------
        source : label
        targets : sequence of labels, optional
        **options
            As for `semla.bfs`.

        Returns
        -------
        parents, levels : VertexMap
        """
        if targets is not None:
            targets = [self.vertex(label) for label in targets]
        source = self.vertex(source)
        parents, levels = algorithms.bfs(self.matrix, source, targets=targets, **options)
        return self.label(parents, vertices=True), self.label(levels)

    def _given(self, argument, value):
        """An argument of an algorithm with vertices instead of labels."""
        if value is None:
            return None
        if argument.kind == lib.SL_KIND_VERTEX:
            return self.vertex(value)
        if argument.kind == lib.SL_KIND_VERTICES:
            return [self.vertex(label) for label in value]
        if argument.kind == lib.SL_KIND_VECTOR and isinstance(value, Mapping):
            return {self.vertex(label): weight for label, weight in value.items()}
        return value

    def _labelled(self, result, value):
        """A result of an algorithm with labels instead of vertices."""
        kind = result.kind
        if value is None:
            return None
        if kind in (lib.SL_KIND_VECTOR, lib.SL_KIND_VERTEX_VECTOR):
            return self.label(value, vertices=kind == lib.SL_KIND_VERTEX_VECTOR)
        if kind == lib.SL_KIND_VERTEX:
            return self.labels[[value]].tolist()[0]
        if kind == lib.SL_KIND_VERTICES:
            return self.labels[np.asarray(value, np.int64)].tolist()
        return value

    def __repr__(self):
        kind = "directed" if self.directed else "undirected"
        return f"<Graph, {kind}, {len(self.labels)} vertices, {self.matrix.nvals} entries>"


def _method(description):
    """The method of Graph for an algorithm of the registry."""
    name = text(description.name)
    its_signature = algorithms.signature(description)
    arguments = {text(a.name): a for a in algorithms.elements(description.arguments)}

    def method(self, *args, **kwargs):
        given = bind(f"Graph.{name}", its_signature, (self.matrix, *args), kwargs).arguments
        for key, argument in arguments.items():
            if key in given:
                given[key] = self._given(argument, given[key])
        if "directed" in arguments:
            given.setdefault("directed", self.directed)
        return algorithms.call(description, given, self._labelled)

    method.__name__ = name
    method.__qualname__ = f"Graph.{name}"
    method.__doc__ = f"`semla.{name}`, with labels.\n\n{algorithms.docstring(description)}"
    method.__signature__ = its_signature.replace(
        parameters=[
            p.replace(name="self") if p.name == "A" else p
            for p in its_signature.parameters.values()
        ]
    )
    return method


for _description in algorithms.descriptions():
    setattr(Graph, text(_description.name), _method(_description))
