"""Conversions of matrices from and to compressed rows and columns, and scipy.sparse.

Input arrays are copied once, into memory that the library keeps. Output arrays are memory of the
library; numpy uses them without another copy. docs/python.md has a table of all copies.
"""

import numpy as np

from .arrays import Arrays
from .errors import Mismatch
from .indices import count, integer_array
from .values import checked_values


class CompressedMatrix:
    """The conversions of matrices."""

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

        Explicit zeros become entries. In the formats BSR and DIA zeros fill blocks and diagonals and
        are no entries. Duplicate entries are added.

        Parameters
        ----------
        A : scipy.sparse matrix or array
            Of two dimensions.
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
        if len(A.shape) != 2:
            raise Mismatch(
                f"from_scipy: the array has the shape {A.shape}; a matrix has two dimensions. A.reshape "
                "makes one, and Vector.from_coo a vector of the indices and the values"
            )
        nrows, ncols = A.shape
        if A.format == "bsr":
            A = A.tocsr()
            A.eliminate_zeros()
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
        if format == "coo":  # row pointers would be larger than the entries of a huge matrix
            arrays = self.to_coo()
        else:
            arrays = self.to_csc() if format == "csc" else self.to_csr()
        import scipy.sparse  # after the matrix has refused what it cannot do, as on a grid

        if format == "coo":
            rows, cols, values = arrays
            places = tuple(x.view(np.int64).astype(index_dtype, copy=False) for x in (rows, cols))
            return scipy.sparse.coo_array((values, places), shape=self.shape)
        start, indices, values = arrays
        made = (scipy.sparse.csc_array if format == "csc" else scipy.sparse.csr_array)(
            self.shape, dtype=self.dtype
        )
        # The constructor would choose the type of the indices itself, and copy them.
        made.indptr = start.view(np.int64).astype(index_dtype, copy=False)
        made.indices = indices.view(np.int64).astype(index_dtype, copy=False)
        made.data = values
        return made.asformat(format)

    def __reduce__(self):
        few = self.nvals < self.nrows  # row numbers are smaller than row pointers
        arrays = self.to_arrays("coo" if few else "csr")
        if arrays.iso:
            arrays.expand()
        rows = arrays.rows if few else arrays.start
        parts = rows, arrays.cols, arrays.values, arrays.dtype.str
        return _unpickle_entries if few else _unpickle_matrix, (type(self), parts, *self.shape)


def _unpickle_matrix(kind, parts, nrows, ncols):
    return kind.from_csr(*parts, nrows=nrows, ncols=ncols)


def _unpickle_entries(kind, parts, nrows, ncols):
    return kind.from_coo(*parts, nrows=nrows, ncols=ncols)


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
