"""Workflows on graphs: `semla.bfs(A, source)` and its kin.

Every function takes a square Matrix whose entry (i, j) is the edge from i to j, or
anything of scipy.sparse, which is copied into one. Vectors that are returned belong to
the matrix's context.
"""

import numpy as np

from ._library import ffi, lib
from .matrix import Matrix
from .traversal import DIRECTIONS, UNTIL, IterationLog, chosen, pointer_of
from .types import INDEX
from .vector import Vector


def graph(A):
    """The matrix, made of scipy's if it is no Matrix."""
    return A if isinstance(A, Matrix) else Matrix.from_scipy(A)


def vertices(list_of_vertices):
    """A list of vertices as an array that the library reads, and its length."""
    array = np.array(list_of_vertices, dtype=INDEX, ndmin=1)
    return ffi.from_buffer("uint64_t[]", array), array.size


def results(context, function, *arguments):
    """The objects that function(&object, ..., arguments...) makes: as many as it has pointers
    to objects first. None where it makes none."""
    kinds = {"sl_vector": Vector, "sl_matrix": Matrix}
    outs = []
    for parameter in ffi.typeof(function).args:
        name = parameter.cname.replace("struct ", "")
        if not name.endswith("* *"):
            break
        outs.append((kinds[name[:-4]], ffi.new(parameter)))
    context._call(function, *(out for _, out in outs), *arguments)
    return [kind._owning(context, out[0]) if out[0] else None for kind, out in outs]


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
    narrow=False,
):
    """Breadth-first search: (parents, levels), INT64 vectors.

    The source is its own parent and has level 0. What was not reached has no entry.

    direction: "auto", "push" or "pull".
    deterministic: the parent is the least of those possible.
    max_depth: search only that far.
    targets: vertices; the search ends at the level that reaches one of them, or all if
        `until` is "all".
    log: a list, to which a dict is appended for every level.
    narrow: the vectors are INT32, of half the length; for up to 2^31 vertices.
    """
    A = graph(A)
    options = ffi.new("sl_bfs_options *")
    options.narrow = narrow
    options.direction = chosen(DIRECTIONS, "direction", direction)
    options.until = chosen(UNTIL, "until", until)
    options.deterministic = deterministic
    options.bounded, options.max_depth = max_depth is not None, max_depth or 0
    if targets is not None:
        kept, options.ntargets = vertices(targets)
        options.targets = kept
    with IterationLog(log) as iterations:
        options.log = iterations.pointer
        return tuple(results(A.context, lib.sl_bfs, A, source, options))


def multi_source_bfs(A, sources, *, deterministic=False, max_depth=None):
    """Searches from many sources at once: (parents, levels), matrices whose row s is the search
    from sources[s]."""
    A = graph(A)
    options = ffi.new("sl_multi_source_options *")
    options.deterministic = deterministic
    options.bounded, options.max_depth = max_depth is not None, max_depth or 0
    return tuple(results(A.context, lib.sl_multi_source_bfs, A, *vertices(sources), options))


def khop(A, sources, hops):
    """The vertices within so many edges of any source: an INT64 vector of their distances."""
    A = graph(A)
    return results(A.context, lib.sl_khop, A, *vertices(sources), hops)[0]


def components(A):
    """Connected components, weak ones of a directed graph: of each vertex the least vertex of
    its component."""
    A = graph(A)
    return results(A.context, lib.sl_components, A)[0]


def sssp(A, source):
    """Shortest paths by the lengths that A's entries are: (distances, parents).

    Lengths may be negative. A cycle of negative length raises Invalid.
    """
    A = graph(A)
    return tuple(results(A.context, lib.sl_sssp, A, source))


def st_connected(A, s, t):
    """A shortest path by edges from s to t, as an array of its vertices; None without one."""
    A = graph(A)
    connected, distance, path = ffi.new("bool *"), ffi.new("uint64_t *"), ffi.new("sl_vector **")
    A.context._call(lib.sl_st_connected, connected, distance, path, A, s, t)
    return Vector._owning(A.context, path[0]).to_coo()[1] if connected[0] else None


def pseudo_diameter(A, *, start=None, max_searches=0):
    """Bounds of the diameter of a component of an undirected graph: a dict of `lower`, `upper`,
    the two `ends` at the distance `lower`, and the number of `searches`."""
    A = graph(A)
    options, found = ffi.new("sl_diameter_options *"), ffi.new("sl_diameter *")
    options.has_start, options.start = start is not None, start or 0
    options.max_searches = max_searches
    A.context._call(lib.sl_pseudo_diameter, found, A, options)
    return {
        "lower": found.lower,
        "upper": found.upper,
        "ends": tuple(found.ends),
        "searches": found.searches,
    }


def bipartite(A):
    """(sides, cycle) of an undirected graph: a BOOL vector of each vertex's side, and None; or
    None, and an array of the vertices of an odd cycle."""
    A = graph(A)
    answer, side, cycle = ffi.new("bool *"), ffi.new("sl_vector **"), ffi.new("sl_vector **")
    A.context._call(lib.sl_bipartite, answer, side, cycle, A)
    if answer[0]:
        return Vector._owning(A.context, side[0]), None
    return None, Vector._owning(A.context, cycle[0]).to_coo()[1]


def pagerank(
    A, *, damping=0.85, tolerance=1e-6, max_iterations=100, personalisation=None, return_info=False
):
    """PageRank: an FP64 vector of sum 1. return_info: (ranks, dict), the dict with `iterations`,
    `residual` and `converged`.

    personalisation: a vector of weights of the vertices that a jump leads to.
    """
    A = graph(A)
    options, info = ffi.new("sl_pagerank_options *"), ffi.new("sl_pagerank_result *")
    for name, value in (
        ("damping", damping),
        ("tolerance", tolerance),
        ("max_iterations", max_iterations),
    ):
        if not value > 0:  # 0 would be the library's default
            raise ValueError(f"{name} has to be above 0, not {value}")
        setattr(options, name, value)

    def run(*pointers):
        options.personalisation = pointer_of(personalisation)
        return lib.sl_pagerank(*pointers)

    ranks = ffi.new("sl_vector **")
    A.context._call(run, ranks, A, options, info)
    ranks = Vector._owning(A.context, ranks[0])
    if not return_info:
        return ranks
    return ranks, {
        "iterations": info.iterations,
        "residual": info.residual,
        "converged": bool(info.converged),
    }


def betweenness(A, sources=None, *, batch=0, normalised=False):
    """Betweenness centrality from all vertices, or from a sample: an FP64 vector."""
    A = graph(A)
    options = ffi.new("sl_betweenness_options *")
    options.batch, options.normalised = batch, normalised
    listed = (ffi.NULL, 0) if sources is None else vertices(sources)
    return results(A.context, lib.sl_betweenness, A, *listed, options)[0]


def triangles(A, *, per_vertex=False):
    """The number of triangles of an undirected graph; per_vertex: (number, an INT64 vector of
    those that each vertex is a corner of)."""
    A = graph(A)
    count, corners = ffi.new("uint64_t *"), ffi.new("sl_vector **")
    A.context._call(lib.sl_triangles, count, corners if per_vertex else ffi.NULL, A)
    return (count[0], Vector._owning(A.context, corners[0])) if per_vertex else count[0]
