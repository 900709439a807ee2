"""Exports arrays by the DLPack protocol: a capsule with the address, the shape and the type.

The structures follow dlpack.h, versions 0 and 1. A capsule keeps the array that it describes
alive until the consumer calls the deleter.
"""

import ctypes

DEVICES = {"host": 1, "cuda": 2}  # kDLCPU, kDLCUDA
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
_READ_ONLY = 1


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    name = b"dltensor"
    _fields_ = [("tensor", _Tensor), ("manager", ctypes.c_void_p), ("deleter", _Deleter)]


class _Versioned(ctypes.Structure):
    name = b"dltensor_versioned"
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", _Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_IsValid.restype = ctypes.c_int
_python.PyCapsule_IsValid.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p]

_alive = {}  # address of a structure: the structure, its shape, and the array that it describes


@_Deleter
def _delete(address):
    _alive.pop(address, None)


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def _destroy(capsule):
    """The destructor of a capsule. A consumed capsule has another name and is left to its
    consumer."""
    for name in (_Managed.name, _Versioned.name):
        if _python.PyCapsule_IsValid(capsule, name):
            _alive.pop(_python.PyCapsule_GetPointer(capsule, name), None)


def capsule(array, versioned):
    """A DLPack capsule for a `semla.lending.Array`; read-only if `versioned`."""
    managed = _Versioned(major=1, minor=0, flags=_READ_ONLY) if versioned else _Managed()
    shape = (ctypes.c_int64 * 1)(array.count)
    tensor = managed.tensor
    tensor.data = array.address
    tensor.device_type, tensor.device_id = array.__dlpack_device__()
    tensor.ndim = 1
    tensor.code = _KINDS[array.dtype.kind]
    tensor.bits = 8 * array.dtype.itemsize
    tensor.lanes = 1
    tensor.shape = shape
    managed.deleter = _delete
    address = ctypes.addressof(managed)
    _alive[address] = managed, shape, array
    return _python.PyCapsule_New(address, managed.name, ctypes.cast(_destroy, ctypes.c_void_p))
