"""The built-in types as numpy's dtypes, and scalars on their way to the library and back."""

import numpy as np

from ._library import ffi, lib, text

_CODES = ffi.typeof("sl_type").relements
_NUMPY_NAMES = {"fp32": "float32", "fp64": "float64"}

# "FP64": dtype("float64"), in the library's order.
TYPES = {
    name[3:]: np.dtype(_NUMPY_NAMES.get(name[3:].lower(), name[3:].lower()))
    for name, code in sorted(_CODES.items(), key=lambda item: item[1])
    if name != "SL_TYPE_COUNT"
}
_CODE_OF = {dtype: _CODES["SL_" + name] for name, dtype in TYPES.items()}
_DTYPE_OF = {code: dtype for dtype, code in _CODE_OF.items()}
INDEX = np.dtype("uint64")


def lookup_dtype(dtype):
    """The dtype of a name ("FP64"), of a numpy dtype, or of Python's bool, int and float.

    Raises TypeError for what is no built-in type of the library.
    """
    if isinstance(dtype, str) and dtype.upper() in TYPES:
        return TYPES[dtype.upper()]
    found = np.dtype(dtype).newbyteorder("=")
    if found not in _CODE_OF:
        raise TypeError(f"semla has no type for {found}; its types are {', '.join(TYPES)}")
    return found


def code_of(dtype):
    """The library's code of a dtype."""
    return _CODE_OF[dtype]


def dtype_of(code):
    """The dtype of the library's code."""
    return _DTYPE_OF[code]


def name_of(dtype):
    """ "FP64", ..."""
    return text(lib.sl_type_name(_CODE_OF[dtype])).upper()


def unify(*dtypes):
    """The least type that holds the values of all: numpy's promotion."""
    return lookup_dtype(np.result_type(*dtypes))


def scalar_dtype(value):
    """The type of a scalar: numpy's own, else bool, INT64 (UINT64 beyond it) or FP64."""
    if isinstance(value, (np.generic, np.ndarray)):
        return lookup_dtype(value.dtype)
    if isinstance(value, bool):
        return TYPES["BOOL"]
    if isinstance(value, int):
        return TYPES["UINT64" if value > np.iinfo(np.int64).max else "INT64"]
    return lookup_dtype(type(value))


def join_scalar(dtype, value):
    """The type in which a scalar meets values of a dtype.

    A number of Python's own takes the dtype where it fits its kind (2 beside FP32 is
    FP32, 0.5 beside INT8 is FP64); one of numpy's promotes as an array would.
    """
    if isinstance(value, (np.generic, np.ndarray)):
        return unify(dtype, value.dtype)
    kinds = "biuf"
    own = scalar_dtype(value)
    fits = dtype.kind not in "iu" or own.kind == "f" or _fits(value, dtype)
    return dtype if fits and kinds.index(own.kind) <= kinds.index(dtype.kind) else unify(dtype, own)


def _fits(value, dtype):
    limits = np.iinfo(dtype)
    return limits.min <= value <= limits.max


def pack(value):
    """An sl_scalar of a value, in the value's own type: the library casts."""
    dtype = scalar_dtype(value)
    scalar = ffi.new("sl_scalar *")
    scalar.type = _CODE_OF[dtype]
    ffi.buffer(ffi.addressof(scalar, "bits"), dtype.itemsize)[:] = np.array(value, dtype).tobytes()
    return scalar[0]


def unpack(scalar):
    """The numpy scalar of an sl_scalar."""
    dtype = _DTYPE_OF[scalar.type]
    return np.frombuffer(bytes(ffi.buffer(ffi.addressof(scalar, "bits"))), dtype, count=1)[0]
