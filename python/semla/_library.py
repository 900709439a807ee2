"""Loads the shared library. `lib` has its functions and constants, as the headers declare them."""

import os

from ._cdef import ffi
from ._version import ABI, VERSION

__all__ = ["ffi", "lib", "text"]


def _library_path():
    """$SEMLA_LIBRARY if set, else the file in the package's folder, else the system's library."""
    chosen = os.environ.get("SEMLA_LIBRARY")
    if chosen:
        return chosen
    packaged = os.path.join(os.path.dirname(__file__), f"libsemla.so.{ABI}")
    return packaged if os.path.exists(packaged) else os.path.basename(packaged)


def text(characters):
    """The str of a C string; None for NULL."""
    return ffi.string(characters).decode(errors="replace") if characters else None


def _load():
    path = _library_path()
    # GCC's OpenMP reads its environment when it is loaded. By default its threads wait actively for
    # 10 ms and more, which delays the threads that they wait for if other programs are running.
    bounded = not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & os.environ.keys()
    if bounded:
        os.environ["GOMP_SPINCOUNT"] = "1000"  # tests for work before a thread sleeps: about 40 us
    try:
        library = ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"semla: cannot load the shared library: {error}") from None
    finally:
        if bounded:
            del os.environ["GOMP_SPINCOUNT"]
    found = text(library.sl_version())
    if found != VERSION:
        raise ImportError(
            f"semla: the package has version {VERSION}, but {path} has version {found}"
        )
    return library


lib = _load()
