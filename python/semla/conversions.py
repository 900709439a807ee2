"""Conversions from and to numpy and scipy.sparse.

Input arrays are copied once, into memory that the library keeps. Output arrays are memory of the
library; numpy uses them without another copy. docs/python.md has a table of all copies.
"""

import numpy as np

from ._library import ffi, lib
from .arrays import Arrays, ArraysMixin
from .errors import Invalid, Mismatch
from .grid import GatherMixin, refuse
from .indices import count, index_array, integer_array
from .operators import find
from .scalar import number
from .types import INDEX, lookup_dtype, name_of


def checked_values(values, length, dtype):
    """(array, dtype): `length` values as a numpy array, and the type that they will have.

    One number is repeated. None, for a pattern, stays None.
    """
    if values is None:
        return None, lookup_dtype(dtype if dtype is not None else bool)
    array = np.asarray(values)
    dtype = lookup_dtype(dtype if dtype is not None else array.dtype)
    if array.ndim == 0:
        array = np.full(length, array)
    if array.shape != (length,):
        raise Mismatch(f"there are {length} indices, but the values have shape {array.shape}")
    return array, dtype


def value_array(values, length, dtype):
    """As checked_values, with the array converted to the dtype."""
    array, dtype = checked_values(values, length, dtype)
    return None if array is None else np.ascontiguousarray(array, dtype), dtype


def as_pointer(array):
    """The address of the elements of an array; NULL for None."""
    if array is None:
        return ffi.NULL
    return ffi.from_buffer("uint64_t[]" if array.dtype == INDEX else "char[]", array)


def _duplicates(dup_op, dtype):
    return ffi.NULL if dup_op is None else find(dup_op, "binary")._for(dtype)


def _dense(values, dimensions, dtype):
    values = np.asarray(values)
    if values.ndim != dimensions:
        raise Mismatch(f"expected an array of {dimensions} dimensions, not of {values.ndim}")
    return values if dtype is None else values.astype(lookup_dtype(dtype), copy=False)


def _present(values, missing_value):
    """The indices of the elements that differ from missing_value, as np.nonzero returns them."""
    if missing_value != missing_value:
        return np.nonzero(values == values)
    return np.nonzero(values != missing_value)


def _fill(missing, total, fill_value, dtype):
    """The value of `missing` elements of a dense array."""
    if fill_value is None:
        raise TypeError(
            f"to_dense: {missing} of {total} elements have no entry; give their value: "
            "to_dense(fill_value)"
        )
    value = number(fill_value)
    try:
        with np.errstate(invalid="ignore"):
            converted = np.asarray(value).astype(dtype)
        if dtype.kind == "f" or converted == value:
            return converted
    except (OverflowError, TypeError, ValueError):
        pass
    raise Invalid(
        f"to_dense: the fill value {fill_value!r} is no {name_of(dtype)}; "
        "give another one, or another dtype"
    )


class DenseMixin(GatherMixin):
    """Conversion by numpy's functions, such as `np.asarray(v)`."""

    def __array__(self, dtype=None, copy=None):
        try:
            dense = self.to_dense()
        except TypeError as error:
            raise TypeError(f"cannot make an array: {error}") from None
        return dense if dtype is None else dense.astype(dtype, copy=False)


