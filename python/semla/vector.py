"""Sparse vectors."""

from ._library import ffi, lib
from .collection import KINDS, Collection, as_scalar, evaluated, expect
from .context import current_context
from .conversions import VectorConversions
from .expressions import flags
from .indices import ALL, axes
from .lending import Lender
from .operators import find
from .types import code_of, dtype_of, lookup_dtype, name_of, unify


class Vector(VectorConversions, Lender, Collection):
    """A sparse vector of the library's: entries (i, value).

    Vector(dtype, size) has no entries. from_coo, from_dense and from_dict make one
    that has.
    """

    _kind = "vector"

    def __init__(self, dtype, size, *, context=None):
        context = context or current_context()
        out = ffi.new("sl_vector **")
        code = code_of(lookup_dtype(dtype))
        context._call(lib.sl_vector_new, out, context, code, size)
        self._own(context, out[0])

    @property
    def dtype(self):
        return dtype_of(self.context._ask(lib.sl_vector_type, self))

    @property
    def size(self):
        return self.context._ask(lib.sl_vector_size, self)

    @property
    def shape(self):
        return (self.size,)

    def resize(self, size):
        """Changes the size; entries beyond it are dropped."""
        self._write(lib.sl_vector_resize, self, size)

    def diag(self, k=0):
        """The square matrix with this vector on its diagonal k: above the main one if k > 0."""
        return KINDS[2]._made(self.context, lib.sl_matrix_diag, self, k)

    def vxm(self, A, op="plus_times"):
        """u' A over a semiring."""
        expect("matrix", A)
        op = find(op, "semiring")._for(unify(self.dtype, A.dtype))
        return self._expression(
            op.result,
            (A.ncols,),
            lambda out: out.run(
                lib.sl_vxm, op.result, op, self, A, transposed=flags(transpose_second=A._transposed)
            ),
        )

    def __matmul__(self, A):
        return self.vxm(A)

    def reduce(self, op="plus"):
        """The sum of all entries over a monoid."""
        return self._reduced(op)

    # ---- indices ----------------------------------------------------------------

    def _extract(self, key):
        (axis,) = axes(key, self.shape)
        if axis.single is not None:
            return self._entry(axis.single)
        return self._expression(
            self.dtype,
            (axis.size,),
            lambda out: out.run(lib.sl_vector_extract, self.dtype, self, axis.pointer, axis.count),
        )

    def _assign_all(self, output, value):
        output.run(lib.sl_vector_assign, value.dtype, value, *ALL)

    def _assign_part(self, output, key, value):
        (axis,) = axes(key, self.shape)
        value = evaluated(value)
        if isinstance(value, Vector):
            output.run(lib.sl_vector_assign, value.dtype, value, axis.pointer, axis.count)
        elif output.plain and axis.single is not None:
            self._write(lib.sl_vector_set, self, axis.single, as_scalar(value))
        else:
            scalar = as_scalar(value)
            output.run(
                lib.sl_vector_assign_scalar, dtype_of(scalar.type), scalar, axis.pointer, axis.count
            )

    def __delitem__(self, key):
        (axis,) = axes(key, self.shape)
        if axis.single is None:
            raise TypeError("one entry at a time is deleted")
        self._write(lib.sl_vector_remove, self, axis.single)

    def __repr__(self):
        return f"<Vector {name_of(self.dtype)}, size {self.size}, {self.nvals} entries>"


KINDS[1] = Vector
