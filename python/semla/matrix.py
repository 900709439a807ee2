"""Sparse matrices."""

import numpy as np

from ._library import ffi, lib
from .aggregators import aggregator
from .collection import Collection, Operand, as_scalar, evaluated, expect, register
from .context import current_context
from .conversions import MatrixConversions
from .derived import DerivedMatrix
from .exchange import MatrixExchange
from .expressions import flags
from .formatting import facts
from .indices import ALL, axes, count, integer
from .operators import find
from .types import code_of, dtype_of, lookup_dtype, unify
from .vector import Vector


class MatrixOperand(Operand):
    """The operations that read a matrix or its transpose."""

    _kind = "matrix"

    @property
    def nrows(self):
        """The number of rows."""
        return self.shape[0]

    @property
    def ncols(self):
        """The number of columns."""
        return self.shape[1]

    def mxm(self, other, op="plus_times"):
        """Multiply this matrix by another one.

        Parameters
        ----------
        other : Matrix
            With as many rows as this matrix has columns.
        op : semiring or str, default "plus_times"

        Returns
        -------
        Expression
            A matrix.
        """
        other = expect("matrix", other)
        op = find(op, "semiring")
        return self._binary(lib.sl_mxm, op, other, (self.nrows, other.ncols))

    def mxv(self, u, op="plus_times"):
        """Multiply this matrix by a vector, as a column.

        Parameters
        ----------
        u : Vector
            Its size is the number of columns.
        op : semiring or str, default "plus_times"

        Returns
        -------
        Expression
            A vector of size nrows.
        """
        u = expect("vector", u)
        op = find(op, "semiring")._for(unify(self.dtype, u.dtype))
        return self._deferred(lib.sl_mxv, op.result, (self.nrows,), op, self, u, first=self)

    def kronecker(self, other, op="times"):
        """The Kronecker product with another matrix.

        Parameters
        ----------
        other : Matrix
        op : binary operator or str, default "times"
            Combines an entry of this matrix with one of the other.

        Returns
        -------
        Expression
            A matrix of shape (nrows * other.nrows, ncols * other.ncols).
        """
        other = expect("matrix", other)
        shape = self.nrows * other.nrows, self.ncols * other.ncols
        return self._binary(lib.sl_kronecker, find(op, "binary"), other, shape)

    def reduce_rowwise(self, op="plus"):
        """Combine the entries of each row with a monoid or an aggregator.

        Parameters
        ----------
        op : monoid, aggregator or str, default "plus"

        Returns
        -------
        Expression
            A vector of size nrows, without an entry where the row has none.
        """
        if (one := aggregator(op)) is not None:
            return one.of_rows(self)
        op = find(op, "monoid")._for(self.dtype)
        return self._deferred(
            lib.sl_matrix_reduce_rows, op.result, (self.nrows,), op, self, first=self
        )

    def reduce_columnwise(self, op="plus"):
        """Combine the entries of each column with a monoid or an aggregator: `reduce_rowwise` of the transpose.

        Parameters
        ----------
        op : monoid, aggregator or str, default "plus"

        Returns
        -------
        Expression
            A vector of size ncols.
        """
        return self.T.reduce_rowwise(op)

    def reduce_scalar(self, op="plus"):
        """Combine all entries with a monoid or an aggregator.

        Parameters
        ----------
        op : monoid, aggregator or str, default "plus"

        Returns
        -------
        ScalarExpression
            Its `value` is the identity of the monoid if there are no entries.
        """
        return self._reduced(op)

    # ---- extraction ---------------------------------------------------------------

    def _extract(self, key):
        if isinstance(key, tuple) and any(isinstance(part, Vector) for part in key):
            return self._gather(key)
        rows, cols = axes(key, self.shape)
        if rows.single is not None and cols.single is not None:
            position = (rows.single, cols.single)
            return self._entry(*(reversed(position) if self._transposed else position))
        if cols.single is not None:
            return self._extract_column(rows, cols.single)
        if rows.single is not None:
            return self.T._extract_column(cols, rows.single)
        lists = rows.pointer, rows.count, cols.pointer, cols.count
        shape = rows.size, cols.size
        return self._deferred(lib.sl_matrix_extract, self.dtype, shape, self, *lists, first=self)

    def _gather(self, key):
        if len(key) != 2 or key[0] is not key[1]:
            raise TypeError("an index vector selects rows and columns alike: A[p, p]")
        shape = key[0].size, key[0].size
        return self._deferred(lib.sl_matrix_gather, self.dtype, shape, self, key[0], first=self)

    def _extract_column(self, rows, col):
        return self._deferred(
            lib.sl_matrix_extract_column,
            self.dtype,
            (rows.size,),
            self,
            rows.pointer,
            rows.count,
            col,
            first=self,
        )

    def __getitem__(self, key):
        return self._extract(key)


