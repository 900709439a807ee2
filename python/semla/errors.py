"""One exception class for each error status of the library.

Every class derives from `semla.Error` and from the built-in exception that Python raises in the
same case: an index out of range is an `IndexError`, a lack of memory a `MemoryError`.
"""

import errno
import os

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

    status: "str | None" = None


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
    """A file could not be opened, read or written.

    If the system reported the error, `errno` and `strerror` say which, and the exception is also
    the built-in one for it, such as `FileNotFoundError`. `filename` is the path that was given.
    """

    status = "SL_IO"
    _message = None  # the library's message; OSError would print errno, strerror and filename

    def __str__(self):
        return self._message or super().__str__()


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


class FileNotFound(IO, FileNotFoundError):
    """The file, or a folder on the path to it, does not exist."""


class FileAlreadyExists(IO, FileExistsError):
    """The file exists already."""


class PermissionDenied(IO, PermissionError):
    """The file may not be accessed."""


class IsDirectory(IO, IsADirectoryError):
    """The path is that of a folder."""


class NotDirectory(IO, NotADirectoryError):
    """A part of the path is not a folder."""


class BrokenPipe(IO, BrokenPipeError):
    """The reader of a pipe has closed it."""


_IO_CLASSES = {kind.__bases__[1]: kind for kind in IO.__subclasses__()}
_CLASSES = {kind.status: kind for kind in Error.__subclasses__()}


def failure(status, message):
    """The exception for a negative status. An empty message is replaced by the text of the
    status."""
    name = ffi.typeof("sl_status").elements.get(status, "")
    kind = _CLASSES.get(name, Error)
    message = message or text(lib.sl_status_string(status))
    return io_failure(message) if kind is IO else kind(message)


def io_failure(message):
    """The exception for a message of SL_IO, which ends with the system's text if there is one."""
    codes = (code for code in errno.errorcode if message.endswith(f": {os.strerror(code)}"))
    code = next(codes, None)
    if code is None:
        made = IO(message)
    else:
        kind = _IO_CLASSES.get(type(OSError(code, "")), IO)
        made = kind(code, os.strerror(code))
    made._message = message
    return made
