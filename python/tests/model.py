"""A reference implementation of GraphBLAS operations with dense numpy arrays."""

import numpy as np

import semla

TYPES = list(semla.TYPES.values())
NUMBERS = [dtype for dtype in TYPES if dtype != bool]

# {name: function of two arrays of one type}
BINARY = {
    "plus": np.add,
    "times": np.multiply,
    "minus": np.subtract,
    "min": np.minimum,
    "max": np.maximum,
    "first": lambda x, y: x + np.zeros_like(y),
    "second": lambda x, y: np.zeros_like(x) + y,
    "pair": lambda x, y: np.ones_like(x * y),
    "eq": np.equal,
    "lt": np.less,
    "ge": np.greater_equal,
}
COMPARISONS = {"eq", "lt", "ge"}
MONOIDS = {"plus": np.add, "times": np.multiply, "min": np.minimum, "max": np.maximum}
SEMIRINGS = {
    "plus_times": ("plus", "times"),
    "min_plus": ("min", "plus"),
    "max_plus": ("max", "plus"),
    "plus_pair": ("plus", "pair"),
    "min_first": ("min", "first"),
    "plus_second": ("plus", "second"),
    "max_min": ("max", "min"),
}


class Dense:
    """A vector or matrix as two arrays: `present` (is there an entry) and `values` (0 without
    one)."""

    def __init__(self, present, values):
        self.present = present
        self.values = np.where(present, values, np.zeros((), values.dtype))

    @classmethod
    def random(cls, rng, shape, dtype, density=None):
        density = rng.choice([0, 0.2, 0.5, 0.9, 1]) if density is None else density
        values = rng.integers(0, 5, shape).astype(dtype)
        return cls(rng.random(shape) < density, values)

    @property
    def T(self):
        return Dense(self.present.T, self.values.T)

    def semla(self):
        indices = np.nonzero(self.present)
        kind = semla.Vector if self.present.ndim == 1 else semla.Matrix
        shape = dict(
            zip(["size"] if self.present.ndim == 1 else ["nrows", "ncols"], self.present.shape)
        )
        return kind.from_coo(*indices, self.values[self.present], self.values.dtype, **shape)

    def cast(self, dtype):
        return Dense(self.present, cast(self.values, dtype))


def cast(values, dtype):
    """Casts as GraphBLAS does: floating point to integer saturates, which numpy does not define."""
    if values.dtype.kind == "f" and np.dtype(dtype).kind in "iu":
        limits = np.iinfo(dtype)
        values = np.clip(values, limits.min, limits.max)
    return values.astype(dtype)


def dense(thing):
    """The Dense with the entries of a vector or matrix of semla."""
    *indices, values = thing.to_coo()
    present = np.zeros(thing.shape, bool)
    present[tuple(indices)] = True
    array = np.zeros(thing.shape, thing.dtype)
    array[tuple(indices)] = values
    return Dense(present, array)


def check(thing, model):
    """Asserts that an object of semla has the entries of a Dense."""
    got = dense(thing)
    assert got.values.dtype == model.values.dtype
    np.testing.assert_array_equal(got.present, model.present)
    np.testing.assert_array_equal(got.values, model.values)


# ---- operations ----------------------------------------------------------------


def write(out, result, mask=None, accum=None, replace=False):
    """out<mask, replace> = out accum result, in the type of out. `mask` is a boolean array.

    The accumulator works in the common type of both, as in semla.
    """
    if accum is not None:
        joined = np.result_type(out.values, result.values)
        x, y = out.cast(joined), result.cast(joined)
        both = cast(BINARY[accum](x.values, y.values), out.values.dtype)
        one = np.where(result.present, cast(result.values, out.values.dtype), out.values)
        result = Dense(
            out.present | result.present, np.where(out.present & result.present, both, one)
        )
    result = result.cast(out.values.dtype)
    if mask is None:
        return result
    kept = out.present & ~mask & (not replace)
    return Dense((result.present & mask) | kept, np.where(mask, result.values, out.values))


def union(op, a, b, dtype):
    a, b = a.cast(dtype), b.cast(dtype)
    both = BINARY[op](a.values, b.values)
    values = np.where(
        a.present & b.present, both.astype(both.dtype), np.where(a.present, a.values, b.values)
    )
    return Dense(a.present | b.present, values.astype(bool if op in COMPARISONS else dtype))


def union_of(op, a, alpha, b, beta, dtype):
    a, b = a.cast(dtype), b.cast(dtype)
    x = np.where(a.present, a.values, np.array(alpha).astype(dtype))
    y = np.where(b.present, b.values, np.array(beta).astype(dtype))
    return Dense(a.present | b.present, BINARY[op](x, y))


def intersection(op, a, b, dtype):
    return Dense(a.present & b.present, BINARY[op](a.values.astype(dtype), b.values.astype(dtype)))


def reduce(monoid, a, axis):
    """Combines the entries along an axis with a monoid."""
    ufunc = MONOIDS[monoid]
    identity = semla.monoid[monoid][a.values.dtype].identity
    filled = np.where(a.present, a.values, identity).astype(a.values.dtype)
    return Dense(
        a.present.any(axis=axis),
        ufunc.reduce(filled, axis=axis, initial=identity, dtype=a.values.dtype),
    )


def multiply(semiring, a, b, dtype):
    """The product of two matrices."""
    add, times = SEMIRINGS[semiring]
    a, b = a.cast(dtype), b.cast(dtype)
    present = a.present[:, :, None] & b.present[None, :, :]
    values = BINARY[times](*np.broadcast_arrays(a.values[:, :, None], b.values[None, :, :]))
    return reduce(add, Dense(present, values.astype(dtype)), 1)


def kronecker(op, a, b, dtype):
    nrows, ncols = (m * n for m, n in zip(a.present.shape, b.present.shape))
    a, b = a.cast(dtype), b.cast(dtype)
    spread = lambda x, y: (x[:, None, :, None], y[None, :, None, :])  # noqa: E731
    values = BINARY[op](*np.broadcast_arrays(*spread(a.values, b.values)))
    present = np.logical_and(*spread(a.present, b.present))
    return Dense(present.reshape(nrows, ncols), values.reshape(nrows, ncols))
