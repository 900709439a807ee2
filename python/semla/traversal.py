"""Traversals: a step, all steps, and the choice of a step's direction.

`pi` is what is settled, `q` the frontier. What the three mean for a semiring stands in
<semla/traversal.h>: any_secondi and its kin settle an entry once, min_plus and its kin
relax it until nothing is better.
"""

from ._library import ffi, lib
from .operators import find
from .types import pack, unify

DIRECTIONS = {"auto": lib.SL_AUTO, "push": lib.SL_PUSH, "pull": lib.SL_PULL}
NAMES = {code: name for name, code in DIRECTIONS.items()}
UNTIL = {"any": lib.SL_UNTIL_ANY, "all": lib.SL_UNTIL_ALL}


def chosen(choices, what, wanted):
    """The library's code of a choice; ValueError for what is none."""
    if wanted not in choices:
        raise ValueError(f"{what} is one of {', '.join(choices)}, not {wanted!r}")
    return choices[wanted]


class StepLog:
    """Gathers a traversal's steps in a Python list, as dicts, when the `with` block ends."""

    def __init__(self, steps):
        self._steps = steps
        self.pointer = ffi.NULL if steps is None else ffi.new("sl_iteration_log *")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._steps is None:
            return
        for k in range(self.pointer.count):
            self._steps.append(step_dict(self.pointer.steps[k]))
        lib.sl_iteration_log_clear(self.pointer)


def pointer_of(thing):
    """An object's pointer, for a struct; NULL for None. To be asked for during a call."""
    return ffi.NULL if thing is None else thing._pointer


def step_dict(step):
    """A step as it was done."""
    return {
        "direction": NAMES[step.direction],
        "frontier": step.frontier,
        "edges": step.edges,
        "edges_exact": bool(step.edges_exact),
        "seconds": step.seconds,
    }


def _semiring(op, pi, A):
    return find(op, "semiring")._for(unify(pi.dtype, A.dtype))


def advance(delta, pi, q, A, op, *, direction="auto"):
    """One step from q over A: pi gains what is new or better, delta becomes exactly that.

    delta may be q. Returns what was done, as a dict.
    """
    step = ffi.new("sl_iteration *")
    pi._write(
        lib.sl_advance,
        delta,
        pi,
        q,
        A,
        _semiring(op, pi, A),
        chosen(DIRECTIONS, "direction", direction),
        step,
        also=delta,
    )
    return step_dict(step)


def closure(
    pi,
    q,
    A,
    op,
    *,
    direction="auto",
    max_iterations=None,
    targets=None,
    until="any",
    level=None,
    steps=None,
    source=None,
    source_value=0,
):
    """Iterates from the frontier q, or from one vertex, until nothing changes; the result is in pi.

    source: a vertex to start at; q is None then, and pi and level are empty on entry.
        source_value: the value of pi at the source where the semiring does not determine it
        (min_plus: 0).
    targets: a vector, whose pattern ends the traversal when it is reached, "any" of it or
        "all". level: an INT64 vector, which gains the number of the step, from 1, for
        each entry that is new or better. steps: a list, to which a dict is appended for
        every step.
    """
    options = ffi.new("sl_closure_options *")
    options.direction = chosen(DIRECTIONS, "direction", direction)
    options.until = chosen(UNTIL, "until", until)
    options.bounded, options.max_iterations = max_iterations is not None, max_iterations or 0
    options.from_source = source is not None
    if source is not None:
        options.source = source
        options.source_value = pack(source_value)

    def run(*pointers):
        options.targets, options.level = pointer_of(targets), pointer_of(level)
        return lib.sl_closure(*pointers)

    with StepLog(steps) as log:
        options.log = log.pointer
        frontier = ffi.NULL if q is None else q
        pi._write(run, pi, frontier, A, _semiring(op, pi, A), options, also=level)


def plan(pi, q, A):
    """The direction of the step that would follow and the counts it is chosen by, as a dict."""
    made = ffi.new("sl_plan *")
    pi.context._call(lib.sl_plan_iteration, made, pi, q, A)
    counts = {name: getattr(made, name) for name, _ in ffi.typeof("sl_plan").fields}
    return {**counts, "direction": NAMES[made.direction]}
