"""Conversions from and to lists of entries: coordinates and values, pairs, edges, dicts."""

import numpy as np

from ._library import ffi, lib
from .errors import Mismatch
from .indices import index_array
from .types import INDEX
from .values import as_pointer, duplicates, value_array


class TuplesOfVector:
    """The conversions of vectors."""

    @classmethod
    def from_coo(cls, indices, values=None, dtype=None, *, size=None, dup_op=None, context=None):
        """Make a vector from a list of entries.

        Parameters
        ----------
        indices : array_like of int
        values : array_like or number, optional
            The value of each entry, or of all entries; by default every value is 1.
        dtype : dtype, optional
            By default that of the values; BOOL without values.
        size : int, optional
            By default the greatest index plus 1.
        dup_op : binary operator or str, optional
            Combines the values of equal indices. Without it, equal indices are an error.
        context : Context, optional
            By default the current context.

        Returns
        -------
        Vector

        Raises
        ------
        OutOfRange
            If an index is negative or not below `size`.
        Mismatch
            If the numbers of indices and values differ.
        Invalid
            If an index occurs twice and there is no dup_op.
        """
        indices = index_array(indices)
        values, dtype = value_array(values, indices.size, dtype)
        if size is None:
            size = int(indices.max()) + 1 if indices.size else 0
        made = cls(dtype, size, context=context)
        made._write(
            lib.sl_vector_build,
            made,
            as_pointer(indices),
            as_pointer(values),
            indices.size,
            duplicates(dup_op, dtype),
        )
        return made

    @classmethod
    def from_dict(cls, entries, dtype=None, *, size=None, context=None):
        """Make a vector from a dict {index: value}. Other parameters are as for `from_coo`.

        Parameters
        ----------
        entries : dict
        dtype : dtype, optional
        size : int, optional
        context : Context, optional
            By default the current context.

        Returns
        -------
        Vector
        """
        return cls.from_coo(
            list(entries), list(entries.values()), dtype, size=size, context=context
        )

    @classmethod
    def from_pairs(cls, pairs, dtype=None, *, size=None, dup_op=None, context=None):
        """Make a vector from a list of pairs (index, value). Other parameters are as for
        `from_coo`.

        Parameters
        ----------
        pairs : sequence of (int, number)
        dtype : dtype, optional
        size : int, optional
        dup_op : binary operator or str, optional
        context : Context, optional
            By default the current context.

        Returns
        -------
        Vector

        Examples
        --------
        >>> semla.Vector.from_pairs([(0, 1.5), (3, 2.5)], size=5).to_dict()
        {0: 1.5, 3: 2.5}
        """
        pairs = list(pairs)
        indices, values = [i for i, _ in pairs], [v for _, v in pairs]
        return cls.from_coo(indices, values, dtype, size=size, dup_op=dup_op, context=context)

    def to_coo(self):
        """Return (indices, values) as arrays, sorted by index. On a grid: those of this rank."""
        length = ffi.new("uint64_t *", self.nvals)
        indices, values = np.empty(length[0], INDEX), np.empty(length[0], self.dtype)
        self.context._call(
            lib.sl_vector_extract_tuples, as_pointer(indices), as_pointer(values), length, self
        )
        return indices[: length[0]], values[: length[0]]

    def to_dict(self):
        """Return a dict {index: value} of Python numbers."""
        indices, values = self.to_coo()
        return dict(zip(indices.tolist(), values.tolist()))

    def __iter__(self):
        """Iterate over the indices of the entries."""
        return iter(self.to_coo()[0].tolist())

    def __reduce__(self):
        indices, values = self.to_coo()
        return _unpickle_vector, (type(self), indices, values, self.size)


def _unpickle_vector(kind, indices, values, size):
    return kind.from_coo(indices, values, size=size)


