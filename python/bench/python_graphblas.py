#!/usr/bin/env python3
"""Compares this package with python-graphblas, operation by operation, on this machine.

    PYTHONPATH=build/release/python python3 python/bench/python_graphblas.py [--threads N] [SCALE ...]

Needs python-graphblas (pip install python-graphblas[default]). The graph is a random one of 2^SCALE
vertices and 16 edges per vertex; by default SCALE is 4, where the time is that of the call, and 16.
Both use the engine SuiteSparse:GraphBLAS, in the version that each of them has, with the same number
of threads. Prints, for each operation, the least time of both in microseconds and their ratio: above
1, semla is faster.
"""

import argparse
import timeit

import graphblas as gb
import numpy as np

import semla


def measured(function):
    """The least time of a call, in microseconds."""
    function()
    number, seconds = timeit.Timer(function).autorange()
    number = max(1, int(number * 0.1 / max(seconds, 1e-9)))
    return min(timeit.repeat(function, number=number, repeat=5)) / number * 1e6


def edges(scale):
    """The rows, columns and values of a random matrix without duplicates."""
    random = np.random.default_rng(7)
    n = 1 << scale
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


def operations(library, scale):
    """{name: function} for one of the packages."""
    rows, cols, values = edges(scale)
    n = 1 << scale

    def build():
        return library.Matrix.from_coo(rows, cols, values, nrows=n, ncols=n)

    A, u = build(), library.Vector.from_dense(np.arange(n, dtype=np.float64))
    C, w = library.Matrix("FP64", n, n), library.Vector("FP64", n)
    op = library.semiring.plus_times
    return {
        "build from_coo": build,
        "to_coo": lambda: A.to_coo(),
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


def check(scale):
    """The results of both must be equal."""
    rows, cols, values = edges(scale)
    n = 1 << scale
    made = [p.Matrix.from_coo(rows, cols, values, nrows=n, ncols=n) for p in (semla, gb)]
    levels = [bfs(p, A, n).to_dense(-1) for p, A in zip((semla, gb), made)]
    assert (levels[0] == levels[1]).all()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scales", nargs="*", type=int, default=[4, 16], metavar="SCALE")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    gb.init("suitesparse", blocking=True)
    gb.ss.config["nthreads"] = options.threads
    with semla.Context("suitesparse", threads=options.threads):
        for scale in options.scales:
            check(scale)
            ours, theirs = operations(semla, scale), operations(gb, scale)
            print(f"2^{scale} vertices, {options.threads} threads")
            print(f"{'operation':20}{'semla us':>12}{'peer us':>12}{'ratio':>8}")
            for name, function in ours.items():
                own, peer = measured(function), measured(theirs[name])
                print(f"{name:20}{own:12.1f}{peer:12.1f}{peer / own:8.2f}", flush=True)


if __name__ == "__main__":
    main()
