"""Tables and lists of edges, and the matrices of graphs that they describe.

Weights of parallel edges, which lead from one vertex to another in one direction, are added without
wrapping. An undirected edge may be listed in one direction or in both; both are one edge.
"""

from collections.abc import Mapping
from itertools import chain

import numpy as np

from .errors import Invalid
from .labels import column_array
from .matrix import Matrix
from .operators import find
from .types import TYPES, name_of, type_holds
from .values import checked_values

_WRAPPING = {"plus", "times"}  # operators whose results an integer type may not have


# ---- columns ---------------------------------------------------------------------------


def columns(edges, source, target, weight):
    """(sources, targets, weights, names): arrays of column_array, weights or None, and what messages
    call the two columns of labels."""
    if (source is None) != (target is None):
        raise TypeError("from_edges: give the columns of both source and target")
    if source is None:
        if hasattr(edges, "keys") or hasattr(edges, "columns"):
            raise TypeError("from_edges: a table needs the names of its columns source and target")
        sources, targets, weights = _of_tuples(edges)
        names = ["the sources", "the targets"]
    else:
        sources, targets = _column(edges, source), _column(edges, target)
        weights = None if weight is None else _column(edges, weight)
        names = [f"column {source!r}", f"column {target!r}"]
    if np.ma.is_masked(weights):
        raise ValueError("from_edges: some weights are masked: remove these edges, or fill the weights")
    sources, targets = column_array(sources), column_array(targets)
    if len(sources) != len(targets):
        raise ValueError(f"from_edges: there are {len(sources)} sources, but {len(targets)} targets")
    return sources, targets, weights, names


def _column(table, name):
    """A column of a table: pandas, Arrow, polars, a dict of arrays."""
    try:
        column = table[name]
    except (KeyError, IndexError) as error:
        raise ValueError(f"the table has no column {name!r}") from error
    return column if hasattr(column, "__array__") else list(column)


def _of_tuples(edges):
    """The sources, targets and weights (None: there are none) of a list of tuples or an array."""
    if isinstance(edges, np.ndarray):
        widths = {edges.shape[1] if edges.ndim == 2 else 0} if len(edges) else set()
    else:
        edges = list(edges)
        widths = set(map(len, edges))
    if not widths:
        return [], [], None
    if widths not in ({2}, {3}):
        raise ValueError("edges must be (source, target), or all (source, target, weight)")
    (width,) = widths
    if isinstance(edges, np.ndarray):
        listed = list(edges.T)
    else:
        flat = list(chain.from_iterable(edges))
        listed = [flat[k::width] for k in range(width)]
    return listed[0], listed[1], listed[2] if width == 3 else None


def unread_weight(table, source, target):
    """Asks for the weight if one column of a table besides source and target has numbers; else None."""
    names = getattr(table, "column_names", None)  # Arrow, whose `columns` are the data
    names = list(table) if isinstance(table, Mapping) else names or getattr(table, "columns", [])
    numbers = [
        name
        for name in names
        if name not in (source, target) and _is_number(table[name])
    ]
    if len(numbers) != 1:
        return None
    return (
        f"the table has a column {numbers[0]!r}, but no weight was given: from_edges(..., "
        f"weight={numbers[0]!r}) reads it; a table without that column gives every edge the length 1"
    )


def _is_number(column):
    """Whether a column has numbers, by its type or its first elements."""
    kind = getattr(getattr(column, "dtype", None), "kind", None)
    return (kind or np.asarray(column[:100]).dtype.kind) in "iuf"


# ---- matrices ---------------------------------------------------------------------------


