"""What stands on either side of `<<`: results not computed yet, masks, and outputs that wait."""

from ._library import ffi, lib
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


def flags(**wanted):
    """The descriptor's flags, by name: flags(replace=True, complement=False)."""
    return sum(_FLAGS[name] for name, on in wanted.items() if on)


class Mask:
    """Where an output is written: `m.S` by m's pattern, `m.V` by its values, `~` where not."""

    def __init__(self, parent, structure, complement=False):
        self.parent = parent
        self.structure = structure
        self.complement = complement

    def __invert__(self):
        return Mask(self.parent, self.structure, not self.complement)

    @property
    def _flags(self):
        return flags(structure=self.structure, complement=self.complement)

    def __repr__(self):
        return f"{'~' if self.complement else ''}{self.parent!r}.{'S' if self.structure else 'V'}"


class Output:
    """How an output is to be written: its mask and accumulator, and whether it is cleared first."""

    def __init__(self, target, mask=None, accum=None, replace=False):
        if mask is not None and not isinstance(mask, Mask):
            if not hasattr(mask, "V"):
                raise TypeError(f"a mask is a vector or a matrix, or its .S or .V, not {mask!r}")
            mask = mask.V
        self.target, self.mask, self.replace = target, mask, replace
        self._accum = None if accum is None else find(accum, "binary")

    def accumulator(self, dtype):
        """The accumulator for a result of that type."""
        return ffi.NULL if self._accum is None else self._accum._for(dtype)

    @property
    def plain(self):
        """True if everything is written and nothing accumulated."""
        return self.mask is None and self._accum is None and not self.replace

    def run(self, function, result, *operands, transposed=0, mask_kind=None):
        """function(target, mask, accumulator, operands..., descriptor).

        `result` is the type of what is computed; `mask_kind` that of the mask, if not
        the target's.
        """
        target, mask = self.target, self.mask
        all_flags = transposed | flags(replace=self.replace)
        if mask is not None:
            if mask.parent._kind != (mask_kind or target._kind):
                raise TypeError(f"the mask has to be a {mask_kind or target._kind}, not {mask!r}")
            all_flags |= mask._flags
        target._write(
            function,
            target,
            ffi.NULL if mask is None else mask.parent,
            self.accumulator(target.joined(result)),
            *operands,
            lib.sl_descriptor_get(all_flags),
        )

    def __lshift__(self, value):
        self.target._assign(self, value)

    def __getitem__(self, key):
        return Part(self, key)

    def __setitem__(self, key, value):
        Part(self, key) << value


class Part:
    """Some of an output's indices, to be assigned to."""

    def __init__(self, output, key):
        self._output, self._key = output, key

    def __lshift__(self, value):
        self._output.target._assign_part(self._output, self._key, value)


class Expression(Selection):
    """A result that is not computed yet: `out << expression`, or `expression.new()`.

    compute: a function of an Output.
    make: a function of (dtype, *shape) that makes an empty output.
    """

    def __init__(self, dtype, shape, make, compute):
        self.dtype, self.shape = dtype, shape
        self._make, self._compute = make, compute

    def new(self, dtype=None, *, mask=None):
        """Computes it into a new object, of the result's type if no other is given."""
        out = self._make(dtype if dtype is not None else self.dtype, *self.shape)
        Output(out, mask) << self
        return out

    def __repr__(self):
        shape = " x ".join(map(str, self.shape))
        return f"<expression of {shape}, {name_of(self.dtype)}; .new() computes it>"
