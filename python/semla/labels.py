"""Labels of vertices: their type, their order and their numbers.

No label changes its value here. Numbers of one column or list are int64, uint64 or float64 where this
type has them exactly, texts are numpy's fixed-width texts, and all other labels stay Python objects,
equal where Python says so. A missing label (None, NaN, NaT, NA, a masked element) is an error.
"""

from collections import defaultdict
from itertools import count

import numpy as np

_LONGEST = 64  # characters of a text in an array of fixed width; longer ones are objects
_FACTOR = 0x9E3779B97F4A7C15  # 2^64 by the golden ratio: multiplicative hashing
_ALL = slice(None)
_SAMPLE = 4096  # labels of a column
_FINER = {"ns", "ps", "fs", "as"}  # units of dates that numpy has, but Python does not


# ---- types ---------------------------------------------------------------------------


def label_array(labels):
    """The labels as an array of int64, uint64, float64 or texts if all are of this one type, else of
    objects. `labels` is an array, anything that numpy makes one of, or an iterable."""
    if not hasattr(labels, "__array__"):
        return _of_objects(list(labels))
    masked = np.ma.isMaskedArray(labels)
    array = labels if masked else np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"labels must have one dimension, not the shape {array.shape}")
    kind = array.dtype.kind
    if masked and np.ma.is_masked(array):
        return _of_objects(array.tolist())
    array = np.asarray(array)
    if kind in "iu":
        return _narrowest([array])
    if kind == "f" and array.dtype.itemsize <= 8:
        return array.astype(np.float64)
    if kind == "U" and array.dtype.itemsize <= 4 * _LONGEST:
        return array
    return _of_objects(_dates(array) if kind in "mM" else array.tolist())


def column_array(labels):
    """The labels of a column for `number`: as label_array, but objects and texts of a list are not
    looked at yet."""
    if not hasattr(labels, "__array__"):
        labels = list(labels)
        return _object_array(labels) if labels and type(labels[0]) is str else _of_objects(labels)
    if not np.ma.isMaskedArray(labels):
        labels = np.asarray(labels)
        if labels.dtype == object and labels.ndim == 1:
            return labels
    return label_array(labels)


def _of_objects(labels):
    """As label_array, for a list."""
    kinds = set(map(type, labels))
    if any(issubclass(kind, np.generic) for kind in kinds):
        labels = [_plain(label) for label in labels]
        kinds = set(map(type, labels))
    if not labels:
        return np.zeros(0, np.int64)
    if kinds == {int}:
        least, greatest = min(labels), max(labels)
        for dtype in (np.int64, np.uint64):
            if np.iinfo(dtype).min <= least and greatest <= np.iinfo(dtype).max:
                return np.array(labels, dtype)
    elif kinds == {float}:
        return np.array(labels)
    elif kinds == {str}:
        longest = max(map(len, labels))
        if longest <= _LONGEST and "\0" not in "".join(labels):  # numpy drops a NUL at the end
            return _object_array(labels).astype(f"U{max(longest, 1)}")
    return _object_array(labels)


def _object_array(labels):
    made = np.empty(len(labels), object)
    made[:] = labels
    return made


def _plain(label):
    """A scalar of numpy as Python's object of the same value, if there is one."""
    if not isinstance(label, np.generic):
        return label
    if label.dtype.kind in "mM":
        return _dates(label.reshape(1))[0]
    return label.item()


def _dates(array):
    """Dates and durations as Python's, or as numpy's where these are finer; None for NaT."""
    missing = np.isnat(array)
    if np.datetime_data(array.dtype)[0] in _FINER:
        coarse = array.astype(f"{array.dtype.kind}8[us]")
        array = coarse if (coarse[~missing] == array[~missing]).all() else array
    listed = array.tolist()
    if any(isinstance(label, int) for label in listed):  # Python's types do not have the value
        listed = list(array)
    return [None if absent else label for label, absent in zip(listed, missing)]


