"""Contexts: which engines compute, with how many threads and how much memory."""

import atexit
import collections
import contextvars
import os
import threading
import weakref
from threading import get_ident

from ._library import ffi, lib, text
from .errors import Invalid, Unsupported, failure
from .indices import count, integer

ENGINES = {  # in the order of their codes
    name[len("SL_ENGINE_") :].lower(): code
    for code, name in sorted(ffi.typeof("sl_engine_choice").elements.items())
    if name != "SL_ENGINE_COUNT"
}

# `active` is set on a thread while it runs a call or a user's operator. A call from a user's function
# or a signal handler that run then would wait for a lock of its own thread.
class _Inside(threading.local):
    active = False


inside = _Inside()


Progress = collections.namedtuple("Progress", "operation done total")
Progress.__doc__ = (
    """How far a call has come: what runs, and `done` of `total` units (None: unknown)."""
)

ASK_SECONDS = 0.05  # between two calls of a progress function
EXIT_SECONDS = 10  # that the end of Python waits for a call of a daemon thread


def _keep_failure(_kind, failure, traceback):
    """Keeps an exception of _report, which Owner.call raises again when the call has ended."""
    owner = ffi.from_handle(traceback.tb_frame.f_locals["data"])()
    owner.failures.append(failure)


@ffi.callback("sl_progress_function", error=1, onerror=_keep_failure)
def _report(data, progress):
    """The progress function of every context: tells the user's function how far the call is.

    Python runs the handlers of signals when it enters this function in the main thread. So Ctrl-C
    raises KeyboardInterrupt here, which cancels the call.
    """
    function = ffi.from_handle(data)().progress
    if function is not None:
        function(Progress(text(progress.operation), progress.done, progress.total or None))
    return 0


def _refuse():
    raise Invalid(
        "the function of a user-defined operator, a progress function and a signal handler that "
        "runs during a call must not call semla"
    )


_plain = set()  # types of arguments that have no `_pointer`


def _pointers(arguments):
    """The arguments, each replaced by its `_pointer` if it has one."""
    _plain.update(type(one) for one in arguments if not hasattr(one, "_pointer"))
    return [one if type(one) in _plain else one._pointer for one in arguments]


