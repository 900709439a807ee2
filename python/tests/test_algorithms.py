"""Algorithms and traversals on random graphs, compared with scipy.sparse.csgraph and plain loops."""

import itertools

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import semla


@pytest.fixture(params=range(8))
def rng(request):
    return np.random.default_rng([request.param, *request.function.__name__.encode()])


def random_graph(rng, symmetric=False, weights=False, n=None):
    """A dense array of lengths; 0 is no edge."""
    n = n or int(rng.integers(1, 40))
    dense = (rng.random((n, n)) < rng.choice([0.02, 0.05, 0.2])).astype(np.int64)
    np.fill_diagonal(dense, 0)
    if symmetric:
        dense |= dense.T
    return dense * rng.integers(1, 9, (n, n)) if weights else dense


def matrix(dense):
    return semla.Matrix.from_dense(dense, missing_value=0)


def hops(dense):
    return csgraph.shortest_path(scipy.sparse.csr_matrix(dense), unweighted=True)


def expect(vector, distances):
    """The vector has an entry for each finite distance, and no other."""
    np.testing.assert_array_equal(vector.to_dense(np.inf, float), distances)


# ---- searches -------------------------------------------------------------------


def test_bfs(rng):
    dense = random_graph(rng)
    source, distances = int(rng.integers(len(dense))), hops(dense)
    for options in ({}, {"direction": "push"}, {"direction": "pull"}, {"deterministic": True}, {"int32": True}):
        parents, levels = semla.bfs(matrix(dense), source, **options)
        expect(levels, distances[source])
        assert parents.dtype == levels.dtype == ("int32" if "int32" in options else "int64")
        assert parents.same_pattern(levels) and parents[source].value == source
        for v, parent in parents.to_dict().items():
            if v != source:
                assert dense[parent, v] and levels[v].value == levels[parent].value + 1
    _, levels = semla.bfs(matrix(dense), source, max_depth=2)
    expect(levels, np.where(distances[source] <= 2, distances[source], np.inf))


def test_bfs_of_scipy_and_its_options():
    path = scipy.sparse.csr_matrix(np.eye(9, k=1) + np.eye(9, k=-1))
    steps = []
    _, levels = semla.bfs(path, 0, targets=[3, 5], until="all", log=steps)
    assert levels.nvals == 6 and len(steps) == 5
    assert steps[0]["frontier"] == 1 and steps[0]["direction"] in ("push", "pull")
    _, levels = semla.bfs(path, 0, targets=[3, 5])
    assert levels.nvals == 4
    for wrong in ({"direction": "up"}, {"targets": [1], "until": "some"}):
        with pytest.raises(ValueError):
            semla.bfs(path, 0, **wrong)
    with pytest.raises(semla.OutOfRange, match="9"):
        semla.bfs(path, 9)
    with pytest.raises(semla.OutOfRange):
        semla.bfs(path, 0, targets=[77])
    with pytest.raises(TypeError):
        semla.bfs(path.toarray(), 0)


def test_multi_source_bfs(rng):
    dense = random_graph(rng)
    sources = rng.integers(0, len(dense), 3)
    parents, levels = semla.multi_source_bfs(matrix(dense), sources)
    np.testing.assert_array_equal(levels.to_dense(np.inf, float), hops(dense)[sources])
    assert parents.same_pattern(levels)
    for row, source in enumerate(sources):
        assert parents[row, source].value == source


def test_khop(rng):
    dense = random_graph(rng)
    sources = rng.integers(0, len(dense), 2)
    nearest = hops(dense)[sources].min(axis=0)
    expect(semla.khop(matrix(dense), sources, 2), np.where(nearest <= 2, nearest, np.inf))


def test_st_connected(rng):
    dense = random_graph(rng)
    distances = hops(dense)
    for s, t in rng.integers(0, len(dense), (5, 2)).tolist():
        path = semla.st_connected(matrix(dense), s, t)
        if path is None:
            assert np.isinf(distances[s, t])
        else:
            assert (path[0], path[-1], len(path)) == (s, t, distances[s, t] + 1)
            assert all(dense[i, j] for i, j in itertools.pairwise(path))


