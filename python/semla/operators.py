"""Operators, monoids and semirings: `semla.binary.plus`, `semla.semiring.min_plus["FP64"]`.

The namespaces `unary`, `binary`, `indexunary`, `select`, `monoid` and `semiring` contain the built-
in operators of the library. An operator without a type uses the type of its operands; with one,
`op[dtype]`, the operands are cast to that type.
"""

from functools import cached_property
from operator import getitem

from ._library import ffi, lib, text
from .types import TYPES, check_number, code_of, dtype_of, lookup_dtype, name_of, pack, unpack


class Callable:
    """What operators with and without a type have in common. A subclass has `kind` and `name`."""

    _thunk = 0  # of an index-unary operator, where none is given
    _recipe = None  # (function, arguments) that make the operator again, for pickle

    def __reduce__(self):
        return self._recipe

    def __call__(self, *operands):
        """Apply the operator: `abs(A)`, `plus(A, 1)`, `max(A | B)`, `min_plus(A @ B)`."""
        return call(self, *operands)

    def __repr__(self):
        return f"semla.{self.kind}.{self.name}"


class Typed(Callable):
    """An operator, a monoid or a semiring with a type; built-in or user-defined."""

    kind = None

    _selects = False  # a call selects entries: the operators of semla.select

    def __init__(self, pointer, keeps=()):
        self._pointer = pointer
        self._keeps = keeps  # objects that must live as long as this one

    @property
    def name(self):
        """The name, as in "min_plus"."""
        return text(self._pointer.name)

    @cached_property
    def dtype(self):
        """The type of the operands; of the first one, if a user-defined operator has two types."""
        return dtype_of(self._pointer.type)

    @cached_property
    def result(self):
        """The type of the result."""
        return dtype_of(self._pointer.result)

    def _for(self, *_):
        return self

    def _part(self, typed, pointer, name):
        """The attribute `name`: an operator or monoid that this object contains."""
        part = typed(pointer, self)
        part._recipe = getattr, (self, name)
        return part

    def _scalar(self, value, code):
        """The sl_scalar of an operand; the library casts it to the type of this code. Invalid if
        that is an integer type that does not have the value."""
        return pack(check_number(value, dtype_of(code)))


class Unary(Typed):
    """A unary operator z = f(x)."""

    kind = "unary"


class Binary(Typed):
    """A binary operator z = f(x, y)."""

    kind = "binary"

    @property
    def commutative(self):
        """True if f(x, y) = f(y, x)."""
        return bool(self._pointer.commutative)

    @property
    def positional(self):
        """True if the result is an index, as of secondi, and does not depend on values."""
        return bool(self._pointer.positional)

    def _operand(self, value, second=False):
        """The sl_scalar of a number that is the first or the second operand."""
        if self.positional:
            return pack(value)
        return self._scalar(value, self._pointer.type_y if second else self._pointer.type)


class Index(Typed):
    """An index-unary operator z = f(x, row, column, thunk)."""

    kind = "indexunary"

    def _operand(self, thunk):
        """The sl_scalar of a number that is the thunk."""
        return self._scalar(thunk, self._pointer.type_thunk)


class Monoid(Typed):
    """A monoid: an associative and commutative binary operator with an identity."""

    kind = "monoid"

    @cached_property
    def result(self):
        """The type of the result, which is that of the operands."""
        return self.dtype

    @property
    def binaryop(self):
        """The binary operator."""
        return self._part(Binary, self._pointer.op, "binaryop")

    @property
    def identity(self):
        """The identity, as a numpy scalar."""
        return unpack(self._pointer.identity)

    @property
    def terminal(self):
        """The value that no further operand changes, so that a reduction can stop; None without
        one."""
        return unpack(self._pointer.terminal) if self._pointer.has_terminal else None

    @property
    def idempotent(self):
        """True if f(x, x) = x."""
        return bool(self._pointer.idempotent)


class Semiring(Typed):
    """A semiring: a monoid that adds, and a binary operator that multiplies."""

    kind = "semiring"

    @cached_property
    def dtype(self):
        """The type of the operands of the multiplication."""
        return self.binaryop.dtype

    @property
    def monoid(self):
        """The monoid that adds."""
        return self._part(Monoid, self._pointer.add, "monoid")

    @property
    def binaryop(self):
        """The operator that multiplies."""
        return self._part(Binary, self._pointer.multiply, "binaryop")


