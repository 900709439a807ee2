"""One exception class for each error status of the library.

Every class derives from `semla.Error` and from the built-in exception that Python raises in the
same case: an index out of range is an `IndexError`, a lack of memory a `MemoryError`.
"""

from ._library import ffi, lib, text

__all__ = [
    "Error",
    "Invalid",
    "OutOfRange",
    "Mismatch",
    "NoMemory",
    "IO",
    "Syntax",
    "Unsupported",
    "EngineFault",
    "Cancelled",
]


class Error(Exception):
    """A call of the library failed. The base class of all errors of the library.

    Attributes
    ----------
    status : str or None
        The name of the status in C, such as "SL_OUT_OF_RANGE".
    """

    status = None


class Invalid(Error, ValueError):
    """An argument has an invalid value, whatever the other arguments are."""

    status = "SL_INVALID"


class OutOfRange(Error, IndexError):
    """An index is outside its vector or matrix."""

    status = "SL_OUT_OF_RANGE"


class Mismatch(Error, ValueError):
    """The shapes, types or contexts of the arguments do not match."""

    status = "SL_MISMATCH"


class NoMemory(Error, MemoryError):
    """Memory ran out, or the memory limit of the context was reached. All objects stay usable."""

    status = "SL_NO_MEMORY"


class IO(Error, OSError):
    """A file could not be opened, read or written."""

    status = "SL_IO"


class Syntax(Error, ValueError):
    """The contents of a file violate its format. The message has the position."""

    status = "SL_SYNTAX"


class Unsupported(Error, NotImplementedError):
    """The call is valid, but no engine of the context supports it."""

    status = "SL_UNSUPPORTED"


class EngineFault(Error, RuntimeError):
    """An engine failed, for example with a CUDA error."""

    status = "SL_ENGINE_FAULT"


class Cancelled(Error, RuntimeError):
    """The call was cancelled by `Context.cancel`. All objects stay usable."""

    status = "SL_CANCELLED"


_CLASSES = {kind.status: kind for kind in Error.__subclasses__()}


def failure(status, message):
    """The exception for a negative status. An empty message is replaced by the text of the
    status."""
    name = ffi.typeof("sl_status").elements.get(status, "")
    kind = _CLASSES.get(name, Error)
    return kind(message or text(lib.sl_status_string(status)))
