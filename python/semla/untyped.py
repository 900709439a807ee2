"""User-defined operators and monoids without a type: each type is made when it is first used.

`semla.unary.new(function)` makes one. The type of the result follows from the function: from numba if
it compiles the function, otherwise from its result for the operands 1.
"""

import weakref

import numpy as np

from . import compiled, operators
from .context import current_context
from .types import lookup_dtype

_PYTHON_TYPES = {"f": float, "b": bool, "i": int, "u": int}


class Untyped(operators.Callable):
    """An operator or monoid without a type.

    An operation uses the one for the type of its operands; `op[dtype]` selects one.

    Attributes
    ----------
    name, kind : str
    """

    _selects = False

    def __init__(self, kind, name, make, context):
        self.kind, self.name, self._make, self._context = kind, name, make, context
        self._made = weakref.WeakKeyDictionary()  # {owner of a context: {dtype: operator}}

    def __getitem__(self, dtype):
        return self._for(lookup_dtype(dtype))

    def _for(self, dtype):
        context = self._context or current_context()
        made = self._made.setdefault(context._owner, {})
        if dtype not in made:
            made[dtype] = self._make(dtype, context)
        return made[dtype]


class UntypedMonoid(Untyped):
    """A monoid without a type.

    Attributes
    ----------
    binaryop : Untyped or Family
        The binary operator.
    """

    def __init__(self, op, make, name, context):
        super().__init__("monoid", name, make, context)
        self.binaryop = op


def result_type(function, operands, compile):
    """The type of function(*operands).

    `operands` has a dtype for each operand, None for an index. A result of the kind of the first
    operand has its type: the sum of two INT8 is an INT8.
    """
    if compile or compiled.is_dispatcher(function):
        found = compiled.result_type(function, operands)
    else:
        found = _type_of_example(function, operands)
    first = operands[0]
    if found.kind == first.kind or (found.kind in "iu" and first.kind in "iu"):
        return first
    return lookup_dtype(found)


def _type_of_example(function, operands):
    example = [1 if one is None else _PYTHON_TYPES[one.kind](1) for one in operands]
    try:
        result = function(*example)
    except Exception as error:
        raise TypeError(
            f"the function fails for the operands {', '.join(map(str, example))}, from which the type "
            "of its result would follow: give dtype and result"
        ) from error
    return np.result_type(result)
