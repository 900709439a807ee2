"""Conversions from and to dense arrays of numpy and, by DLPack, of other libraries."""

import numpy as np

from .arrays import Arrays, ArraysMixin, refuse
from .errors import Invalid, Mismatch
from .grid import GatherMixin
from .scalar import number
from .types import lookup_dtype, name_of
from .values import checked_array, number_array


def _dense(values, dimensions):
    values = number_array(values)
    if values.ndim != dimensions:
        raise Mismatch(f"expected an array of {dimensions} dimensions, not of {values.ndim}")
    return values


def _cast(values, dtype):
    """The values in another type. Invalid if it is an integer type that does not have one of them."""
    return checked_array(values, dtype)[0].astype(dtype, copy=False)


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


def _from_dlpack(array):
    device, _ = array.__dlpack_device__()
    if device != 1:
        raise BufferError("from_dlpack: the array is not in host memory; copy it there first")
    return np.from_dlpack(array)


class _Dense(GatherMixin, ArraysMixin):
    """What vectors and matrices have in common."""

    @classmethod
    def from_dlpack(cls, array, *, context=None):
        """Make an object with an entry at every index from an array with `__dlpack__` in host
        memory, which is copied once. The array of a matrix has two dimensions.

        Parameters
        ----------
        array : object with `__dlpack__`
        context : Context, optional
            By default the current context.

        Returns
        -------
        Vector or Matrix

        Raises
        ------
        BufferError
            If the array is in the memory of a GPU.
        """
        return cls.from_dense(_from_dlpack(array), context=context)

    def __array__(self, dtype=None, copy=None):
        try:
            dense = self.to_dense()
        except TypeError as error:
            raise TypeError(f"cannot make an array: {error}") from None
        return dense if dtype is None else dense.astype(dtype, copy=False)


class DenseVector(_Dense):
    """The conversions of vectors."""

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
        values = _dense(values, 1)
        if missing_value is None:
            values, dtype = checked_array(values, dtype)
            return cls.take(
                Arrays.copy_of("full", dtype, values.size, values=values), context=context
            )
        (indices,) = _present(values, missing_value)
        return cls.from_coo(indices, values[indices], dtype, size=values.size, context=context)

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
            If fill_value, or a value of the vector, is not a value of the dtype.
        """
        refuse(self, "to_dense")
        dtype = lookup_dtype(dtype or self.dtype)
        if self.nvals == self.size > 0:
            return _cast(self.to_arrays("full").expand().values, dtype)
        missing = self.size - self.nvals
        fill = _fill(missing, self.size, fill_value, dtype) if missing else 0
        dense = np.full(self.size, fill, dtype)
        indices, values = self.to_coo()
        dense[indices] = _cast(values, dtype)
        return dense


class DenseMatrix(_Dense):
    """The conversions of matrices."""

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
        values = _dense(values, 2)
        nrows, ncols = values.shape
        if missing_value is None:
            values, dtype = checked_array(values, dtype)
            arrays = Arrays.copy_of("full", dtype, nrows, ncols, values=values)
            return cls.take(arrays, context=context)
        where = _present(values, missing_value)
        shape = {"nrows": nrows, "ncols": ncols}
        return cls.from_coo(*where, values[where], dtype, **shape, context=context)

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
            return _cast(values.reshape(self.shape), dtype)
        total = self.nrows * self.ncols
        missing = total - self.nvals
        fill = _fill(missing, total, fill_value, dtype) if missing else 0
        dense = np.full(self.shape, fill, dtype)
        rows, cols, values = self.to_coo()
        dense[rows, cols] = _cast(values, dtype)
        return dense
