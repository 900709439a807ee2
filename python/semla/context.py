"""Contexts: which engines compute, with how many threads and how much memory."""

import contextlib
import contextvars
import os
import threading

from ._library import ffi, lib, text
from .errors import Invalid, failure
from .indices import count, integer
from .owner import Owner
from .progress import ProgressLine
from .signatures import name_constructors

ENGINES = {  # in the order of their codes
    name[len("SL_ENGINE_") :].lower(): code
    for code, name in sorted(ffi.typeof("sl_engine_choice").elements.items())
    if name != "SL_ENGINE_COUNT"
}

@name_constructors
class Context:
    """The hardware that a program runs on, and the owner of its matrices and vectors.

    Parameters
    ----------
    engine : str, default "auto"
        "auto" uses every available engine, a GPU for operations that are large enough. The name
        of an engine (`semla.engines()` lists them) uses that engine, and SuiteSparse for what it
        does not support.
    threads : int, default 0
        The maximum number of threads of an operation; 0 is the number that OpenMP chooses.
    memory_limit : int, default 0
        The maximum number of bytes of host memory for the objects and operations of the context;
        0 is no limit.
    progress : callable or bool, optional
        True: calls that take longer than a second show a bar, a count and the time left on
        sys.stderr, if that is a terminal; on a grid rank 0 does. A function is called about 20 times a second during a long call, in the thread of the call, with a named
        tuple of `operation` (a str), `done` and `total` (numbers of units, such as sources or
        iterations; `total` is None if it is unknown). An exception that it raises cancels the call,
        which raises it in turn. It must not call semla.
    comm : mpi4py.MPI.Comm, optional
        The context is on a grid of the ranks of this communicator: see docs/python.md. Collective.
    grid : tuple of int, optional
        The numbers of rows and columns of the grid. 0 follows from the other one, or is chosen.

    Attributes
    ----------
    processes : int
        The number of processes that share the objects: 1, or the number of ranks of a grid.

    Raises
    ------
    Invalid
        If there is no such engine.
    Unsupported
        If the engine is not available on this machine.

    Notes
    -----
    In a `with` block the context is the one that new objects belong to. An object keeps its
    context alive. Ctrl-C (KeyboardInterrupt) and exceptions of other signal handlers cancel a call
    that the main thread has made; objects stay usable. Threads that share a context wait for each other; with a context each they
    compute at the same time.

    Examples
    --------
    >>> with semla.Context("suitesparse", threads=1) as context:
    ...     v = semla.Vector("FP64", 3)
    >>> v.context is context
    True
    """

    def __init__(
        self,
        engine="auto",
        *,
        threads=0,
        memory_limit=0,
        progress=None,
        comm=None,
        grid=(0, 0),
    ):
        if engine not in ENGINES:
            raise Invalid(
                f"Context: unknown engine {engine!r}; the engines are {', '.join(ENGINES)}"
            )
        out = ffi.new("sl_context **")
        if comm is not None:
            from .grid import create

            out[0] = create(comm, grid, ENGINES[engine], _obstacle(engine))
            status = 0
        else:
            status = lib.sl_context_create(out, ENGINES[engine])
        if status < 0:
            reason = text(lib.sl_status_string(status))
            default = f"Context: the engine {engine!r} is not available: {reason}"
            raise failure(status, _obstacle(engine) or default)
        self._owner = Owner(out[0])
        self.processes = lib.sl_context_processes(out[0])
        self._tokens = []
        if threads:
            self.threads = threads
        if memory_limit:
            self.set_memory_limit(memory_limit)
        self.progress = progress

    def _call(self, function, *arguments):
        return self._owner.call(function, *arguments)

    def _run_locked(self, function, *arguments):
        return self._owner.run_locked(function, *arguments)

    @property
    def _pointer(self):
        return self._owner.pointer

    @property
    def threads(self):
        """The maximum number of threads of an operation. Set it to 0 for OpenMP's default."""
        return lib.sl_context_threads(self._pointer)

    @threads.setter
    def threads(self, threads):
        threads = integer(threads, "threads", bits=32)
        self._call(lib.sl_context_set_threads, self._pointer, threads)

    @property
    def memory(self):
        """Host memory in bytes: a dict with `limit` (0: none), `used` and `peak`.

        `used` and `peak` are counted from the first time that a limit was set.
        """
        return self._counters("sl_context_memory", lib.sl_context_get_memory)

    def set_memory_limit(self, limit):
        """Set the maximum number of bytes of host memory; 0 removes the limit.

        An operation that would exceed it raises NoMemory.

        Parameters
        ----------
        limit : int
        """
        limit = count(limit, "the memory limit")
        self._call(lib.sl_context_set_memory_limit, self._pointer, limit)

    @property
    def progress(self):
        """The function that long calls report to, True for a line on the terminal, or None. A new
        one is used by the next call."""
        function = self._owner.progress
        return True if isinstance(function, ProgressLine) else function

    @progress.setter
    def progress(self, function):
        if function is True:
            first = self.processes == 1 or self.grid["rank"] == 0
            function = ProgressLine() if first else None
        elif function is False:
            function = None
        if function is not None and not callable(function):
            raise Invalid(f"Context: progress is {function!r}; it must be a callable, True or None")
        self._owner.set_progress(function)

    @contextlib.contextmanager
    def _showing(self, progress):
        """Sets `progress` for the calls of a block; None: it stays as it is."""
        before = self.progress
        if progress is not None:
            self.progress = progress
        try:
            yield
        finally:
            if progress is not None:
                self.progress = before

    def cancel(self):
        """Make the running call and all later ones raise Cancelled, until `resume`.

        May be called from any thread.
        """
        lib.sl_context_cancel(self._pointer)

    def resume(self):
        """End the effect of `cancel`."""
        lib.sl_context_resume(self._pointer)

    @property
    def grid(self):
        """The grid of MPI ranks: a dict with `rank`, `size`, `rows`, `cols`, `row` and `col`; None
        without one."""
        from .grid import describe

        return describe(self)

    @property
    def engines(self):
        """The names of the engines in the order of trials; on a grid the rank's follow."""
        names = []
        while name := text(lib.sl_context_engine(self._pointer, len(names))):
            names.append(name)
        return names

    @property
    def counts(self):
        """Counters since the context was created, as a dict: operations, fallbacks, copies, ..."""
        return self._counters("sl_context_counts", lib.sl_context_get_counts)

    def _counters(self, kind, get):
        counters = ffi.new(f"{kind} *")
        get(self._pointer, counters)
        return {name: getattr(counters, name) for name, _ in ffi.typeof(kind).fields}

    def __enter__(self):
        self._tokens.append(_current.set(self))
        return self

    def __exit__(self, *_):
        _current.reset(self._tokens.pop())

    def __reduce__(self):
        raise TypeError(
            "a Context cannot be pickled; objects are restored in the current context of the reader"
        )

    def __repr__(self):
        return f"semla.Context({', '.join(self.engines)})"


