"""Algorithms on graphs: `semla.bfs`, and one function for each algorithm of the registry.

Every function takes a square Matrix, the entry (i, j) of which is the edge from i to j, or any matrix of
scipy.sparse, which is copied into one. Vectors and matrices that are returned belong to the
context of the matrix.

All functions except `bfs` are made when the package is imported, from the descriptions in
<semla/registry.h>: names, arguments, defaults and docstrings are those of `semla run --list`.
"""

import inspect
import textwrap

import numpy as np

from ._library import ffi, lib, text
from .errors import Invalid, OutOfRange
from .indices import count, index, index_array, vertices
from .matrix import Matrix
from .operand import evaluated
from .scalar import number
from .signatures import bind, named
from .traversal import DIRECTIONS, UNTIL, IterationLog, chosen, pointer_of
from .vector import Vector


def graph(A):
    """A itself if it is a Matrix, the result of an expression, otherwise a Matrix made from a matrix
    of scipy.sparse."""
    A = evaluated(A)
    return A if isinstance(A, Matrix) else Matrix.from_scipy(A)


@named
def bfs(
    A,
    source,
    *,
    direction="auto",
    deterministic=False,
    max_depth=None,
    targets=None,
    until="any",
    log=None,
    int32=False,
):
    """Breadth-first search from a vertex.

    Parameters
    ----------
    A : Matrix or scipy.sparse matrix
        The graph.
    source : int
        It is its own parent and has level 0.
    direction : {"auto", "push", "pull"}, default "auto"
        How levels are computed; "auto" chooses for each level.
    deterministic : bool, default False
        Whether each parent is the least vertex possible.
    max_depth : int, optional
        Search only to this level.
    targets : array_like of int, optional
        The search ends at the level that reaches one of these vertices, or all of them.
    until : {"any", "all"}, default "any"
        How many of the targets.
    log : list, optional
        A dict is appended to it for every level.
    int32 : bool, default False
        Whether the vectors are INT32, for graphs of at most 2^31 vertices.

    Returns
    -------
    parents, levels : Vector
        INT64; without an entry at vertices that are not reached.

    Raises
    ------
    OutOfRange
        If the source or a target is no vertex of the graph.

    Examples
    --------
    >>> A = semla.Matrix.from_coo([0, 1, 1], [1, 2, 3], nrows=5, ncols=5)
    >>> parents, levels = semla.bfs(A, 0)
    >>> levels.to_dict()
    {0: 0, 1: 1, 2: 2, 3: 2}
    """
    A = graph(A)
    options = ffi.new("sl_bfs_options *")
    options.int32 = int32
    options.direction = chosen(DIRECTIONS, "direction", direction)
    options.until = chosen(UNTIL, "until", until)
    options.deterministic = deterministic
    if max_depth is not None:
        options.bounded, options.max_depth = True, count(max_depth, "bfs: max_depth")
    if targets is not None:
        kept, options.ntargets = vertices(targets, "bfs: target")
        options.targets = kept
    source = index(source, "bfs: source")
    parents, levels = ffi.new("sl_vector **"), ffi.new("sl_vector **")
    with IterationLog(log) as iterations:
        options.log = iterations.pointer
        A.context._call(lib.sl_bfs, parents, levels, A, source, options)
    return Vector._owning(A.context, parents[0]), Vector._owning(A.context, levels[0])


# ---- the registry ---------------------------------------------------------------------


def descriptions():
    """The descriptions of the registry, in its order."""
    position = 0
    while description := lib.sl_algorithm_at(position):
        yield description
        position += 1


def description_of(name):
    """The description of the algorithm with this name of a function."""
    return next(d for d in descriptions() if text(d.name) == name)


def elements(array):
    """The elements of a description's array, which ends with one without a name."""
    position = 0
    while array[position].name:
        yield array[position]
        position += 1


def default(argument):
    """The default value of an argument."""
    if argument.flags & lib.SL_ARGUMENT_GRAPH:
        return None
    if argument.kind == lib.SL_KIND_FLAG:
        return False
    if not argument.initial:
        return None
    convert = float if argument.kind == lib.SL_KIND_NUMBER else int
    return convert(text(argument.initial))


def is_summary(result):
    return bool(result.flags & lib.SL_RESULT_SUMMARY) or result.kind == lib.SL_KIND_RANKING


def keywords(description):
    """The keyword arguments that select further results."""
    results = list(elements(description.results))
    names = [text(r.name) for r in results if r.flags & lib.SL_RESULT_KEYWORD]
    summary = [r for r in results if is_summary(r) and r.kind != lib.SL_KIND_RANKING]
    if summary and not all(is_summary(r) for r in results):
        names.append("return_info")
    return names


