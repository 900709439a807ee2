"""semla: sparse linear algebra over semirings, for graphs.

A matrix is a graph, a step of an algorithm a product over a semiring:

    >>> import semla
    >>> A = semla.Matrix.from_coo([0, 0, 1], [1, 2, 2], [5.0, 1.0, 2.0], nrows=3, ncols=3)
    >>> u = semla.Vector.from_coo([0], [0.0], size=3)
    >>> u.vxm(A, semla.semiring.min_plus).new().to_dict()
    {1: 5.0, 2: 1.0}

See docs/python.md of the project.
"""

from . import errors, user_operators  # noqa: F401: gives the namespaces their `new`
from ._version import VERSION as __version__
from .algorithms import REGISTERED, bfs
from .arrays import Arrays
from .context import Context, current_context, engines
from .errors import *  # noqa: F403: one class for each status
from .files import generate, read, read_vector
from .matrix import Matrix
from .operators import binary, indexunary, monoid, select, semiring, unary
from .scalar import Scalar
from .traversal import advance, closure, plan
from .types import TYPES
from .vector import Vector

globals().update(TYPES)  # semla.FP64, ...: numpy's dtypes
globals().update(REGISTERED)  # semla.components, ...: a function for each registered algorithm

__all__ = [
    "Arrays",
    "Context",
    "Matrix",
    "Scalar",
    "Vector",
    "binary",
    "indexunary",
    "monoid",
    "select",
    "semiring",
    "unary",
    "current_context",
    "engines",
    "advance",
    "closure",
    "plan",
    "bfs",
    "generate",
    "read",
    "read_vector",
    *REGISTERED,
    *errors.__all__,
    *TYPES,
]
