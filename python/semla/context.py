"""Contexts: which engines compute, with how many threads and how much memory."""

import collections
import contextvars
import threading

from ._library import ffi, lib, text
from .errors import Invalid, failure

ENGINES = {
    name[len("SL_ENGINE_") :].lower(): code
    for name, code in ffi.typeof("sl_engine_choice").relements.items()
    if name != "SL_ENGINE_COUNT"
}

# Set while a user's operator runs, on whatever thread that is.
inside_operator = threading.local()


class Owner:
    """C's context, and the lock that keeps it to one thread at a time.

    Objects are freed by Python's garbage collector, which may come upon them on any
    thread and at any time, also while an operation of this context runs. It must
    not wait then: what it finds is put on a list, and freed by whoever next
    holds the lock. Every object's finalizer refers to the owner, so that the
    context is freed after the last of them, in whatever order they are collected.
    """

    def __init__(self, pointer):
        self.pointer = pointer
        self._lock = threading.Lock()
        self._dead = collections.deque()
        self.failures = []  # of Python functions that the call in hand called back

    def ask(self, function, *arguments):
        """Calls a function while no other runs in this context, and returns what it returns.

        Of an argument with a _pointer that is passed, as it is by then; and the argument
        lives as long as the call.
        """
        if getattr(inside_operator, "active", False):
            raise Invalid("the function of an operator may not use semla")
        with self._lock:
            self._bury()
            return function(*[getattr(one, "_pointer", one) for one in arguments])

    def call(self, function, *arguments):
        """The same of a function that returns an sl_status. What failed is raised."""

        def checked(*pointers):
            status = function(*pointers)
            failures, self.failures = self.failures, []
            if failures:
                raise failures[0]
            if status < 0:
                raise failure(status, text(lib.sl_context_message(self.pointer)))
            return status

        return self.ask(checked, *arguments)

    def discard(self, free, pointer):
        """Frees an object, now or later."""
        self._dead.append((free, pointer))
        if self._lock.acquire(blocking=False):
            try:
                self._bury()
            finally:
                self._lock.release()

    def _bury(self):
        while self._dead:
            free, pointer = self._dead.popleft()
            free(pointer)

    def __del__(self, free=lib.sl_context_free):  # `lib` may be gone when Python ends
        self._bury()
        free(self.pointer)


class Context:
    """Where matrices and vectors live and who computes with them.

    engine: "auto" (every engine that is present, the fastest first), or the name of
        one, of which `semla.engines()` has the list.
    threads: the most threads that an operation uses; 0 is all.
    memory_limit: bytes that the context's objects and operations may take; 0 is no limit.

    In a `with` block the context is the one that new objects belong to. Objects keep
    their context alive. Several Python threads may use one context, one after the
    other; with a context each they compute at the same time.
    """

    def __init__(self, engine="auto", *, threads=0, memory_limit=0):
        if engine not in ENGINES:
            raise Invalid(f"unknown engine {engine!r}: there are {', '.join(ENGINES)}")
        out = ffi.new("sl_context **")
        status = lib.sl_context_create(out, ENGINES[engine])
        if status < 0:
            raise failure(
                status, f"context with engine {engine!r}: {text(lib.sl_status_string(status))}"
            )
        self._owner = Owner(out[0])
        self._tokens = []
        if threads:
            self.threads = threads
        if memory_limit:
            self.set_memory_limit(memory_limit)

    def _call(self, function, *arguments):
        return self._owner.call(function, *arguments)

    def _ask(self, function, *arguments):
        return self._owner.ask(function, *arguments)

    @property
    def _pointer(self):
        return self._owner.pointer

    @property
    def threads(self):
        """The most threads that an operation uses. Set it to 0 for as many as OpenMP gives."""
        return lib.sl_context_threads(self._pointer)

    @threads.setter
    def threads(self, threads):
        self._call(lib.sl_context_set_threads, self._pointer, threads)

    @property
    def memory(self):
        """Bytes on the host, as a dict of `limit` (0: none), `used` and `peak`; counted from
        when a limit was first set."""
        return self._counters("sl_context_memory", lib.sl_context_get_memory)

    def set_memory_limit(self, limit):
        """An operation that would pass so many bytes raises NoMemory; 0 is no limit."""
        self._call(lib.sl_context_set_memory_limit, self._pointer, limit)

    @property
    def engines(self):
        """The names of the chain's engines, in the order in which they are asked."""
        names = []
        while name := text(lib.sl_context_engine(self._pointer, len(names))):
            names.append(name)
        return names

    @property
    def counts(self):
        """What was dispatched and copied since the context was made, as a dict."""
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


def current_context():
    """The context of the innermost `with` block, else the process's, made at first need."""
    global _default
    context = _current.get()
    if context is not None:
        return context
    with _default_lock:
        if _default is None:
            _default = Context()
        return _default


def engines():
    """What this build of the library knows of its engines: a list of dicts."""
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