def signature(description):
    """The signature of an algorithm's function."""
    kinds = inspect.Parameter
    parameters = [kinds("A", kinds.POSITIONAL_OR_KEYWORD)]
    named = []
    for argument in elements(description.arguments):
        positional = argument.flags & lib.SL_ARGUMENT_POSITIONAL
        required = argument.flags & lib.SL_ARGUMENT_REQUIRED
        (parameters if positional else named).append(
            kinds(
                text(argument.name),
                kinds.POSITIONAL_OR_KEYWORD if positional else kinds.KEYWORD_ONLY,
                default=kinds.empty if required else default(argument),
            )
        )
    for name in keywords(description):
        named.append(kinds(name, kinds.KEYWORD_ONLY, default=False))
    named.append(kinds("progress", kinds.KEYWORD_ONLY, default=None))
    return inspect.Signature(parameters + named)


# {kind of an argument or a result: its type in docstrings}
_ARGUMENT_TYPES = {
    lib.SL_KIND_FLAG: "bool",
    lib.SL_KIND_NUMBER: "float",
    lib.SL_KIND_VERTEX: "int",
    lib.SL_KIND_VERTICES: "array_like of int",
    lib.SL_KIND_VECTOR: "Vector or dict",
}
_RESULT_TYPES = {
    lib.SL_KIND_FLAG: "bool",
    lib.SL_KIND_NUMBER: "float",
    lib.SL_KIND_TEXT: "str",
    lib.SL_KIND_VERTICES: "numpy.ndarray",
    lib.SL_KIND_COUNTS: "numpy.ndarray",
    lib.SL_KIND_VECTOR: "Vector",
    lib.SL_KIND_VERTEX_VECTOR: "Vector",
    lib.SL_KIND_MATRIX: "Matrix",
    lib.SL_KIND_VERTEX_MATRIX: "Matrix",
    lib.SL_KIND_GRAPH: "Matrix",
}


def _wrapped(words, indent=""):
    return textwrap.wrap(words, 88, initial_indent=indent, subsequent_indent=indent)


def _argument_lines(argument):
    """What a docstring says about an argument."""
    required = argument.flags & lib.SL_ARGUMENT_REQUIRED
    initial = default(argument)
    tail = "" if required else ", optional" if initial is None else f", default {initial}"
    kind = _ARGUMENT_TYPES.get(argument.kind, "int")
    meaning = f"{text(argument.help)}."
    if argument.flags & lib.SL_ARGUMENT_HUB:
        meaning = f"{text(argument.help)}; default: a vertex of greatest out-degree."
    return [f"{text(argument.name)} : {kind}{tail}", *_wrapped(meaning, "    ")]


def _result_lines(result):
    kind = _RESULT_TYPES.get(result.kind, "int")
    return [f"{text(result.name)} : {kind}", *_wrapped(f"{text(result.help)}.", "    ")]


def docstring(description):
    """The docstring of an algorithm's function, in the form of numpydoc."""
    summary = text(description.summary)
    lines = [summary[0].upper() + summary[1:] + ".", ""]
    if description.details:
        lines += [*_wrapped(text(description.details)), ""]
    lines += ["Parameters", "----------", "A : Matrix or scipy.sparse matrix", "    The graph."]
    for argument in elements(description.arguments):
        lines += _argument_lines(argument)
    results = [r for r in elements(description.results) if r.kind != lib.SL_KIND_RANKING]
    for result in results:
        if result.flags & lib.SL_RESULT_KEYWORD:
            lines.append(f"{text(result.name)} : bool, default False")
            lines += _wrapped(f"Whether to return {text(result.help)}, too.", "    ")
    returned = [r for r in results if not is_summary(r)]
    info = [r for r in results if is_summary(r)]
    if returned and info:
        names = ", ".join(text(r.name) for r in info)
        lines += [
            "return_info : bool, default False",
            *_wrapped(f"Whether to return a dict with {names}, too.", "    "),
        ]
    lines += [
        "progress : callable or bool, optional",
        "    As the parameter of Context, for this call; default: what the context has.",
    ]
    lines += ["", "Returns", "-------"]
    if not returned:
        lines += ["info : dict", "    With these keys:", ""]
        for result in info:
            lines += _wrapped(f"{text(result.name)}: {text(result.help)}.", "    ")
    for result in returned:
        lines += _result_lines(result)
    return "\n".join(lines) + "\n"


def converted(argument, given, A, what):
    """An argument as set_argument stores it. `what` names it in messages."""
    kind = argument.kind
    if kind == lib.SL_KIND_FLAG:
        return bool(given)
    if kind == lib.SL_KIND_NUMBER:
        try:
            if isinstance(given, (str, bytes)):
                raise TypeError
            return float(number(given))
        except (TypeError, ValueError):
            raise TypeError(f"{what} must be a number, not {given!r}") from None
    if kind == lib.SL_KIND_VERTICES:
        return vertices(given, what)
    if kind == lib.SL_KIND_VERTEX:
        return index(given, what)
    if kind != lib.SL_KIND_VECTOR:
        return count(given, what)
    if isinstance(given, dict):
        keys = index_array(list(given), what)
        if keys.size and keys.max() >= A.nrows:
            raise OutOfRange(
                f"{what} {keys.max()} is out of range: the graph has {A.nrows} vertices"
            )
        values = list(given.values())
        return Vector.from_coo(keys, values, "FP64", size=A.nrows, context=A.context)
    if not isinstance(given, Vector):
        raise TypeError(f"{what} must be a Vector or a dict {{vertex: value}}, not {given!r}")
    return given


