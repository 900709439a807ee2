"""From and to numpy and scipy.sparse. docs/python.md says what is copied.

What comes in is copied once, into memory that the library can keep; what goes out is
memory of the library that becomes numpy's without another copy.
"""

import numpy as np

from ._library import ffi, lib
from .arrays import Arrays, Movable
from .errors import Mismatch, OutOfRange
from .operators import find
from .types import INDEX, lookup_dtype


def checked_indices(indices, what):
    """Indices as an array of numpy's, of whatever integer type they are."""
    array = np.asarray(indices)
    if array.size == 0:
        return np.zeros(0, INDEX)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"{what}: one dimension of integers is needed")
    if array.dtype.kind == "i" and array.min() < 0:
        raise OutOfRange(f"{what} {array.min()} is negative")
    return array


def index_array(indices, what="index"):
    """Indices as an array that the library can read: copied if it is of another type."""
    return np.ascontiguousarray(checked_indices(indices, what), INDEX)


def checked_values(values, count, dtype):
    """(array, dtype): values as an array of numpy's, and the type that they are to have. One
    number stands for `count` of them; None, for a pattern, stays None."""
    if values is None:
        return None, lookup_dtype(dtype if dtype is not None else bool)
    array = np.asarray(values)
    dtype = lookup_dtype(dtype if dtype is not None else array.dtype)
    if array.ndim == 0:
        array = np.full(count, array)
    if array.shape != (count,):
        raise Mismatch(f"there are {count} indices, but values of shape {array.shape}")
    return array, dtype


def value_array(values, count, dtype):
    """The same as an array that the library can read."""
    array, dtype = checked_values(values, count, dtype)
    return None if array is None else np.ascontiguousarray(array, dtype), dtype


def lent(array):
    """The array's memory, as the library reads it; NULL for None."""
    if array is None:
        return ffi.NULL
    return ffi.from_buffer("uint64_t[]" if array.dtype == INDEX else "char[]", array)


def _duplicates(dup_op, dtype):
    return ffi.NULL if dup_op is None else find(dup_op, "binary")._for(dtype)


def _dense(values, dimensions, dtype):
    values = np.asarray(values)
    if values.ndim != dimensions:
        raise Mismatch(f"an array of {dimensions} dimensions is needed, not of {values.ndim}")
    return values if dtype is None else values.astype(lookup_dtype(dtype), copy=False)


def _present(values, missing_value):
    """Where there are entries, as np.nonzero has it."""
    if missing_value != missing_value:
        return np.nonzero(values == values)
    return np.nonzero(values != missing_value)


class VectorConversions(Movable):
    """The ways in and out of a vector."""

    @classmethod
    def from_coo(cls, indices, values=None, dtype=None, *, size=None, dup_op=None, context=None):
        """A vector of entries: value k at indices[k]. Without values all are 1.

        dup_op combines values of equal indices; without it they are an error. `size` is one
        more than the greatest index if it is not given.
        """
        indices = index_array(indices)
        values, dtype = value_array(values, indices.size, dtype)
        if size is None:
            size = int(indices.max()) + 1 if indices.size else 0
        made = cls(dtype, size, context=context)
        made._write(
            lib.sl_vector_build,
            made,
            lent(indices),
            lent(values),
            indices.size,
            _duplicates(dup_op, dtype),
        )
        return made

    @classmethod
    def from_dict(cls, entries, dtype=None, *, size=None, context=None):
        """A vector of {index: value}."""
        return cls.from_coo(
            list(entries), list(entries.values()), dtype, size=size, context=context
        )

    @classmethod
    def from_dense(cls, values, missing_value=None, dtype=None, *, context=None):
        """A vector of an array's elements, but for those that equal missing_value, if given."""
        values = _dense(values, 1, dtype)
        if missing_value is None:
            return cls.take(
                Arrays.copy_of("full", values.dtype, values.size, values=values), context=context
            )
        (indices,) = _present(values, missing_value)
        return cls.from_coo(indices, values[indices], size=values.size, context=context)

    def to_coo(self):
        """(indices, values), by rising index."""
        count = ffi.new("uint64_t *", self.nvals)
        indices, values = np.empty(count[0], INDEX), np.empty(count[0], self.dtype)
        self.context._call(lib.sl_vector_extract_tuples, lent(indices), lent(values), count, self)
        return indices, values

    def to_dict(self):
        """{index: value}, of Python's own numbers."""
        indices, values = self.to_coo()
        return dict(zip(indices.tolist(), values.tolist()))

    def to_dense(self, fill_value=0, dtype=None):
        """An array with an element for every index, and a value where there is no entry."""
        dtype = lookup_dtype(dtype or self.dtype)
        if self.nvals == self.size > 0:
            return self.to_arrays("full").expand().values.astype(dtype, copy=False)
        dense = np.full(self.size, fill_value, dtype)
        indices, values = self.to_coo()
        dense[indices] = values
        return dense

    def __iter__(self):
        """The indices of the entries."""
        return iter(self.to_coo()[0].tolist())

    def __reduce__(self):
        indices, values = self.to_coo()
        return _unpickle_vector, (type(self), indices, values, self.size)


def _unpickle_vector(kind, indices, values, size):
    return kind.from_coo(indices, values, size=size)


