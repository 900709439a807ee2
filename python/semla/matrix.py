"""Sparse matrices."""

from ._library import ffi, lib
from .collection import KINDS, Collection, Operand, as_scalar, evaluated, expect
from .context import current_context
from .conversions import MatrixConversions
from .expressions import flags
from .indices import ALL, axes
from .operators import find
from .types import code_of, dtype_of, lookup_dtype, name_of, unify
from .vector import Vector


class MatrixOperand(Operand):
    """What a matrix and its transpose can be read for."""

    _kind = "matrix"

    @property
    def nrows(self):
        return self.shape[0]

    @property
    def ncols(self):
        return self.shape[1]

    def mxm(self, other, op="plus_times"):
        """A B over a semiring."""
        expect("matrix", other)
        return self._of_both(lib.sl_mxm, find(op, "semiring"), other, (self.nrows, other.ncols))

    def mxv(self, u, op="plus_times"):
        """A u over a semiring."""
        expect("vector", u)
        op = find(op, "semiring")._for(unify(self.dtype, u.dtype))
        return self._expression(
            op.result,
            (self.nrows,),
            lambda out: out.run(
                lib.sl_mxv,
                op.result,
                op,
                self,
                u,
                transposed=flags(transpose_first=self._transposed),
            ),
        )

    def __matmul__(self, other):
        return self.mxv(other) if isinstance(other, Vector) else self.mxm(other)

    def kronecker(self, other, op="times"):
        """The Kronecker product with a binary operator."""
        expect("matrix", other)
        shape = self.nrows * other.nrows, self.ncols * other.ncols
        return self._of_both(lib.sl_kronecker, find(op, "binary"), other, shape)

    def reduce_rowwise(self, op="plus"):
        """A vector of the sums of rows; a row without entries gives none."""
        op = find(op, "monoid")._for(self.dtype)
        return self._expression(
            op.result,
            (self.nrows,),
            lambda out: out.run(
                lib.sl_matrix_reduce_rows,
                op.result,
                op,
                self,
                transposed=flags(transpose_first=self._transposed),
            ),
        )

    def reduce_columnwise(self, op="plus"):
        """A vector of the sums of columns; a column without entries gives none."""
        return self.T.reduce_rowwise(op)

    def reduce_scalar(self, op="plus"):
        """The sum of all entries over a monoid."""
        return self._reduced(op)

    # ---- reading parts ------------------------------------------------------------

    def _extract(self, key):
        rows, cols = axes(key, self.shape)
        if rows.single is not None and cols.single is not None:
            position = (rows.single, cols.single)
            return self._entry(*(reversed(position) if self._transposed else position))
        if cols.single is not None:
            return self._extract_column(rows, cols.single)
        if rows.single is not None:
            return self.T._extract_column(cols, rows.single)
        return self._expression(
            self.dtype,
            (rows.size, cols.size),
            lambda out: out.run(
                lib.sl_matrix_extract,
                self.dtype,
                self,
                rows.pointer,
                rows.count,
                cols.pointer,
                cols.count,
                transposed=flags(transpose_first=self._transposed),
            ),
        )

    def _extract_column(self, rows, col):
        return self._expression(
            self.dtype,
            (rows.size,),
            lambda out: out.run(
                lib.sl_matrix_extract_column,
                self.dtype,
                self,
                rows.pointer,
                rows.count,
                col,
                transposed=flags(transpose_first=self._transposed),
            ),
        )

    def __getitem__(self, key):
        return self._extract(key)


class Transposed(MatrixOperand):
    """A matrix read as its transpose, without making that."""

    _transposed = True

    def __init__(self, matrix):
        self.T = matrix

    @property
    def _pointer(self):
        return self.T._pointer

    @property
    def context(self):
        return self.T.context

    @property
    def dtype(self):
        return self.T.dtype

    @property
    def shape(self):
        return self.T.shape[::-1]

    def new(self, dtype=None, *, mask=None):
        """The transpose as a matrix."""
        return self._expression(self.dtype, self.shape, lambda out: out << self).new(
            dtype, mask=mask
        )

    def __repr__(self):
        return f"{self.T!r}.T"


def _shape(matrix):
    return lib.sl_matrix_nrows(matrix), lib.sl_matrix_ncols(matrix)