class Transposed(MatrixOperand):
    """The transpose of a matrix, as an operand. It is not stored; `new` makes it a matrix.

    Attributes
    ----------
    T : Matrix
        The matrix of which this is the transpose.
    """

    _transposed = True

    def __init__(self, matrix):
        self.T = matrix

    @property
    def _pointer(self):
        return self.T._pointer

    @property
    def context(self):
        """The context of the matrix."""
        return self.T.context

    @property
    def dtype(self):
        """The type of the values."""
        return self.T.dtype

    @property
    def shape(self):
        """(nrows, ncols) of the transpose."""
        return self.T.shape[::-1]

    def new(self, dtype=None, *, mask=None):
        """Return the transpose as a new Matrix."""
        return self._expression(self.dtype, self.shape, lambda out: out << self).new(
            dtype, mask=mask
        )

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.T, dtype).T

    def __repr__(self):
        return f"<transpose of {facts(self.T)}>"


def _shape(matrix):
    return lib.sl_matrix_nrows(matrix), lib.sl_matrix_ncols(matrix)


class Matrix(MatrixConversions, MatrixExchange, DerivedMatrix, Collection, MatrixOperand):
    """A sparse matrix: a set of entries (row, column, value).

    `Matrix(dtype, nrows, ncols)` makes a matrix without entries; `from_coo`, `from_csr`,
    `from_csc`, `from_scipy`, `from_dense` and `semla.read` make one with entries. A matrix of which
    only the pattern is stored has the value 1 in every entry.

    Parameters
    ----------
    dtype : dtype
        The type of the values: a numpy dtype, or a name such as "FP64".
    nrows, ncols : int
        The shape.
    context : Context, optional
        By default the current context.

    Notes
    -----
    Operations return expressions, which are computed when they are written: `C << A.mxm(B)`, or
    into a new matrix by `A.mxm(B).new()`. `C(mask, accum=op, replace=True) << expression` uses a
    mask and an accumulator. `A[i, j]`, `A[i, :]` and `A[rows, cols]` read or assign parts.

    Examples
    --------
    >>> A = semla.Matrix.from_coo([0, 1], [1, 2], [2.0, 3.0], nrows=3, ncols=3)
    >>> (A @ A).new().to_coo()[2]
    array([6.])
    >>> A[0, 1].value
    2.0
    """

    def __init__(self, dtype, nrows, ncols, *, context=None):
        context = context or current_context()
        out = ffi.new("sl_matrix **")
        code = code_of(lookup_dtype(dtype))
        shape = count(nrows, "nrows"), count(ncols, "ncols")
        context._call(lib.sl_matrix_new, out, context, code, *shape)
        self._own(context, out[0])

    @property
    def shape(self):
        """(nrows, ncols)"""
        if self._shape is None:
            self._shape = self.context._run_locked(_shape, self)
        return self._shape

    @property
    def T(self):
        """The transpose, as an operand; nothing is computed."""
        return Transposed(self)

    def resize(self, nrows, ncols):
        """Change the shape. Entries outside the new shape are removed.

        Parameters
        ----------
        nrows, ncols : int
        """
        self._write(lib.sl_matrix_resize, self, count(nrows, "nrows"), count(ncols, "ncols"))
        self._shape = None

    def diag(self, k=0):
        """Return diagonal k as a Vector; k > 0 is above the main one.

        Parameters
        ----------
        k : int, default 0

        Returns
        -------
        Vector
        """
        return Vector._create(self.context, lib.sl_vector_diag, self, integer(k, "k"))

    # ---- properties -------------------------------------------------------------------

    def _property(self, function):
        out = ffi.new("bool *")
        self.context._call(function, out, self)
        return bool(out[0])

    @property
    def is_pattern(self):
        """True if only the pattern is stored, so that every value is 1."""
        return self._property(lib.sl_matrix_is_pattern)

    @property
    def is_symmetric(self):
        """True if the pattern is symmetric. The result is kept until the matrix is written."""
        return self._property(lib.sl_matrix_is_symmetric)

    def promise_symmetric(self):
        """Declare that the pattern is symmetric, which saves the test.

        If it is not, searches return wrong results.
        """
        self.context._call(lib.sl_matrix_promise_symmetric, self)

    def plot(self, kind="spy", ax=None):
        """Draw the matrix with matplotlib, into the axes `ax` or new ones, which are returned.

        Parameters
        ----------
        kind : {"spy", "degrees"}
            "spy" (where the entries are) or "degrees".
        ax : matplotlib.axes.Axes, optional
            The axes to draw into.

        See Also
        --------
        semla.plot
        """
        from . import plot

        return plot.draw(self, kind, {"spy": plot.spy, "degrees": plot.degrees}, ax)

    def optimize(self, pruned=False):
        """Prepare the matrix for traversals, which the second search would do otherwise.

        Results of traversals and of other operations do not change.

        Parameters
        ----------
        pruned : bool, default False
            Remove the trees outside the 2-core before searches and attach them afterwards.

        Raises
        ------
        NoMemory
            The matrix is as it was.
        """
        flags = lib.SL_FOR_TRAVERSAL
        flags |= lib.SL_PRUNED if pruned else 0
        self.context._call(lib.sl_matrix_optimize, self, flags)

    # ---- assignment ----------------------------------------------------------------------

    def _assign_all(self, output, value):
        if value._transposed:
            output.run(lib.sl_transpose, value.dtype, value)
        else:
            output.run(lib.sl_matrix_assign, value.dtype, value, *ALL, *ALL)

    def _assign_part(self, output, key, value):
        output.refuse_dup()
        rows, cols = axes(key, self.shape)
        value = evaluated(value)
        if isinstance(value, Vector):
            self._assign_line(output, rows, cols, value)
            return
        lists = rows.pointer, rows.count, cols.pointer, cols.count
        if isinstance(value, MatrixOperand):
            transposed = flags(transpose_first=value._transposed)
            output.run(lib.sl_matrix_assign, value.dtype, value, *lists, transposed=transposed)
            return
        scalar = as_scalar(value, output.assigned_dtype)
        if output.plain and rows.single is not None and cols.single is not None:
            self._write(lib.sl_matrix_set, self, rows.single, cols.single, scalar)
        else:
            output.run(lib.sl_matrix_assign_scalar, dtype_of(scalar.type), scalar, *lists)

    def _assign_line(self, output, rows, cols, value):
        """Assigns a vector to one row or one column. The mask is then a vector, too."""
        if (rows.single is None) == (cols.single is None):
            raise TypeError("a vector can be assigned to one row or one column only")
        if rows.single is not None:
            function = lib.sl_matrix_assign_row
            where = rows.single, cols.pointer, cols.count
        else:
            function = lib.sl_matrix_assign_column
            where = rows.pointer, rows.count, cols.single
        output.run(function, value.dtype, value, *where, mask_kind="vector")

    def __delitem__(self, key):
        rows, cols = axes(key, self.shape)
        if rows.single is None or cols.single is None:
            raise TypeError("del removes one entry at a time; give one row and one column")
        self._write(lib.sl_matrix_remove, self, rows.single, cols.single)


register("matrix", Matrix)
