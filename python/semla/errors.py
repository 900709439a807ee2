"""One exception for each status with which the library fails.

Every one is a `semla.Error`, and the built-in exception that Python's own
containers and files would raise: an index outside its object is an `IndexError`,
a lack of memory a `MemoryError`.
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
]


class Error(Exception):
    """A call of the library failed; `status` is the name of C's code."""

    status = None


class Invalid(Error, ValueError):
    """An argument that can never be right."""

    status = "SL_INVALID"


class OutOfRange(Error, IndexError):
    """An index outside its object."""

    status = "SL_OUT_OF_RANGE"


class Mismatch(Error, ValueError):
    """Shapes, types or contexts that do not fit together."""

    status = "SL_MISMATCH"


class NoMemory(Error, MemoryError):
    """Memory ran out, or the context's limit was reached; the objects remain usable."""

    status = "SL_NO_MEMORY"


class IO(Error, OSError):
    """A file could not be opened, read or written."""

    status = "SL_IO"


class Syntax(Error, ValueError):
    """A file's text is not what its format says."""

    status = "SL_SYNTAX"


class Unsupported(Error, NotImplementedError):
    """Valid, but no engine of the context can do it."""

    status = "SL_UNSUPPORTED"


class EngineFault(Error, RuntimeError):
    """An engine failed for a reason of its own."""

    status = "SL_ENGINE_FAULT"


_CLASSES = {kind.status: kind for kind in Error.__subclasses__()}


def failure(status, message):
    """The exception for a negative status; the message may be empty."""
    name = ffi.typeof("sl_status").elements.get(status, "")
    kind = _CLASSES.get(name, Error)
    return kind(message or text(lib.sl_status_string(status)))