class Matrix(MatrixConversions, Collection, MatrixOperand):
    """A sparse matrix of the library's: entries (i, j, value).

    Matrix(dtype, nrows, ncols) has no entries. from_coo, from_csr, from_csc, from_scipy
    and from_dense make one that has. A matrix may hold its pattern alone: then every
    value is 1 and none is stored.
    """

    def __init__(self, dtype, nrows, ncols, *, context=None):
        context = context or current_context()
        out = ffi.new("sl_matrix **")
        code = code_of(lookup_dtype(dtype))
        context._call(lib.sl_matrix_new, out, context, code, nrows, ncols)
        self._own(context, out[0])

    @property
    def dtype(self):
        return dtype_of(self.context._ask(lib.sl_matrix_type, self))

    @property
    def shape(self):
        return self.context._ask(_shape, self)

    @property
    def T(self):
        """This matrix read as its transpose."""
        return Transposed(self)

    def resize(self, nrows, ncols):
        """Changes the shape; entries outside of it are dropped."""
        self._write(lib.sl_matrix_resize, self, nrows, ncols)

    def diag(self, k=0):
        """Diagonal k as a vector: above the main one if k > 0."""
        return Vector._made(self.context, lib.sl_vector_diag, self, k)

    # ---- what is known of the pattern -------------------------------------------------

    def _asked(self, function):
        out = ffi.new("bool *")
        self.context._call(function, out, self)
        return bool(out[0])

    @property
    def is_pattern(self):
        """True if the matrix holds its pattern alone."""
        return self._asked(lib.sl_matrix_is_pattern)

    @property
    def is_symmetric(self):
        """True if the pattern is symmetric; found out once and kept until the matrix is written."""
        return self._asked(lib.sl_matrix_is_symmetric)

    def promise_symmetric(self):
        """Spares the test of symmetry. A promise that does not hold makes searches wrong."""
        self.context._call(lib.sl_matrix_promise_symmetric, self)

    def optimize(self, pruned=False):
        """Prepares traversals, which the first search would do otherwise. Results do not change.

        With `pruned`, searches leave out the trees outside the 2-core.
        """
        purpose = lib.SL_FOR_TRAVERSAL
        purpose |= lib.SL_PRUNED if pruned else 0
        self.context._call(lib.sl_matrix_optimize, self, purpose)

    # ---- assignment ----------------------------------------------------------------------

    def _assign_all(self, output, value):
        if value._transposed:
            output.run(lib.sl_transpose, value.dtype, value)
        else:
            output.run(lib.sl_matrix_assign, value.dtype, value, *ALL, *ALL)

    def _assign_part(self, output, key, value):
        rows, cols = axes(key, self.shape)
        value = evaluated(value)
        if isinstance(value, Vector):
            self._assign_line(output, rows, cols, value)
            return
        lists = rows.pointer, rows.count, cols.pointer, cols.count
        if isinstance(value, MatrixOperand):
            output.run(
                lib.sl_matrix_assign,
                value.dtype,
                value,
                *lists,
                transposed=flags(transpose_first=value._transposed),
            )
            return
        scalar = as_scalar(value)
        if output.plain and rows.single is not None and cols.single is not None:
            self._write(lib.sl_matrix_set, self, rows.single, cols.single, scalar)
        else:
            output.run(lib.sl_matrix_assign_scalar, dtype_of(scalar.type), scalar, *lists)

    def _assign_line(self, output, rows, cols, value):
        """A vector into a row or a column, of which the mask is a vector too."""
        if (rows.single is None) == (cols.single is None):
            raise TypeError("a vector is assigned to one row or to one column")
        if rows.single is not None:
            output.run(
                lib.sl_matrix_assign_row,
                value.dtype,
                value,
                rows.single,
                cols.pointer,
                cols.count,
                mask_kind="vector",
            )
        else:
            output.run(
                lib.sl_matrix_assign_column,
                value.dtype,
                value,
                rows.pointer,
                rows.count,
                cols.single,
                mask_kind="vector",
            )

    def __delitem__(self, key):
        rows, cols = axes(key, self.shape)
        if rows.single is None or cols.single is None:
            raise TypeError("one entry at a time is deleted")
        self._write(lib.sl_matrix_remove, self, rows.single, cols.single)

    def __repr__(self):
        return f"<Matrix {name_of(self.dtype)}, {self.nrows} x {self.ncols}, {self.nvals} entries>"


KINDS[2] = Matrix