class Family(Callable):
    """A built-in operator without a type: the operators of the same name for all types.

    An operation uses the one for the type of its operands; `op[dtype]` selects one.

    Attributes
    ----------
    name : str
    kind : str
        "unary", "binary", "indexunary", "monoid" or "semiring".
    types : list of numpy.dtype
        The types for which the operator exists.
    """

    def __init__(self, typed, get, code, name, types=None, selects=False):
        self._typed, self._get, self._code, self.name = typed, get, code, name
        self.kind, self._selects = typed.kind, selects
        self._made = {}  # {dtype: the operator with this type}
        self._chosen = {}  # {dtype: the operator for values of this type}
        self.types = [
            dtype
            for dtype in map(lookup_dtype, types or TYPES.values())
            if get(code, code_of(dtype))
        ]
        first = self[self.types[0]]
        operator = first.binaryop if isinstance(first, Semiring) else first
        self._is_positional = (
            isinstance(operator, (Binary, Index)) and operator._pointer.positional
        )

    def __contains__(self, dtype):
        return lookup_dtype(dtype) in self.types

    def __getitem__(self, dtype):
        dtype = lookup_dtype(dtype)
        if dtype in self._made:
            return self._made[dtype]
        if dtype not in self.types:
            raise TypeError(
                f"semla.{self.kind}.{self.name} does not exist for type {name_of(dtype)}; "
                f"the types are {', '.join(map(name_of, self.types))}"
            )
        made = self._typed(self._get(self._code, code_of(dtype)))
        made._selects = self._selects
        made._recipe = getitem, (self, name_of(dtype))
        self._made[dtype] = made
        return made

    def _for(self, dtype):
        """The operator for values of a dtype.

        An operator that exists for a single type (lor) casts its operands to it. An operator that
        does not exist for BOOL takes INT64 instead, so that sums of booleans count. Operators
        that return an index (secondi, rowindex) are always INT64. Functions such as exp, which exist for
        floating-point types only, take FP64 for other types.
        """
        made = self._chosen.get(dtype)
        if made is None:
            made = self._chosen[dtype] = self[self._type_for(dtype)]
        return made

    def _type_for(self, dtype):
        if dtype in self.types and not self._is_positional:
            return dtype
        if len(self.types) == 1:
            return self.types[0]
        if TYPES["INT64"] not in self.types:
            return TYPES["FP64"]
        # Operators on bits have no floating-point type: this is an error.
        return dtype if dtype.kind == "f" and not self._is_positional else TYPES["INT64"]


class Namespace:
    """The operators of one kind by name: `semla.binary.plus` or `semla.binary["plus"]`.

    Iterating gives the names. `new` makes a user-defined operator.
    """

    def __init__(self, kind, families):
        self._kind = kind
        self._families = {}
        for family in families:
            self._add(family.name, family)

    def __reduce__(self):
        return self._kind  # pickled as the variable of this module

    def _add(self, name, family):
        family._recipe = family._recipe or (getitem, (self, name))
        self._families[name] = family
        setattr(self, name, family)  # found faster than by __getattr__

    def _find(self, name):
        """The operator of that name, or None."""
        return self._families.get(name)

    def __getitem__(self, name):
        found = self._find(name)
        if found is None:
            raise TypeError(f"there is no semla.{self._kind}.{name}")
        return found

    def __getattr__(self, name):
        found = None if name.startswith("_") else self._find(name)
        if found is None:
            raise AttributeError(f"there is no semla.{self._kind}.{name}")
        return found

    def __iter__(self):
        return iter(self._families)

    def __contains__(self, name):
        return self._find(name) is not None

    def __dir__(self):
        return ["new", *self]

    def __repr__(self):
        return f"semla.{self._kind}: {', '.join(self)}"


class Semirings(Namespace):
    """The semirings by name: those of the library, and every monoid with every binary operator.

    `semla.semiring.min_rminus` is made of `semla.monoid.min` and `semla.binary.rminus`.
    """

    def __init__(self, kind, families):
        super().__init__(kind, families)
        self._composed = {}  # {name: semiring}

    def _find(self, name):
        if name in self._families:
            return self._families[name]
        if name not in self._composed:
            for add in monoid:
                multiply = name[len(add) + 1 :]
                if name.startswith(f"{add}_") and multiply in binary:
                    self._composed[name] = self.new(add, multiply)
                    self._composed[name]._recipe = getitem, (self, name)
                    setattr(self, name, self._composed[name])
        return self._composed.get(name)

    def __repr__(self):
        return "semla.semiring: a monoid and a binary operator, as in min_plus"