def set_argument(value, argument, given):
    """Stores an argument, as `converted` returns it, in the library's struct."""
    value.given = True
    if argument.kind == lib.SL_KIND_FLAG:
        value.flag = given
    elif argument.kind == lib.SL_KIND_NUMBER:
        value.number = given
    elif argument.kind == lib.SL_KIND_VERTICES:
        value.list, value.count = given
    elif argument.kind == lib.SL_KIND_VECTOR:
        value.vector = pointer_of(given)
    else:
        value.count = given


def take(context, result, value):
    """A result as a Python object; the library no longer owns it. None if it was not computed."""
    if not value.given:
        return None
    kind = result.kind
    if kind in (lib.SL_KIND_MATRIX, lib.SL_KIND_VERTEX_MATRIX, lib.SL_KIND_GRAPH):
        pointer, value.matrix = value.matrix, ffi.NULL
        return Matrix._owning(context, pointer)
    if kind in (lib.SL_KIND_VECTOR, lib.SL_KIND_VERTEX_VECTOR):
        pointer, value.vector = value.vector, ffi.NULL
        return Vector._owning(context, pointer)
    if kind in (lib.SL_KIND_VERTICES, lib.SL_KIND_COUNTS):
        listed = ffi.unpack(value.list, value.count)
        return tuple(listed) if is_summary(result) else np.array(listed, dtype=np.int64)
    if kind == lib.SL_KIND_FLAG:
        return bool(value.flag)
    if kind == lib.SL_KIND_TEXT:
        return text(value.text)
    return value.number if kind == lib.SL_KIND_NUMBER else value.count


def run(description, A, given, wanted, with_summary, present):
    """Calls an algorithm. Returns two dicts: the results, and the summary or {}; `present` as in
    `call`."""
    call = ffi.new("sl_algorithm_call *")
    arguments, results = list(elements(description.arguments)), list(elements(description.results))
    for argument in arguments:
        name = text(argument.name)
        if given[name] is not None:
            what = f"{text(description.name)}: {name}"
            given[name] = converted(argument, given[name], A, what)

    def steps(A, *_):
        lib.sl_algorithm_begin(call, description, A)
        for k, argument in enumerate(arguments):
            if given[text(argument.name)] is not None:
                set_argument(call.arguments[k], argument, given[text(argument.name)])
        for k, result in enumerate(results):
            if result.flags & lib.SL_RESULT_KEYWORD:
                call.wanted[k] = text(result.name) in wanted
        status = lib.sl_algorithm_prepare(call)
        if status == lib.SL_OK:
            status = lib.sl_algorithm_run(call)
        if status == lib.SL_OK and with_summary:
            status = lib.sl_algorithm_summarise(call)
        return status

    steps.__name__ = text(description.name)
    try:
        A.context._call(steps, A, *(v for v in given.values() if isinstance(v, Vector)))
        found, info = {}, {}
        for k, result in enumerate(results):
            if result.kind != lib.SL_KIND_RANKING:
                value = present(result, take(A.context, result, call.results[k]))
                (info if is_summary(result) else found)[text(result.name)] = value
        return found, info
    finally:
        A.context._run_locked(lib.sl_algorithm_end, call)


def call(description, given, present):
    """Calls an algorithm for a dict of bound arguments and returns what its function returns.

    `present` is a function of a result's description and its value that makes the value to return.
    """
    chosen_by_keyword = {
        text(r.name) for r in elements(description.results) if r.flags & lib.SL_RESULT_KEYWORD
    }
    only_summary = all(is_summary(r) for r in elements(description.results))
    bound = inspect.BoundArguments(signature(description), dict(given))
    bound.apply_defaults()
    given = bound.arguments
    A = graph(given.pop("A"))
    if description.reads_values and A._unread and A.is_pattern:
        raise Invalid(f"{text(description.name)}: {A._unread}")
    return_info, progress = given.pop("return_info", False), given.pop("progress")
    wanted = {key for key in chosen_by_keyword if given.pop(key)}
    with A.context._showing(progress):
        found, info = run(description, A, given, wanted, return_info or only_summary, present)
    if only_summary:
        return info
    values = [v for key, v in found.items() if key in wanted or key not in chosen_by_keyword]
    if return_info:
        values.append(info)
    return tuple(values) if len(values) > 1 else values[0]


def function(description):
    """The Python function of a description."""
    name, its_signature = text(description.name), signature(description)

    def algorithm(*args, **kwargs):
        given = bind(name, its_signature, args, kwargs).arguments
        return call(description, given, lambda _, value: value)

    algorithm.__name__ = algorithm.__qualname__ = name
    algorithm.__doc__ = docstring(description)
    algorithm.__signature__ = its_signature
    return algorithm


REGISTERED = {text(d.name): function(d) for d in descriptions()}
globals().update(REGISTERED)
