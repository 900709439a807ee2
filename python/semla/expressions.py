"""Deferred results, masks, and the left side of `<<`."""

from ._library import ffi, lib
from .formatting import facts
from .infix import Infix
from .operators import find
from .scalar import Selection
from .types import name_of

_FLAGS = {
    "replace": lib.SL_REPLACE,
    "complement": lib.SL_COMPLEMENT,
    "structure": lib.SL_STRUCTURE,
    "transpose_first": lib.SL_TRANSPOSE_A,
    "transpose_second": lib.SL_TRANSPOSE_B,
}


_NULL = ffi.NULL
_STRUCTURE, _COMPLEMENT, _REPLACE = lib.SL_STRUCTURE, lib.SL_COMPLEMENT, lib.SL_REPLACE
_descriptors = [lib.sl_descriptor_get(flags) for flags in range(sum(_FLAGS.values()) + 1)]


def flags(**wanted):
    """The flags of a descriptor, by name: flags(replace=True, complement=False)."""
    return sum(_FLAGS[name] for name, on in wanted.items() if on)


class Mask:
    """Selects the indices at which an output is written.

    `m.S` selects the indices at which m has an entry, `m.V` those whose value is not 0, and `~`
    selects the other ones.
    """

    def __init__(self, parent, structure, complement=False):
        self.parent = parent
        self.structure = structure
        self.complement = complement

    def __invert__(self):
        return Mask(self.parent, self.structure, not self.complement)

    @property
    def _flags(self):
        return _STRUCTURE * self.structure | _COMPLEMENT * self.complement

    def __repr__(self):
        return f"<mask {'~' * self.complement}.{'S' if self.structure else 'V'} of {facts(self.parent)}>"


class Replace:
    """`semla.replace`: an output loses its entries outside the mask, as in
    `C(M.S, semla.replace) << expression`."""

    def __reduce__(self):
        return "REPLACE"  # pickled as the variable of this module

    def __repr__(self):
        return "semla.replace"


REPLACE = Replace()


class Output:
    """An output with its mask, accumulator and replace flag: the left side of `<<`.

    `out(mask, accum=op, replace=True)` makes one; `<<` writes an expression, an object or a number
    to it. With replace, entries outside the mask are removed. `out(dup=op)[indices]` combines the
    values of equal indices.
    """

    def __init__(self, target, mask=None, accum=None, replace=False, dup=None):
        if mask is not None and not isinstance(mask, Mask):
            if not hasattr(mask, "V"):
                raise TypeError(
                    f"the mask must be a vector or a matrix, or its .S or .V, not {mask!r}"
                )
            mask = mask.V
        self.target, self.mask, self.replace = target, mask, replace
        self._accum = None if accum is None else find(accum, "binary")
        self.dup = None if dup is None else find(dup, "monoid")

    def accumulator(self, dtype):
        """The accumulator for a result of this dtype; NULL if there is none."""
        if self._accum is None:
            return _NULL
        return self._accum._for(self.target._accumulation_dtype(dtype))

    @property
    def plain(self):
        """True without mask, accumulator and replace."""
        return self.mask is None and self._accum is None and not self.replace

    def run(self, function, result, *operands, transposed=0, mask_kind=None):
        """Calls function(target, mask, accumulator, operands..., descriptor).

        `result` is the dtype of the computed values, `transposed` flags of the descriptor.
        `mask_kind` is "vector" if the mask of a matrix must be a vector.
        """
        target, mask = self.target, self.mask
        all_flags = transposed | (_REPLACE if self.replace else 0)
        if mask is not None:
            if mask.parent._kind != (mask_kind or target._kind):
                raise TypeError(f"the mask must be a {mask_kind or target._kind}, not {mask!r}")
            all_flags |= mask._flags
        target._write(
            function,
            target,
            _NULL if mask is None else mask.parent,
            self.accumulator(result),
            *operands,
            _descriptors[all_flags],
        )

    def refuse_dup(self):
        """Raises TypeError if a monoid for equal indices was given."""
        if self.dup is not None:
            raise TypeError(
                "dup combines equal indices: write to out(dup=...)[a vector of indices]"
            )

    def __lshift__(self, value):
        self.refuse_dup()
        self.target._assign(self, value)

    def update(self, value):
        """The same as `self << value`.

        Parameters
        ----------
        value : Expression, Vector, Matrix or number
        """
        self << value

    def __getitem__(self, key):
        return Part(self, key)

    def __setitem__(self, key, value):
        Part(self, key) << value