def _families(typed, name, selects=False):
    """The operators of one kind: one family for each code of the enumeration sl_NAME_code."""
    prefix = f"SL_{name.upper()}_"
    codes = ffi.typeof(f"sl_{name}_code").relements
    get = getattr(lib, f"sl_{name}_get", None) or getattr(lib, f"sl_{name}_op_get")
    return [
        Family(typed, get, code, name[len(prefix) :].lower(), selects=selects)
        for name, code in sorted(codes.items(), key=lambda item: item[1])
        if name != prefix + "COUNT"
    ]


unary = Namespace("unary", _families(Unary, "unary"))
binary = Namespace("binary", _families(Binary, "binary"))
indexunary = Namespace("indexunary", _families(Index, "index"))
monoid = Namespace("monoid", _families(Monoid, "monoid"))
semiring = Semirings("semiring", _families(Semiring, "semiring"))
# The index-unary operators with a result of type BOOL.
select = Namespace(
    "select",
    [
        family
        for family in _families(Index, "index", selects=True)
        if family[TYPES["INT64"]].result == TYPES["BOOL"]
    ],
)


def _add_alias(space, name, of, types=None):
    """Makes a second name of an operator, which may exist for fewer types."""
    family = space[of]
    space._add(
        name, Family(family._typed, family._get, family._code, name, types, family._selects)
    )


# The names of python-graphblas. truediv divides integers as Python does.
_add_alias(binary, "cdiv", "div")
_add_alias(binary, "truediv", "div", ("FP32", "FP64"))
_add_alias(binary, "rtruediv", "rdiv", ("FP32", "FP64"))
_add_alias(indexunary, "index", "rowindex")
monoid._add("eq", monoid.lxnor)
for _index, _of in (("i", "rowindex"), ("j", "colindex")):  # unary operators there
    for _suffix, _first in (("", 0), ("1", 1)):
        _name = f"position{_index}{_suffix}"
        unary._add(_name, Family(Index, indexunary[_of]._get, indexunary[_of]._code, _name))
        unary[_name]._thunk = _first
for _space in (indexunary, select):
    _add_alias(_space, "indexle", "rowle")
    _add_alias(_space, "indexgt", "rowgt")

_NAMESPACES = {space._kind: space for space in (unary, binary, indexunary, monoid, semiring)}


def find(op, *kinds):
    """The operator given as an object or by name, if it is of one of the kinds.

    Where a binary operator is allowed, a monoid stands for its operator. Raises TypeError for
    anything else.
    """
    kind = getattr(op, "kind", None)
    if kind in kinds:
        return op
    if isinstance(op, str):
        for kind in kinds:
            if op in _NAMESPACES[kind]:
                return _NAMESPACES[kind][op]
    if kind == "monoid" and "binary" in kinds:
        return binary[op.name] if isinstance(op, Family) else op.binaryop
    raise TypeError(f"{op!r} is not a {' or '.join(kinds)} operator")


def call(op, *operands):
    """The expression op(operands...): what the call of an operator means.

    Parameters
    ----------
    op : operator, typed or not
    operands
        For `A @ B`, `A | B` and `A & B`: that expression alone. Otherwise a vector, matrix or
        expression, and for binary and index-unary operators a number after it, or before it.
    """
    first = operands[0]
    build = getattr(first, "_with_operator", None)
    if len(operands) == 1 and build is not None and op.kind in ("semiring", "monoid", "binary"):
        return build(op)
    of_kind = [hasattr(one, "_kind") for one in operands]
    if op.kind == "unary" and of_kind == [True]:
        return first.apply(op)
    if op.kind == "indexunary" and of_kind in ([True], [True, False]):
        return (first.select if op._selects else first.apply)(op, *operands[1:])
    if op.kind == "binary" and of_kind == [True, False]:
        return first.apply(op, right=operands[1])
    if op.kind == "binary" and of_kind == [False, True]:
        return operands[1].apply(op, left=first)
    raise TypeError(f"{op!r}: {_USES[op.kind]}")


_USES = {
    "unary": "call it on one vector or matrix, as in abs(A)",
    "binary": "call it on A | B, on A & B, or on an object and a number, as in plus(A, 1)",
    "indexunary": "call it on one vector or matrix and a thunk, as in rowindex(A, 0) or tril(A)",
    "monoid": "call it on A | B or A & B",
    "semiring": "call it on a product, as in min_plus(A @ B)",
}