class MatrixConversions(Movable):
    """The ways in and out of a matrix."""

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
        """A matrix of entries: value k at (rows[k], cols[k]). Without values all are 1, and
        the matrix is a pattern.

        dup_op combines values of equal indices; without it they are an error. Sizes are
        one more than the greatest index if they are not given.
        """
        rows, cols = index_array(rows, "row"), index_array(cols, "column")
        if rows.size != cols.size:
            raise Mismatch(f"there are {rows.size} rows, but {cols.size} columns")
        values, dtype = value_array(values, rows.size, dtype)
        if nrows is None:
            nrows = int(rows.max()) + 1 if rows.size else 0
        if ncols is None:
            ncols = int(cols.max()) + 1 if cols.size else 0
        made = cls(dtype, nrows, ncols, context=context)
        made._write(
            lib.sl_matrix_build,
            made,
            lent(rows),
            lent(cols),
            lent(values),
            rows.size,
            _duplicates(dup_op, dtype),
        )
        return made

    @classmethod
    def from_dense(cls, values, missing_value=None, dtype=None, *, context=None):
        """A matrix of an array's elements, but for those that equal missing_value, if given."""
        values = _dense(values, 2, dtype)
        nrows, ncols = values.shape
        if missing_value is None:
            arrays = Arrays.copy_of("full", values.dtype, nrows, ncols, values=values)
            return cls.take(arrays, context=context)
        where = _present(values, missing_value)
        return cls.from_coo(*where, values[where], nrows=nrows, ncols=ncols, context=context)

    def to_coo(self):
        """(rows, cols, values), by rising row, then column."""
        count = ffi.new("uint64_t *", self.nvals)
        rows, cols = np.empty(count[0], INDEX), np.empty(count[0], INDEX)
        values = np.empty(count[0], self.dtype)
        self.context._call(
            lib.sl_matrix_extract_tuples, lent(rows), lent(cols), lent(values), count, self
        )
        return rows, cols, values

    def to_dense(self, fill_value=0, dtype=None):
        """An array with an element for every pair of indices, and a value where there is no
        entry."""
        dtype = lookup_dtype(dtype or self.dtype)
        if self.nvals == self.nrows * self.ncols > 0:
            values = self.to_arrays("full").expand().values
            return values.reshape(self.shape).astype(dtype, copy=False)
        dense = np.full(self.shape, fill_value, dtype)
        rows, cols, values = self.to_coo()
        dense[rows, cols] = values
        return dense

    def __iter__(self):
        """The (row, column) of the entries."""
        rows, cols, _ = self.to_coo()
        return zip(rows.tolist(), cols.tolist())

    # ---- compressed rows and columns ---------------------------------------------

    @classmethod
    def from_csr(
        cls, indptr, indices, values=None, dtype=None, *, nrows=None, ncols=None, context=None
    ):
        """A matrix of compressed rows: row i has values[indptr[i]:indptr[i + 1]] at the columns
        indices[indptr[i]:indptr[i + 1]], ascending and without duplicates.

        Without values all are 1, and the matrix is a pattern. `nrows` follows from indptr;
        `ncols` is one more than the greatest index if it is not given.
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
        """A matrix of compressed columns; as from_csr, with rows and columns swapped."""
        start, rows, values, dtype, ncols, nrows = _compressed(
            indptr, indices, values, dtype, ncols, nrows
        )
        arrays = Arrays.copy_of(
            "csc", dtype, nrows, ncols, rows.size, start=start, rows=rows, values=values
        )
        return cls.take(arrays, context=context)

    @classmethod
    def from_scipy(cls, A, *, context=None):
        """A matrix of anything of scipy.sparse. Explicit zeros stay entries, duplicates are
        summed up."""
        if not hasattr(A, "tocoo"):
            raise TypeError(
                f"a Matrix or a matrix of scipy.sparse is needed, not {type(A).__name__}"
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
        """(indptr, indices, values) of compressed rows."""
        arrays = self.to_arrays("csr").expand()
        return arrays.start, arrays.cols, arrays.values

    def to_csc(self):
        """(indptr, indices, values) of compressed columns."""
        arrays = self.to_arrays("csc").expand()
        return arrays.start, arrays.rows, arrays.values

    def to_scipy(self, format="csr", *, index_dtype="int64"):
        """As a sparse array of scipy's: "csr", "csc", "coo" or another of its formats.

        Indices are not copied once more if they stay of 64 bits; of scipy's functions some,
        those of scipy.sparse.csgraph among them, want "int32".
        """
        import scipy.sparse

        start, indices, values = self.to_csc() if format == "csc" else self.to_csr()
        made = (scipy.sparse.csc_array if format == "csc" else scipy.sparse.csr_array)(
            self.shape, dtype=self.dtype
        )
        # The constructor would choose the indices' type, and copy them for it.
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
    """The arrays of compressed rows or columns, whose number is `length`."""
    start, indices = checked_indices(indptr, "indptr"), checked_indices(indices, "index")
    values, dtype = checked_values(values, indices.size, dtype)
    if length is None:
        length = start.size - 1
    if start.size != length + 1:
        raise Mismatch(f"indptr has {start.size} elements, but {length + 1} are needed")
    if width is None:
        width = int(indices.max()) + 1 if indices.size else 0
    return start, indices, values, dtype, length, width
