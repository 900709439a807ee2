"""Pictures of matrices, vectors and searches, with matplotlib, which is optional.

The methods `Matrix.plot`, `Vector.plot` and `Graph.plot` call the functions here. Each draws into
the axes `ax`, by default into those of a new figure, and returns them:

>>> import semla, semla.plot
>>> A = semla.generate("kronecker", scale=8)
>>> axes = A.plot()  # where the entries are
>>> axes = A.plot("degrees")
>>> log = []
>>> parents, levels = semla.bfs(A, 0, log=log)
>>> axes = semla.plot.search(log)

For interactive pages about a graph and its searches see the command `semla report`.
"""

import numpy as np

SQUARES = 200  # of a spy plot, in each dimension
PUSH, PULL = "#d9722b", "#2b6cb0"


def _axes(ax):
    """The axes to draw into; new ones for None."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            f"plot: matplotlib cannot be imported ({error}); pip install matplotlib"
        ) from error
    return pyplot.subplots(layout="constrained")[1]


def _log(ax, x, y):
    """Makes axes logarithmic if they have a positive value, as those need one."""
    if np.any(np.asarray(x) > 0):
        ax.set_xscale("log")
    if np.any(np.asarray(y) > 0):
        ax.set_yscale("log")


def _pairs(ax, values, xlabel, ylabel, label=None):
    """Draws a dot for each value and the number of its occurrences."""
    found, counts = np.unique(np.asarray(values), return_counts=True)
    shown = found > 0
    ax.plot(found[shown], counts[shown], ".", label=label)
    _log(ax, found[shown], counts[shown])
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    return ax


def _levels_axis(ax):
    """The x axis of bars, one for each level."""
    ax.set_xlabel("level")
    ax.xaxis.get_major_locator().set_params(integer=True)


# ---- matrices -----------------------------------------------------------------------


def spy(A, ax=None, *, squares=SQUARES):
    """Draw where the entries of a matrix are.

    Parameters
    ----------
    A : Matrix
        The matrix.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    squares : int
        A greater matrix is divided into as many squares in each dimension, which are darker with
        more entries, by their logarithm.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    Cost: a copy of the entries.
    """
    ax = _axes(ax)
    shape = [min(squares, side) for side in A.shape]
    rows, cols, _ = A.to_coo()
    counts = np.zeros(shape, np.int64)
    parts = [
        at.astype(np.int64) * n // max(side, 1) for at, n, side in zip((rows, cols), shape, A.shape)
    ]
    np.add.at(counts, tuple(parts), 1)
    shade = np.ma.masked_equal(np.log1p(counts), 0)
    if counts.size:
        least = float(shade.min()) if counts.any() else 0.0
        ax.imshow(
            shade,
            cmap="Blues",
            vmin=least - 0.3 * max(float(shade.max() or 0) - least, 1) if counts.any() else 0,
            interpolation="nearest",
            extent=(0, A.ncols, A.nrows, 0),
        )
    ax.xaxis.set_ticks_position("top")
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("column")
    ax.set_ylabel("row")
    return ax


def degrees(A, ax=None):
    """Draw how many vertices have each degree, on logarithmic axes.

    Parameters
    ----------
    A : Matrix
        Entry (i, j) is the edge from i to j. Of a matrix that is not symmetric both the out-degrees
        (rows) and the in-degrees (columns) are drawn. Vertices without edges are not.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Notes
    -----
    Cost: a copy of the entries.
    """
    ax = _axes(ax)
    rows, cols, _ = A.to_coo()
    out = np.bincount(rows.astype(np.int64), minlength=A.nrows)
    if A.nrows == A.ncols and A.is_symmetric:
        return _pairs(ax, out, "degree", "vertices")
    _pairs(ax, out, "degree", "vertices", "out-degree")
    _pairs(
        ax, np.bincount(cols.astype(np.int64), minlength=A.ncols), "degree", "vertices", "in-degree"
    )
    ax.legend()
    return ax


# ---- vectors -------------------------------------------------------------------------


def values(v, ax=None):
    """Draw how often each value of a vector occurs.

    Parameters
    ----------
    v : Vector
        Of integers each positive value is a dot, on logarithmic axes: degrees, sizes of components.
        Other values are drawn as a histogram.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = _axes(ax)
    _, numbers = v.to_coo()
    if np.issubdtype(numbers.dtype, np.integer):
        return _pairs(ax, numbers, "value", "entries")
    ax.hist(
        numbers[np.isfinite(numbers)] if numbers.dtype.kind == "f" else numbers.astype(int), bins=50
    )
    ax.set_xlabel("value")
    ax.set_ylabel("entries")
    return ax


def levels(v, ax=None):
    """Draw the number of vertices of each level of a breadth-first search.

    Parameters
    ----------
    v : Vector
        The levels that `semla.bfs` returns.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = _axes(ax)
    _, numbers = v.to_coo()
    if not np.issubdtype(numbers.dtype, np.integer) or (numbers < 0).any():
        raise ValueError(
            "plot: levels are integers from 0; use semla.plot.values for other vectors"
        )
    counts = np.bincount(numbers.astype(np.int64))
    ax.bar(np.arange(len(counts)), counts, color=PULL)
    _log(ax, [], counts)
    _levels_axis(ax)
    ax.set_ylabel("vertices")
    return ax


# ---- searches ------------------------------------------------------------------------


def search(log, ax=None, what="frontier"):
    """Draw the levels of a search as bars, coloured push or pull.

    Parameters
    ----------
    log : list of dict
        The list that was passed to `semla.bfs(..., log=log)` or to another traversal.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    what : {"frontier", "edges", "seconds"}
        The height of the bars: vertices of the frontier, edges examined, time.

    Returns
    -------
    matplotlib.axes.Axes
    """
    if what not in ("frontier", "edges", "seconds"):
        raise ValueError(f'plot: what={what!r}; one of "frontier", "edges", "seconds"')
    ax = _axes(ax)
    for direction, color in (("push", PUSH), ("pull", PULL)):
        of = [k for k, level in enumerate(log) if level["direction"] == direction]
        if of:
            ax.bar(of, [log[k][what] for k in of], color=color, label=direction)
    _log(ax, [], [level[what] for level in log])
    _levels_axis(ax)
    ax.set_ylabel({"frontier": "vertices", "edges": "edges", "seconds": "time (s)"}[what])
    if log:
        ax.legend()
    return ax


def draw(thing, kind, kinds, ax):
    """Draws what the method `plot` of an object asks for: one of `kinds`, {name: function}."""
    if kind not in kinds:
        names = ", ".join(f'"{name}"' for name in kinds)
        raise ValueError(f"plot: kind={kind!r}; one of {names}")
    return kinds[kind](thing, ax)