def test_pseudo_diameter(rng):
    dense = random_graph(rng, symmetric=True)
    distances = hops(dense)
    found = semla.pseudo_diameter(matrix(dense), source=0, max_searches=1000)
    reached = np.isfinite(distances[0])
    assert found["lower"] == found["upper"] == distances[np.ix_(reached, reached)].max()
    assert distances[found["ends"]] == found["lower"]


def test_bipartite(rng):
    dense = random_graph(rng, symmetric=True)
    sides, cycle = semla.bipartite(matrix(dense))
    if cycle is None:
        side = sides.to_dense()
        assert not any(side[i] == side[j] for i, j in zip(*np.nonzero(dense)))
    else:
        assert sides is None and len(cycle) % 2 == 1
        assert all(dense[i, j] for i, j in zip(cycle, np.roll(cycle, -1)))


def test_independent_set(rng):
    dense = random_graph(rng, symmetric=True)
    chosen = semla.independent_set(matrix(dense), seed=int(rng.integers(9)))
    members = chosen.to_coo()[0]
    assert not dense[np.ix_(members, members)].any()
    assert (np.isin(np.arange(len(dense)), members) | dense[members].any(axis=0)).all()


def test_label_propagation(rng):
    dense = random_graph(rng)
    counts = (dense != 0).astype(int) + (dense.T != 0)
    label = np.arange(len(dense))
    for iterations in range(1, 6):
        votes = counts @ np.eye(len(dense), dtype=int)[label]
        label = np.where(votes.any(axis=1), votes.argmax(axis=1), label)
        found = semla.label_propagation(matrix(dense), max_iterations=iterations)
        assert found.to_coo()[1].tolist() == label.tolist()
    _, info = semla.label_propagation(matrix(dense), max_iterations=5, return_info=True)
    assert info["communities"] == len(set(label.tolist()))


# ---- components and paths ----------------------------------------------------------


def test_components(rng):
    dense = random_graph(rng)
    _, labels = csgraph.connected_components(scipy.sparse.csr_matrix(dense), directed=False)
    least = [np.flatnonzero(labels == label)[0] for label in labels]
    assert semla.components(matrix(dense)).to_coo()[1].tolist() == least


def test_scc(rng):
    dense = random_graph(rng)
    _, labels = csgraph.connected_components(scipy.sparse.csr_matrix(dense), connection="strong")
    least = [np.flatnonzero(labels == label)[0] for label in labels]
    component, info = semla.scc(matrix(dense), return_info=True)
    assert component.to_coo()[1].tolist() == least
    assert info["components"] == len(set(least))


def test_sssp(rng):
    dense = random_graph(rng, weights=True)
    distances, parents = semla.sssp(matrix(dense), 0)
    expected = csgraph.dijkstra(scipy.sparse.csr_matrix(dense), indices=0)
    expect(distances, expected)
    for v, parent in parents.to_dict().items():
        assert v == parent == 0 or expected[v] == expected[parent] + dense[parent, v]


def test_sssp_of_negative_cycles():
    with pytest.raises(semla.Invalid, match="negative"):
        semla.sssp(matrix(np.array([[0, 2, 0], [0, 0, -1], [-2, 0, 0]])), 0)


def test_spanning_forest(rng):
    dense = random_graph(rng, weights=True)
    expected = csgraph.minimum_spanning_tree(scipy.sparse.csr_matrix(np.where(
        (dense == 0) | (dense.T == 0), np.maximum(dense, dense.T), np.minimum(dense, dense.T))))
    forest, info = semla.spanning_forest(matrix(dense), return_info=True)
    assert info["weight"] == expected.sum() and info["forest_edges"] == expected.nnz
    assert info["trees"] == len(dense) - expected.nnz
    chosen = forest.to_dense(0)
    assert (chosen == chosen.T).all() and np.triu(chosen).sum() == expected.sum()
    assert ((chosen == 0) | (chosen == dense) | (chosen == dense.T)).all()


def test_spanning_forest_of_nan():
    with pytest.raises(semla.Invalid, match="from 0 to 1 has the weight NaN"):
        semla.spanning_forest(semla.Matrix.from_coo([0], [1], [np.nan], nrows=2, ncols=2))