def _narrowest(arrays):
    """Integers of several arrays in one: of int64 or uint64, or of objects where neither has all."""
    arrays = [array for array in arrays if array.size] or arrays[:1]
    for dtype in (np.int64, np.uint64):
        limits = np.iinfo(dtype)
        if all(
            np.can_cast(array.dtype, dtype)
            or not array.size
            or (limits.min <= int(array.min()) and int(array.max()) <= limits.max)
            for array in arrays
        ):
            return np.concatenate([array.astype(dtype, copy=False) for array in arrays])
    return _object_array([label for array in arrays for label in array.tolist()])


def _joined(arrays):
    """Several label arrays in one, in a type that has all labels exactly."""
    kinds = {array.dtype.kind for array in arrays if array.size}
    if len(kinds) <= 1 and not kinds & set("iu"):
        return np.concatenate([array for array in arrays if array.size] or arrays)
    if kinds <= {"i", "u"}:
        return _narrowest(arrays)
    if kinds <= {"i", "u", "f"}:
        floats = [array.astype(np.float64) for array in arrays]
        if all(_exact(one, array) for one, array in zip(floats, arrays)):
            return np.concatenate(floats)
    return _of_objects([label for array in arrays for label in array.tolist()])


def _exact(floats, array):
    """Whether the floats have the values of the array."""
    if array.dtype.kind == "f":
        return True
    limit = 2.0**53  # the least integer to which another one is rounded
    return not array.size or (-limit < floats.min() and floats.max() < limit)


# ---- numbers ---------------------------------------------------------------------------


def number(function, columns, names, first=None):
    """Number the labels of columns.

    Parameters
    ----------
    function : str
        With which messages begin.
    columns : list of arrays of column_array
    names : list of str
        What messages call the columns.
    first : array of label_array, optional
        Labels without duplicates that get the numbers 0, 1, ... The others follow in the order in
        which they occur. Without it the labels are sorted if all are numbers or all are texts.

    Returns
    -------
    labels : numpy.ndarray
        The distinct labels, by their numbers.
    numbers : list of numpy.ndarray
        For each column the number of each label, uint64.

    Raises
    ------
    ValueError
        If a label is missing, or if two of `first` are equal.
    """
    given = [] if first is None else [(first, _ALL, _ALL)]
    arrays, rows, objects = zip(*given, *map(_distinct_objects, columns))
    labels = _joined(arrays)
    where, codes = _distinct(labels)
    ends = np.cumsum([len(array) for array in arrays])
    _refuse_missing(function, labels, where, ends, rows, [*["labels"] * len(given), *names])
    if first is not None:
        _refuse_duplicates(function, first, codes[: len(first)])
    labels = label_array(labels[where])
    if first is None and (labels.dtype != object or _comparable(labels)):
        order = np.argsort(labels, kind="stable")
        labels, place = labels[order], np.empty(len(order), np.uint64)
        place[order] = np.arange(len(order), dtype=np.uint64)
        codes = place[codes]
    numbers = np.split(codes.astype(np.uint64, copy=False), ends[:-1])
    return labels, [one[of_row] for one, of_row in zip(numbers, objects)][len(given) :]


def checked_labels(labels, length):
    """The labels of `length` vertices as an array; ValueError if some are missing or equal."""
    made = label_array(labels)
    if len(made) != length:
        raise ValueError(f"Graph: {len(made)} labels for {length} vertices")
    return number("Graph", [], [], made)[0]


def _comparable(labels):
    kinds = set(map(type, labels))
    return kinds <= {int, float} or kinds == {str}


