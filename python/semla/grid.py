"""Contexts on a grid of MPI ranks, for programs that use mpi4py.

`semla.Context(comm=MPI.COMM_WORLD)` makes one. mpi4py must use the MPI library that semla loads.
docs/python.md describes which calls all ranks must make.
"""

from ._library import ffi, lib, text
from .arrays import Arrays
from .errors import Unsupported, failure
from .indices import count


def _describe_mpi(comm):
    """The library of MPI that semla uses. A rank without one tells the others, which would wait for it."""
    info = ffi.new("sl_mpi_info *")
    lib.sl_mpi_describe(info)
    library = text(info.library)
    missing = "" if library else text(info.unavailable_reason)
    reasons = comm.allgather(missing) if hasattr(comm, "allgather") else [missing]
    for rank, reason in enumerate(reasons):
        if reason:
            place = f"rank {rank}: " if len(reasons) > 1 else ""
            raise Unsupported(f"Context: no grids: {place}{reason}")
    return library


def _handle(comm, library):
    """The communicator in C: a pointer (Open MPI) or an int (MPICH), passed as a pointer."""
    try:
        from mpi4py import MPI
    except ImportError:
        raise ImportError("Context: comm needs mpi4py, which is not installed") from None
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"Context: comm must be a communicator of mpi4py, not {comm!r}")
    theirs = MPI.Get_library_version()
    if not theirs.startswith(library):
        raise Unsupported(f"Context: mpi4py uses {theirs.splitlines()[0]}, but semla {library}")
    size = MPI._sizeof(comm)
    address = ffi.cast("char *", MPI._addressof(comm))
    return ffi.cast("void *", int.from_bytes(ffi.buffer(address, size)[:], "little"))


def create(comm, shape, engine, obstacle):
    """The pointer to a new context on the ranks of a communicator. `obstacle` is why this process
    cannot have one, or "". Collective."""
    try:
        function = lib.sl_grid_context_create
    except AttributeError:
        raise Unsupported("Context: this library was built without MPI") from None
    handle = _handle(comm, _describe_mpi(comm))
    if isinstance(shape, str) or not hasattr(shape, "__len__") or len(shape) != 2:
        raise TypeError(f"Context: grid must be a pair (rows, cols), not {shape!r}")
    rows, cols = (count(length, "grid", bits=31) for length in shape)
    size = comm.Get_size()
    out = ffi.new("sl_context **")
    status = function(out, handle, rows, cols, engine)
    if status < 0:
        info = ffi.new("sl_mpi_info *")
        lib.sl_mpi_describe(info)
        if not info.present:  # the ranks run different builds
            raise Unsupported(f"Context: no grids: {text(info.unavailable_reason)}")
        reasons = [reason for reason in comm.allgather(obstacle) if reason]
        if not reasons and (size % (rows or 1) or size % (cols or 1) or rows * cols not in (0, size)):
            needed = rows * cols or f"a multiple of {rows or cols}"
            reasons = [f"Context: grid={shape} needs {needed} ranks, but there are {size}"]
        default = f"Context: a grid of {size} ranks: {text(lib.sl_status_string(status))}"
        raise failure(status, reasons[0] if reasons else default)
    return out[0]


def describe(context):
    """What Context.grid returns."""
    if lib.sl_context_processes(context._pointer) == 1 and context.engines[0] != "grid":
        return None
    info = ffi.new("sl_grid_info *")
    context._call(lib.sl_grid_describe, info, context._pointer)
    return {name: getattr(info, name) for name in ("rank", "size", "rows", "cols", "row", "col")}


class GatherMixin:
    """The method of vectors and matrices that collects the parts of all ranks."""

    def gather(self, root=0):
        """Return all entries on one rank of a grid, as `to_coo` does without a grid; None on the
        others. Collective.

        Parameters
        ----------
        root : int, default 0
            The rank.
        """
        if self.context.grid is None:
            return self.to_coo()
        arrays = ffi.new("sl_arrays *")
        gather = getattr(lib, f"sl_grid_gather_{self._kind}")
        self.context._call(gather, arrays, self, count(root, "root", bits=31))
        if self.context.grid["rank"] != root:
            return None
        made = Arrays._of(arrays).expand()
        if self._kind == "vector":
            return made.rows, made.values
        return made.rows, made.cols, made.values
