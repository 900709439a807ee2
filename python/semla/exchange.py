"""Conversions from and to edge lists, dicts, and the protocols DLPack and binsparse.

`__binsparse__` and `__binsparse_descriptor__` are the proposed interchange of sparse arrays of the
array API standard (github.com/data-apis/array-api, issue 840): a descriptor, equivalent to the JSON of
the binsparse specification 0.1, and the arrays by the names in the descriptor.
"""

from collections.abc import Mapping

import numpy as np

from ._version import VERSION
from .errors import Mismatch


def _binsparse_type(dtype):
    return "bint8" if dtype.kind == "b" else dtype.name


def _descriptor(format, shape, arrays):
    return {
        "binsparse": {
            "version": "0.1",
            "format": format,
            "shape": list(shape),
            "number_of_stored_values": len(arrays["values"]),
            "data_types": {name: _binsparse_type(array.dtype) for name, array in arrays.items()},
        },
        "original_source": f"semla, version {VERSION}",
    }


def _received(thing):
    """(format, shape, arrays) of an object with the protocol; iso values are repeated."""
    try:
        description = thing.__binsparse_descriptor__()["binsparse"]
        arrays = thing.__binsparse__()
    except AttributeError:
        raise TypeError(f"from_binsparse: {type(thing).__name__} has no __binsparse__") from None
    if str(description["version"]).split(".")[:2] != ["0", "1"]:
        raise TypeError(f"from_binsparse: version {description['version']}; 0.1 is supported")
    types = description["data_types"]
    if not isinstance(arrays, Mapping):
        arrays = dict(zip(types, arrays))
    arrays = {name: np.asarray(array) for name, array in arrays.items()}
    values = arrays["values"]
    if types["values"].startswith("iso["):
        values = np.full(description["number_of_stored_values"], values.reshape(-1)[0])
    if "bint8" in types["values"]:
        values = values.astype(bool)
    arrays["values"] = values
    return description["format"], tuple(description["shape"]), arrays


def _unsupported(format, formats):
    raise TypeError(f"from_binsparse: the format is {format!r}; supported are {', '.join(formats)}")


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


class VectorExchange:
    """The conversions of vectors."""

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

    @classmethod
    def from_dlpack(cls, array, *, context=None):
        """Make a vector with an entry at every index from an array with `__dlpack__` in host
        memory, which is copied once.

        Parameters
        ----------
        array : object with `__dlpack__`
        context : Context, optional
            By default the current context.

        Returns
        -------
        Vector

        Raises
        ------
        BufferError
            If the array is in the memory of a GPU.
        """
        return cls.from_dense(_from_dlpack(array), context=context)

    @classmethod
    def from_binsparse(cls, thing, *, context=None):
        """Make a vector from an object with `__binsparse__`, of the format CVEC or DVEC.

        Parameters
        ----------
        thing : object with `__binsparse__`
        context : Context, optional
            By default the current context.

        Returns
        -------
        Vector

        Raises
        ------
        TypeError
            If the object has no `__binsparse__`, or another format or version.
        """
        format, (size,), arrays = _received(thing)
        if format == "DVEC":
            return cls.from_dense(arrays["values"], context=context)
        if format != "CVEC":
            _unsupported(format, ("CVEC", "DVEC"))
        return cls.from_coo(arrays["indices_0"], arrays["values"], size=size, context=context)

    def __binsparse__(self, *, descriptor=None, copy=None):
        """The arrays of the compressed vector, by name."""
        _refuse(descriptor, "CVEC", copy)
        indices, values = self.to_coo()
        return {"indices_0": indices, "values": values}

    def __binsparse_descriptor__(self):
        return _descriptor("CVEC", self.shape, self.__binsparse__())


class MatrixExchange:
    """The conversions of matrices."""

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

    def to_edgelist(self):
        """Return an array of shape (nvals, 2) with the row and column of each entry, and the
        values."""
        rows, cols, values = self.to_coo()
        return np.column_stack((rows, cols)), values

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

    @classmethod
    def from_dlpack(cls, array, *, context=None):
        """Make a matrix with an entry at every position from a two-dimensional array with
        `__dlpack__` in host memory, which is copied once.

        Parameters
        ----------
        array : object with `__dlpack__`
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix

        Raises
        ------
        BufferError
            If the array is in the memory of a GPU.
        """
        return cls.from_dense(_from_dlpack(array), context=context)

    @classmethod
    def from_binsparse(cls, thing, *, context=None):
        """Make a matrix from an object with `__binsparse__`, of the format CSR, CSC, COOR, COOC or
        DMATR.

        Parameters
        ----------
        thing : object with `__binsparse__`
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix

        Raises
        ------
        TypeError
            If the object has no `__binsparse__`, or another format or version.
        """
        format, (nrows, ncols), arrays = _received(thing)
        shape = {"nrows": nrows, "ncols": ncols, "context": context}
        if format == "DMATR":
            return cls.from_dense(arrays["values"].reshape(nrows, ncols), context=context)
        if format in ("CSR", "CSC"):
            make = cls.from_csr if format == "CSR" else cls.from_csc
            return make(arrays["pointers_to_1"], arrays["indices_1"], arrays["values"], **shape)
        if format not in ("COO", "COOR", "COOC"):
            _unsupported(format, ("CSR", "CSC", "COOR", "COOC", "DMATR"))
        first, second = arrays["indices_0"], arrays["indices_1"]
        rows, cols = (second, first) if format == "COOC" else (first, second)
        return cls.from_coo(rows, cols, arrays["values"], **shape)

    def __binsparse__(self, *, descriptor=None, copy=None):
        """The arrays of compressed rows, by name."""
        _refuse(descriptor, "CSR", copy)
        start, indices, values = self.to_csr()
        return {"pointers_to_1": start, "indices_1": indices, "values": values}

    def __binsparse_descriptor__(self):
        return _descriptor("CSR", self.shape, self.__binsparse__())


def _refuse(descriptor, format, copy):
    if copy is False:
        raise BufferError("__binsparse__: the arrays are copies; copy=False is not supported")
    if descriptor is not None and descriptor["binsparse"]["format"] != format:
        raise TypeError(f"__binsparse__: the format is {format}")


def _from_dlpack(array):
    device, _ = array.__dlpack_device__()
    if device != 1:
        raise BufferError("from_dlpack: the array is not in host memory; copy it there first")
    return np.from_dlpack(array)