def _distinct_objects(column):
    """(labels, rows, codes): the distinct objects of a column as a label array, the row in which each
    occurs first, and for each row its number among them.

    Equal texts of a table mostly are one object, so that few are left. All labels are left where
    a sample has no object twice, and of arrays of numbers or texts, which have no objects.
    """
    if column.dtype != object:
        return column, _ALL, _ALL
    column = np.ascontiguousarray(column)
    addresses = np.ndarray(column.shape, np.uintp, column).astype(np.uint64, copy=False)
    sample = addresses[:: len(addresses) // _SAMPLE + 1]
    if len(np.unique(sample)) == len(sample):
        return label_array(column), _ALL, _ALL
    rows, codes = _distinct_words([addresses])
    return label_array(column[rows]), rows, codes


def _distinct(labels):
    """(where, codes): the index at which each distinct label occurs first, ascending, and for each
    label its number in that order."""
    n = len(labels)
    if labels.dtype == object:
        numbers = defaultdict(count().__next__)
        codes = np.fromiter(map(numbers.__getitem__, labels.tolist()), np.int64, n)
        where = np.empty(len(numbers), np.int64)
        where[codes[::-1]] = np.arange(n - 1, -1, -1)
        return where, codes
    return _distinct_words(_words(labels))


def _distinct_words(words):
    equal = _first_equal(words)
    is_first = equal == np.arange(len(equal))
    return np.flatnonzero(is_first), (np.cumsum(is_first) - 1)[equal]


def _words(labels):
    """Arrays of uint64 that all are equal at two labels if and only if the labels are equal."""
    if labels.dtype.kind != "U":
        labels = labels + 0.0 if labels.dtype.kind == "f" else labels  # one zero of two
        return [np.ascontiguousarray(labels).view(np.uint64)]
    width = labels.dtype.itemsize // 4
    native = np.ascontiguousarray(labels, labels.dtype.newbyteorder("="))
    characters = native.view(np.uint32).reshape(len(labels), width)
    kind = np.uint8 if labels.size == 0 or characters.max() < 256 else np.uint32
    per_word = 8 // kind().itemsize
    padded = np.zeros((len(labels), -(-width // per_word) * per_word), kind)
    padded[:, :width] = characters
    return list(padded.view(np.uint64).T)


def _first_equal(words):
    """For each row of the words the index of the first equal row.

    A hash table in rounds: each row writes its index to its slot, the first row of a slot remains,
    and all rows equal to it are done. The others go to other slots in the next round.
    """
    n = len(words[0])
    index = np.int32 if n < 2**31 else np.int64
    equal, left = np.empty(n, index), np.arange(n, dtype=index)
    bits = max(n.bit_length() + 1, 4)
    slots, factor = np.empty(1 << bits, index), _FACTOR
    while len(left):
        at = _hash([word if len(left) == n else word[left] for word in words], factor, bits)
        slots[at[::-1]] = left[::-1]
        found = slots[at]
        same = np.ones(len(left), bool)
        for word in words:
            same &= word[found] == (word if len(left) == n else word[left])
        equal[left[same]] = found[same]
        left, factor = left[~same], factor * _FACTOR % 2**64
    return equal


def _hash(words, factor, bits):
    factor, half = np.uint64(factor), np.uint64(32)
    mixed = words[0] * factor
    for word in words[1:]:
        mixed = ((mixed ^ (mixed >> half)) + word) * factor
    mixed = (mixed ^ (mixed >> half)) * factor
    return (mixed >> np.uint64(64 - bits)).view(np.int64)


# ---- errors ---------------------------------------------------------------------------


def _refuse_missing(function, labels, where, ends, rows, names):
    """ValueError that names the first row without a label."""
    if labels.dtype.kind == "f":
        missing = np.flatnonzero(np.isnan(labels))
    elif labels.dtype == object:
        missing = [at for at in where if _is_missing(labels[at])]
    else:
        return
    if len(missing):
        at = int(missing[0])
        column = int(np.searchsorted(ends, at, side="right"))
        row = at - (int(ends[column - 1]) if column else 0)
        row = row if rows[column] is _ALL else int(rows[column][row])
        raise ValueError(
            f"{function}: row {row} of {names[column]}, counted from 0, has no label, but "
            f"{labels[[at]].tolist()[0]!r}; remove such rows, or give the vertex a label"
        )


def _is_missing(label):
    """Whether an object stands for no label: None, or one that is not equal to itself."""
    if label is None:
        return True
    try:
        return bool(label != label)
    except TypeError:  # pandas.NA has no truth value
        return True


def _refuse_duplicates(function, labels, codes):
    """ValueError that names two vertices with one label, which have equal codes."""
    seen = np.flatnonzero(codes != np.arange(len(codes)))
    if len(seen):
        second = int(seen[0])
        raise ValueError(
            f"{function}: the vertices {int(codes[second])} and {second} have the same label "
            f"{labels[[second]].tolist()[0]!r}; each vertex needs a label of its own"
        )
