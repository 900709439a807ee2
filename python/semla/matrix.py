"""Sparse matrices."""

import numpy as np

from ._library import ffi, lib
from .binsparse import BinsparseMatrix
from .collection import Collection, as_scalar, register
from .compressed import CompressedMatrix
from .context import current_context
from .dense import DenseMatrix
from .derived import DerivedMatrix
from .expressions import flags
from .formatting import facts
from .indices import ALL, axes, count, integer
from .matrix_operand import MatrixOperand
from .operand import evaluated
from .tuples import TuplesOfMatrix
from .types import code_of, dtype_of, lookup_dtype
from .vector import Vector


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


class Matrix(
    TuplesOfMatrix,
    CompressedMatrix,
    DenseMatrix,
    BinsparseMatrix,
    DerivedMatrix,
    Collection,
    MatrixOperand,
):
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

    # Why there are no values although its source has numbers: what `read` or `from_edges` left out.
    _unread = None

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
        """Declare that the pattern is symmetric, which saves the test, and the graph undirected.

        If it is not, searches return wrong results.
        """
        self.context._call(lib.sl_matrix_promise_symmetric, self)

    @property
    def is_declared_symmetric(self):
        """True if the matrix is declared symmetric, an undirected graph: it was read or generated with
        mirror entries, or `promise_symmetric` was called, and it was not written since."""
        return bool(self.context._run_locked(lib.sl_matrix_is_declared_symmetric, self))

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

    def optimize(self, pruned=False, paths=False):
        """Prepare the matrix for traversals, which the second search would do otherwise.

        Results of traversals and of other operations do not change.

        Parameters
        ----------
        pruned : bool, default False
            Remove the trees outside the 2-core before searches and attach them afterwards.
        paths : bool, default False
            Also sort the values, which the first closure from a source over ``min_plus`` of the
            matrix's dtype would do otherwise; `sssp` computes in INT64 and FP64. Nothing is
            sorted if there is too little memory.

        Raises
        ------
        NoMemory
            The matrix is as it was.
        """
        flags = lib.SL_FOR_TRAVERSAL
        flags |= lib.SL_PRUNED if pruned else 0
        flags |= lib.SL_FOR_PATHS if paths else 0
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
        scalar = as_scalar(value, self.dtype)
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
