"""Traversals: one iteration, all iterations, all iterations from several frontiers, the cost model
that chooses a direction, and the dependencies of sources on shortest paths.

In these functions `pi` holds the values of the visited vertices (parents, distances, ...), and `q`
is the frontier: the next iteration follows the edges of its vertices. Semirings like any_secondi
set each entry of pi once; semirings like min_plus replace an entry when a better value is found.
The header <semla/traversal.h> defines the meaning for each semiring.
"""

from ._library import ffi, lib
from .indices import count, index, vertices
from .operators import find
from .scalar import number
from .signatures import named
from .types import check_number, pack, unify

DIRECTIONS = {"auto": lib.SL_AUTO, "push": lib.SL_PUSH, "pull": lib.SL_PULL}
NAMES = {code: name for name, code in DIRECTIONS.items()}
UNTIL = {"any": lib.SL_UNTIL_ANY, "all": lib.SL_UNTIL_ALL}


def chosen(choices, what, wanted):
    """The code of a choice in the library; ValueError if there is no such choice."""
    if wanted not in choices:
        raise ValueError(f"{what} must be one of {', '.join(choices)}, not {wanted!r}")
    return choices[wanted]


class IterationLog:
    """Appends the iterations of a traversal to a list, as dicts, when the `with` block ends."""

    def __init__(self, iterations):
        self._iterations = iterations
        self.pointer = ffi.NULL if iterations is None else ffi.new("sl_iteration_log *")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._iterations is None:
            return
        for k in range(self.pointer.count):
            self._iterations.append(iteration_dict(self.pointer.iterations[k]))
        lib.sl_iteration_log_clear(self.pointer)


def pointer_of(thing):
    """The pointer of an object, for a member of a struct; NULL for None. Use it during a call."""
    return ffi.NULL if thing is None else thing._pointer


def iteration_dict(iteration):
    """An sl_iteration as a dict."""
    return {
        "direction": NAMES[iteration.direction],
        "frontier": iteration.frontier,
        "edges": iteration.edges,
        "edges_exact": bool(iteration.edges_exact),
        "seconds": iteration.seconds,
    }


def _semiring(op, pi, A):
    return find(op, "semiring")._for(unify(pi.dtype, A.dtype))


@named
def advance(delta, pi, q, A, op, *, direction="auto"):
    """Run one iteration of a traversal: follow the edges of the frontier q.

    Parameters
    ----------
    delta : Vector
        Output: exactly the entries of pi that are new or better, the next frontier. May be q.
    pi : Vector
        Input and output: the values of the visited vertices.
    q : Vector
        The frontier.
    A : Matrix
        The graph: entry (i, j) is the edge from i to j.
    op : semiring or str
        For example "any_secondi" (breadth-first search) or "min_plus" (shortest paths).
    direction : {"auto", "push", "pull"}, default "auto"
        Push follows the edges that leave the frontier; pull searches the edges that enter
        vertices which are not visited; auto chooses by a cost model.

    Returns
    -------
    dict
        `direction`, `frontier` (its size), `edges` (edges examined), `edges_exact` (False if
        `edges` is an upper bound) and `seconds`.

    Raises
    ------
    Mismatch
        If the sizes, types or contexts do not match.
    """
    iteration = ffi.new("sl_iteration *")
    pi._write(
        lib.sl_advance,
        delta,
        pi,
        q,
        A,
        _semiring(op, pi, A),
        chosen(DIRECTIONS, "direction", direction),
        iteration,
        also=(delta,),
    )
    return iteration_dict(iteration)


@named
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
    log=None,
    source=None,
    source_value=0,
    parent=None,
):
    """Repeat `advance` until the frontier is empty, and leave the result in pi.

    Parameters
    ----------
    pi : Vector
        Input and output: the values of the visited vertices. Empty on entry if `source` is given.
    q : Vector or None
        The first frontier, which must lie within the visited vertices. It is not changed. None if
        `source` is given.
    A : Matrix
        The graph: entry (i, j) is the edge from i to j.
    op : semiring or str
        As for `advance`.
    direction : {"auto", "push", "pull"}, default "auto"
        As for `advance`.
    max_iterations : int, optional
        Stop after this many iterations.
    targets : Vector, optional
        Stop when entries of this pattern have been reached.
    until : {"any", "all"}, default "any"
        Whether to stop at the first target or at the last one.
    level : Vector of INT64, optional
        Output: the number of the iteration, from 1, that last changed each entry of pi.
    log : list, optional
        A dict as `advance` returns is appended for each iteration.
    source : int, optional
        Start from this vertex instead of a frontier. `level` must then be empty on entry, too.
    source_value : number, default 0
        The value of pi at the source, if the semiring does not determine it: 0 for min_plus.
    parent : Vector of INT64 or INT32, optional
        Output, empty on entry, for a semiring that improves values, as min_plus: the vertex from
        which each entry of pi has its value; the entry itself where it keeps the value that it had
        on entry. Not together with `max_iterations` or `targets`.

    Raises
    ------
    Invalid
        If q is not within the visited vertices, or `parent` is not empty.
    Mismatch
        If the sizes, types or contexts do not match.

    Examples
    --------
    Lengths of shortest paths from vertex 0:

    >>> A = semla.Matrix.from_coo([0, 0, 1], [1, 2, 2], [5.0, 9.0, 1.0], nrows=3, ncols=3)
    >>> pi = semla.Vector("FP64", 3)
    >>> semla.closure(pi, None, A, "min_plus", source=0)
    >>> pi.to_dict()
    {0: 0.0, 1: 5.0, 2: 6.0}

    The same with the previous vertex on each path:

    >>> pi, parent = semla.Vector("FP64", 3), semla.Vector("INT64", 3)
    >>> semla.closure(pi, None, A, "min_plus", source=0, parent=parent)
    >>> parent.to_dict()
    {0: 0, 1: 0, 2: 1}
    """
    options = ffi.new("sl_closure_options *")
    options.direction = chosen(DIRECTIONS, "direction", direction)
    options.until = chosen(UNTIL, "until", until)
    if max_iterations is not None:
        options.bounded = True
        options.max_iterations = count(max_iterations, "closure: max_iterations")
    options.from_source = source is not None
    if source is not None:
        options.source = index(source, "closure: source")
        options.source_value = pack(check_number(number(source_value), pi.dtype))

    def run(*pointers):
        options.targets, options.level = pointer_of(targets), pointer_of(level)
        options.parent = pointer_of(parent)
        return lib.sl_closure(*pointers)

    with IterationLog(log) as iterations:
        options.log = iterations.pointer
        frontier = ffi.NULL if q is None else q
        pi._write(run, pi, frontier, A, _semiring(op, pi, A), options, also=(level, parent))


