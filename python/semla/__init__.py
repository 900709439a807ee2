"""Graph algorithms as sparse linear algebra over semirings.

A graph is a sparse matrix A: entry (i, j) is the edge from i to j. One iteration of an algorithm
is a product over a semiring:

>>> import semla
>>> A = semla.Matrix.from_coo([0, 0, 1], [1, 2, 2], [5.0, 1.0, 2.0], nrows=3, ncols=3)
>>> u = semla.Vector.from_coo([0], [0.0], size=3)
>>> u.vxm(A, semla.semiring.min_plus).new().to_dict()
{1: 5.0, 2: 1.0}

Where to start
--------------
Read or make a graph
    `semla.read`, `semla.generate`, `Matrix.from_coo`, `Matrix.from_csr`, `Matrix.from_scipy`
Run an algorithm
    `semla.bfs`, `semla.components`, `semla.sssp`, `semla.pagerank`, `semla.betweenness`,
    `semla.triangles`, ...
Use the operations
    the methods of `Vector` and `Matrix`; the operators in `semla.unary`, `binary`, `indexunary`,
    `select`, `monoid` and `semiring`
Write a traversal
    `semla.advance` (one iteration), `semla.closure` (all iterations), `semla.closures` (from
    several frontiers), `semla.dependencies` (on shortest paths)
Choose the hardware
    `semla.Context`, `semla.engines`
Handle errors
    every error of the library is a `semla.Error`; see `semla.errors`

docs/python.md of the project is the guide.
"""

from . import errors, user_operators  # noqa: F401 # adds `new` to the namespaces
from ._version import VERSION as __version__
from .aggregators import agg
from .algorithms import REGISTERED, bfs
from .arrays import Arrays
from .context import Context, current_context, engines
from .errors import *  # noqa: F403 # one class for each status
from .expressions import REPLACE as replace
from .files import read, read_vector
from .graph import Graph, VertexMap
from .matrix import Matrix
from .models import generate
from .operators import binary, indexunary, monoid, select, semiring, unary
from .scalar import Scalar
from .traversal import advance, closure, closures, dependencies, plan
from .types import TYPES
from .vector import Vector

globals().update(TYPES)  # semla.FP64, ...: numpy dtypes
globals().update(REGISTERED)  # semla.components, ...: a function for each registered algorithm

__all__ = [
    "Arrays",
    "Context",
    "Graph",
    "Matrix",
    "Scalar",
    "Vector",
    "VertexMap",
    "agg",
    "binary",
    "indexunary",
    "monoid",
    "replace",
    "select",
    "semiring",
    "unary",
    "current_context",
    "engines",
    "advance",
    "closure",
    "closures",
    "dependencies",
    "plan",
    "bfs",
    "generate",
    "read",
    "read_vector",
    *REGISTERED,
    *errors.__all__,
    *TYPES,
]


def __dir__():
    return sorted(["__doc__", "__version__", "errors", *__all__])
