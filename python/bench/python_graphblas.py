#!/usr/bin/env python3
"""Compares this package with python-graphblas, operation by operation, on this machine.

    PYTHONPATH=build/release/python python3 python/bench/python_graphblas.py [--threads N] [--cpu] [SIZE ...]

Needs python-graphblas (pip install python-graphblas[default]). The graph is a random one with SIZE
vertices and 16 edges per vertex, at most; by default the sizes are 10 and 10000, where the time is that
of the calls, and 65536. Both use the engine SuiteSparse:GraphBLAS, in the version that each of them has,
with the same number of threads. The packages take turns, a few milliseconds each, so that other work of
the machine slows both down; on a busy machine --cpu measures processor time, which equals the time of
one thread. Prints, for each operation, the median time of both in microseconds, and
the median of the ratios of neighbouring turns: above 1, semla is faster.
"""

import argparse
import statistics
import time
import timeit

import graphblas as gb
import numpy as np

import semla


TURNS, TURN_SECONDS = 31, 0.004


def measured(own, peer, timer):
    """The median times of a call of both in microseconds, and the median ratio of neighbours."""
    own(), peer()
    number = [max(1, int(TURN_SECONDS / timeit.timeit(f, number=3) * 3)) for f in (own, peer)]
    times = [
        [timeit.timeit(f, number=n, timer=timer) / n * 1e6 for f, n in zip((own, peer), number)]
        for _ in range(TURNS)
    ]
    ratio = statistics.median(theirs / ours for ours, theirs in times)
    return *(statistics.median(column) for column in zip(*times)), ratio


def edges(n):
    """The rows, columns and values of a random matrix without duplicates."""
    random = np.random.default_rng(7)
    keys = np.unique(random.integers(0, n * n, 16 * n, dtype=np.uint64))
    return keys // np.uint64(n), keys % np.uint64(n), random.random(keys.size)


def bfs(library, A, n):
    """Levels by plain operations, with the spelling that both packages have."""
    level, frontier = library.Vector("INT64", n), library.Vector("BOOL", n)
    frontier[0] = True
    for depth in range(n):
        level(frontier.S) << depth
        frontier(~level.S, replace=True) << frontier.vxm(A, library.semiring.any_pair["BOOL"])
        if frontier.nvals == 0:
            break
    return level


def operations(library, n):
    """{name: function} for one of the packages."""
    rows, cols, values = edges(n)

    def build():
        return library.Matrix.from_coo(rows, cols, values, nrows=n, ncols=n)

    A, u = build(), library.Vector.from_dense(np.arange(n, dtype=np.float64))
    C, w = library.Matrix("FP64", n, n), library.Vector("FP64", n)
    op = library.semiring.plus_times
    return {
        "build from_coo": build,
        "to_coo": lambda: A.to_coo(),
        "(A @ u).new()": lambda: (A @ u).new(),
        "(A + A).new()": lambda: (A + A).new(),
        "(u + 1).new()": lambda: (u + 1).new(),
        "u[1] == 1": lambda: u[1] == 1,
        "mxm, masked": lambda: C(A.S) << A.mxm(A, op),
        "vxm": lambda: w << u.vxm(A, op),
        "mxv": lambda: w << A.mxv(u, op),
        "ewise_add": lambda: C << A.ewise_add(A, library.binary.plus),
        "ewise_mult": lambda: C << A.ewise_mult(A, library.binary.times),
        "vector ewise_mult": lambda: w << u.ewise_mult(u, library.binary.times),
        "apply": lambda: w << u.apply(library.unary.abs),
        "apply bound": lambda: w << u.apply(library.binary.plus, 1.0),
        "reduce": lambda: u.reduce(library.monoid.plus).value,
        "reduce_rowwise": lambda: w << A.reduce_rowwise(library.monoid.plus),
        "select": lambda: C << A.select("tril"),
        "assign, masked": lambda: w(u.V, replace=True) << u,
        "element": lambda: u[1].value,
        "set element": lambda: u.__setitem__(1, 2.0),
        "nvals": lambda: u.nvals,
        "new vector": lambda: library.Vector("FP64", n),
        "bfs, plain loop": lambda: bfs(library, A, n),
    }


def check(n):
    """The results of both must be equal."""
    rows, cols, values = edges(n)
    made = [p.Matrix.from_coo(rows, cols, values, nrows=n, ncols=n) for p in (semla, gb)]
    levels = [bfs(p, A, n).to_dense(-1) for p, A in zip((semla, gb), made)]
    assert (levels[0] == levels[1]).all()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, metavar="SIZE")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="processor time instead of time")
    options = parser.parse_args()
    timer = time.process_time if options.cpu else time.perf_counter
    gb.init("suitesparse", blocking=True)
    gb.ss.config["nthreads"] = options.threads
    with semla.Context("suitesparse", threads=options.threads):
        for n in options.sizes or (10, 10_000, 65_536):
            check(n)
            ours, theirs = operations(semla, n), operations(gb, n)
            print(f"{n} vertices, {options.threads} threads")
            print(f"{'operation':20}{'semla us':>12}{'peer us':>12}{'ratio':>8}")
            for name, function in ours.items():
                own, peer, ratio = measured(function, theirs[name], timer)
                print(f"{name:20}{own:12.1f}{peer:12.1f}{ratio:8.2f}", flush=True)


if __name__ == "__main__":
    main()
