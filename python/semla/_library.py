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
    # OpenMP reads its environment when it is loaded. By default the threads of GCC's OpenMP wait actively
    # for 10 ms and more, of clang's for 200 ms, which delays the threads that they wait for if other
    # programs are running.
    limits = {
        "GOMP_SPINCOUNT": "1000",  # tests for work before a thread sleeps: about 40 us
        "KMP_BLOCKTIME": "1",  # ms
    }
    bounded = not {"OMP_WAIT_POLICY", *limits} & os.environ.keys()
    if bounded:
        os.environ.update(limits)
    try:
        library = ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"semla: cannot load the shared library: {error}") from None
    finally:
        if bounded:
            for name in limits:
                del os.environ[name]
    found = text(library.sl_version())
    if found != VERSION:
        raise ImportError(
            f"semla: the package has version {VERSION}, but {path} has version {found}"
        )
    return library


lib = _load()