class Part:
    """A part of an output, selected by indices: `out(mask)[key] << value` assigns to it."""

    def __init__(self, output, key):
        self._output, self._key = output, key

    def __lshift__(self, value):
        self._output.target._assign_part(self._output, self._key, value)


READS = {}  # {kind: names}: the methods that read an object and that its expressions have, too


class Expression(Infix, Selection):
    """A result that is not computed yet.

    `out << expression` computes it into an existing object, `expression.new()` into a new one.
    Wherever a vector or a matrix is read, an expression can take its place: it is computed first.
    So are the methods of an expression that vectors or matrices have; each call computes it again.
    A product `A @ B`, and `A | B` and `A & B`, take another operator by a call: `min_plus(A @ B)`.

    Attributes
    ----------
    dtype : numpy.dtype
        The type of the result.
    shape : tuple of int
    """

    _comparison = None  # (object, name, number) of A > 5
    _with_operator = None  # function of an operator that replaces that of @, | or &

    def __init__(self, dtype, shape, make, compute):
        self.dtype, self.shape = dtype, shape
        self._make = make  # function of (dtype, *shape) that makes an empty output
        self._compute = compute  # function of an Output

    @property
    def _kind(self):
        return "vector" if len(self.shape) == 1 else "matrix"

    def new(self, dtype=None, *, mask=None):
        """Compute the expression into a new object.

        Parameters
        ----------
        dtype : dtype, optional
            The type of the new object; by default that of the expression.
        mask : Mask, Vector or Matrix, optional
            Only the entries that it selects are computed.

        Returns
        -------
        Vector or Matrix
        """
        out = self._make(dtype if dtype is not None else self.dtype, *self.shape)
        if mask is None:
            out << self
        else:
            Output(out, mask) << self
        return out

    def __getattr__(self, name):
        if name.startswith("_") or name not in READS[self._kind]:
            raise AttributeError(f"an expression of a {self._kind} has no attribute {name!r}")
        return getattr(self.new(), name)

    def __dir__(self):
        return [*super().__dir__(), *READS[self._kind]]

    def __getitem__(self, key):
        return self.new()[key]

    def __contains__(self, key):
        return key in self.new()

    def __array__(self, dtype=None, copy=None):
        return self.new().__array__(dtype)

    def __reduce__(self):
        raise TypeError(f"{self!r}: an expression cannot be pickled; pickle its .new()")

    def __bool__(self):
        raise TypeError(
            f"{self!r} is neither true nor false; use .isequal(), .nvals or a reduction"
        )

    def __repr__(self):
        shape = " x ".join(map(str, self.shape))
        return f"<expression of {shape}, {name_of(self.dtype)}; .new() computes it>"


class Deferred(Expression):
    """An expression that one call of the library computes: function(out, mask, accumulator,
    operands..., descriptor)."""

    def __init__(self, dtype, shape, make, function, operands, transposed):
        self.dtype, self.shape, self._make = dtype, shape, make
        self._function, self._operands, self._transposed = function, operands, transposed

    def _compute(self, out):
        out.run(self._function, self.dtype, *self._operands, transposed=self._transposed)

    def _whole_call(self, target):
        """The function and the arguments that compute an object of the same kind, without mask and
        accumulator."""
        descriptor = _descriptors[self._transposed]
        return self._function, target, _NULL, _NULL, *self._operands, descriptor
