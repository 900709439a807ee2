"""Runs programs of python-graphblas on semla.

    python -m semla.python_graphblas PROGRAM [ARGUMENT...]

python-graphblas calls a backend, the package suitesparse_graphblas: `lib` has the functions and operators of
SuiteSparse:GraphBLAS, `ffi` their types. This module takes the place of that package; its `lib` is semla's library of
the GraphBLAS C API. The environment variable SEMLA_GRB chooses where it runs (docs/graphblas.md). python-graphblas is
initialized as "suitesparse-vanilla", where it calls functions of the C API only: what its `ss` namespaces offer is not
available.

A program that cannot be started in this way calls install() before it uses graphblas.
"""

import itertools
import os
import runpy
import sys
import types

from . import _library  # loads libsemla, which the library of the C API links
from ._graphblas_cdef import ffi

__all__ = ["install"]

_LIBRARY = "libsemla_graphblas.so.2"
_PREFIX = "semla_"  # of the library's symbols, since libsemla itself links SuiteSparse:GraphBLAS
_BACKENDS = ("suitesparse", "suitesparse-vanilla")

_UNSIGNED = ("UINT8", "UINT16", "UINT32", "UINT64")
_NUMBERS = ("INT8", "INT16", "INT32", "INT64", "FP32", "FP64", *_UNSIGNED)
# The predefined semirings of SuiteSparse:GraphBLAS: monoids, operators, their types, and the monoids' type if it is
# another.
_BITS = "BOR BAND BXOR BXNOR"
_ARITHMETIC = "MIN MAX PLUS TIMES ANY"
_LOGICAL = "LOR LAND LXOR EQ ANY"
_SEMIRINGS = (
    (
        _ARITHMETIC,
        "FIRST SECOND PAIR MIN MAX PLUS MINUS RMINUS TIMES DIV RDIV ISEQ ISNE ISGT ISLT ISGE ISLE LOR LAND LXOR",
        _NUMBERS,
        None,
    ),
    (_ARITHMETIC, "FIRSTI FIRSTJ SECONDI SECONDJ", ("INT32", "INT64"), None),
    (_LOGICAL, "EQ NE GT LT GE LE", _NUMBERS, "BOOL"),
    (_LOGICAL, "FIRST SECOND PAIR LOR LAND LXOR EQ GT LT GE LE", ("BOOL",), None),
    (_BITS, _BITS, _UNSIGNED, None),
)
# Operators that semla does not have and that python-graphblas looks up when it is imported.
_MISSING = ("FIRSTI1", "FIRSTJ1", "SECONDI1", "SECONDJ1")


class NotInSemla:
    """Stands for an operator that semla does not have: cffi refuses it with a TypeError where it is used."""


class Library:
    """What suitesparse_graphblas calls `lib`."""

    def __init__(self, path):
        library = ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_NODELETE)  # objects outlive this one
        for symbol in dir(library):
            value = getattr(library, symbol)
            name = symbol[len(_PREFIX) :] if symbol.startswith(_PREFIX) else symbol
            is_function = isinstance(value, ffi.CData) and ffi.typeof(value).kind == "function"
            setattr(self, name, _named(name, value) if is_function else value)
        self.GrB_INDEX_MAX = 2**60 - 1
        self.GxB_RANGE, self.GxB_STRIDE, self.GxB_BACKWARDS = (2**63 - k for k in (1, 2, 3))

    def __getattr__(self, name):
        raise AttributeError(f"semla's library of the GraphBLAS C API has no {name}")

    def _one_of(self, *names):
        return next(getattr(self, name) for name in names if hasattr(self, name))

    def _add_operators(self):
        """Makes the predefined operators of SuiteSparse:GraphBLAS that semla's library does not have."""
        for name, of in itertools.product(_MISSING, ("INT32", "INT64")):
            setattr(self, f"GxB_{name}_{of}", NotInSemla())
        for monoids, operators, dtypes, result in _SEMIRINGS:
            for monoid, operator, of in itertools.product(monoids.split(), operators.split(), dtypes):
                name, to = f"GxB_{monoid}_{operator}_{of}", result or of
                if hasattr(self, name):
                    continue
                add = self._one_of(f"GrB_{monoid}_MONOID_{to}", f"GxB_{monoid}_{to}_MONOID")
                multiply = self._one_of(f"GrB_{operator}_{of}", f"GxB_{operator}_{of}")
                made = ffi.new("GrB_Semiring *")
                if self.GrB_Semiring_new(made, add, multiply) != self.GrB_SUCCESS:
                    raise RuntimeError(f"{name}: cannot make the semiring")
                setattr(self, name, made[0])

    def initialize(self, *, blocking=False, memory_manager="numpy"):
        """As suitesparse_graphblas.initialize. semla allocates its memory itself."""
        mode = self.GrB_BLOCKING if blocking else self.GrB_NONBLOCKING
        info = self.GrB_init(mode)
        if info != self.GrB_SUCCESS:
            raise RuntimeError(f"GrB_init failed with code {info}")
        self._add_operators()


def _named(name, function):
    """A function of C with the name that python-graphblas's messages show."""

    def call(*arguments):
        return function(*arguments)

    call.__name__ = name
    call.__doc__ = ffi.getctype(ffi.typeof(function), f"* {name}")
    return call


def _init(backend="suitesparse", blocking=False):
    """graphblas.init after install(): both backends are semla, which executes calls when they are made."""
    if backend not in _BACKENDS:
        raise ValueError(f"Bad backend name: {backend!r}; it is one of {', '.join(_BACKENDS)}")


def install():
    """Makes python-graphblas call semla. It must not have been used before."""
    import graphblas

    if graphblas.init is _init:
        return
    packaged = os.path.join(os.path.dirname(__file__), _LIBRARY)
    lib = Library(packaged if os.path.exists(packaged) else _LIBRARY)
    backend = types.ModuleType("suitesparse_graphblas")
    backend.__version__ = _library.VERSION
    backend.ffi, backend.lib, backend.initialize = ffi, lib, lib.initialize
    backend.is_initialized = lambda: False  # graphblas.init asks once, before it calls initialize
    sys.modules[backend.__name__] = backend
    graphblas.init("suitesparse-vanilla")
    graphblas.core.lib = lib  # init left out what begins with GxB_, also operators
    graphblas.init = _init
    graphblas.__all__.remove("ss")


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    install()
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    from semla import python_graphblas  # the module that the program imports, if it does

    python_graphblas.main(sys.argv[1:])
