"""User-defined operators, monoids and semirings, made of Python functions.

A Python function is called once per value, with Python's global lock held: about a thousand times
slower than a built-in operator, on one thread at a time. A function that numba compiles is about as
fast as a built-in operator (compiled.py). The operation raises an exception that occurs in
the function; its output then has unspecified contents. The function must not call semla.
"""

import weakref
from functools import partial

from . import compiled, operators
from ._library import ffi, lib
from .context import current_context
from .owner import inside
from .scalar import number
from .types import TYPES, check_number, code_of, lookup_dtype, pack
from .untyped import Untyped, UntypedMonoid, result_type

_C_TYPES = {"f": {4: "float", 8: "double"}, "b": {1: "bool"}}
_PYTHON_TYPES = {"f": float, "b": bool, "i": int, "u": int}


def _pointer_type(dtype):
    name = _C_TYPES.get(dtype.kind, {}).get(dtype.itemsize, f"{dtype.name}_t")
    return ffi.typeof(f"{name} *")


def _callback(c_type, owner, function, result, operands):
    """A C function that calls the Python function and stores its result in *z.

    `operands` has a dtype for each operand that is passed by address, None for one passed by
    value. An exception is kept in owner.failures; this result and all later ones of the operation
    are then 0.
    """
    z_type, convert = _pointer_type(result), _PYTHON_TYPES[result.kind]
    pointers = [dtype and _pointer_type(dtype) for dtype in operands]
    cast = ffi.cast

    def compute(z, *arguments):
        if owner.failures:
            cast(z_type, z)[0] = convert(0)
            return
        before = inside.active
        inside.active = True
        try:
            values = [
                cast(pointer, argument)[0] if pointer else argument
                for pointer, argument in zip(pointers, arguments)
            ]
            cast(z_type, z)[0] = convert(function(*values))
        except BaseException as failure:  # noqa: BLE001 # Owner.call raises it again
            owner.failures.append(failure)
            cast(z_type, z)[0] = convert(0)
        finally:
            inside.active = before

    def keep(_kind, failure, _traceback):
        """An exception before the first line of `try`: that of a signal handler."""
        owner.failures.append(failure)

    return ffi.callback(c_type, compute, onerror=keep)


def _create(typed, context, new, free, *arguments, keeps=()):
    """The operator that new(&op, context, arguments...) makes; it keeps the objects in `keeps`
    alive."""
    out = ffi.new(f"{ffi.typeof(new).args[0].item.cname} *")
    context._call(new, out, context, *arguments)
    made = typed(out[0], keeps)
    made.context = context
    weakref.finalize(made, context._owner.discard, free, out[0]).atexit = False
    return made


def _name(name, function):
    return (name or getattr(function, "__name__", "python")).encode()


def _check(kind, function, name, source):
    """Raises TypeError for arguments of unary.new, binary.new and indexunary.new of a wrong type."""
    what = f"{'indexunary' if kind == 'index' else kind}.new"
    if isinstance(function, operators.Callable):
        raise TypeError(f"{what}: {function!r} is an operator already")
    if not callable(function) and not compiled.is_c_function(function):
        raise TypeError(f"{what}: function must be a function, not {function!r}")
    for label, given in (("name", name), ("source", source)):
        if given is not None and not isinstance(given, str):
            raise TypeError(f"{what}: {label} must be a str, not {given!r}")


def _create_operator(kind, function, result, operands, name, source, context, compile):
    """A unary, binary or index operator of these dtypes; `operands` is as in _callback."""
    _check(kind, function, name, source)
    typed = {"unary": operators.Unary, "binary": operators.Binary, "index": operators.Index}[kind]
    context = context or current_context()
    c_type = f"sl_{kind}_function"
    if compile or compiled.is_dispatcher(function) or compiled.is_c_function(function):
        callback, kept = compiled.compile_function(function, c_type, result, operands)
    else:
        callback = kept = _callback(c_type, context._owner, function, result, operands)
    made = _create(
        typed,
        context,
        getattr(lib, f"sl_{kind}_op_new"),
        getattr(lib, f"sl_{kind}_op_free"),
        _name(name, function),
        code_of(result),
        *[code_of(dtype) for dtype in operands if dtype is not None],
        callback,
        ffi.NULL if source is None else ffi.new("char[]", source.encode()),
        keeps=(kept,),
    )
    given = kind, function, result, operands, name, source, None, compile
    made._recipe = _create_operator, given
    return made