class VectorConversions(DenseMixin, ArraysMixin):
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
            _duplicates(dup_op, dtype),
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
    def from_dense(cls, values, missing_value=None, dtype=None, *, context=None):
        """Make a vector from a one-dimensional array.

        Parameters
        ----------
        values : array_like
        missing_value : number, optional
            Elements equal to it get no entry; NaN is allowed. By default every element gets one.
        dtype : dtype, optional
            By default that of the array.
        context : Context, optional
            By default the current context.

        Returns
        -------
        Vector
        """
        values = _dense(values, 1, dtype)
        if missing_value is None:
            return cls.take(
                Arrays.copy_of("full", values.dtype, values.size, values=values), context=context
            )
        (indices,) = _present(values, missing_value)
        return cls.from_coo(indices, values[indices], size=values.size, context=context)

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

    def to_dense(self, fill_value=None, dtype=None):
        """Return a one-dimensional array.

        Parameters
        ----------
        fill_value : number, optional
            The element for an index without an entry. Required if there is such an index.
        dtype : dtype, optional
            By default that of the vector.

        Raises
        ------
        TypeError
            If an index has no entry and there is no fill_value.
        Invalid
            If fill_value is not a value of the dtype.
        """
        refuse(self, "to_dense")
        dtype = lookup_dtype(dtype or self.dtype)
        if self.nvals == self.size > 0:
            return self.to_arrays("full").expand().values.astype(dtype, copy=False)
        missing = self.size - self.nvals
        fill = _fill(missing, self.size, fill_value, dtype) if missing else 0
        dense = np.full(self.size, fill, dtype)
        indices, values = self.to_coo()
        dense[indices] = values
        return dense

    def __iter__(self):
        """Iterate over the indices of the entries."""
        return iter(self.to_coo()[0].tolist())

    def __reduce__(self):
        indices, values = self.to_coo()
        return _unpickle_vector, (type(self), indices, values, self.size)


def _unpickle_vector(kind, indices, values, size):
    return kind.from_coo(indices, values, size=size)


