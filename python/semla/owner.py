"""The context of the C library: one call at a time, freeing of objects, progress, the end of Python."""

import atexit
import collections
import os
import threading
import weakref
from threading import get_ident

from ._library import ffi, lib, text
from .errors import Invalid, Unsupported, failure
from .progress import ProgressLine

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
    raises KeyboardInterrupt here, which cancels the call. So does an exception of a user's operator.
    """
    owner = ffi.from_handle(data)()
    if owner.progress is not None and not owner.failures:
        owner.progress(Progress(text(progress.operation), progress.done, progress.total or None))
    return bool(owner.failures)


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


def _name_of(function):
    """What a call does, for people: "matrix transpose" of sl_matrix_transpose; an algorithm's name."""
    name = function.__name__
    return "computing" if name.startswith("<") else name.removeprefix("sl_").replace("_", " ")


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
                    if thing is not None:
                        if thing._lent:
                            raise BufferError("a vector cannot be written while its memory is lent")
                        thing._writes += 1
                try:
                    given = [one if type(one) in _plain else one._pointer for one in arguments]
                except AttributeError:  # an argument of a type that is not known to be plain
                    given = _pointers(arguments)
                if type(self.progress) is ProgressLine:
                    self.progress.begun(_name_of(function))
                status = function(*given)
                if self.failures:
                    failures, self.failures = self.failures, []
                    raise failures[0]
                if status < 0:
                    raise failure(status, text(lib.sl_context_message(self.pointer)))
                return status
            finally:
                inside.active = False
                if type(self.progress) is ProgressLine:
                    self.progress.ended()

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


def _after_fork():
    """Makes the locks usable in a child of os.fork()."""
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
