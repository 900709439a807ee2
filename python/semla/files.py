"""Reads and writes matrices and vectors as files."""

import os
import re
import sys
import warnings

from ._library import ffi, lib, text
from .context import current_context
from .errors import IO, Invalid
from .indices import count, index_array
from .labels import label_array
from .matrix import Matrix
from .memory import Memory
from .scalar import number
from .signatures import named
from .traversal import chosen
from .types import INDEX, pack
from .vector import Vector


def choices(enumeration, prefix):
    """{name: code} of an enumeration; names are in lower case and without their prefix."""
    codes = ffi.typeof(enumeration).elements
    return {name[len(prefix) :].lower(): code for code, name in sorted(codes.items())}


def _command_names():
    """{name in the command: code} of the formats: "mtx", "edges", ..."""
    info, names = ffi.new("sl_format_info *"), {}
    while lib.sl_format_describe(len(names), info) == 0:
        names[text(info.name)] = info.format
    return names


_FORMATS = {"auto": lib.SL_FORMAT_AUTO, **_command_names()}
_FORMATS.update(choices("sl_file_format", "SL_FORMAT_"))
_VECTOR_FORMATS = {**choices("sl_vector_format", "SL_VECTOR_"), "mtx": lib.SL_VECTOR_MATRIX_MARKET}
_DUPLICATES = choices("sl_duplicates", "SL_DUPLICATES_")


_WHOLE_NUMBER = re.compile("0|-?[1-9][0-9]*").fullmatch


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


def read_options(duplicates, **flags):
    """An sl_read_options with the rule for duplicates and the flags SL_READ_... that are true."""
    options = ffi.new("sl_read_options *")
    options.duplicates = chosen(_DUPLICATES, "duplicates", duplicates)
    options.flags = sum(getattr(lib, "SL_READ_" + name.upper()) for name, on in flags.items() if on)
    return options


# ---- matrices --------------------------------------------------------------------


@named
def read(
    path,
    *,
    symmetric=False,
    no_loops=False,
    transpose=False,
    pattern=False,
    renumber=False,
    duplicates="drop",
    format="auto",
    base=0,
    vertices=0,
    source_column=None,
    target_column=None,
    weight_column=None,
    no_header=False,
    verify=False,
    return_ids=False,
    context=None,
):
    """Read a graph from a file.

    The names of the options are those of the command.

    Parameters
    ----------
    path : str or os.PathLike
        Decompressed if the name ends in .gz or .zst. "-" is standard input, which can be read once.
    symmetric : bool, default False
        Add the reverse of each edge.
    no_loops : bool, default False
        Drop self-loops.
    transpose : bool, default False
        Reverse every edge.
    pattern : bool, default False
        Ignore weights.
    renumber : bool, default False
        Edge lists and Graph500 files: only ids that occur become vertices, which are numbered from
        0 in ascending order of their ids. Ids may have 64 bits, and in edge lists a sign.
    duplicates : {"drop", "last", "sum", "min", "max", "error"}, default "drop"
        What becomes of edges that occur more than once: keep the first, keep the last, combine the
        weights, or raise an exception. A sum that its integer type does not have is OutOfRange.
    format : str, default "auto"
        "auto" recognises the format by the first line and the name of the file. Others:
        "mtx", "edges", "gr", "metis", "g500", "g500p", "semla", "csv", as in the command; or, longer,
        "matrix_market", "edge_list", "dimacs", "graph500", "graph500_packed", "native".
    base : {0, 1}, default 0
        Edge lists: the smallest id.
    vertices : int, default 0
        Edge lists and Graph500 files: the number of vertices; 0 is the greatest id plus 1.
    source_column, target_column, weight_column : str or int, optional
        CSV files: the columns, by their names in the header or their numbers from 1. By default
        they are recognised by names such as source, target and weight; without a header they are
        the first, the second and, if there are three, the third. A warning names the other columns
        if none is known as the weight; if one alone has numbers, algorithms that read values, such
        as `sssp`, raise Invalid, which `weight_column` or `pattern` avoids.
    no_header : bool, default False
        CSV files: the first line is an edge, as it always is if it begins with two whole numbers.
    verify : bool, default False
        Native files: check the checksums and the declared symmetry.
    return_ids : bool, default False
        Return the ids, too.
    context : Context, optional
        By default the current context.

    Returns
    -------
    A : Matrix
        Entry (i, j) is the edge from i to j.
    ids : numpy.ndarray or None
        Only with return_ids: the id in the file of each vertex; None if ids are indices. For CSV
        files the labels, in the order of the vertices: integers if all of them are whole numbers
        that begin with no extra 0, otherwise strings.

    Raises
    ------
    IO
        If the file cannot be read.
    Syntax
        If its contents violate the format. The message has the line.
    Invalid
        If an option does not apply to the format.

    See Also
    --------
    Graph.read : a graph with the ids as labels.

    Examples
    --------
    >>> A = semla.read("roads.gr.gz")                                  # doctest: +SKIP
    >>> A, ids = semla.read("web.txt", renumber=True, return_ids=True)  # doctest: +SKIP
    """
    context = context or current_context()
    options = read_options(
        duplicates,
        symmetric=symmetric,
        no_loops=no_loops,
        transposed=transpose,
        pattern=pattern,
        renumber=renumber,
        verify=verify,
    )
    options.format = chosen(_FORMATS, "format", format)
    options.base, options.vertices = _base(base), count(vertices, "vertices")
    encoded = _path(path)
    columns = {"source": source_column, "target": target_column, "weight": weight_column}
    _kept = _set_csv(options, encoded, columns, no_header)
    out, ids, labels = ffi.new("sl_matrix **"), ffi.new("uint64_t **"), ffi.new("sl_labels *")
    options.unread = unread = ffi.new("sl_unread_columns *")
    try:
        _call(
            context, path, lib.sl_matrix_read_labelled, out, ids, labels, context, encoded, options
        )
        A = Matrix._owning(context, out[0])
        _note_unread(A, path, unread)
        kept = Memory(ids[0], A.nrows, INDEX).array if ids[0] else None
        if return_ids and labels.count:
            kept = _label_array(labels)
    finally:
        lib.sl_labels_free(labels)
        lib.sl_unread_columns_free(unread)
    return (A, kept) if return_ids else A


