"""How vectors and matrices are printed: one line of facts, and a table where that is small enough.

A vector of up to MAX_ELEMENTS elements and a matrix of up to MAX_SIDE rows and columns are shown
whole. Of greater objects the first elements, or the first rows and columns, are shown: they are
extracted, so that printing an object costs no copy of it.
"""

from html import escape

from .types import name_of

MAX_ELEMENTS, MAX_SIDE = 16, 12


def facts(thing):
    """The first line: "Matrix FP64, 5 x 5, 6 entries"."""
    shape = f"size {thing.size}" if thing._kind == "vector" else " x ".join(map(str, thing.shape))
    if thing.context.processes > 1:  # one rank alone may print it: nothing is asked of others
        return f"{thing._kind.capitalize()} {name_of(thing.dtype)}, {shape}, on a grid"
    nvals = thing.nvals
    entries = "1 entry" if nvals == 1 else f"{nvals} entries"
    return f"{thing._kind.capitalize()} {name_of(thing.dtype)}, {shape}, {entries}"


def _text(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _vector_table(vector):
    shown = min(vector.size, MAX_ELEMENTS)
    values = (vector if shown == vector.size else vector[:shown].new()).to_dict()
    cells = [_text(values[i]) if i in values else "" for i in range(shown)]
    return _numbers(shown, vector.size), [""], [_row(cells, vector.size)]


def _matrix_table(matrix):
    rows, cols = (min(length, MAX_SIDE) for length in matrix.shape)
    part = matrix if (rows, cols) == matrix.shape else matrix[:rows, :cols].new()
    cells = [[""] * cols for _ in range(rows)]
    for i, j, value in zip(*(array.tolist() for array in part.to_coo())):
        cells[i][j] = _text(value)
    if rows < matrix.nrows:
        cells.append([""] * cols)
    cells = [_row(line, matrix.ncols) for line in cells]
    return _numbers(cols, matrix.ncols), _numbers(rows, matrix.nrows), cells


def _numbers(shown, length):
    """The heads 0, 1, ..., with "..." at the end if some are not shown."""
    return [*map(str, range(shown)), *(["..."] if shown < length else [])]


def _row(cells, length):
    return [*cells, *([""] if len(cells) < length else [])]


def table(thing):
    """The heads of columns, the heads of rows, and the cells as text, "" where there is no entry;
    None if there are no entries."""
    if thing.context.processes > 1 or thing.nvals == 0:
        return None
    return _vector_table(thing) if thing._kind == "vector" else _matrix_table(thing)


def as_text(thing):
    """What `repr` returns."""
    made = table(thing)
    lines = [f"<{facts(thing)}>"]
    if made is not None:
        heads, rows, cells = made
        widths = [max(map(len, column)) for column in zip(heads, *cells)]
        first = max(map(len, rows))
        for head, line in [("", heads), *zip(rows, cells)]:
            text = " ".join(f"{cell:>{width}}" for cell, width in zip(line, widths))
            lines.append(f"{head:>{first}} {text}".rstrip())
    return "\n".join(lines)


def as_html(thing):
    """What notebooks show."""
    made = table(thing)
    title = f"<div>{escape(facts(thing))}</div>"
    if made is None:
        return title
    heads, rows, cells = made
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    lines = [
        f"<tr><th>{escape(name)}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>"
        for name, line in zip(rows, cells)
    ]
    return (
        f"{title}<table><thead><tr><th></th>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
