"""Graphs whose vertices have labels: names, numbers, any values that a dict can have as keys.

The algorithms of the package work on matrices, whose vertices are 0, 1, 2, ... A Graph keeps the
label of each vertex. Its methods are the same algorithms: they take labels and return labels.
"""

from collections.abc import Mapping

import numpy as np

from . import algorithms
from ._library import lib, text
from .files import read
from .matrix import Matrix
from .signatures import bind, name_constructors
from .vector import Vector
from .vertex_map import VertexMap


def _column(table, name):
    """A column of a table (pandas, Arrow, polars, a dict of arrays) as a numpy array."""
    if name is None:
        return None
    try:
        return np.asarray(table[name])
    except (KeyError, IndexError) as error:
        raise ValueError(f"the table has no column {name!r}") from error


def _columns(edges):
    """The sources, targets and weights (None: there are none) of a list of tuples or an array."""
    edges = edges if isinstance(edges, np.ndarray) else list(edges)
    width = {len(edge) for edge in edges[:1]}
    if len(edges) == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), None
    if width - {2, 3} or any(len(edge) not in width for edge in edges):
        raise ValueError("edges must be (source, target), or all (source, target, weight)")
    if isinstance(edges, np.ndarray):
        columns = list(edges.T)
    else:
        columns = [_array(column) for column in zip(*edges)]
    return columns[0], columns[1], np.asarray(columns[2].tolist()) if 3 in width else None


def _unread(table, source, target):
    """Asks for the weight if one column of a table besides source and target has numbers; else None."""
    names = getattr(table, "column_names", None)  # Arrow, whose `columns` are the data
    names = list(table) if isinstance(table, Mapping) else names or getattr(table, "columns", [])
    numbers = [
        name
        for name in names
        if name not in (source, target) and _is_number(table[name])
    ]
    if len(numbers) != 1:
        return None
    return (
        f"the table has a column {numbers[0]!r}, but no weight was given: from_edges(..., "
        f"weight={numbers[0]!r}) reads it; a table without that column gives every edge the length 1"
    )


def _is_number(column):
    """Whether a column has numbers, by its type or its first elements."""
    kind = getattr(getattr(column, "dtype", None), "kind", None)
    return (kind or np.asarray(column[:100]).dtype.kind) in "iuf"


def _array(labels):
    """An array of labels: of a numeric or string type if all are alike, otherwise of objects."""
    labels = list(labels)
    if len({type(label) for label in labels}) == 1 and isinstance(labels[0], (int, float, str)):
        made = np.asarray(labels)
        if made.dtype.kind != "f" or isinstance(labels[0], float):
            return made
    made = np.empty(len(labels), object)
    made[:] = labels
    return made


def _number(labels, *columns):
    """The labels (first those given, then in the order of the columns) and the vertex of each
    element of the columns."""
    if labels is None and all(column.dtype.kind in "iufU" for column in columns):
        kinds = {"U" if column.dtype.kind == "U" else "number" for column in columns}
        if len(kinds) == 1:
            found, vertices = np.unique(np.concatenate(columns), return_inverse=True)
            return found, np.split(vertices, np.cumsum([len(c) for c in columns])[:-1])
    vertex_of = {label: vertex for vertex, label in enumerate([] if labels is None else labels)}
    vertices = [
        np.fromiter(
            (vertex_of.setdefault(label, len(vertex_of)) for label in column.tolist()),
            np.int64,
            len(column),
        )
        for column in columns
    ]
    return _array(vertex_of), vertices


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
    labels : sequence, optional
        The label of each vertex; by default 0, 1, 2, ...
    directed : bool, default True
        False: the matrix is symmetric; `edges` then returns every edge once.

    Attributes
    ----------
    matrix, labels, directed
        As given; `labels` is a numpy array.

    Examples
    --------
    >>> roads = semla.Graph.from_edges(
    ...     [("Graz", "Linz", 220.0), ("Linz", "Wien", 185.0), ("Graz", "Wien", 195.0)])
    >>> distances, parents = roads.sssp("Linz")
    >>> distances["Graz"], parents["Graz"], dict(distances)
    (220.0, 'Linz', {'Graz': 220.0, 'Linz': 0.0, 'Wien': 185.0})
    """

    def __init__(self, matrix, labels=None, *, directed=True):
        if not isinstance(matrix, Matrix) or matrix.nrows != matrix.ncols:
            raise TypeError(f"Graph: expected a square Matrix, not {matrix!r}")
        n = matrix.nrows
        self.matrix, self.directed = matrix, directed
        self.labels = np.arange(n) if labels is None else _array(np.asarray(labels).tolist())
        if len(self.labels) != n:
            raise ValueError(f"Graph: {len(self.labels)} labels for {n} vertices")
        self._vertex_of = None

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
        dup="plus",
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
            False: each edge is listed once and leads both ways.
        labels : sequence, optional
            Labels that come first, also of vertices without edges. By default the labels of the
            edges, sorted if they are all numbers or all strings.
        dup : binary operator or str, default "plus"
            Combines the weights of parallel edges. Without weights they are one edge.
        context : Context, optional

        Returns
        -------
        Graph
            Its matrix is BOOL without weights.
        """
        if (source is None) != (target is None):
            raise TypeError("from_edges: give the columns of both source and target")
        if source is None:
            sources, targets, weights = _columns(edges)
        else:
            sources, targets = _column(edges, source), _column(edges, target)
            weights = _column(edges, weight)
        found, (rows, cols) = _number(labels, sources, targets)
        if not directed:
            other = rows != cols
            rows, cols = np.append(rows, cols[other]), np.append(cols, rows[other])
            weights = None if weights is None else np.append(weights, weights[other])
        values, dup = (weights, dup) if weights is not None else (True, "lor")
        n = len(found)
        matrix = Matrix.from_coo(rows, cols, values, nrows=n, ncols=n, dup_op=dup, context=context)
        if not directed:
            matrix.promise_symmetric()
        if source is not None and weight is None:
            matrix._unread = _unread(edges, source, target)
        return cls(matrix, found, directed=directed)

    @classmethod
    def read(cls, path, *, context=None, **options):
        """Read a graph from a file, with the ids in the file as labels.

        The labels of a CSV file are those of its columns; those of files that are read with
        `renumber=True` are the ids that occur; otherwise they are 0, 1, 2, ...

        Parameters
        ----------
        path : str or os.PathLike
        context : Context, optional
            By default the current context.
        **options
            As for `semla.read`: `symmetric`, `format`, `source_column`, `weight_column`, ... With
            `symmetric=True` the graph is undirected.

        Returns
        -------
        Graph

        Examples
        --------
        >>> roads = semla.Graph.read("roads.csv", weight_column="km", symmetric=True)  # doctest: +SKIP
        """
        if "return_ids" in options:
            raise TypeError("Graph.read: the ids are the labels of the graph")
        matrix, ids = read(path, return_ids=True, context=context, **options)
        return cls(matrix, ids, directed=not options.get("symmetric", False))

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
        edges = [(u, v) for u, v in graph.edges()]
        sources, targets = _array(u for u, _ in edges), _array(v for _, v in edges)
        table = {"source": sources, "target": targets}
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
            return self.labels[value].item() if self.labels.dtype != object else self.labels[value]
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