# ---- ranks and counts ----------------------------------------------------------------


def test_pagerank(rng):
    dense = random_graph(rng)
    n = len(dense)
    ranks, info = semla.pagerank(
        matrix(dense), tolerance=1e-12, max_iterations=1000, return_info=True
    )
    assert info["converged"] and info["iterations"] > 0 and info["residual"] <= 1e-12
    degrees = dense.sum(axis=1, keepdims=True)
    walk = np.where(degrees > 0, dense / np.maximum(degrees, 1), 1 / n)
    fixed = np.linalg.solve(np.eye(n) - 0.85 * walk.T, np.full(n, 0.15 / n))
    np.testing.assert_allclose(ranks.to_dense(), fixed, atol=1e-9)
    jumps = semla.Vector.from_coo([0], [1.0], size=n)
    only = semla.pagerank(matrix(dense), personalisation=jumps, damping=0.5).to_dense()
    with pytest.raises(ValueError, match="damping"):
        semla.pagerank(matrix(dense), damping=0)
    assert only[0] >= 0.5 - 1e-6 and abs(only.sum() - 1) < 1e-9


def test_betweenness(rng):
    dense = random_graph(rng, n=12)
    distances, counts = hops(dense), paths(dense)
    expected = np.zeros(12)
    for s, v, t in itertools.permutations(range(12), 3):
        if np.isfinite(distances[s, t]) and distances[s, v] + distances[v, t] == distances[s, t]:
            expected[v] += counts[s, v] * counts[v, t] / counts[s, t]
    np.testing.assert_allclose(semla.betweenness(matrix(dense)).to_dense(), expected, atol=1e-9)
    halves = [
        semla.betweenness(matrix(dense), half, batch=2).to_dense()
        for half in (range(6), range(6, 12))
    ]
    np.testing.assert_allclose(sum(halves), expected, atol=1e-9)


def test_betweenness_of_stated_edges():
    """Sums are halved if the caller says that the graph is undirected, not because of its entries."""
    edges = [(0, 2), (2, 0), (1, 2), (2, 1)]
    A = semla.Matrix.from_coo(*np.transpose(edges), nrows=3, ncols=3)
    assert A.is_symmetric and not A.is_declared_symmetric
    assert semla.betweenness(A)[2].value == semla.betweenness(A, directed=True)[2].value == 2
    assert semla.betweenness(A, directed=False)[2].value == 1
    A.promise_symmetric()
    assert A.is_declared_symmetric and A.dup().is_declared_symmetric
    assert semla.betweenness(A)[2].value == 1 and semla.betweenness(A, directed=True)[2].value == 2
    assert semla.Graph.from_edges(edges, directed=True).betweenness()[2] == 2
    assert semla.Graph.from_edges(edges[::2]).betweenness()[2] == 1
    path = semla.generate("path", vertices=3)
    assert not semla.Graph(path).directed and semla.Graph(path).betweenness()[1] == 1
    assert semla.Graph(path, directed=True).betweenness()[1] == 2
    with pytest.raises(semla.Invalid, match="has no mirror edge"):
        semla.betweenness(semla.Matrix.from_coo([0], [1], nrows=2, ncols=2), directed=False)


def test_betweenness_of_samples():
    """Sums over drawn sources are scaled by vertices / sources; normalised values are at most 1."""
    star = semla.generate("star", vertices=5)
    assert semla.betweenness(star, [1], normalised=True)[0].value == 1
    assert semla.betweenness(star, [1])[0].value == 1.5
    ends = np.arange(12)
    cycle = semla.Graph.from_edges(np.stack([ends, (ends + 1) % 12], axis=1))
    exact = sum(cycle.betweenness().values())
    for samples in (1, 3, 12):
        drawn = cycle.betweenness(samples=samples, seed=7)
        assert sum(drawn.values()) == pytest.approx(exact)
    assert dict(drawn) == pytest.approx(dict(cycle.betweenness()))
    for seed in range(5):
        A = semla.generate("kronecker", scale=7, seed=seed)
        for samples in (1, 2, 20, 128):
            values = semla.betweenness(A, samples=samples, seed=seed, normalised=True).to_dense()
            assert values.min() >= 0 and values.max() <= 1 + 1e-12


