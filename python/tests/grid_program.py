"""What test_grid.py runs on every rank: the results of a grid equal those of one process."""

import pickle
import sys

import numpy as np
from mpi4py import MPI

import semla

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
shape = tuple(map(int, sys.argv[1].split("x")))
context = semla.Context("suitesparse", comm=comm, grid=shape, threads=1)
assert context.processes == size and context.engines[0] == "grid"
assert context.grid["rank"] == rank and context.grid["size"] == size
assert 0 in shape or (context.grid["rows"], context.grid["cols"]) == shape

random = np.random.default_rng(5)  # the same on every rank
n = 60
keys = np.unique(random.integers(0, n * n, 400))
rows, cols, values = keys // n, keys % n, random.random(keys.size)
local = semla.Matrix.from_coo(rows, cols, values, nrows=n, ncols=n)
mine = slice(rank, None, size)  # each rank passes its own entries
A = semla.Matrix.from_coo(rows[mine], cols[mine], values[mine], nrows=n, ncols=n, context=context)
assert A.nvals == local.nvals and A.context is context


def same(distributed, expected):
    """Whether the entries of all ranks together are those of an object of one process."""
    found = distributed.gather(size - 1)
    assert (found is None) == (rank != size - 1)
    if found is not None:
        for one, other in zip(found, expected.to_coo()):
            assert np.allclose(one, other), (one, other)
    parts = comm.gather(len(distributed.to_coo()[0]), 0)
    assert parts is None or sum(parts) == expected.nvals


same(A, local)
same((A @ A).new(), (local @ local).new())
same(A.apply("sqrt").new(), local.apply("sqrt").new())
same(A.reduce_rowwise().new(), local.reduce_rowwise().new())
assert abs(A.reduce_scalar().value - local.reduce_scalar().value) < 1e-9
same(semla.bfs(A, 3)[1], semla.bfs(local, 3)[1])
same(semla.sssp(A, 3)[0], semla.sssp(local, 3)[0])
with context:
    generated = semla.generate("kronecker", scale=6)
    assert generated.context is context
    try:
        semla.read(sys.argv[2])
    except semla.NoMemory as error:
        assert "renumber=True" in str(error)
        assert size == 1 or f"on each of {size} ranks" in str(error)
    else:
        raise AssertionError
    assert semla.read(sys.argv[2], renumber=True).shape == (3, 3)
    graph = semla.Graph.read(sys.argv[3], symmetric=True, weight_column="same")
    expected = {0: {1: 5.0}, 1: {0: 5.0, 2: 2.0}, 2: {1: 2.0}}
    same(graph.matrix, semla.Matrix.from_dicts(expected, context=local.context))
    try:
        semla.Graph.read(sys.argv[3], symmetric=True, weight_column="other")
    except semla.Invalid as error:
        assert "'a' -> 'b' has the weight 5.0, 'b' -> 'a' has 7.0" in str(error)
    else:
        raise AssertionError
whole = (
    A.to_dense,
    lambda: A.to_dense(0),
    A.to_scipy,
    lambda: pickle.dumps(A),
    lambda: A.give("csr"),
)
arrays = (
    lambda: semla.Vector.from_dense([1.0], context=context),
    lambda: semla.Matrix.from_csr([0, 1], [0], [2.0], context=context),
)
for instead, methods in ("gather()", whole), ("from_coo()", arrays):
    for method in methods if size > 1 else ():
        try:
            method()
        except semla.Unsupported as error:
            assert instead in str(error), error
        else:
            raise AssertionError
for wrong in 2, "2x2", (1, 2, 3):
    try:
        semla.Context(comm=comm, grid=wrong)
    except TypeError as error:
        assert "grid must be a pair (rows, cols), not" in str(error)
    else:
        raise AssertionError
if rank == 0 and size > 1:
    assert "on a grid" in repr(A)  # one rank alone may print
try:
    semla.Context(comm=comm, grid=(size + 1, 1))
except semla.Invalid as error:
    assert f"needs {size + 1} ranks, but there are {size}" in str(error)
else:
    raise AssertionError
for engine in semla.engines():
    if not engine["present"]:
        try:
            semla.Context(engine["name"], comm=comm)
        except semla.Unsupported as error:
            assert engine["unavailable_reason"] in str(error)
        else:
            raise AssertionError
comm.Barrier()
print("equal", flush=True)