class TuplesOfMatrix:
    """The conversions of matrices."""

    @classmethod
    def from_coo(
        cls,
        rows,
        cols,
        values=None,
        dtype=None,
        *,
        nrows=None,
        ncols=None,
        dup_op=None,
        context=None,
    ):
        """Make a matrix from a list of entries.

        Parameters
        ----------
        rows, cols : array_like of int
            The row and the column of each entry.
        values : array_like or number, optional
            The value of each entry, or of all entries; by default only a pattern is stored, and
            every value is 1.
        dtype : dtype, optional
            By default that of the values; BOOL without values.
        nrows, ncols : int, optional
            By default the greatest index plus 1.
        dup_op : binary operator or str, optional
            Combines the values of entries at the same position. Without it, such entries are an
            error.
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix

        Raises
        ------
        OutOfRange
            If an index is negative or outside the shape.
        Mismatch
            If the numbers of rows, columns and values differ.
        Invalid
            If a position occurs twice and there is no dup_op.
        """
        rows, cols = index_array(rows, "row"), index_array(cols, "column")
        if rows.size != cols.size:
            raise Mismatch(f"there are {rows.size} row indices, but {cols.size} column indices")
        values, dtype = value_array(values, rows.size, dtype)
        if nrows is None:
            nrows = int(rows.max()) + 1 if rows.size else 0
        if ncols is None:
            ncols = int(cols.max()) + 1 if cols.size else 0
        made = cls(dtype, nrows, ncols, context=context)
        made._write(
            lib.sl_matrix_build,
            made,
            as_pointer(rows),
            as_pointer(cols),
            as_pointer(values),
            rows.size,
            duplicates(dup_op, dtype),
        )
        return made

    @classmethod
    def from_edgelist(
        cls,
        edges,
        values=None,
        dtype=None,
        *,
        nrows=None,
        ncols=None,
        dup_op=None,
        context=None,
    ):
        """Make a matrix from a list of edges.

        Parameters
        ----------
        edges : sequence of (row, column) or (row, column, value), or array of shape (n, 2)
        values : array_like or number, optional
            The value of each edge, if the edges have none.

        Other parameters, and errors, are as for `from_coo`.

        Examples
        --------
        >>> A = semla.Matrix.from_edgelist([(0, 1, 2.5), (1, 2, 0.5)], nrows=3, ncols=3)
        >>> A.to_edgelist()[0].tolist()
        [[0, 1], [1, 2]]
        """
        rows, cols, own = _pairs(edges)
        if own is not None and values is not None:
            raise TypeError("from_edgelist: the edges have values already")
        return cls.from_coo(
            rows,
            cols,
            own if values is None else values,
            dtype,
            nrows=nrows,
            ncols=ncols,
            dup_op=dup_op,
            context=context,
        )

    @classmethod
    def from_dicts(cls, entries, dtype=None, *, nrows=None, ncols=None, context=None):
        """Make a matrix from a dict of dicts, {row: {column: value}}. Other parameters are as for
        `from_coo`.

        Parameters
        ----------
        entries : dict of dicts
        dtype : dtype, optional
        nrows, ncols : int, optional
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix
        """
        rows = [i for i, row in entries.items() for _ in row]
        cols = [j for row in entries.values() for j in row]
        values = [value for row in entries.values() for value in row.values()]
        return cls.from_coo(rows, cols, values, dtype, nrows=nrows, ncols=ncols, context=context)

    def to_coo(self):
        """Return (rows, cols, values) as arrays, sorted by row and then by column. On a grid: those
        of this rank."""
        length = ffi.new("uint64_t *", self.nvals)
        rows, cols = np.empty(length[0], INDEX), np.empty(length[0], INDEX)
        values = np.empty(length[0], self.dtype)
        self.context._call(
            lib.sl_matrix_extract_tuples,
            as_pointer(rows),
            as_pointer(cols),
            as_pointer(values),
            length,
            self,
        )
        return rows[: length[0]], cols[: length[0]], values[: length[0]]

    def to_edgelist(self):
        """Return an array of shape (nvals, 2) with the row and column of each entry, and the
        values."""
        rows, cols, values = self.to_coo()
        return np.column_stack((rows, cols)), values

    def to_dicts(self):
        """Return a dict of dicts, {row: {column: value}}, of Python numbers.

        Examples
        --------
        >>> semla.Matrix.from_dicts({0: {1: 5}, 2: {0: 7, 1: 8}}).to_dicts()
        {0: {1: 5}, 2: {0: 7, 1: 8}}
        """
        made = {}
        for row, col, value in zip(*(array.tolist() for array in self.to_coo())):
            made.setdefault(row, {})[col] = value
        return made

    def __iter__(self):
        """Iterate over the positions (row, column) of the entries."""
        rows, cols, _ = self.to_coo()
        return zip(rows.tolist(), cols.tolist())


def _pairs(edges):
    """Two lists, of the rows and the columns, and the values or None, of an array with two or three
    columns or a list of tuples."""
    if isinstance(edges, np.ndarray):
        if edges.ndim != 2 or edges.shape[1] != 2:
            raise Mismatch(f"from_edgelist: the array has shape {edges.shape}; (n, 2) is needed")
        return edges[:, 0], edges[:, 1], None
    edges = list(edges)
    widths = {len(edge) for edge in edges}
    if widths - {2, 3} or len(widths) > 1:
        raise Mismatch("from_edgelist: edges must be (row, column), or all (row, column, value)")
    columns = list(map(list, zip(*edges))) or [[], []]
    return columns[0], columns[1], columns[2] if len(columns) == 3 else None