_current = contextvars.ContextVar("semla.context", default=None)
_default = None
_default_lock = threading.Lock()


def _after_fork():
    """Makes the lock usable in a child of os.fork()."""
    global _default_lock
    _default_lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def current_context():
    """Return the context that new objects belong to.

    Returns
    -------
    Context
        That of the innermost `with` block; without one, the default context of the process, which
        is created with engine "auto" when it is first needed.
    """
    global _default
    context = _current.get()
    if context is not None:
        return context
    with _default_lock:
        if _default is None:
            _default = Context()
        return _default


def _obstacle(engine):
    """Why this process cannot have a context of an engine, "" if nothing is known: the functions
    that create one return no message."""
    for known in engines():
        if known["name"] in (engine, "suitesparse") and not known["present"]:
            reason = known["unavailable_reason"]
            return f"Context: the engine {engine!r} is not available: {reason}"
    forced, trace = os.environ.get("SEMLA_ENGINE", ""), os.environ.get("SEMLA_TRACE", "")
    if forced and forced not in ENGINES:
        return f"SEMLA_ENGINE: unknown engine {forced!r}; the engines are {', '.join(ENGINES)}"
    if trace not in ("", "dispatch", "counts"):
        return f"SEMLA_TRACE: unknown word {trace!r}; the words are dispatch, counts"
    return ""


def engines():
    """List the engines of this build of the library.

    Returns
    -------
    list of dict
        For each engine `name`, `description`, `version`, `present` (whether it is available on
        this machine) and `unavailable_reason` (None if it is).
    """
    known = []
    info = ffi.new("sl_engine_info *")
    while lib.sl_engine_describe(len(known), info) == 0:
        known.append(
            {
                "name": text(info.name),
                "description": text(info.description),
                "version": text(info.version),
                "present": bool(info.present),
                "unavailable_reason": text(info.unavailable_reason),
            }
        )
    return known
