"""Results of algorithms on graphs with labels: mappings from labels to values."""

from collections.abc import Mapping


class VertexMap(Mapping):
    """A vector with labels: a mapping from the label of each vertex with an entry to its value.

    `dict(m)`, `m["Wien"]`, `m.get("Wien")`, `m.to_series()` and `m.to_arrow()` read it.

    Attributes
    ----------
    graph : Graph
        The graph with the labels.
    vector : Vector
        The result itself; the values are vertices where the mapping has labels.
    """

    def __init__(self, graph, vector, vertices):
        self.graph, self.vector, self._vertices = graph, vector, vertices
        self._read = {}  # {label: value}, of the last iteration
        self._read_at = None  # what vector._writes was then

    def _value(self, value):
        return self.graph.labels[value] if self._vertices else value

    def columns(self):
        """Return the labels and the values as two arrays."""
        indices, values = self.vector.to_coo()
        return self.graph.labels[indices], self._value(values)

    def __getitem__(self, label):
        try:
            if self._read_at == self.vector._writes:
                return self._read[label]
        except KeyError:
            pass
        vertex = self.graph.vertex(label)
        value = self.vector[vertex].value
        if value is None:
            raise KeyError(f"the vertex {label!r} has no value")
        return self.graph.labels[[value]].tolist()[0] if self._vertices else value

    def __iter__(self):
        # dict(m) and most loops then look up each label: these values are kept until the vector changes.
        self._read_at = self.vector._writes
        self._read = self._pairs()
        return iter(self._read)

    def __len__(self):
        return self.vector.nvals

    def _pairs(self):
        return dict(zip(*(column.tolist() for column in self.columns())))

    def items(self):
        """The pairs (label, value), read at once."""
        return self._pairs().items()

    def values(self):
        """The values, read at once."""
        return self.columns()[1].tolist()

    def to_series(self, name=None):
        """Return a pandas.Series with the labels as its index.

        Parameters
        ----------
        name : str, optional
            The name of the series.

        Returns
        -------
        pandas.Series
        """
        import pandas

        labels, values = self.columns()
        return pandas.Series(values, index=labels, name=name)

    def to_arrow(self, vertex="vertex", value="value"):
        """Return a pyarrow.Table with a column of labels and a column of values.

        Parameters
        ----------
        vertex, value : str
            The names of the columns.

        Returns
        -------
        pyarrow.Table
        """
        import pyarrow

        labels, values = self.columns()
        return pyarrow.table({vertex: pyarrow.array(labels), value: pyarrow.array(values)})

    def __repr__(self):
        shown = dict(zip(range(6), self.items()))
        dots = ", ..." if len(self) > len(shown) else ""
        return f"<VertexMap {{{', '.join(f'{k!r}: {v!r}' for k, v in shown.values())}{dots}}}>"