@named
def closures(pi, q, A, op, *, max_iterations=None, level=None):
    """Compute the closures of several frontiers, the rows of a matrix.

    Row s of pi becomes the closure of row s of q. Searches from all rows run together, 64 at a time.

    Parameters
    ----------
    pi : Matrix or None
        Output, empty on entry, with the shape of q: the values of the visited vertices. None if
        only `level` is wanted.
    q : Matrix
        The frontiers: row s has an entry for each vertex from which search s starts.
    A : Matrix
        The graph: entry (i, j) is the edge from i to j.
    op : semiring or str
        A semiring that sets each entry once: "any_secondi", "min_secondi" and "max_secondi" compute
        parents; "any_pair" the vertices that are reached.
    max_iterations : int, optional
        Stop after this many iterations.
    level : Matrix of INT64 or INT32, optional
        Output, empty on entry, with the shape of q: the number of the iteration, from 1, that set
        each entry of pi; 0 for the entries of q.

    Raises
    ------
    Invalid
        If pi or level is not empty, or both are None.
    Mismatch
        If the shapes, types or contexts do not match.
    Unsupported
        If the semiring improves entries, as min_plus: use `closure` for each row.

    Examples
    --------
    >>> A = semla.generate("path", vertices=4)
    >>> q = semla.Matrix.from_coo([0, 1], [0, 2], [True, True], nrows=2, ncols=4)
    >>> level = semla.Matrix("INT64", 2, 4)
    >>> semla.closures(None, q, A, "any_pair", level=level)
    >>> level.to_dense()
    array([[0, 1, 2, 3],
           [2, 1, 0, 1]])
    """
    options = ffi.new("sl_closures_options *")
    if max_iterations is not None:
        options.bounded = True
        options.max_iterations = count(max_iterations, "closures: max_iterations")
    semiring = _semiring(op, q if pi is None else pi, A)

    def run(*pointers):
        options.level = pointer_of(level)
        return lib.sl_closures(*pointers)

    written = next(M for M in (pi, level, q) if M is not None)  # q: the library refuses
    values = ffi.NULL if pi is None else pi
    written._write(run, values, q, A, semiring, options, also=(level,))


@named
def plan(pi, q, A):
    """Return the direction that `advance` would choose, and the counts that decide it.

    Parameters
    ----------
    pi, q : Vector
        The visited vertices and the frontier.
    A : Matrix
        The graph.

    Returns
    -------
    dict
        `direction`, and the members of `sl_plan` in <semla/traversal.h>.
    """
    made = ffi.new("sl_plan *")
    pi.context._call(lib.sl_plan_iteration, made, pi, q, A)
    counts = {name: getattr(made, name) for name, _ in ffi.typeof("sl_plan").fields}
    return {**counts, "direction": NAMES[made.direction]}


@named
def dependencies(sum, A, sources):
    """Add the dependencies of the sources on each vertex to sum.

    The dependency of a source s on a vertex v is the sum, over all vertices t other than v, of the
    fraction of the shortest paths from s to t that contain v; on s itself it is 0 (Brandes 2001). The
    sum over all sources is betweenness centrality, before it is scaled. Every edge has length 1.

    Parameters
    ----------
    sum : Vector of FP64
        Input and output, with an element per vertex. A missing entry counts as 0; afterwards every
        vertex has an entry.
    A : Matrix
        The graph: entry (i, j) is the edge from i to j. Its values are not read.
    sources : list of int
        Vertices; one that repeats counts as often.

    Raises
    ------
    OutOfRange
        If a source is no vertex.
    Mismatch
        If the sizes, types or contexts do not match, or A is not square.

    Examples
    --------
    >>> A = semla.generate("path", vertices=4)
    >>> sum = semla.Vector("FP64", 4)
    >>> semla.dependencies(sum, A, [0])
    >>> sum.to_dict()
    {0: 0.0, 1: 2.0, 2: 1.0, 3: 0.0}
    """
    kept, length = vertices(sources, "dependencies: source")
    sum._write(lib.sl_dependencies, sum, A, kept, length)