def _set_csv(options, path, columns, no_header):
    """Sets the options of CSV files; returns the memory that they point to. Invalid if the file
    is not of that format, or if another option does not apply to it."""
    named = {f"{name}_column": which for name, which in columns.items() if which is not None}
    given = [*named, *["no_header"] * bool(no_header)]
    format = options.format or lib.sl_format_of_name(path)
    if format != lib.SL_FORMAT_CSV and given:
        raise Invalid(f"read: {given[0]} applies to CSV files only; format='csv' says that it is one")
    numbering = {
        "renumber": options.flags & lib.SL_READ_RENUMBER,
        "vertices": options.vertices,
        "base": options.base,
    }
    wrong = [name for name, on in numbering.items() if on]
    if format == lib.SL_FORMAT_CSV and wrong:
        raise Invalid(
            f"read: {wrong[0]} cannot be combined with a CSV file: its vertices are the labels "
            "that occur"
        )
    options.no_header = bool(no_header)
    kept = {name: ffi.new("char[]", str(which).encode()) for name, which in named.items()}
    for name, characters in kept.items():
        setattr(options, name, characters)
    return kept


def _note_unread(A, path, unread):
    """Warns of the columns of a CSV file that were not read although none is known as the weight. If
    one alone has numbers, A asks for it when an algorithm reads values."""
    if not unread.names:
        return
    names = ffi.string(unread.names).decode(errors="replace")
    warnings.warn(
        f"{os.fspath(path)}: columns that are not read: {names} (weight_column chooses the weight, "
        "pattern=True says that there is none)",
        stacklevel=_depth_outside(),
    )
    if unread.number:
        number = ffi.string(unread.number).decode(errors="replace")
        column = repr(number) if names.startswith("'") else number
        A._unread = (
            f"no column of {os.fspath(path)} is known as the weight: weight_column={column} reads "
            "that column; pattern=True ignores it"
        )


def _depth_outside():
    """The stacklevel of a warning of the caller that names the first line outside of the package."""
    folder = os.path.dirname(__file__) + os.sep
    depth, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith(folder):
        depth, frame = depth + 1, frame.f_back
    return depth


def _label_array(labels):
    """The labels as an array of integers, if all are whole numbers, or of strings."""
    last = labels.text + labels.start[labels.count - 1]
    size = labels.start[labels.count - 1] + len(ffi.string(last))
    data = bytes(ffi.buffer(labels.text, size))
    texts = data.decode(errors="surrogateescape").split("\0")
    # Integers of 64 bits are sorted before all other labels.
    if re.fullmatch("0|[1-9][0-9]{0,18}", texts[-1]) or all(map(_WHOLE_NUMBER, texts)):
        texts = list(map(int, texts))
    return label_array(texts)


@named
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


@named
def read_vector(path, *, format="auto", fill=None, size=0, context=None):
    """Read a vector from a file.

    Parameters
    ----------
    path : str or os.PathLike
    format : {"auto", "text", "mtx", "npy", "matrix_market"}, default "auto"
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


@named
def write_vector(v, path, *, format="auto", fill=None, ids=None, overwrite=True):
    """Write the vector to a file. On failure no file is written.

    Parameters
    ----------
    path : str or os.PathLike
    format : {"auto", "text", "mtx", "npy", "matrix_market"}, default "auto"
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
        options.ids = kept_pointer = ffi.from_buffer("uint64_t[]", kept)  # noqa: F841 # kept alive
    _call(v.context, path, lib.sl_vector_write_with, v, _path(path), options)


Matrix.write = write
Vector.write = write_vector
