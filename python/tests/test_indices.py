"""Tests of extraction, assignment and single entries with all kinds of indices, against numpy."""

import numpy as np
import pytest

import semla
from model import Dense, check, dense, write

SEEDS = range(40)


@pytest.fixture(params=SEEDS)
def rng(request):
    return np.random.default_rng([request.param, *request.function.__name__.encode()])


def random_key(rng, length, whole_numbers=True, distinct=False):
    """A random index (integer, slice or list), and the same indices as a list for numpy."""
    kind = rng.integers(0 if whole_numbers else 1, 6)
    if kind == 0:
        key = int(rng.integers(-length, length))
        return key, [key % length]
    if kind == 1:
        return slice(None), list(range(length))
    if kind in (2, 3):
        ends = [
            None if rng.random() < 0.3 else int(n) for n in rng.integers(-length - 2, length + 3, 2)
        ]
        key = slice(*ends, None if kind == 2 else int(rng.choice([-3, -2, -1, 1, 2, 3])))
        return key, list(range(length))[key]
    listed = rng.permutation(length)[: rng.integers(0, length + 1)].tolist()
    if not distinct and listed:
        listed = rng.choice(listed, len(listed) + 1).tolist()
    if kind == 4:
        return [n - length if rng.random() < 0.3 else n for n in listed], listed
    return np.array(listed, rng.choice(["int8", "uint32", "int64", "uint64"])), listed


def operand(rng, *shape):
    return Dense.random(rng, shape, rng.choice([np.int64, np.float64, np.int8]))


def part(a, rows, cols=None):
    where = np.ix_(rows) if cols is None else np.ix_(rows, cols)
    return Dense(a.present[where], a.values[where])


def placed(out, value, rows, cols=None, accum=None):
    """The expected result of an assignment to a part of `out`."""
    where = np.ix_(rows) if cols is None else np.ix_(rows, cols)
    new = Dense(out.present.copy(), out.values.copy())
    inside = write(part(out, rows, cols), value, None, accum)
    new.present[where], new.values[where] = inside.present, inside.values
    return new


# ---- extract -----------------------------------------------------------------------


def test_vector_extract(rng):
    u = operand(rng, int(rng.integers(1, 9)))
    key, listed = random_key(rng, u.present.size, whole_numbers=False)
    check(u.semla()[key].new(), part(u, listed))


def test_matrix_extract(rng):
    A = operand(rng, *rng.integers(1, 8, 2))
    (key, rows), (other, cols) = (random_key(rng, n) for n in A.present.shape)
    for x in (A.semla(), A.T.semla().T):
        got = x[key, other]
        if isinstance(key, int) and isinstance(other, int):
            expected = A.values[key, other] if A.present[key, other] else None
            assert got.value == expected and got.new().is_empty == (expected is None)
            continue
        model = part(A, rows, cols)
        if isinstance(key, int):
            model = Dense(model.present[0], model.values[0])
        elif isinstance(other, int):
            model = Dense(model.present[:, 0], model.values[:, 0])
        check(got.new(), model)


def test_extract_into_an_output(rng):
    u, out = operand(rng, 7), operand(rng, 4)
    mask = Dense.random(rng, (4,), bool)
    w = out.semla()
    w(mask.semla().S, accum="plus", replace=True) << u.semla()[1:5]
    check(w, write(out, part(u, range(1, 5)), mask.present, "plus", True))


# ---- assign --------------------------------------------------------------------------


def test_vector_assign(rng):
    out = operand(rng, int(rng.integers(1, 9)))
    key, listed = random_key(rng, out.present.size, whole_numbers=False, distinct=True)
    u = operand(rng, len(listed))
    w = out.semla()
    w[key] = u.semla()
    check(w, placed(out, u, listed))
    w = out.semla()
    w(accum="plus")[key] << u.semla()
    check(w, placed(out, u, listed, accum="plus"))
    w = out.semla()
    w[key] << 3
    threes = Dense(np.ones(len(listed), bool), np.full(len(listed), 3, out.values.dtype))
    check(w, placed(out, threes, listed))


# ---- index vectors ---------------------------------------------------------------------