class Owner:
    """The context of the C library, and the lock that admits one thread at a time.

    Python's garbage collector can free objects on any thread and at any time, even during an
    operation of the same context, and must not wait for it. Such objects are put on a list, which
    the next holder of the lock frees. The finalizer of every object refers to the owner, so the
    context is freed after all of its objects, in whatever order they are collected.
    """

    def __init__(self, pointer):
        self.pointer = pointer
        self._lock = threading.Lock()
        self._pending = collections.deque()  # (free function, pointer) of objects to free
        self.failures = []  # exceptions of Python functions that the current call ran
        self.progress = None  # the user's progress function
        self._handle = ffi.new_handle(weakref.ref(self))
        self._reporter = None  # the thread for which the progress function was set
        self._usable = True  # False in a child of os.fork() during an operation of the parent
        _owners.add(self)

    def run_locked(self, function, *arguments):
        """Calls `function` while no other call runs in this context, and returns its result.

        Arguments with a `_pointer` are replaced by it, after the lock has been taken, and live
        at least as long as the call.
        """
        if inside.active:
            _refuse()
        with self._lock:
            try:
                inside.active = True
                if self._reporter != get_ident() or self._pending or _ending or not self._usable:
                    self._prepare(get_ident())
                return function(*_pointers(arguments))
            finally:
                inside.active = False

    def _prepare(self, thread):
        """What precedes a call, while the lock is held, unless nothing has changed."""
        if not self._usable:
            raise Unsupported(
                "this process was forked while another thread used the context; start processes "
                "by spawn"
            )
        if _ending and thread != threading.main_thread().ident:
            raise SystemExit  # ends this daemon thread
        if self._pending:
            self._free_pending()
        if self._reporter != thread:
            self._set_reporter(thread)

    def set_progress(self, function):
        """Sets the user's progress function, from the next call on."""
        self.progress = function
        self._reporter = None

    def _set_reporter(self, thread):
        """Sets the progress function of the context for calls of this thread. Only the main thread
        handles signals."""
        main = thread == threading.main_thread().ident
        function = _report if main or self.progress is not None else ffi.NULL
        lib.sl_context_set_progress(self.pointer, function, self._handle, ASK_SECONDS)
        self._reporter = thread

    def call(self, function, *arguments, written=()):
        """As run_locked, for a function that returns an sl_status; raises an exception on error.

        `written` has the objects (or None) that the call changes: their memory must not be lent.
        """
        if inside.active:
            _refuse()
        with self._lock:
            try:
                inside.active = True
                if self._reporter != get_ident() or self._pending or _ending or not self._usable:
                    self._prepare(get_ident())
                for thing in written:
                    if thing is not None and thing._lent:
                        raise BufferError("a vector cannot be written while its memory is lent")
                try:
                    given = [one if type(one) in _plain else one._pointer for one in arguments]
                except AttributeError:  # an argument of a type that is not known to be plain
                    given = _pointers(arguments)
                status = function(*given)
                if self.failures:
                    failures, self.failures = self.failures, []
                    raise failures[0]
                if status < 0:
                    raise failure(status, text(lib.sl_context_message(self.pointer)))
                return status
            finally:
                inside.active = False

    def discard(self, free, pointer):
        """Frees an object, now or when the lock is next taken."""
        self._pending.append((free, pointer))
        if self._lock.acquire(blocking=False):
            try:
                self._free_pending()
            finally:
                self._lock.release()

    def after_fork(self):
        """Called in a child of os.fork(), where no other thread will release the lock."""
        self._usable = self._usable and not self._lock.locked()
        self._lock = threading.Lock()

    def end_call(self):
        """Ends the call that another thread runs, if there is one, and waits for its end."""
        if not self._lock.acquire(blocking=False):
            self.failures.append(SystemExit())  # functions of Python are no longer called
            lib.sl_context_cancel(self.pointer)
            if not self._lock.acquire(timeout=EXIT_SECONDS):
                return
            lib.sl_context_resume(self.pointer)
        self._lock.release()

    def _free_pending(self):
        while self._pending and self._usable:
            free, pointer = self._pending.popleft()
            free(pointer)

    def __del__(self, free=lib.sl_context_free):  # a default: `lib` may be gone when Python exits
        self._free_pending()
        if self._usable:
            free(self.pointer)


_owners = weakref.WeakSet()
_ending = False  # Python ends: only the main thread may call


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
    progress : callable, optional
        Called about 20 times a second during a long call, in the thread of the call, with a named
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

            out[0] = create(comm, grid, ENGINES[engine])
            status = 0
        else:
            status = lib.sl_context_create(out, ENGINES[engine])
        if status < 0:
            reasons = {known["name"]: known["unavailable_reason"] for known in engines()}
            reason = reasons.get(engine, reasons["suitesparse"])
            reason = reason or text(lib.sl_status_string(status))
            trace = os.environ.get("SEMLA_TRACE", "")
            if trace not in ("", "dispatch"):
                raise failure(status, f"SEMLA_TRACE: unknown word {trace!r}; the word is dispatch")
            raise failure(status, f"Context: the engine {engine!r} is not available: {reason}")
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
        """The function that long calls report to, or None. A new one is used by the next call."""
        return self._owner.progress

    @progress.setter
    def progress(self, function):
        if function is not None and not callable(function):
            raise Invalid(f"Context: progress is {function!r}; it must be a callable or None")
        self._owner.set_progress(function)

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

    def __repr__(self):
        return f"semla.Context({', '.join(self.engines)})"


_current = contextvars.ContextVar("semla.context", default=None)
_default = None
_default_lock = threading.Lock()


def _after_fork():
    """Makes the locks usable in a child of os.fork()."""
    global _default_lock
    _default_lock = threading.Lock()
    for owner in _owners:
        owner.after_fork()


os.register_at_fork(after_in_child=_after_fork)


def _end_calls():
    """Ends the calls of daemon threads before Python ends.

    Python ends a thread that enters a Python function later, wherever it is. If that is in a parallel
    region of OpenMP, the process aborts.
    """
    global _ending
    _ending = True
    for owner in list(_owners):
        owner.end_call()


atexit.register(_end_calls)


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
