"""Methods of vectors and matrices that are made of other operations, with the names of
python-graphblas: dense objects of one value, powers, shifted copies, comparisons with a tolerance."""

import operator

from .expressions import Expression
from .indices import count, integer
from .operators import find, monoid
from .scalar import number
from .types import scalar_dtype, unify


def _close(one, other, rel_tol, abs_tol):
    """Whether |x - y| <= max(rel_tol * max(|x|, |y|), abs_tol) at every entry of both."""
    one, other = one.dup("FP64"), other.dup("FP64")
    limit = abs(one).ewise_mult(abs(other), "max").new()
    limit << limit.apply("times", rel_tol)
    limit << limit.apply("max", abs_tol)
    difference = one.ewise_mult(other, "minus").new()
    near = abs(difference).ewise_mult(limit, "le").new()
    near(accum="land") << difference.apply("isfinite")
    near(accum="lor") << one.ewise_mult(other, "eq")
    return bool(near._reduced("land").value)


class Derived:
    """What vectors and matrices have in common."""

    def isclose(self, other, *, rel_tol=1e-7, abs_tol=0.0, check_dtype=False):
        """Return True if shapes and patterns are equal and values nearly so.

        Values x and y are nearly equal if ``abs(x - y) <= max(rel_tol * max(abs(x), abs(y)),
        abs_tol)``, as in `math.isclose`; NaN is not near to NaN.

        Parameters
        ----------
        other : Vector or Matrix
            Of the same kind.
        rel_tol, abs_tol : number
        check_dtype : bool, default False
            Whether the types must be equal, too.
        """
        if (check_dtype and self.dtype != other.dtype) or not self.same_pattern(other):
            return False
        return _close(self, other, rel_tol, abs_tol)


class DerivedVector(Derived):
    """The methods of vectors."""

    @classmethod
    def from_scalar(cls, value, size, dtype=None, *, context=None):
        """Make a vector with the same value at every index.

        Parameters
        ----------
        value : number
        size : int
        dtype : dtype, optional
            By default that of the value.
        context : Context, optional
            By default the current context.

        Returns
        -------
        Vector

        Examples
        --------
        >>> semla.Vector.from_scalar(1.5, 3).to_dense()
        array([1.5, 1.5, 1.5])
        """
        value = number(value)
        made = cls(scalar_dtype(value) if dtype is None else dtype, size, context=context)
        made << value
        return made

    def inner(self, other, op="plus_times"):
        """The inner product with another vector over a semiring; a number.

        Parameters
        ----------
        other : Vector
            Of the same size.
        op : semiring or str, default "plus_times"

        Returns
        -------
        ScalarExpression
        """
        op = find(op, "semiring")._for(unify(self.dtype, other.dtype))
        return self.reduce_pair(other, op.binaryop, monoid=op.monoid)

    def outer(self, other, op="times"):
        """The matrix op(self[i], other[j]) for all entries of both: an Expression.

        Parameters
        ----------
        other : Vector
        op : binary operator or str, default "times"

        Returns
        -------
        Expression
            A matrix of shape (size, other.size).

        Examples
        --------
        >>> u = semla.Vector.from_dense([1, 2])
        >>> u.outer(u).new().to_dense().tolist()
        [[1, 2], [2, 4]]
        """
        column = self._empty(self.dtype, self.size, 1)
        row = other._empty(other.dtype, 1, other.size)
        column[:, 0] = self
        row[0, :] = other
        return column.kronecker(row, op)

    def reposition(self, offset, *, size=None):
        """The vector with every index moved by `offset`: an Expression. Entries that leave it are
        dropped.

        Parameters
        ----------
        offset : int
            May be negative.
        size : int, optional
            By default that of this vector.
        """
        shape = (self.size if size is None else count(size, "size"),)
        return _repositioned(self, (integer(offset, "offset"),), shape)