def test_closures(rng):
    dense = random_graph(rng, n=12)
    A, distances = matrix(dense), hops(dense)
    rows, columns = [0, 1, 3], [5, 0, 7]
    q = semla.Matrix.from_coo(rows, columns, [True] * 3, nrows=4, ncols=12)
    level, parent = semla.Matrix("INT32", 4, 12), semla.Matrix("INT64", 4, 12)
    semla.closures(parent, q, A, "min_secondi", level=level)
    expected = np.full((4, 12), -1.0)
    expected[rows] = np.where(np.isfinite(distances[columns]), distances[columns], -1)
    np.testing.assert_array_equal(level.to_dense(-1), expected)
    parents = parent.to_dense(-1)
    for s, v in zip(*np.nonzero(expected > 0)):
        before = np.nonzero((expected[s] == expected[s, v] - 1) & (dense[:, v] != 0))[0]
        assert parents[s, v] == before[0]
    near = semla.Matrix("INT64", 4, 12)
    semla.closures(None, q, A, "any_pair", max_iterations=1, level=near)
    expected[expected > 1] = -1
    np.testing.assert_array_equal(near.to_dense(-1), expected)
    with pytest.raises(semla.Invalid, match="level has"):
        semla.closures(None, q, A, "any_pair", level=near)
    with pytest.raises(semla.Invalid, match="both NULL"):
        semla.closures(None, q, A, "any_pair")
    with pytest.raises(semla.Unsupported, match="relaxes"):
        semla.closures(semla.Matrix("FP64", 4, 12), q, A, "min_plus")


def test_dependencies(rng):
    A = matrix(random_graph(rng, n=12, symmetric=True))
    total = semla.Vector.from_coo([3], [10.0], size=12)
    semla.dependencies(total, A, range(5))
    semla.dependencies(total, A, np.arange(5, 12))
    expected = semla.betweenness(A, directed=True).to_dense()
    expected[3] += 10
    np.testing.assert_allclose(total.to_dense(), expected, atol=1e-9)
    semla.dependencies(total, A, [])
    np.testing.assert_allclose(total.to_dense(), expected, atol=1e-9)
    with pytest.raises(semla.Mismatch, match="sum is int64"):
        semla.dependencies(semla.Vector("INT64", 12), A, [0])


def paths(dense):
    """The number of shortest paths between every pair."""
    distances = hops(dense)
    counts = np.eye(len(dense))
    for d in range(1, len(dense)):
        counts = np.where(distances == d, counts * (distances == d - 1) @ dense, counts)
    return counts


def closeness_of(distances):
    """The closeness of the vertex whose distances from the others are given."""
    reached = distances[np.isfinite(distances)]
    return len(reached) ** 2 / (len(distances) * reached.sum()) if len(reached) else 0


def test_closeness(rng):
    dense = random_graph(rng)
    n, distances = len(dense), hops(dense)
    expected = [closeness_of(np.delete(distances[:, v], v)) for v in range(n)]
    np.testing.assert_allclose(semla.closeness(matrix(dense)).to_dense(), expected)
    some = rng.integers(0, n, 3)
    exact = semla.closeness(matrix(dense), some).to_dict()
    assert exact == pytest.approx({v: expected[v] for v in some})
    np.testing.assert_allclose(semla.closeness(matrix(dense), samples=n + 5).to_dense(), expected)
    estimate = semla.closeness(matrix(dense), samples=3, seed=7)
    assert estimate.nvals == n and estimate.to_dict() == semla.closeness(matrix(dense), samples=3, seed=7).to_dict()
    with pytest.raises(semla.Invalid, match="closeness: samples and sources cannot both be given"):
        semla.closeness(matrix(dense), [0], samples=1)


def test_triangles(rng):
    dense = random_graph(rng, symmetric=True)
    corners = np.diag(np.linalg.matrix_power(dense, 3)) // 2
    assert semla.triangles(matrix(dense)) == corners.sum() // 3
    count, per_vertex = semla.triangles(matrix(dense), per_vertex=True)
    assert count == corners.sum() // 3 and per_vertex.to_dense().tolist() == corners.tolist()


