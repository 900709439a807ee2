"""Operators, monoids and semirings of the user's own, from functions of Python.

They are called once per value, with the interpreter's lock held: thousands of times
slower than a built-in operator, and one thread at a time. What they raise is raised
by the operation, whose output then has unspecified contents. They may not use semla.
"""

import weakref

from . import operators
from ._library import ffi, lib
from .context import current_context, inside_operator
from .scalar import number
from .types import code_of, lookup_dtype, pack

_C_TYPES = {"f": {4: "float", 8: "double"}, "b": {1: "bool"}}
_PYTHON_TYPES = {"f": float, "b": bool, "i": int, "u": int}


def _pointer_type(dtype):
    name = _C_TYPES.get(dtype.kind, {}).get(dtype.itemsize, f"{dtype.name}_t")
    return ffi.typeof(f"{name} *")


def _callback(c_type, owner, function, result, *operands):
    """A function of C that has Python compute *z of values; a failure is kept on the owner."""
    z_type, convert = _pointer_type(result), _PYTHON_TYPES[result.kind]
    cast = ffi.cast

    def compute(z, *arguments):
        inside_operator.active = True
        try:
            values = [
                cast(kind, argument)[0] if kind else argument
                for kind, argument in zip(operands, arguments)
            ]
            cast(z_type, z)[0] = convert(function(*values))
        except BaseException as failure:  # noqa: BLE001: raised again by Owner.call
            owner.failures.append(failure)
            cast(z_type, z)[0] = convert(0)
        finally:
            inside_operator.active = False

    return ffi.callback(c_type, compute)


def _made(typed, context, new, free, *arguments, keeps=()):
    """An operator that new(&op, context, arguments...) makes, which keeps what it needs alive."""
    out = ffi.new(f"{ffi.typeof(new).args[0].item.cname} *")
    context._call(new, out, context, *arguments)
    made = typed(out[0], keeps)
    made.context = context
    weakref.finalize(made, context._owner.discard, free, out[0]).atexit = False
    return made


def _name(name, function):
    return (name or getattr(function, "__name__", "python")).encode()


def _source(source):
    return ffi.NULL if source is None else ffi.new("char[]", source.encode())


def new_unary(function, dtype, result=None, *, name=None, source=None, context=None):
    """The unary operator z = function(x), of x's type `dtype`.

    result: z's type, that of x if none is given.
    source: the function's body in C, for engines that compile it: see <semla/operators.h>.
    """
    context = context or current_context()
    x = lookup_dtype(dtype)
    z = x if result is None else lookup_dtype(result)
    f = _callback("sl_unary_function", context._owner, function, z, _pointer_type(x))
    return _made(
        operators.Unary,
        context,
        lib.sl_unary_op_new,
        lib.sl_unary_op_free,
        _name(name, function),
        code_of(z),
        code_of(x),
        f,
        _source(source),
        keeps=(f,),
    )


def new_binary(function, dtype, result=None, *, right=None, name=None, source=None, context=None):
    """The binary operator z = function(x, y), of x's type `dtype` and y's type `right`, the
    same if none is given; and so is `result`, z's type."""
    context = context or current_context()
    x = lookup_dtype(dtype)
    y, z = (x if other is None else lookup_dtype(other) for other in (right, result))
    f = _callback(
        "sl_binary_function", context._owner, function, z, _pointer_type(x), _pointer_type(y)
    )
    return _made(
        operators.Binary,
        context,
        lib.sl_binary_op_new,
        lib.sl_binary_op_free,
        _name(name, function),
        code_of(z),
        code_of(x),
        code_of(y),
        f,
        _source(source),
        keeps=(f,),
    )


def new_indexunary(
    function, dtype, result=None, *, thunk=None, name=None, source=None, context=None
):
    """The index-unary operator z = function(x, row, column, thunk); for select if `result` is
    bool. A vector's column is 0."""
    context = context or current_context()
    x = lookup_dtype(dtype)
    t, z = (x if other is None else lookup_dtype(other) for other in (thunk, result))
    f = _callback(
        "sl_index_function",
        context._owner,
        function,
        z,
        _pointer_type(x),
        None,
        None,
        _pointer_type(t),
    )
    return _made(
        operators.Index,
        context,
        lib.sl_index_op_new,
        lib.sl_index_op_free,
        _name(name, function),
        code_of(z),
        code_of(x),
        code_of(t),
        f,
        _source(source),
        keeps=(f,),
    )


def new_monoid(op, identity, *, terminal=None, idempotent=False, name=None, context=None):
    """The monoid of a binary operator, associative and commutative, of one type.

    terminal: the value at which a sum stays whatever follows.
    idempotent: promises that x (+) x is x, so that closures may use it.
    """
    context = context or getattr(op, "context", None) or current_context()
    op = operators.find(op, "binary")
    if isinstance(op, operators.Family):
        raise TypeError(f"{op!r} needs a type: {op!r}[dtype]")
    ends = [ffi.NULL if terminal is None else ffi.new("sl_scalar *", _exactly(terminal, op.dtype))]
    made = _made(
        operators.Monoid,
        context,
        lib.sl_monoid_new,
        lib.sl_monoid_free,
        _name(name or op.name, None),
        op,
        _exactly(identity, op.dtype),
        *ends,
        keeps=(op,),
    )
    if idempotent:
        context._call(lib.sl_monoid_promise_idempotent, made)
    return made


def new_semiring(add, multiply, *, name=None, context=None):
    """The semiring that adds with a monoid and multiplies with a binary operator."""
    add, multiply = operators.find(add, "monoid"), operators.find(multiply, "binary")
    for part in (add, multiply):
        if isinstance(part, operators.Family):
            raise TypeError(f"{part!r} needs a type: {part!r}[dtype]")
        context = context or getattr(part, "context", None)
    return _made(
        operators.Semiring,
        context or current_context(),
        lib.sl_semiring_new,
        lib.sl_semiring_free,
        _name(name or f"{add.name}_{multiply.name}", None),
        add,
        multiply,
        keeps=(add, multiply),
    )


def _exactly(value, dtype):
    """An sl_scalar of that type."""
    return lib.sl_scalar_cast(pack(number(value)), code_of(dtype))


operators.unary.new = new_unary
operators.binary.new = new_binary
operators.indexunary.new = operators.select.new = new_indexunary
operators.monoid.new = new_monoid
operators.semiring.new = new_semiring