class DerivedMatrix(Derived):
    """The methods of matrices."""

    @classmethod
    def from_scalar(cls, value, nrows, ncols, dtype=None, *, context=None):
        """Make a matrix with the same value at every position.

        Parameters
        ----------
        value : number
        nrows, ncols : int
        dtype : dtype, optional
            By default that of the value.
        context : Context, optional
            By default the current context.

        Returns
        -------
        Matrix
        """
        value = number(value)
        made = cls(scalar_dtype(value) if dtype is None else dtype, nrows, ncols, context=context)
        made << value
        return made

    def power(self, n, op="plus_times"):
        """The product of n copies of this square matrix over a semiring: an Expression.

        The 0th power has the identity of the multiplicative operator on the diagonal.

        Parameters
        ----------
        n : int
        op : semiring or str, default "plus_times"

        Examples
        --------
        >>> A = semla.Matrix.from_dense([[1, 1], [1, 0]])
        >>> A.power(10).new()[0, 1].value
        55
        """
        n, op = count(operator.index(n), "power: n"), find(op, "semiring")
        typed = op._for(self.dtype)
        if self.nrows != self.ncols:
            raise ValueError(f"power: the matrix is {self.nrows} x {self.ncols}, not square")
        if n == 0 and not _has_identity(typed.binaryop):
            raise ValueError(f"power: n is 0, and {typed.binaryop!r} has no identity")

        def compute(output):
            output.target._assign(output, _power(self, n, typed))

        return Expression(typed.result, self.shape, self._empty, compute)

    def reposition(self, row_offset, column_offset, *, nrows=None, ncols=None):
        """The matrix with every entry moved: an Expression. Entries that leave it are dropped.

        Parameters
        ----------
        row_offset, column_offset : int
            May be negative.
        nrows, ncols : int, optional
            By default those of this matrix.
        """
        shape = (
            self.nrows if nrows is None else count(nrows, "nrows"),
            self.ncols if ncols is None else count(ncols, "ncols"),
        )
        offsets = integer(row_offset, "row_offset"), integer(column_offset, "column_offset")
        return _repositioned(self, offsets, shape)

    def setdiag(self, values, k=0):
        """Write a vector, a list or a number to diagonal k. Entries of the diagonal for which the
        vector has none are removed.

        Parameters
        ----------
        values : Vector, array_like or number
            A vector or list has the length of the diagonal.
        k : int, default 0
            k > 0 is above the main diagonal.
        """
        k = integer(k, "k")
        length = max(0, min(self.nrows + min(k, 0), self.ncols - max(k, 0)))
        vector = _as_vector(self, values, length)
        whole = self.dup()
        whole << self.select("offdiag", k)
        if length:
            square = vector.diag()
            whole(accum="second") << square.reposition(
                max(-k, 0), max(k, 0), nrows=self.nrows, ncols=self.ncols
            )
        self << whole


def _as_vector(matrix, values, length):
    """The new values of a diagonal as a vector."""
    made = matrix._empty(matrix.dtype, length)
    if getattr(values, "_kind", None) == "vector":
        made << values
    elif hasattr(values, "__len__"):
        made[list(range(length))] = type(made).from_dense(
            values, dtype=matrix.dtype, context=matrix.context
        )
    else:
        made << values
    return made


def _has_identity(op):
    return op.name.rsplit("_", 1)[0] in monoid


def _power(matrix, n, op):
    if n == 0:
        multiply = op.binaryop
        one = monoid[multiply.name.rsplit("_", 1)[0]]._for(multiply.dtype).identity
        ones = matrix._empty(op.result, matrix.nrows)
        ones << one
        return ones.diag()
    result, square = None, matrix
    while True:
        if n & 1:
            result = square if result is None else result.mxm(square, op).new()
        n >>= 1
        if n == 0:
            return result
        square = square.mxm(square, op).new()


def _repositioned(operand, offsets, shape):
    """The expression of a copy in another place."""
    source, target = [], []
    for offset, old, new in zip(offsets, operand.shape, shape):
        begin = max(0, -offset)
        end = max(begin, min(old, new - offset))
        source.append(slice(begin, end))
        target.append(slice(begin + offset, end + offset))

    def compute(output):
        made = operand._empty(operand.dtype, *shape)
        if all(part.stop > part.start for part in source):
            key = tuple(target) if len(target) > 1 else target[0]
            made[key] << operand[tuple(source) if len(source) > 1 else source[0]]
        output.target._assign(output, made)

    return Expression(operand.dtype, shape, operand._empty, compute)
