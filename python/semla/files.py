"""Graphs from files and models, and into files."""

import os

import numpy as np

from ._library import ffi, lib
from .context import current_context
from .matrix import Matrix
from .memory import Memory
from .scalar import number
from .traversal import chosen
from .types import INDEX, pack
from .vector import Vector


def _choices(enumeration, prefix):
    """The names of an enumeration's codes, in lower case and without their prefix."""
    codes = ffi.typeof(enumeration).relements
    return {name[len(prefix) :].lower(): code for name, code in codes.items()}


_FORMATS = _choices("sl_file_format", "SL_FORMAT_")
_VECTOR_FORMATS = _choices("sl_vector_format", "SL_VECTOR_")
_DUPLICATES = _choices("sl_duplicates", "SL_DUPLICATES_")
_MODELS = _choices("sl_model", "SL_MODEL_")


def _path(path):
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError("embedded null byte in a path")
    return ffi.new("char[]", encoded)


def _read_options(duplicates, **flags):
    options = ffi.new("sl_read_options *")
    options.duplicates = chosen(_DUPLICATES, "duplicates", duplicates)
    options.flags = sum(getattr(lib, "SL_READ_" + name.upper()) for name, on in flags.items() if on)
    return options


# ---- matrices --------------------------------------------------------------------


def read(
    path,
    *,
    symmetric=False,
    no_loops=False,
    transposed=False,
    pattern=False,
    renumber=False,
    duplicates="drop",
    format="auto",
    base=0,
    vertices=0,
    return_ids=False,
    context=None,
):
    """A graph from a file, as a Matrix.

    The format is told by the name and the first line, or by `format`: "matrix_market",
    "edge_list", "dimacs", "metis", ... Names may end in .gz or .zst.

    symmetric: add the mirror image of every entry. no_loops: drop self-loops.
    transposed: swap rows and columns. pattern: ignore weights.
    renumber: number the ids that occur 0, 1, ...; return_ids: (matrix, ids), the ids being
        an array of the file's id of each vertex, or None where they are the indices.
    duplicates: "drop" (keep the first), "last", "sum", "min", "max", "error".
    base: an edge list's first id, 0 or 1. vertices: their number, where the file tells none.
    """
    context = context or current_context()
    options = _read_options(
        duplicates,
        symmetric=symmetric,
        no_loops=no_loops,
        transposed=transposed,
        pattern=pattern,
        renumber=renumber,
    )
    options.format = chosen(_FORMATS, "format", format)
    options.base, options.vertices = base, vertices
    out, ids = ffi.new("sl_matrix **"), ffi.new("uint64_t **")
    context._call(lib.sl_matrix_read_with, out, ids, context, _path(path), options)
    A = Matrix._owning(context, out[0])
    kept = Memory(ids[0], A.nrows, INDEX).array if ids[0] else None
    return (A, kept) if return_ids else A


def write(A, path, *, format="auto", base=0):
    """Writes a Matrix into a file, in a format or in that of its name. See `read`."""
    options = ffi.new("sl_write_options *")
    options.format, options.base = chosen(_FORMATS, "format", format), base
    A.context._call(lib.sl_matrix_write_with, A, _path(path), options)


# ---- vectors -----------------------------------------------------------------------


def _vector_options(format, fill):
    """The options, and what they point to."""
    options = ffi.new("sl_vector_options *")
    options.format = chosen(_VECTOR_FORMATS, "format", format)
    scalar = ffi.NULL if fill is None else ffi.new("sl_scalar *", pack(number(fill)))
    options.fill = scalar
    return options, scalar


def read_vector(path, *, format="auto", fill=None, size=0, context=None):
    """A vector from a file: "text" (index value), "matrix_market" or "npy".

    fill: what stands in a .npy where there is no entry. size: of a text that tells none.
    """
    context = context or current_context()
    options, _fill = _vector_options(format, fill)
    options.size = size
    out = ffi.new("sl_vector **")
    context._call(lib.sl_vector_read_with, out, context, _path(path), options)
    return Vector._owning(context, out[0])


def write_vector(v, path, *, format="auto", fill=None, ids=None):
    """Writes a Vector into a file.

    fill: what stands in a .npy where there is no entry: if None NaN, -1, or the greatest
        value of an unsigned type. ids: what a text has for each index.
    """
    options, _fill = _vector_options(format, fill)
    if ids is not None:
        kept = np.ascontiguousarray(ids, INDEX)
        if kept.shape != v.shape:
            raise ValueError(f"there are {kept.size} ids for {v.size} indices")
        options.ids = kept_pointer = ffi.from_buffer("uint64_t[]", kept)  # noqa: F841: kept alive
    v.context._call(lib.sl_vector_write_with, v, _path(path), options)


# ---- models ---------------------------------------------------------------------------


def generate(
    model,
    *,
    seed=0,
    scale=0,
    edge_factor=0,
    vertices=0,
    edges=0,
    sides=(),
    symmetric=True,
    no_loops=False,
    context=None,
):
    """A random or regular graph as a pattern; the same for the same arguments.

    model, and what it reads: "kronecker" (scale, edge_factor: 2**scale vertices, 16 edges
    each if not told), "uniform" (vertices, edges), "grid" (sides, two or three), "road" (two
    sides), "path", "star", "complete" (vertices).

    symmetric: every edge both ways. no_loops: drop self-loops.
    """
    context = context or current_context()
    wanted = ffi.new("sl_generator *")
    wanted.model = chosen(_MODELS, "model", model)
    wanted.seed, wanted.scale, wanted.edge_factor = seed, scale, edge_factor
    wanted.vertices, wanted.edges = vertices, edges
    wanted.side = [*sides, 0, 0, 0][:3]
    made = ffi.new("sl_edges *")
    context._call(lib.sl_generate, made, context, wanted)
    try:
        options = _read_options("drop", symmetric=symmetric, no_loops=no_loops)
        out = ffi.new("sl_matrix **")
        context._call(lib.sl_matrix_from_edges, out, context, made, options)
    finally:
        lib.sl_edges_free(made)
    return Matrix._owning(context, out[0])


Matrix.write = write
Vector.write = write_vector
