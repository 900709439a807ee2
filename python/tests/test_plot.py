"""Tests of pictures with matplotlib: what is drawn, not how it looks."""

import builtins

import numpy as np
import pytest

import semla

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

import semla.plot  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def star(n):
    zeros, others = np.zeros(n - 1, int), np.arange(1, n)
    rows, cols = np.append(zeros, others), np.append(others, zeros)
    return semla.Matrix.from_coo(rows, cols, np.ones(2 * n - 2), nrows=n, ncols=n)


def dots(ax, line=0):
    return sorted(map(tuple, np.asarray(ax.lines[line].get_data()).T.tolist()))


def test_spy_shows_the_entries():
    A = semla.Matrix.from_coo([0, 1, 4], [2, 0, 4], [1.0, 2.0, 3.0], nrows=5, ncols=6)
    ax = A.plot()
    shade = ax.images[0].get_array()
    assert shade.shape == (5, 6)
    assert list(zip(*np.nonzero(~shade.mask))) == [(0, 2), (1, 0), (4, 4)]
    assert ax.get_xlim() == (0, 6) and ax.get_ylim() == (5, 0)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("column", "row")


def test_spy_of_a_great_matrix_counts_squares():
    A = semla.Matrix.from_coo([0, 1, 999], [0, 1, 999], [1, 1, 1], nrows=1000, ncols=1000)
    shade = semla.plot.spy(A, squares=10).images[0].get_array()
    assert shade.shape == (10, 10)
    assert np.isclose(shade[0, 0], np.log1p(2)) and np.isclose(shade[9, 9], np.log1p(1))


def test_degrees():
    ax = star(11).plot("degrees")
    assert dots(ax) == [(1, 10), (10, 1)]
    assert ax.get_xscale() == ax.get_yscale() == "log"
    A = semla.Matrix.from_coo([0, 0, 1], [1, 2, 2], [1, 1, 1], nrows=3, ncols=3)
    ax = A.plot("degrees")
    assert dots(ax, 0) == [(1, 1), (2, 1)]  # out
    assert dots(ax, 1) == [(1, 1), (2, 1)]  # in
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["out-degree", "in-degree"]


def test_values():
    v = semla.Vector.from_coo([0, 1, 2, 5], [3, 3, 7, 0], size=9)
    assert dots(v.plot()) == [(3, 2), (7, 1)]
    w = semla.Vector.from_coo([0, 1, 2], [0.5, float("inf"), 1.5], size=9)
    assert sum(bar.get_height() for bar in w.plot().patches) == 2


def test_a_search():
    log = []
    _, levels = semla.bfs(star(11), 1, log=log)
    ax = levels.plot("levels")
    assert [bar.get_height() for bar in ax.patches] == [1, 1, 9]
    ax = semla.plot.search(log)
    assert sorted(bar.get_height() for bar in ax.patches) == sorted(e["frontier"] for e in log)
    ax = semla.plot.search(log, what="edges")
    assert ax.get_ylabel() == "edges"
    with pytest.raises(ValueError, match="what='time'; one of"):
        semla.plot.search(log, what="time")


def test_a_graph_and_given_axes():
    graph = semla.Graph.from_edges([("a", "b"), ("b", "c")])
    figure, axes = pyplot.subplots(1, 2)
    assert graph.plot(ax=axes[0]) is axes[0] and graph.plot("spy", ax=axes[1]) is axes[1]
    assert pyplot.get_fignums() == [figure.number]


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 0)])
def test_nothing_to_draw(shape):
    A = semla.Matrix("FP64", *shape)
    for kind in ("spy", "degrees"):
        A.plot(kind).figure.canvas.draw()
    v = semla.Vector("INT64", shape[0])
    for kind in ("values", "levels"):
        v.plot(kind).figure.canvas.draw()
    semla.plot.search([]).figure.canvas.draw()


def test_wrong_arguments():
    with pytest.raises(ValueError, match='kind=\'pie\'; one of "spy", "degrees"'):
        star(3).plot("pie")
    with pytest.raises(ValueError, match="levels are integers from 0"):
        semla.Vector.from_coo([0], [0.5], size=2).plot("levels")


def test_without_matplotlib(monkeypatch):
    real = builtins.__import__

    def missing(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError("No module named 'matplotlib'")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        star(3).plot()
