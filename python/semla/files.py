"""Reads and writes matrices and vectors as files, and generates graphs from models."""

import os

from ._library import ffi, lib
from .context import current_context
from .errors import IO, Invalid
from .indices import count, index_array
from .matrix import Matrix
from .memory import Memory
from .scalar import number
from .traversal import chosen
from .types import INDEX, pack
from .vector import Vector


def _choices(enumeration, prefix):
    """{name: code} of an enumeration; names are in lower case and without their prefix."""
    codes = ffi.typeof(enumeration).elements
    return {name[len(prefix) :].lower(): code for code, name in sorted(codes.items())}


_FORMATS = _choices("sl_file_format", "SL_FORMAT_")
_VECTOR_FORMATS = _choices("sl_vector_format", "SL_VECTOR_")
_DUPLICATES = _choices("sl_duplicates", "SL_DUPLICATES_")
_MODELS = _choices("sl_model", "SL_MODEL_")


def _path(path):
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError("the path contains a null byte")
    return ffi.new("char[]", encoded)


def _call(context, path, function, *arguments):
    """Calls a function that reads or writes the file. An error of the file has its name."""
    try:
        context._call(function, *arguments)
    except IO as error:
        error.filename = os.fspath(path)
        raise


def _base(base):
    if base not in (0, 1):
        raise Invalid(f"base must be 0 or 1, not {base!r}")
    return int(base)


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
    """Read a graph from a file.

    Parameters
    ----------
    path : str or os.PathLike
        Decompressed if the name ends in .gz or .zst. "-" is standard input, which can be read once.
    symmetric : bool, default False
        Add the reverse of each edge.
    no_loops : bool, default False
        Drop self-loops.
    transposed : bool, default False
        Reverse every edge.
    pattern : bool, default False
        Ignore weights.
    renumber : bool, default False
        Edge lists and Graph500 files: only ids that occur become vertices, which are numbered from
        0 in ascending order of their ids.
    duplicates : {"drop", "last", "sum", "min", "max", "error"}, default "drop"
        What becomes of edges that occur more than once: keep the first, keep the last, combine the
        weights, or raise an exception.
    format : str, default "auto"
        "auto" recognises the format by the first line and the name of the file. Others:
        "matrix_market", "edge_list", "dimacs", "metis", "graph500", "graph500_packed", "native".
    base : {0, 1}, default 0
        Edge lists: the smallest id.
    vertices : int, default 0
        Edge lists and Graph500 files: the number of vertices; 0 is the greatest id plus 1.
    return_ids : bool, default False
        Return the ids, too.
    context : Context, optional
        By default the current context.

    Returns
    -------
    A : Matrix
        Entry (i, j) is the edge from i to j.
    ids : numpy.ndarray or None
        Only with return_ids: the id in the file of each vertex; None if ids are indices.

    Raises
    ------
    IO
        If the file cannot be read.
    Syntax
        If its contents violate the format. The message has the line.

    Examples
    --------
    >>> A = semla.read("roads.gr.gz")                                  # doctest: +SKIP
    >>> A, ids = semla.read("web.txt", renumber=True, return_ids=True)  # doctest: +SKIP
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
    options.base, options.vertices = _base(base), count(vertices, "vertices")
    out, ids = ffi.new("sl_matrix **"), ffi.new("uint64_t **")
    _call(context, path, lib.sl_matrix_read_with, out, ids, context, _path(path), options)
    A = Matrix._owning(context, out[0])
    kept = Memory(ids[0], A.nrows, INDEX).array if ids[0] else None
    return (A, kept) if return_ids else A


def write(A, path, *, format="auto", base=0, overwrite=True):
    """Write the matrix to a file. On failure no file is written.

    Parameters
    ----------
    path : str or os.PathLike
        Compressed if the name ends in .gz or .zst. "-" is standard output.
    format : str, default "auto"
        "auto" chooses by the name of the file; other values are as for `semla.read`.
    base : {0, 1}, default 0
        Edge lists: the id of the first vertex.
    overwrite : bool, default True
        Whether an existing file is replaced; the new file has its mode.

    Raises
    ------
    IO
        If the file cannot be written, or exists and `overwrite` is False.
    Error
        Invalid or Unsupported if the format cannot store the matrix.
    """
    options = ffi.new("sl_write_options *")
    options.format, options.base = chosen(_FORMATS, "format", format), _base(base)
    options.no_overwrite = not overwrite
    _call(A.context, path, lib.sl_matrix_write_with, A, _path(path), options)


# ---- vectors -----------------------------------------------------------------------


def _vector_options(format, fill):
    """(options, scalar): the second is the memory that the options point to."""
    options = ffi.new("sl_vector_options *")
    options.format = chosen(_VECTOR_FORMATS, "format", format)
    scalar = ffi.NULL if fill is None else ffi.new("sl_scalar *", pack(number(fill)))
    options.fill = scalar
    return options, scalar


def read_vector(path, *, format="auto", fill=None, size=0, context=None):
    """Read a vector from a file.

    Parameters
    ----------
    path : str or os.PathLike
    format : {"auto", "text", "matrix_market", "npy"}, default "auto"
        "text" has a line "index value" for each entry.
    fill : number, optional
        .npy files: elements equal to it are not entries.
    size : int, default 0
        Text files that do not contain the size: the size of the vector.
    context : Context, optional
        By default the current context.

    Returns
    -------
    Vector

    Raises
    ------
    IO
        If the file cannot be read.
    Syntax
        If its contents violate the format.
    """
    context = context or current_context()
    options, _fill = _vector_options(format, fill)
    options.size = count(size, "size")
    out = ffi.new("sl_vector **")
    _call(context, path, lib.sl_vector_read_with, out, context, _path(path), options)
    return Vector._owning(context, out[0])


def write_vector(v, path, *, format="auto", fill=None, ids=None, overwrite=True):
    """Write the vector to a file. On failure no file is written.

    Parameters
    ----------
    path : str or os.PathLike
    format : {"auto", "text", "matrix_market", "npy"}, default "auto"
        "auto" chooses by the name of the file.
    fill : number, optional
        .npy files: the element for an index without an entry. By default NaN for floating-point
        types, -1 for signed ones, and the greatest value of unsigned ones.
    ids : array_like of int, optional
        Text files: the number to write for each index, such as the ids of `semla.read`.
    overwrite : bool, default True
        Whether an existing file is replaced; the new file has its mode.

    Raises
    ------
    IO
        If the file cannot be written, or exists and `overwrite` is False.
    """
    options, _fill = _vector_options(format, fill)
    options.no_overwrite = not overwrite
    if ids is not None:
        kept = index_array(ids, "id")
        if kept.shape != v.shape:
            raise ValueError(f"there are {kept.size} ids, but the vector has size {v.size}")
        options.ids = kept_pointer = ffi.from_buffer("uint64_t[]", kept)  # noqa: F841: kept alive
    _call(v.context, path, lib.sl_vector_write_with, v, _path(path), options)


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
    """Generate a graph from a model. Equal arguments give equal graphs.

    Parameters
    ----------
    model : str
        "kronecker" (uses scale, edge_factor), "uniform" (vertices, edges), "grid" (two or three
        sides), "road" (two sides; a grid with gaps and shortcuts), "path", "star" or "complete"
        (vertices).
    seed : int, default 0
        For the models "kronecker", "uniform" and "road".
    scale : int
        The graph has 2**scale vertices.
    edge_factor : float, default 16
        Edges per vertex.
    vertices, edges : int
    sides : sequence of int
    symmetric : bool, default True
        Whether each edge is stored in both directions.
    no_loops : bool, default False
        Whether self-loops are dropped.
    context : Context, optional
        By default the current context.

    Returns
    -------
    Matrix
        A pattern.

    Raises
    ------
    Invalid
        If the arguments do not fit the model.

    Examples
    --------
    >>> semla.generate("grid", sides=(3, 4)).shape
    (12, 12)
    """
    context = context or current_context()
    wanted = ffi.new("sl_generator *")
    wanted.model = chosen(_MODELS, "model", model)
    wanted.seed, wanted.scale = count(seed, "seed"), count(scale, "scale", bits=32)
    wanted.edge_factor = edge_factor
    wanted.vertices, wanted.edges = count(vertices, "vertices"), count(edges, "edges")
    sides = index_array(sides, "side").tolist()
    if len(sides) > 3:
        raise Invalid(f"generate: {len(sides)} sides were given; a grid has two or three")
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
