"""Operators, monoids and semirings: `semla.binary.plus`, `semla.semiring.min_plus["FP64"]`.

The namespaces hold what the library's table holds: they are filled by asking it for
each of its codes. An operator without a type takes that of the values it meets;
with one, `op[dtype]`, the values are cast to it.
"""

from ._library import ffi, lib, text
from .types import TYPES, code_of, dtype_of, lookup_dtype, name_of, unpack


class Typed:
    """An operator, a monoid or a semiring of one type, from the table or the user's own."""

    kind = None

    def __init__(self, pointer, keeps=()):
        self._pointer = pointer
        self._keeps = keeps  # what has to live as long

    @property
    def name(self):
        return text(self._pointer.name)

    @property
    def dtype(self):
        """The type of the operands; of the first, where a user's operator has two types."""
        return dtype_of(self._pointer.type)

    @property
    def result(self):
        """The type of the result."""
        return dtype_of(self._pointer.result)

    def _for(self, *_):
        return self

    def __repr__(self):
        return f"semla.{self.kind}.{self.name}"


class Unary(Typed):
    kind = "unary"


class Binary(Typed):
    kind = "binary"

    @property
    def commutative(self):
        return bool(self._pointer.commutative)

    @property
    def positional(self):
        """True if the result is an index, not made of values."""
        return bool(self._pointer.positional)


class Index(Typed):
    kind = "indexunary"


class Monoid(Typed):
    kind = "monoid"

    @property
    def result(self):
        return self.dtype

    @property
    def binaryop(self):
        return Binary(self._pointer.op, self)

    @property
    def identity(self):
        return unpack(self._pointer.identity)

    @property
    def terminal(self):
        """The value at which a sum can stop, or None."""
        return unpack(self._pointer.terminal) if self._pointer.has_terminal else None

    @property
    def idempotent(self):
        return bool(self._pointer.idempotent)


class Semiring(Typed):
    kind = "semiring"

    @property
    def dtype(self):
        return self.binaryop.dtype

    @property
    def monoid(self):
        return Monoid(self._pointer.add, self)

    @property
    def binaryop(self):
        return Binary(self._pointer.multiply, self)


class Family:
    """An operator of many types, of which the one is taken that the values have."""

    def __init__(self, typed, get, code, name):
        self._typed, self._get, self._code, self.name = typed, get, code, name
        self.kind = typed.kind
        # The dtypes for which there is one.
        self.types = [dtype for dtype in TYPES.values() if get(code, code_of(dtype))]
        one = self[self.types[0]]
        operator = one.binaryop if isinstance(one, Semiring) else one
        self._is_positional = isinstance(operator, Binary) and operator.positional

    def __contains__(self, dtype):
        return lookup_dtype(dtype) in self.types

    def __getitem__(self, dtype):
        dtype = lookup_dtype(dtype)
        pointer = self._get(self._code, code_of(dtype))
        if not pointer:
            raise TypeError(f"there is no {self.kind}.{self.name} of type {name_of(dtype)}")
        return self._typed(pointer)

    def _for(self, dtype):
        """The one for values of a type. One that exists for a single type casts to it (lor);
        one of numbers takes bool as INT64, so that sums count; indices (secondi) are INT64."""
        if dtype in self.types and not self._is_positional:
            return self[dtype]
        return self[self.types[0] if len(self.types) == 1 else TYPES["INT64"]]

    def __repr__(self):
        return f"semla.{self.kind}.{self.name}"


class Namespace:
    """The operators of a kind, by name: as attributes, and as a dict has them."""

    def __init__(self, kind, families):
        self._kind = kind
        self._families = {family.name: family for family in families}

    def __getitem__(self, name):
        if name not in self._families:
            raise TypeError(f"there is no semla.{self._kind}.{name}")
        return self._families[name]

    def __getattr__(self, name):
        if name not in self._families:
            raise AttributeError(f"there is no semla.{self._kind}.{name}")
        return self._families[name]

    def __iter__(self):
        return iter(self._families)

    def __contains__(self, name):
        return name in self._families

    def __dir__(self):
        return ["new", *self]

    def __repr__(self):
        return f"semla.{self._kind}: {', '.join(self)}"


def _families(typed, enumeration, prefix, get):
    codes = ffi.typeof(enumeration).relements
    return [
        Family(typed, get, code, name[len(prefix) :].lower())
        for name, code in sorted(codes.items(), key=lambda item: item[1])
        if name != prefix + "COUNT"
    ]


unary = Namespace("unary", _families(Unary, "sl_unary_code", "SL_UNARY_", lib.sl_unary_op_get))
binary = Namespace(
    "binary", _families(Binary, "sl_binary_code", "SL_BINARY_", lib.sl_binary_op_get)
)
_index = _families(Index, "sl_index_code", "SL_INDEX_", lib.sl_index_op_get)
indexunary = Namespace("indexunary", _index)
select = Namespace("select", [f for f in _index if f[TYPES["INT64"]].result == TYPES["BOOL"]])
monoid = Namespace("monoid", _families(Monoid, "sl_monoid_code", "SL_MONOID_", lib.sl_monoid_get))
semiring = Namespace(
    "semiring", _families(Semiring, "sl_semiring_code", "SL_SEMIRING_", lib.sl_semiring_get)
)

_NAMESPACES = {space._kind: space for space in (unary, binary, indexunary, monoid, semiring)}


def find(op, *kinds):
    """An operator of one of the kinds, given as such or by name; a monoid is also its binary one.

    Raises TypeError for anything else.
    """
    if isinstance(op, str):
        for kind in kinds:
            if op in _NAMESPACES[kind]:
                return _NAMESPACES[kind][op]
    kind = getattr(op, "kind", None)
    if kind in kinds:
        return op
    if kind == "monoid" and "binary" in kinds:
        return op.binaryop if isinstance(op, Monoid) else binary[op.name]
    raise TypeError(f"{op!r} is no {' or '.join(kinds)} operator")
