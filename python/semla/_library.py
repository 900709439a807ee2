"""The shared library: where it is, and its functions as the headers declare them."""

import os

from ._cdef import ffi
from ._version import ABI, VERSION

__all__ = ["ffi", "lib", "text"]


def _candidates():
    """The library's places, in order: the one asked for, beside the package, the system's."""
    asked = os.environ.get("SEMLA_LIBRARY")
    if asked:
        return [asked]
    beside = os.path.join(os.path.dirname(__file__), f"libsemla.so.{ABI}")
    if os.path.exists(beside):
        return [beside]
    return [f"libsemla.so.{ABI}"]


def text(characters):
    """A string of C's; None for NULL."""
    return ffi.string(characters).decode(errors="replace") if characters else None


def _load():
    path = _candidates()[0]
    try:
        library = ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"semla: the shared library cannot be loaded: {error}") from None
    found = text(library.sl_version())
    if found != VERSION:
        raise ImportError(f"semla: the package is of version {VERSION}, {path} of {found}")
    return library


lib = _load()