def _untyped(kind, count, function, result, name, source, context, compile, given=None):
    """The operator of `count` operands for every type; `given` are types, which need a dtype."""
    _check(kind, function, name, source)
    if given is not None:
        raise TypeError(f"{kind}.new: the types of operands and thunk need a dtype")
    if compiled.is_c_function(function):
        raise TypeError(f"{kind}.new: a C function of numba has types: give dtype")
    result = None if result is None else lookup_dtype(result)

    def operand_types(dtype):
        return [dtype, None, None, dtype] if kind == "index" else [dtype] * count

    def make(dtype, context):
        operands = operand_types(dtype)
        z = result or result_type(function, operands, compile)
        return _create_operator(kind, function, z, operands, name, source, context, compile)

    shown = _name(name, function).decode()
    if source is not None:  # checked by the library now, not when a type is first used
        fp64 = TYPES["FP64"]
        _create_operator(kind, abs, fp64, operand_types(fp64), shown, source, context, False)
    made = Untyped("indexunary" if kind == "index" else kind, shown, make, context)
    made._recipe = _untyped, (kind, count, function, result, name, source, None, compile)
    return made


def new_unary(
    function, dtype=None, result=None, name=None, source=None, compile=False, context=None
):
    """Make the unary operator z = function(x).

    Parameters
    ----------
    function : callable
        Called with one Python number; returns a number. It must not call semla. Or a function of
        numba: `numba.njit`, or `numba.cfunc("void(CPointer(double), CPointer(double))")`, which
        stores f(x[0]) in z[0].
    dtype : dtype, optional
        The type of x. Without it the operator has no type: it is made for the type of the operand
        when it is used.
    result : dtype, optional
        The type of z; by default that of x. Without dtype it follows from the function: as numba
        says if it compiles it, otherwise from its result for 1.
    name : str, optional
        By default the name of the function.
    source : str, optional
        The body of the same function in C, such as ``"*z = *x * *x;"``, which engines can compile:
        see <semla/operators.h>. They then do not call the Python function.
    compile : bool, default False
        Compile the function with numba. An exception in it is then lost.
    context : Context, optional
        By default the current context.

    Returns
    -------
    Unary or Untyped

    Examples
    --------
    >>> square = semla.unary.new(lambda x: x * x, "INT64", name="square")
    >>> semla.Vector.from_dense([1, 2, 3]).apply(square).new().to_dict()
    {0: 1, 1: 4, 2: 9}
    >>> halve = semla.unary.new(lambda x: x / 2)
    >>> halve(semla.Vector.from_dense([1, 2])).new().to_dict()
    {0: 0.5, 1: 1.0}
    """
    if dtype is None:
        return _untyped("unary", 1, function, result, name, source, context, compile)
    x = lookup_dtype(dtype)
    z = x if result is None else lookup_dtype(result)
    return _create_operator("unary", function, z, [x], name, source, context, compile)


def new_binary(
    function,
    dtype=None,
    result=None,
    *,
    right=None,
    name=None,
    source=None,
    compile=False,
    context=None,
):
    """Make the binary operator z = function(x, y).

    Parameters
    ----------
    function : callable
        Called with two Python numbers; returns a number. It must not call semla.
    dtype : dtype, optional
        The type of x; without it as for `semla.unary.new`.
    result, right : dtype, optional
        The types of z and y; by default that of x.
    name, source, compile, context : optional
        As for `semla.unary.new`.

    Returns
    -------
    Binary or Untyped
    """
    if dtype is None:
        return _untyped("binary", 2, function, result, name, source, context, compile, right)
    x = lookup_dtype(dtype)
    y, z = (x if other is None else lookup_dtype(other) for other in (right, result))
    return _create_operator("binary", function, z, [x, y], name, source, context, compile)


def new_indexunary(
    function,
    dtype=None,
    result=None,
    *,
    thunk=None,
    name=None,
    source=None,
    compile=False,
    context=None,
):
    """Make the index-unary operator z = function(x, row, column, thunk).

    With result BOOL it can be used in `select`.

    Parameters
    ----------
    function : callable
        Called with a Python number, two indices and a number; returns a number. The column of an
        entry of a vector is 0. It must not call semla.
    dtype : dtype, optional
        The type of x; without it as for `semla.unary.new`.
    result, thunk : dtype, optional
        The types of z and of the thunk; by default that of x.
    name, source, compile, context : optional
        As for `semla.unary.new`.

    Returns
    -------
    Index or Untyped
    """
    if dtype is None:
        return _untyped("index", 1, function, result, name, source, context, compile, thunk)
    x = lookup_dtype(dtype)
    t, z = (x if other is None else lookup_dtype(other) for other in (thunk, result))
    return _create_operator(
        "index", function, z, [x, None, None, t], name, source, context, compile
    )


