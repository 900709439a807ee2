"""Conversions from and to the protocol binsparse.

`__binsparse__` and `__binsparse_descriptor__` are the proposed interchange of sparse arrays of the
array API standard (github.com/data-apis/array-api, issue 840): a descriptor, equivalent to the JSON of
the binsparse specification 0.1, and the arrays by the names in the descriptor.
"""

from collections.abc import Mapping

import numpy as np

from ._version import VERSION


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


def _refuse(descriptor, format, copy):
    if copy is False:
        raise BufferError("__binsparse__: the arrays are copies; copy=False is not supported")
    if descriptor is not None and descriptor["binsparse"]["format"] != format:
        raise TypeError(f"__binsparse__: the format is {format}")


class BinsparseVector:
    """The conversions of vectors."""

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


class BinsparseMatrix:
    """The conversions of matrices."""

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
