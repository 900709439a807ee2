"""The operations that read a matrix or its transpose."""

from ._library import lib
from .aggregators import aggregator
from .indices import axes
from .operand import KINDS, Operand, expect
from .operators import find
from .types import unify


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
        if isinstance(key, tuple) and any(isinstance(part, KINDS[1]) for part in key):
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
