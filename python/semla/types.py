"""The built-in types as numpy dtypes, and the conversion of scalars to and from sl_scalar.

`semla.BOOL`, `semla.INT8`, ..., `semla.UINT64`, `semla.FP32` and `semla.FP64` are numpy dtypes.
"""

import struct

import numpy as np

from ._library import ffi, lib, text
from .errors import Invalid

_CODES = ffi.typeof("sl_type").relements
_NUMPY_NAMES = {"fp32": "float32", "fp64": "float64"}

# {"BOOL": dtype("bool"), ..., "FP64": dtype("float64")}, in the order of the library.
TYPES = {
    name[3:]: np.dtype(_NUMPY_NAMES.get(name[3:].lower(), name[3:].lower()))
    for name, code in sorted(_CODES.items(), key=lambda item: item[1])
    if code < _CODES["SL_TYPE_COUNT"]
}
_CODE_OF = {dtype: _CODES["SL_" + name] for name, dtype in TYPES.items()}
_DTYPE_OF = {code: dtype for dtype, code in _CODE_OF.items()}
_LIMITS = {dtype: np.iinfo(dtype) for dtype in TYPES.values() if dtype.kind in "iu"}
INDEX = np.dtype("uint64")
_SCALAR, _FP64_CODE = ffi.typeof("sl_scalar *"), _CODES["SL_FP64"]
_BITS, _DOUBLE = struct.Struct("=Q"), struct.Struct("=d")


def lookup_dtype(dtype):
    """The dtype for a name ("FP64"), a numpy dtype, or one of Python's types bool, int and float.

    Raises TypeError if the library has no such type.
    """
    if isinstance(dtype, np.dtype) and dtype in _CODE_OF and dtype.isnative:
        return dtype
    if isinstance(dtype, str) and dtype.upper() in TYPES:
        return TYPES[dtype.upper()]
    found = np.dtype(dtype).newbyteorder("=")
    if found not in _CODE_OF:
        raise TypeError(f"semla has no type {found}; the types are {', '.join(TYPES)}")
    return found


def code_of(dtype):
    """The sl_type of a dtype."""
    return _CODE_OF[dtype]


def dtype_of(code):
    """The dtype of an sl_type."""
    return _DTYPE_OF[code]


def name_of(dtype):
    """The name of a dtype in the library: "FP64"."""
    return text(lib.sl_type_name(_CODE_OF[dtype])).upper()


def unify(*dtypes):
    """The smallest type that holds the values of all dtypes, by the promotion rules of numpy."""
    first, *others = dtypes
    for other in others:
        if other is not first and other != first:
            break
    else:
        return first
    return lookup_dtype(np.result_type(*dtypes))


def scalar_dtype(value):
    """The type of a scalar: that of a numpy value; BOOL, INT64, UINT64 or FP64 of a Python
    value."""
    if isinstance(value, (np.generic, np.ndarray)):
        return lookup_dtype(value.dtype)
    if isinstance(value, bool):
        return TYPES["BOOL"]
    if isinstance(value, int):
        if not -(2**63) <= value < 2**64:
            raise Invalid(f"the value {value} is no integer from -2^63 to 2^64 - 1")
        return TYPES["UINT64" if value > np.iinfo(np.int64).max else "INT64"]
    return lookup_dtype(type(value))


def join_scalar(dtype, value):
    """The type in which an operator combines a scalar with values of a dtype.

    A Python number takes the dtype if its kind and value fit: 2 with FP32 gives FP32, but 0.5 with
    INT8 gives FP64. A numpy scalar is promoted as an array of its dtype would be.
    """
    if dtype.kind == "f" and type(value) in (float, int):
        return dtype
    if isinstance(value, (np.generic, np.ndarray)):
        return _common(dtype, lookup_dtype(value.dtype), value)
    kinds = "biuf"
    own = scalar_dtype(value)
    fits = dtype.kind not in "iu" or own.kind == "f" or type_holds(dtype, value)
    if fits and kinds.index(own.kind) <= kinds.index(dtype.kind):
        return dtype
    return _common(dtype, own, value)


def _common(dtype, own, value):
    """The common type of a dtype and a scalar of the type `own`. Invalid if it is a floating-point
    type, as of INT64 and UINT64, that rounds an integer."""
    joined = unify(dtype, own)
    if own.kind in "iu" and joined.kind == "f" and int(joined.type(value)) != value:
        raise Invalid(
            f"the value {value} is no {name_of(dtype)}, and the common type {name_of(joined)} "
            f"rounds it; pass float({value}) to round it, or use an object of another type"
        )
    return joined


def type_holds(dtype, value):
    """Whether an integer type has a number, or what is left of it without its fraction."""
    try:
        whole = int(value)
    except (ValueError, OverflowError):  # NaN and infinities
        return False
    limits = _LIMITS[dtype]
    return limits.min <= whole <= limits.max


def check_number(value, dtype):
    """The number itself. Invalid if `dtype` is an integer type that does not have it."""
    if dtype.kind in "iu" and not type_holds(dtype, value):
        limits = _LIMITS[dtype]
        raise Invalid(
            f"the value {value} is no {name_of(dtype)}, which has {limits.min} to {limits.max}"
        )
    return value


def convert(value, dtype):
    """A number as a numpy scalar of a type. Invalid if an integer type does not have it, or if
    Python's integer is too large for a floating-point type."""
    check_number(value, dtype)
    try:
        return dtype.type(int(value) if dtype.kind in "iu" else value)
    except OverflowError:
        raise Invalid(f"the value {value} is above the greatest {name_of(dtype)}") from None


def pack(value):
    """An sl_scalar with a value, in the type of that value; the library casts it."""
    scalar = ffi.new(_SCALAR)
    if type(value) is float:
        scalar.type = _FP64_CODE
        (scalar.bits,) = _BITS.unpack(_DOUBLE.pack(value))
        return scalar[0]
    dtype = scalar_dtype(value)
    scalar.type = _CODE_OF[dtype]
    if type(value) is int:
        scalar.bits = value & (2**64 - 1)
        return scalar[0]
    ffi.buffer(ffi.addressof(scalar, "bits"), dtype.itemsize)[:] = np.array(value, dtype).tobytes()
    return scalar[0]


def unpack(scalar):
    """The numpy scalar with the value of an sl_scalar."""
    dtype = _DTYPE_OF[scalar.type]
    return np.frombuffer(bytes(ffi.buffer(ffi.addressof(scalar, "bits"))), dtype, count=1)[0]