def matrix_of(rows, cols, weights, labels, directed, dup, context):
    """The matrix of a graph with these edges. With dup=None parallel edges are added, and the two
    directions of an undirected edge must have the same weight; otherwise dup combines all weights of
    an edge. Without weights the matrix is a pattern."""
    n = len(labels)
    if weights is None:
        made = Matrix.from_coo(rows, cols, True, nrows=n, ncols=n, dup_op="lor", context=context)
        return made if directed else undirected(made, labels, "")
    weights, _ = checked_values(weights, len(rows), None)
    if dup is not None and not directed:
        rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
    made = _combine(rows, cols, weights, labels, "plus" if dup is None else dup, context)
    if directed:
        return made
    hint = "from_edges: {}; pass directed=True, or dup='min' or another operator to combine them"
    try:
        return undirected(made, labels, hint)
    except Invalid:
        if weights.dtype.kind != "f" or made.nvals == len(rows):
            raise
    # The sums of both directions may differ by the order of their terms alone.
    order = np.argsort(weights, kind="stable")
    made = _combine(rows[order], cols[order], weights[order], labels, "plus", context)
    return undirected(made, labels, hint)


def _combine(rows, cols, weights, labels, dup, context):
    """The matrix of weighted edges, parallel ones combined by dup. It has the type of the weights, or
    INT64 or UINT64 where sums or products need it."""
    n, dtype = len(labels), weights.dtype
    shape = {"nrows": n, "ncols": n, "dup_op": dup, "context": context}
    name = find(dup, "binary").name
    if name not in _WRAPPING or dtype.kind not in "iu":
        return Matrix.from_coo(rows, cols, weights, **shape)
    wide = TYPES["INT64" if dtype.kind == "i" else "UINT64"]
    made = Matrix.from_coo(rows, cols, weights, wide, **shape)
    reach = np.abs(weights, dtype=np.float64).sum()  # bounds all sums
    if made.nvals < len(rows) and (reach > 2.0**62 or name != "plus"):
        about = Matrix.from_coo(rows, cols, weights, "FP64", **shape)
        _refuse_wrapped(made, about, labels)
    if wide == dtype:
        return made
    extremes = [made.reduce_scalar(name).value for name in ("min", "max")]
    narrow = made.nvals == 0 or all(type_holds(dtype, int(value)) for value in extremes)
    return made.dup(dtype) if narrow else made


def _refuse_wrapped(made, about, labels):
    """Invalid if a sum or product of integers has wrapped; `about` has their floats."""
    rows, cols, values = about.to_coo()
    wrapped = np.flatnonzero(np.abs(values - made.to_coo()[2]) > 2.0**62)  # by 2^64, rounded
    if len(wrapped):
        at = wrapped[0]
        a, b = labels[[rows[at], cols[at]]].tolist()
        raise Invalid(
            f"from_edges: the weights of the edges {a!r} -> {b!r} make {values[at]:.16g}, which is no "
            f"{name_of(made.dtype)}; pass the weights as floats"
        )


def undirected(A, labels, hint):
    """The symmetric matrix of a graph whose edges A has in one direction or in both. Invalid if the
    two directions of an edge have different weights; `hint` is the message, with {} for the pair."""
    T = A.T
    if not A.is_pattern:
        differing = A.ewise_mult(T, "ne").select("valuene", False).new()
        if differing.nvals and A.dtype.kind == "f":  # NaN and NaN are the same weight
            nan = A.apply("isnan").new()
            both = nan.ewise_mult(nan.T, "land").new()
            differing = differing.ewise_mult(both, "gt").select("valuene", False).new()
        if differing.nvals:
            row = int(differing.apply("rowindex").new().reduce_scalar("min").value)
            col = int(differing[row, :].new().apply("index").new().reduce("min").value)
            a, b = labels[[row, col]].tolist()
            there, back = A[row, col].value, A[col, row].value
            pair = f"the edge {a!r} -> {b!r} has the weight {there}, {b!r} -> {a!r} has {back}"
            raise Invalid(hint.format(pair))
    made = A.ewise_add(T, "lor" if A.dtype.kind == "b" else "max").new()
    made._unread = A._unread
    made.promise_symmetric()
    return made
