"""Operators made of functions that numba compiles. They run without Python's global lock, on all
threads of an operation.

`semla.unary.new` and the like take three kinds of functions: a plain Python function, which is
called for each value; a function that numba compiles (`numba.njit`, or any function with
`compile=True`); and a C function that numba has compiled (`numba.cfunc`), with the signature of the
library's operators: the result and the operands are pointers.
"""

from ._library import ffi

_TEXT = "def operator(z, {names}):\n    z[0] = {result}(function({values}))\n"


def is_dispatcher(function):
    """True for a function decorated by numba.njit."""
    return hasattr(function, "py_func") and hasattr(function, "nopython_signatures")


def is_c_function(function):
    """True for a function decorated by numba.cfunc."""
    return hasattr(function, "native_name") and hasattr(function, "address")


def _numba():
    try:
        import numba
    except ImportError:
        raise ImportError(
            "compile=True needs numba, which is not installed; without it the function is called as "
            "a Python function: compile=False"
        ) from None
    return numba


def _element(numba, dtype):
    """The type that numba reads and writes at the address of a value; a bool is a byte."""
    return numba.types.uint8 if dtype.kind == "b" else numba.from_dtype(dtype)


def _signature(numba, result, operands):
    types = [
        numba.types.int64 if dtype is None else numba.types.CPointer(_element(numba, dtype))
        for dtype in (result, *operands)
    ]
    return numba.types.void(*types)


def _wrapped(numba, function, result, operands):
    """The function compiled with pointers as operands."""
    if not is_dispatcher(function):
        function = numba.njit(function)
    names = [f"x{k}" for k in range(len(operands))]
    values = [
        name if dtype is None else f"{name}[0] != 0" if dtype.kind == "b" else f"{name}[0]"
        for name, dtype in zip(names, operands)
    ]
    text = _TEXT.format(
        names=", ".join(names),
        values=", ".join(values),
        result="bool" if result.kind == "b" else "",
    )
    scope = {"function": function}
    exec(text, scope)  # noqa: S102 # the text consists of the names above
    return numba.cfunc(_signature(numba, result, operands), nopython=True)(scope["operator"])


def result_type(function, operands):
    """The dtype of the result that numba finds; `operands` is as for compile_function."""
    numba = _numba()
    if not is_dispatcher(function):
        function = numba.njit(function)
    types = [numba.types.int64 if one is None else numba.from_dtype(one) for one in operands]
    function.compile(tuple(types))
    return numba.np.numpy_support.as_dtype(function.overloads[tuple(types)].signature.return_type)


def _check(numba, function, result, operands):
    wanted, given = _signature(numba, result, operands), function._sig
    as_bytes = {
        numba.types.CPointer(t): numba.types.CPointer(numba.types.uint8)
        for t in (numba.types.boolean, numba.types.int8)
    }
    bools = [dtype is not None and dtype.kind == "b" for dtype in (result, *operands)]
    found = [as_bytes.get(t, t) if is_bool else t for t, is_bool in zip(given.args, bools)]
    if tuple(found) != wanted.args or len(given.args) != len(wanted.args):
        raise TypeError(f"the compiled function has the signature {given}; {wanted} is needed")


def compile_function(function, c_type, result, operands):
    """(pointer, what must live as long): the C function of type c_type that numba makes.

    `operands` has a dtype for each operand that is passed by address, None for an index.
    """
    numba = _numba()
    if is_c_function(function):
        _check(numba, function, result, operands)
        made = function
    else:
        made = _wrapped(numba, function, result, operands)
    return ffi.cast(c_type, made.address), made