class MatrixConversions(DenseMixin, ArraysMixin):
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
            _duplicates(dup_op, dtype),
        )
        return made

    @classmethod
    def from_dense(cls, values, missing_value=None, dtype=None, *, context=None):
        """Make a matrix from a two-dimensional array. Parameters are as for `Vector.from_dense`.

        Parameters
        ----------
        values : array_like
        missing_value : number, optional
        dtype : dtype, optional
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix
        """
        values = _dense(values, 2, dtype)
        nrows, ncols = values.shape
        if missing_value is None:
            arrays = Arrays.copy_of("full", values.dtype, nrows, ncols, values=values)
            return cls.take(arrays, context=context)
        where = _present(values, missing_value)
        return cls.from_coo(*where, values[where], nrows=nrows, ncols=ncols, context=context)

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

    def to_dense(self, fill_value=None, dtype=None):
        """Return a two-dimensional array. Parameters are as for `Vector.to_dense`.

        Parameters
        ----------
        fill_value : number, optional
        dtype : dtype, optional

        Returns
        -------
        numpy.ndarray
        """
        refuse(self, "to_dense")
        dtype = lookup_dtype(dtype or self.dtype)
        if self.nvals == self.nrows * self.ncols > 0:
            values = self.to_arrays("full").expand().values
            return values.reshape(self.shape).astype(dtype, copy=False)
        total = self.nrows * self.ncols
        missing = total - self.nvals
        fill = _fill(missing, total, fill_value, dtype) if missing else 0
        dense = np.full(self.shape, fill, dtype)
        rows, cols, values = self.to_coo()
        dense[rows, cols] = values
        return dense

    def __iter__(self):
        """Iterate over the positions (row, column) of the entries."""
        rows, cols, _ = self.to_coo()
        return zip(rows.tolist(), cols.tolist())

    # ---- compressed rows and columns ---------------------------------------------

    @classmethod
    def from_csr(
        cls, indptr, indices, values=None, dtype=None, *, nrows=None, ncols=None, context=None
    ):
        """Make a matrix from compressed rows.

        Parameters
        ----------
        indptr : array_like of int
            Row i has the entries indptr[i] to indptr[i + 1] - 1; nrows + 1 elements.
        indices : array_like of int
            The column of each entry, ascending in each row and without duplicates.
        values : array_like or number, optional
            The value of each entry, or of all entries; by default only a pattern is stored, and
            every value is 1.
        dtype : dtype, optional
            By default that of the values; BOOL without values.
        nrows, ncols : int, optional
            By default what indptr says, and the greatest column plus 1.
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix

        Raises
        ------
        Error
            Mismatch, OutOfRange or Invalid if the arrays do not fit together.
        """
        start, cols, values, dtype, nrows, ncols = _compressed(
            indptr, indices, values, dtype, nrows, ncols
        )
        arrays = Arrays.copy_of(
            "csr", dtype, nrows, ncols, cols.size, start=start, cols=cols, values=values
        )
        return cls.take(arrays, context=context)

    @classmethod
    def from_csc(
        cls, indptr, indices, values=None, dtype=None, *, nrows=None, ncols=None, context=None
    ):
        """Make a matrix from compressed columns: `from_csr` with rows and columns swapped.

        Parameters
        ----------
        indptr, indices : array_like of int
        values : array_like or number, optional
        dtype : dtype, optional
        nrows, ncols : int, optional
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix
        """
        start, rows, values, dtype, ncols, nrows = _compressed(
            indptr, indices, values, dtype, ncols, nrows
        )
        arrays = Arrays.copy_of(
            "csc", dtype, nrows, ncols, rows.size, start=start, rows=rows, values=values
        )
        return cls.take(arrays, context=context)

    @classmethod
    def from_scipy(cls, A, *, context=None):
        """Make a matrix from a matrix or array of scipy.sparse, of any format.

        Explicit zeros become entries; duplicate entries are added.

        Parameters
        ----------
        A : scipy.sparse matrix or array
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix
        """
        if not hasattr(A, "tocoo"):
            raise TypeError(
                f"expected a Matrix or a matrix of scipy.sparse, not {type(A).__name__}"
            )
        nrows, ncols = A.shape
        if A.format not in ("csr", "csc"):
            A = A.tocoo()
            return cls.from_coo(
                A.row, A.col, A.data, nrows=nrows, ncols=ncols, dup_op="plus", context=context
            )
        if not A.has_canonical_format:
            A = A.copy()
            A.sum_duplicates()
        make = cls.from_csr if A.format == "csr" else cls.from_csc
        return make(A.indptr, A.indices, A.data, nrows=nrows, ncols=ncols, context=context)

    def to_csr(self):
        """Return (indptr, indices, values) of compressed rows."""
        arrays = self.to_arrays("csr").expand()
        return arrays.start, arrays.cols, arrays.values

    def to_csc(self):
        """Return (indptr, indices, values) of compressed columns."""
        arrays = self.to_arrays("csc").expand()
        return arrays.start, arrays.rows, arrays.values

    def to_scipy(self, format="csr", *, index_dtype="int64"):
        """Return a sparse array of scipy.

        Parameters
        ----------
        format : str, default "csr"
            "csr", "csc", "coo" or another format of scipy.sparse.
        index_dtype : {"int64", "int32"}, default "int64"
            "int32" copies the indices once more. Some functions of scipy need it, such as those of
            scipy.sparse.csgraph.
        """
        import scipy.sparse

        start, indices, values = self.to_csc() if format == "csc" else self.to_csr()
        made = (scipy.sparse.csc_array if format == "csc" else scipy.sparse.csr_array)(
            self.shape, dtype=self.dtype
        )
        # The constructor would choose the type of the indices itself, and copy them.
        made.indptr = start.view(np.int64).astype(index_dtype, copy=False)
        made.indices = indices.view(np.int64).astype(index_dtype, copy=False)
        made.data = values
        return made.asformat(format)

    def __reduce__(self):
        arrays = self.to_arrays("csr")
        if arrays.iso:
            arrays.expand()
        parts = arrays.start, arrays.cols, arrays.values, arrays.dtype.str
        return _unpickle_matrix, (type(self), parts, *self.shape)


def _unpickle_matrix(kind, parts, nrows, ncols):
    return kind.from_csr(*parts, nrows=nrows, ncols=ncols)


def _compressed(indptr, indices, values, dtype, length, width):
    """Checks the arrays of `length` compressed rows or columns, and infers the sizes that are
    None."""
    start, indices = integer_array(indptr, "indptr"), integer_array(indices, "index")
    values, dtype = checked_values(values, indices.size, dtype)
    length = start.size - 1 if length is None else count(length, "the number of rows or columns")
    if start.size != length + 1:
        raise Mismatch(f"indptr has {start.size} elements; {length + 1} are needed")
    if width is None:
        width = int(indices.max()) + 1 if indices.size else 0
    width = count(width, "the number of rows or columns")
    return start, indices, values, dtype, length, width