def new_monoid(op, identity, *, terminal=None, idempotent=False, name=None, context=None):
    """Make the monoid of a binary operator.

    Parameters
    ----------
    op : Binary or str
        Associative and commutative, with one type for operands and result. The monoid of an
        operator without a type has none, too.
    identity : number
        op(identity, x) is x for every x.
    terminal : number, optional
        op(terminal, x) is terminal for every x, so that a reduction can stop.
    idempotent : bool, default False
        Declares that op(x, x) is x, which closures need.
    name : str, optional
        By default the name of the operator.
    context : Context, optional
        By default that of the operator.

    Returns
    -------
    Monoid or UntypedMonoid
    """
    op, identity, terminal = operators.find(op, "binary"), number(identity), number(terminal)
    given = {"terminal": terminal, "idempotent": idempotent, "name": name}
    recipe = partial(new_monoid, **given), (op, identity)
    if not isinstance(op, operators.Typed):

        def make(dtype, context):
            return new_monoid(op._for(dtype), identity, **given, context=context)

        made = UntypedMonoid(op, make, name or op.name, context)
        made._recipe = recipe
        return made
    context = context or getattr(op, "context", None) or current_context()
    end = ffi.NULL if terminal is None else ffi.new("sl_scalar *", _cast_scalar(terminal, op.dtype))
    made = _create(
        operators.Monoid,
        context,
        lib.sl_monoid_new,
        lib.sl_monoid_free,
        _name(name or op.name, None),
        op,
        _cast_scalar(identity, op.dtype),
        end,
        keeps=(op,),
    )
    made._recipe = recipe
    if idempotent:
        context._call(lib.sl_monoid_promise_idempotent, made)
    return made


def new_semiring(add, multiply, *, name=None, context=None):
    """Make the semiring of a monoid and a binary operator.

    Parameters
    ----------
    add : Monoid or str
        Its type must be that of the results of `multiply`.
    multiply : Binary or str
        If one of both has no type, the semiring has none: it uses the type of its operands.
    name : str, optional
        By default the names of both, joined by "_".
    context : Context, optional
        By default that of the monoid or of the operator.

    Returns
    -------
    Semiring or ComposedSemiring

    Examples
    --------
    >>> longest_edge = semla.semiring.new("min", "max")
    >>> A = semla.Matrix.from_coo([0, 1], [1, 2], [5, 3], nrows=3, ncols=3)
    >>> longest_edge(A @ A).new()[0, 2].value
    5
    """
    add, multiply = operators.find(add, "monoid"), operators.find(multiply, "binary")
    name = name or f"{add.name}_{multiply.name}"
    recipe = partial(new_semiring, name=name), (add, multiply)
    if not (isinstance(add, operators.Typed) and isinstance(multiply, operators.Typed)):
        made = ComposedSemiring(add, multiply, name, context)
        made._recipe = recipe
        return made
    for part in (add, multiply):
        context = context or getattr(part, "context", None)
    made = _create(
        operators.Semiring,
        context or current_context(),
        lib.sl_semiring_new,
        lib.sl_semiring_free,
        _name(name, None),
        add,
        multiply,
        keeps=(add, multiply),
    )
    made._recipe = recipe
    return made


class ComposedSemiring(operators.Callable):
    """A semiring without a type, made of a monoid and a binary operator.

    An operation uses the semiring for the type of its operands; `op[dtype]` selects one.

    Attributes
    ----------
    name, kind : str
    """

    kind = "semiring"

    def __init__(self, add, multiply, name, context):
        self._add, self._multiply, self.name, self._context = add, multiply, name, context
        self._made = weakref.WeakKeyDictionary()  # {owner of a context: {dtype: Semiring}}

    def __getitem__(self, dtype):
        return self._for(lookup_dtype(dtype))

    def _for(self, dtype):
        context = self._context or current_context()
        made = self._made.setdefault(context._owner, {})
        if dtype not in made:
            multiply = self._multiply._for(dtype)
            add = self._add._for(multiply.result)
            if add.dtype != multiply.result:  # plus of BOOL counts in INT64
                multiply = self._multiply._for(add.dtype)
            made[dtype] = new_semiring(add, multiply, name=self.name, context=context)
        return made[dtype]


def _cast_scalar(value, dtype):
    """An sl_scalar of this dtype. Invalid if it is an integer type that does not have the value."""
    return lib.sl_scalar_cast(pack(check_number(number(value), dtype)), code_of(dtype))


operators.unary.new = new_unary
operators.binary.new = new_binary
operators.indexunary.new = operators.select.new = new_indexunary
operators.monoid.new = new_monoid
operators.semiring.new = new_semiring