def test_local_clustering(rng):
    dense = random_graph(rng, symmetric=True)
    degrees = dense.sum(axis=1)
    closed, pairs = np.diag(np.linalg.matrix_power(dense, 3)), degrees * (degrees - 1)
    expected = np.divide(closed, pairs, out=np.zeros(len(dense)), where=pairs > 0)
    coefficients, info = semla.local_clustering(matrix(dense), return_info=True)
    np.testing.assert_allclose(coefficients.to_dense(), expected, rtol=1e-12)
    assert info["mean"] == pytest.approx(expected.mean())
    assert info["global"] == pytest.approx(closed.sum() / max(pairs.sum(), 1))


def test_core_numbers(rng):
    dense = random_graph(rng, symmetric=True)
    core, degrees = np.zeros(len(dense), int), dense.sum(axis=1)
    for _ in range(len(dense)):
        rest = np.flatnonzero(degrees >= 0)
        v = rest[degrees[rest].argmin()]
        core[v] = max(core.max(), degrees[v])
        degrees -= dense[v]
        degrees[v] = -len(dense)
    cores, info = semla.core_numbers(matrix(dense), return_info=True)
    assert cores.to_dense().tolist() == core.tolist()
    assert info["greatest"] == core.max() and info["by_core"] == tuple(np.bincount(core))
    with pytest.raises(semla.Invalid, match="core_numbers: the graph is directed"):
        semla.core_numbers(matrix(np.array([[0, 1], [0, 0]])))


def test_ktruss(rng):
    dense = random_graph(rng, symmetric=True)
    for k in (3, 4, 5):
        kept = dense.copy()
        while ((kept @ kept) * kept < k - 2)[kept > 0].any():
            kept[(kept @ kept) * kept < k - 2] = 0
        truss, info = semla.ktruss(matrix(dense), k, return_info=True)
        assert truss.same_pattern(matrix(kept))
        np.testing.assert_array_equal(truss.to_dense(0), (kept @ kept) * kept)
        assert info["truss_edges"] == kept.sum() // 2
    with pytest.raises(semla.Invalid, match="ktruss: k is 2; the least value is 3"):
        semla.ktruss(matrix(dense), 2)


# ---- traversals --------------------------------------------------------------------------


def test_closure(rng):
    dense = random_graph(rng, weights=True)
    A = matrix(dense)
    pi = semla.Vector.from_coo([0], [0], size=len(dense))
    level, steps = semla.Vector("INT64", len(dense)), []
    semla.closure(pi, pi.dup(), A, semla.semiring.min_plus, level=level, log=steps)
    expect(pi, csgraph.dijkstra(scipy.sparse.csr_matrix(dense), indices=0))
    assert len(steps) >= level.reduce("max").value if level.nvals else len(steps) <= 1

    for prepare in ({"paths": True}, {"pruned": True, "paths": True}):
        A.optimize(**prepare)
        distance = semla.Vector("FP64", len(dense))
        semla.closure(distance, None, A, semla.semiring.min_plus, source=0)
        expect(distance, csgraph.dijkstra(scipy.sparse.csr_matrix(dense), indices=0))

    hop = semla.Vector.from_coo([0], [0], size=len(dense))
    semla.closure(hop, hop.dup(), A, "any_secondi", max_iterations=1)
    assert hop.nvals == 1 + np.count_nonzero(dense[0])


def test_advance_and_plan():
    A = semla.generate("path", vertices=5)
    pi = semla.Vector.from_coo([2], [2], size=5)
    q = pi.dup()
    assert semla.plan(pi, q, A)["push_edges"] == 2
    step = semla.advance(q, pi, q, A, "min_secondi", direction="push")
    assert q.to_dict() == {1: 2, 3: 2} and pi.to_dict() == {1: 2, 2: 2, 3: 2}
    assert (step["direction"], step["frontier"]) == ("push", 1)
    with pytest.raises(semla.Unsupported):
        semla.advance(q, pi, q, A, "plus_times")