def random_indices(rng, size, bound):
    """A Dense of integers below `bound`, some of them equal, some missing."""
    dtype = rng.choice(["int8", "int32", "int64", "uint16", "uint64"])
    present = rng.random(size) < rng.choice([0.4, 1])
    return Dense(present, rng.integers(0, max(1, bound // 2), size).astype(dtype))


def test_gather(rng):
    u = operand(rng, 9)
    indices = random_indices(rng, int(rng.integers(0, 12)), 9)
    at = indices.values.astype(int)
    gathered = Dense(indices.present & u.present[at], u.values[at])
    check(u.semla()[indices.semla()].new(), gathered)
    out = operand(rng, len(at))
    mask = Dense.random(rng, at.shape, bool)
    w = out.semla()
    w(~mask.semla().S, accum="plus", replace=True) << u.semla()[indices.semla()]
    check(w, write(out, gathered, ~mask.present, "plus", True))


@pytest.mark.parametrize("transposed", [False, True])
def test_gather_matrix(rng, transposed):
    A = operand(rng, 7, 7)
    at = rng.integers(0, 7, int(rng.integers(1, 9)))
    p = semla.Vector.from_dense(at.astype("int32"))
    read = Dense(A.present.T, A.values.T) if transposed else A
    gathered = Dense(read.present[np.ix_(at, at)], read.values[np.ix_(at, at)])
    B = A.semla()
    check((B.T if transposed else B)[p, p].new(), gathered)
    with pytest.raises(TypeError, match="rows and columns alike"):
        B[p, :]


def test_sort(rng):
    for descending in False, True:
        u = operand(rng, 9)
        values, order = u.semla().sort(descending)
        at = np.flatnonzero(u.present)
        keys = u.values[at].astype("float64")
        at = at[np.argsort(-keys if descending else keys, kind="stable")]
        present = np.arange(9) < len(at)
        room = 9 - len(at)
        check(values, Dense(present, np.append(u.values[at], np.zeros(room, u.values.dtype))))
        check(order, Dense(present, np.append(at, np.zeros(room, "int64")).astype("int64")))


@pytest.mark.parametrize("dup, combine", [("plus", np.add), ("min", np.minimum), ("max", np.maximum)])
def test_scatter(rng, dup, combine):
    out = operand(rng, 8)
    indices = random_indices(rng, 11, 8)
    u = Dense.random(rng, (11,), out.values.dtype)
    given, t = np.zeros(8, bool), Dense(np.zeros(8, bool), np.zeros_like(out.values))
    for k in np.flatnonzero(indices.present):
        i = int(indices.values[k])
        given[i] = True
        if u.present[k]:
            t.values[i] = combine(t.values[i], u.values[k]) if t.present[i] else u.values[k]
            t.present[i] = True
    w = out.semla()
    w(dup=dup)[indices.semla()] << u.semla()
    check(w, Dense(np.where(given, t.present, out.present), np.where(given, t.values, out.values)))
    w = out.semla()
    w(accum="plus", dup=dup)[indices.semla()] << u.semla().apply("identity")
    check(w, write(out, t, None, "plus"))
    w = out.semla()
    w[indices.semla()] = 3
    check(w, Dense(given | out.present, np.where(given, 3, out.values).astype(out.values.dtype)))


def test_index_vectors_that_are_refused():
    w = semla.Vector.from_dense([1, 2, 3])
    with pytest.raises(semla.OutOfRange, match="index 3 at position 1"):
        w[semla.Vector.from_dense([0, 3])].new()
    with pytest.raises(semla.OutOfRange, match="index -1 at position 0"):
        w[semla.Vector.from_dense([-1])] = 4
    with pytest.raises(semla.Mismatch, match="must be an integer type"):
        w[semla.Vector.from_dense([0.0])].new()
    with pytest.raises(TypeError, match="dup combines equal indices"):
        w(dup="min") << w
    with pytest.raises(TypeError, match="dup combines equal indices"):
        w(dup="min")[0:2] << w
    with pytest.raises(TypeError, match="not a monoid"):
        w(dup="minus")[w] << w
    assert w.to_dict() == {0: 1, 1: 2, 2: 3}


def test_matrix_assign(rng):
    out = operand(rng, *rng.integers(1, 8, 2))
    keys = [random_key(rng, n, whole_numbers=False, distinct=True) for n in out.present.shape]
    (key, rows), (other, cols) = keys
    A = operand(rng, len(rows), len(cols))
    for value in (A.semla(), A.T.semla().T, A.semla().apply("identity")):
        C = out.semla()
        C[key, other] = value
        check(C, placed(out, A, rows, cols))
    C = out.semla()
    C(accum="minus")[key, other] << A.semla()
    check(C, placed(out, A, rows, cols, accum="minus"))
    C = out.semla()
    C[key, other] = 2
    shape = len(rows), len(cols)
    check(
        C, placed(out, Dense(np.ones(shape, bool), np.full(shape, 2, out.values.dtype)), rows, cols)
    )


def test_row_and_column_assign(rng):
    out = operand(rng, 5, 6)
    i, j = int(rng.integers(-5, 5)), int(rng.integers(-6, 6))
    u, v = operand(rng, 3), operand(rng, 5)
    C = out.semla()
    C[i, 1:6:2] = u.semla()
    check(C, placed(out, Dense(u.present[None], u.values[None]), [i % 5], [1, 3, 5]))
    C = out.semla()
    C(accum="plus")[:, j] << v.semla()
    column = Dense(v.present[:, None], v.values[:, None])
    check(C, placed(out, column, range(5), [j % 6], accum="plus"))

    # The mask applies to the row only.
    mask, row = Dense.random(rng, (6,), bool), operand(rng, 6)
    C = out.semla()
    C(mask.semla().S, replace=True)[i, :] << row.semla()
    old = Dense(out.present[i], out.values[i])
    new = write(old, row, mask.present, None, True)
    check(C, placed(out, Dense(new.present[None], new.values[None]), [i % 5], range(6)))


def test_assign_under_a_mask(rng):
    out, mask = operand(rng, 6), Dense.random(rng, (6,), bool)
    w = out.semla()
    w(~mask.semla().S)[:] = 4
    fours = Dense(np.ones(6, bool), np.full(6, 4, out.values.dtype))
    check(w, write(out, fours, ~mask.present))
    w = out.semla()
    w(mask.semla(), replace=True)[[5, 0]] << 4
    listed = np.isin(range(6), [5, 0])
    where = mask.present & mask.values
    check(
        w,
        Dense(
            (out.present | listed) & where, np.where(listed, 4, out.values).astype(out.values.dtype)
        ),
    )


# ---- single entries ---------------------------------------------------------------------


def test_entries():
    v = semla.Vector("INT8", 4)
    v[1] = 5
    v[-1] = 7.9
    assert v.to_dict() == {1: 5, 3: 7}
    assert 1 in v and 0 not in v and list(v) == [1, 3]
    assert v[1].value == 5 and v[0].value is None
    assert v.get(3) == 7 and v.get(0) is None and v.get(0, default=-1) == -1
    v(accum="plus")[1] << 2
    v[3] = v[1].new()
    assert v.to_dict() == {1: 7, 3: 7}
    del v[1]
    del v[0]  # no entry
    assert v.to_dict() == {3: 7}

    A = semla.Matrix("FP32", 2, 3)
    A[0, 2] = 1.5
    A[-1, 0] = v[3]
    assert list(A) == [(0, 2), (1, 0)] and (1, 0) in A and (0, 0) not in A
    assert A.get(0, 2) == 1.5 and A.T[2, 0].value == 1.5
    del A[0, 2]
    assert dense(A).present.sum() == 1


def test_wrong_indices():
    v, A = semla.Vector(float, 3), semla.Matrix(float, 3, 4)
    for key in (3, -4, [0, 3], [-4], np.array([5])):
        with pytest.raises(semla.OutOfRange):
            v[key].new()
        with pytest.raises(IndexError):
            v[key] = 1
    for key in (1.5, "a", None, [0.5], [[1]], [True, False, True], (1, 2)):
        with pytest.raises(TypeError):
            v[key]
    with pytest.raises(TypeError):
        A[1]
    with pytest.raises(semla.OutOfRange):
        A[0, 4]
    with pytest.raises(TypeError):
        del v[:]
    with pytest.raises(TypeError):
        del A[0, :]
    with pytest.raises(TypeError, match="not a number"):
        v[0] = "5"
    with pytest.raises(TypeError):
        v[0] = v[1].new()  # no entry
    with pytest.raises(TypeError, match="one row or one column"):
        A[:, :] = v
    with pytest.raises(TypeError, match="mask"):
        A(A.S)[0, :] << v
    with pytest.raises(semla.Mismatch):
        v[:2] = v


# ---- huge objects ---------------------------------------------------------------------


@pytest.mark.parametrize("bits", [40, 57, 58, 60])
def test_slices_of_huge_objects(bits):
    n = 2**bits
    where = [0, 5, n // 2 + 6, n - 1]
    v = semla.Vector.from_coo(where, [1, 2, 3, 4], size=n)
    A = semla.Matrix.from_coo(where, [n - 1, 6, 8, 0], [1, 2, 3, 4], nrows=n, ncols=n)
    for key in (slice(None, None, 2), slice(None, None, -1), slice(5, None, 3), slice(None, None, -7)):
        begin, end, step = key.indices(n)
        found = {
            (i - begin) // step: x
            for i, x in zip(where, [1, 2, 3, 4])
            if i in range(begin, end, step)
        }
        assert v[key].new().to_dict() == found
        rows, _, values = A[key, :].new().to_coo()
        assert dict(zip(rows.tolist(), values.tolist())) == found
        w = semla.Vector("INT64", n)
        w[key] = v[key].new()
        assert w.to_dict() == {i: x for i, x in v.to_dict().items() if i in range(begin, end, step)}
    assert A[::-1, ::-1].new()[::-1, ::-1].new().isequal(A)
    assert A[:, ::2].new().nvals == 3
    v[::-1] = v.dup()
    assert v.to_dict() == {n - 1 - i: x for i, x in zip(where, [1, 2, 3, 4])}
