"""Sparse vectors."""

from ._library import ffi, lib
from .binsparse import BinsparseVector
from .collection import Collection, as_scalar, register
from .context import current_context
from .dense import DenseVector
from .derived import DerivedVector
from .indices import ALL, axes, count, integer
from .lending import LendingMixin
from .operand import KINDS, evaluated, expect
from .operators import find
from .scalar import ScalarExpression
from .tuples import TuplesOfVector
from .types import code_of, dtype_of, lookup_dtype, unify


class Vector(
    TuplesOfVector, DenseVector, BinsparseVector, LendingMixin, DerivedVector, Collection
):
    """A sparse vector: a set of entries (index, value).

    `Vector(dtype, size)` makes a vector without entries; `from_coo`, `from_dense` and `from_dict`
    make one with entries.

    Parameters
    ----------
    dtype : dtype
        The type of the values: a numpy dtype, or a name such as "FP64".
    size : int
        Indices are 0 to size - 1.
    context : Context, optional
        By default the current context.

    Notes
    -----
    Operations return expressions, which are computed when they are written: `w << u.vxm(A)`, or
    into a new vector by `u.vxm(A).new()`. `w(mask, accum=op, replace=True) << expression` uses a
    mask and an accumulator. `v[i]`, `v[i:j]` and `v[[i, j]]` read or assign parts; `v[indices]`
    does where `indices` is a vector of integers, which is not copied to the host.

    Examples
    --------
    >>> v = semla.Vector.from_dict({0: 1.5, 2: 2.5}, size=4)
    >>> v[3] = 9.0
    >>> v[1].value is None
    True
    >>> v.reduce("plus").value
    13.0
    >>> indices = semla.Vector.from_dense([2, 2, 0])
    >>> v[indices].new().to_dict()
    {0: 2.5, 1: 2.5, 2: 1.5}
    >>> v(dup="plus")[indices] << semla.Vector.from_dense([1.0, 2.0, 4.0])
    >>> v.to_dict()
    {0: 4.0, 2: 3.0, 3: 9.0}
    """

    _kind = "vector"

    def __init__(self, dtype, size, *, context=None):
        context = context or current_context()
        out = ffi.new("sl_vector **")
        code = code_of(lookup_dtype(dtype))
        context._call(lib.sl_vector_new, out, context, code, count(size, "size"))
        self._own(context, out[0])

    @property
    def size(self):
        """The number of indices, with or without an entry."""
        return self.shape[0]

    @property
    def shape(self):
        """(size,)"""
        if self._shape is None:
            self._shape = (self.context._run_locked(lib.sl_vector_size, self),)
        return self._shape

    def resize(self, size):
        """Change the size. Entries at indices from `size` on are removed.

        Parameters
        ----------
        size : int
        """
        self._write(lib.sl_vector_resize, self, count(size, "size"))
        self._shape = None

    def plot(self, kind="values", ax=None):
        """Draw the vector with matplotlib, into the axes `ax` or new ones, which are returned.

        Parameters
        ----------
        kind : {"values", "levels"}
            "values" (how often each occurs) or "levels" (of a search).
        ax : matplotlib.axes.Axes, optional
            The axes to draw into.

        See Also
        --------
        semla.plot
        """
        from . import plot

        return plot.draw(self, kind, {"values": plot.values, "levels": plot.levels}, ax)

    def diag(self, k=0):
        """Return the square matrix with this vector on diagonal k; k > 0 is above the main one.

        Parameters
        ----------
        k : int, default 0

        Returns
        -------
        Matrix
        """
        return KINDS[2]._create(self.context, lib.sl_matrix_diag, self, integer(k, "k"))

    def vxm(self, A, op="plus_times"):
        """Multiply this vector, as a row, by a matrix.

        Parameters
        ----------
        A : Matrix
        op : semiring or str, default "plus_times"

        Returns
        -------
        Expression
            A vector of size A.ncols.
        """
        A = expect("matrix", A)
        op = find(op, "semiring")._for(unify(self.dtype, A.dtype))
        return self._deferred(lib.sl_vxm, op.result, (A.ncols,), op, self, A, second=A)

    def reduce(self, op="plus"):
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

    def sort(self, descending=False):
        """Sort the entries by value; equal values keep the order of their indices.

        Parameters
        ----------
        descending : bool, default False
            Whether the greatest value comes first.

        Returns
        -------
        values, order : Vector
            Entry k of `values` is the k-th value, entry k of `order` its index, an INT64. Both are
            of this vector's size; indices from `nvals` on have no entry.
        """
        before = find("gt" if descending else "lt", "binary")._for(self.dtype)
        values = self._empty(self.dtype, self.size)
        order = self._empty("INT64", self.size)
        values._write(lib.sl_vector_sort, values, order, before, self)
        return values, order

    def reduce_pair(self, other, op="times", *, unary=None, monoid="plus"):
        """Combine `unary(op(self, other))` of all indices at which both vectors have an entry.

        No vector of the terms is made on the GPU.

        Parameters
        ----------
        other : Vector
            Of the same size.
        op : binary operator or str, default "times"
        unary : unary operator or str, optional
        monoid : monoid or str, default "plus"

        Returns
        -------
        ScalarExpression
            Its `value` is the identity of the monoid if there are no terms.

        Examples
        --------
        >>> u, v = semla.Vector.from_dense([1, 2, 3]), semla.Vector.from_dense([3, 2, 5])
        >>> u.reduce_pair(v).value
        22
        >>> u.reduce_pair(v, "minus", unary="abs").value
        4
        """
        other = expect("vector", other)
        op = find(op, "binary")._for(unify(self.dtype, other.dtype))
        change = None if unary is None else find(unary, "unary")._for(op.result)
        monoid = find(monoid, "monoid")._for(op.result if change is None else change.result)

        def read(result, accumulator):
            self.context._call(
                lib.sl_vector_reduce_pair,
                result,
                accumulator,
                monoid,
                ffi.NULL if change is None else change,
                op,
                self,
                other,
            )
            return True

        return ScalarExpression(monoid.result, read)

    # ---- indices ----------------------------------------------------------------

    def _extract(self, key):
        key = evaluated(key)
        if isinstance(key, Vector):
            return self._deferred(lib.sl_vector_gather, self.dtype, key.shape, self, key)
        (axis,) = axes(key, self.shape)
        if axis.single is not None:
            return self._entry(axis.single)
        return self._deferred(
            lib.sl_vector_extract, self.dtype, (axis.size,), self, axis.pointer, axis.count
        )

    def _assign_all(self, output, value):
        output.run(lib.sl_vector_assign, value.dtype, value, *ALL)

    def _scatter(self, output, indices, value):
        value = evaluated(value)
        if not isinstance(value, Vector):
            scalar = value
            value = self._empty(dtype_of(as_scalar(scalar, self.dtype).type), indices.size)
            value(indices.S) << scalar
        dup = ffi.NULL if output.dup is None else output.dup._for(value.dtype)
        result = value.dtype if output.dup is None else dup.dtype
        output.run(lib.sl_vector_scatter, result, dup, value, indices)

    def _assign_part(self, output, key, value):
        key = evaluated(key)
        if isinstance(key, Vector):
            self._scatter(output, key, value)
            return
        output.refuse_dup()
        (axis,) = axes(key, self.shape)
        value = evaluated(value)
        if isinstance(value, Vector):
            output.run(lib.sl_vector_assign, value.dtype, value, axis.pointer, axis.count)
        elif output.plain and axis.single is not None:
            self._write(lib.sl_vector_set, self, axis.single, as_scalar(value, self.dtype))
        else:
            scalar = as_scalar(value, self.dtype)
            output.run(
                lib.sl_vector_assign_scalar, dtype_of(scalar.type), scalar, axis.pointer, axis.count
            )

    def __delitem__(self, key):
        (axis,) = axes(key, self.shape)
        if axis.single is None:
            raise TypeError("del removes one entry at a time; give one index")
        self._write(lib.sl_vector_remove, self, axis.single)


register("vector", Vector)
