"""Tests of contexts, errors, object lifetimes, threads and copies."""

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import semla
from semla._library import ffi, lib


def some_vector(**more):
    return semla.Vector.from_coo([0, 2], [1.5, 2.5], size=4, **more)


# ---- contexts -------------------------------------------------------------------


def test_engines():
    known = {engine["name"]: engine for engine in semla.engines()}
    assert known["suitesparse"]["present"] and known["suitesparse"]["version"]
    assert semla.Context("suitesparse").engines == ["suitesparse"]
    assert semla.Context().engines[-1] == "suitesparse"
    assert semla.Context("openmp").engines == ["openmp", "suitesparse"]
    with pytest.raises(semla.Invalid, match="suitesparse"):
        semla.Context("abacus")
    if not known["cuda"]["present"]:
        with pytest.raises(semla.Unsupported, match="cuda"):
            semla.Context("cuda")


def test_unknown_word_in_the_environment(monkeypatch):
    monkeypatch.setenv("SEMLA_TRACE", "everything")
    with pytest.raises(semla.Invalid, match="SEMLA_TRACE: unknown word 'everything'; the words are"):
        semla.Context()
    monkeypatch.setenv("SEMLA_TRACE", "")
    monkeypatch.setenv("SEMLA_ENGINE", "abacus")
    with pytest.raises(semla.Error, match="SEMLA_ENGINE: unknown engine 'abacus'"):
        semla.Context()


def test_with_block():
    outside = semla.current_context()
    with semla.Context() as first:
        assert semla.current_context() is first and some_vector().context is first
        with semla.Context() as second:
            assert semla.current_context() is second
        assert semla.current_context() is first
        assert some_vector(context=outside).context is outside
    assert semla.current_context() is outside


def test_counts():
    context = semla.Context("suitesparse")
    before = context.counts["operations"]
    some_vector(context=context).reduce().new()
    assert context.counts["operations"] > before and context.counts["bytes_copied"] == 0


def test_threads():
    context = semla.Context(threads=2)
    assert context.threads == 2
    context.threads = 1
    assert context.threads == 1
    context.threads = 0
    assert context.threads == semla.Context().threads >= 1
    for wrong in (-1, 10**6):
        with pytest.raises(semla.Invalid):
            context.threads = wrong


def test_threads_wait_actively_for_a_short_time_only():
    def settings(**environment):
        """What OpenMP prints of its settings when it is loaded."""
        unset = "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"
        kept = {name: value for name, value in os.environ.items() if name not in unset}
        done = subprocess.run(
            [sys.executable, "-c", "import os, semla; print(os.environ.get('GOMP_SPINCOUNT'))"],
            env={**kept, "OMP_DISPLAY_ENV": "verbose", **environment},
            capture_output=True,
            text=True,
            timeout=600,
            check=True,
        )
        return done.stdout.strip(), done.stderr

    output, printed = settings()
    assert "GOMP_SPINCOUNT = '1000'" in printed
    assert output == "None"  # programs that Python starts are not affected
    output, printed = settings(GOMP_SPINCOUNT="77")
    assert "GOMP_SPINCOUNT = '77'" in printed and output == "77"
    assert "GOMP_SPINCOUNT = '1000'" not in settings(OMP_WAIT_POLICY="active")[1]


def test_memory_limit():
    context = semla.Context("suitesparse", memory_limit=1 << 20)  # it is a limit of host memory
    assert context.memory["limit"] == 1 << 20
    v = semla.Vector.from_dense(np.zeros(1000), context=context)
    assert 8000 <= context.memory["used"] <= context.memory["peak"]
    with pytest.raises(semla.NoMemory, match="1048576") as caught:
        semla.Vector.from_dense(np.arange(1000.0), context=context).diag().kronecker(
            semla.Matrix.from_dense(np.ones((1000, 9)), context=context)
        ).new()
    assert isinstance(caught.value, MemoryError)
    assert v.reduce().value == 0
    values = v.give("full").values
    context.set_memory_limit(0)
    del v, context
    gc.collect()
    assert values.sum() == 0  # the array outlives its context


def test_everything_is_freed():
    context = semla.Context(memory_limit=1 << 30)
    with context:
        A = semla.Matrix.from_dense(np.eye(50, k=1), missing_value=0)
        B = A.mxm(A.T).new()
        B(A.S, accum="plus") << A.kronecker(semla.Matrix.from_dense([[1.0]]))
        parents, levels = semla.bfs(A, 0)
        view = np.from_dlpack(levels)
        arrays = B.give("csr")
        rows = semla.Matrix.take(A.to_arrays("csc")).to_csr()
        for wrong in (
            lambda: A.mxv(u),  # noqa: F821 # deleted below
            lambda: A.mxm(semla.Matrix("INT8", 2, 2)),  # noqa: F821
            lambda: A[99, 0],  # noqa: F821
        ):
            u = semla.Vector(float, 3)
            with pytest.raises(semla.Error):
                wrong().new()
        copies = [parents.apply("abs").new().dup("INT8") for _ in range(5)]
    assert context.memory["used"] > 0
    del A, B, parents, levels, view, arrays, rows, copies, u, wrong
    gc.collect()
    assert context.memory["used"] == 0


def test_contexts_do_not_mix():
    with semla.Context():
        u = some_vector()
    with pytest.raises(semla.Mismatch):
        u.ewise_add(some_vector()).new()


# ---- errors ---------------------------------------------------------------------


def test_every_status_has_a_class():
    statuses = {name for name, code in ffi.typeof("sl_status").relements.items() if code < 0}
    assert {kind.status for kind in semla.Error.__subclasses__()} == statuses
    for name, code in ffi.typeof("sl_status").relements.items():
        if code < 0:
            error = semla.errors.failure(code, "")
            assert (
                error.status == name
                and str(error) == ffi.string(lib.sl_status_string(code)).decode()
            )


def test_errors_have_a_message_and_a_builtin_base():
    u, A = some_vector(), semla.Matrix(float, 3, 3)
    with pytest.raises(semla.Mismatch, match="4") as caught:
        u.vxm(A).new()
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, semla.Error)
    with pytest.raises(semla.Invalid, match="same index"):
        semla.Vector.from_coo([1, 1], [1, 2], size=3)
    with pytest.raises(IndexError, match="7"):
        semla.Vector.from_coo([7], [1], size=3)
    with pytest.raises(semla.OutOfRange):
        semla.Vector(float, 2**61)
    with pytest.raises(OSError, match="nosuch"):
        semla.read("nosuch.mtx")
    assert u.to_dict() == {0: 1.5, 2: 2.5}


def test_wrong_types():
    u, A = some_vector(), semla.Matrix(float, 4, 4)
    for wrong in (
        lambda: u.ewise_add(A),
        lambda: u.ewise_add(A.apply("abs")),
        lambda: A.mxv(A),
        lambda: u.vxm(u),
        lambda: A << u,
        lambda: u << A.mxm(A),
        lambda: u(A.S) << u,
        lambda: u(5) << u,
        lambda: u.apply("nosuch"),
        lambda: u.apply(semla.binary.plus),
        lambda: u.apply(semla.binary.plus, 1, left=1),
        lambda: u.reduce(semla.binary.minus),
        lambda: u.vxm(A, "plus"),
        lambda: semla.Vector("complex64", 3),
        lambda: semla.Vector(object, 3),
        lambda: semla.semiring["nosuch"],
        lambda: semla.monoid.plus["BOOL"],
        lambda: u.ewise_mult(u) << 5,
    ):
        with pytest.raises(TypeError):
            wrong()


# ---- lifetimes ---------------------------------------------------------------------


def test_objects_keep_their_context():
    context = semla.Context()
    owner = weakref.ref(context._owner)
    u = some_vector(context=context)
    expression = u.apply("abs")
    del context, u
    gc.collect()
    assert owner() is not None
    assert expression.new().to_dict() == {0: 1.5, 2: 2.5}
    del expression
    gc.collect()
    assert owner() is None


def test_reference_cycles():
    """The garbage collector may visit a context before its objects."""
    for _ in range(5):
        context = semla.Context()
        u, A = some_vector(context=context), semla.Matrix(float, 2, 2, context=context)
        context.self, u.other, A.other = [context, u], A, u
        owner = weakref.ref(context._owner)
        del context, u, A
        gc.collect()
        assert owner() is None


def test_collector_does_not_wait_for_operations():
    """An object that is collected while its context is busy is freed by the next call."""
    context = semla.Context()
    u, v = some_vector(context=context), some_vector(context=context)
    owner = context._owner
    assert owner._lock.acquire(blocking=False)
    try:
        del u
        gc.collect()
        assert len(owner._pending) == 1
    finally:
        owner._lock.release()
    v.nvals
    assert not owner._pending


# ---- threads --------------------------------------------------------------------------


def in_threads(count, work):
    failures = []

    def guarded(k):
        try:
            work(k)
        except BaseException as failure:  # noqa: BLE001 # raised again in the main thread
            failures.append(failure)

    threads = [threading.Thread(target=guarded, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def multiply_often(k):
    rng = np.random.default_rng(k)
    dense = rng.integers(0, 9, (40, 40)) * (rng.random((40, 40)) < 0.2)
    A = semla.Matrix.from_dense(dense, missing_value=0)
    for _ in range(10):
        np.testing.assert_array_equal(A.mxm(A).new().to_dense(0), dense @ dense)


def test_threads_share_a_context():
    in_threads(4, multiply_often)


def test_give_while_other_threads_read():
    """No thread reads memory that another thread has moved out."""
    context = semla.Context()
    v = semla.Vector.from_dense(np.ones(500), context=context)

    def work(k):
        for _ in range(100):
            if k == 0:
                taken = semla.Vector.take(v.give("full"), context=context)
                v << taken
            else:
                assert v.reduce().value in (0, 500) and v.size == 500

    in_threads(4, work)


def test_context_per_thread():
    def work(k):
        with semla.Context("suitesparse"):
            multiply_often(k)

    in_threads(4, work)


def test_one_default_context():
    seen = []
    in_threads(8, lambda k: seen.append(semla.current_context()))
    assert len(set(map(id, seen))) == 1


# ---- copies ------------------------------------------------------------------------------


def test_pickle():
    u, A = some_vector(), semla.Matrix.from_coo([0, 1], [2, 1], [3, 4], "INT8", nrows=2, ncols=5)
    pattern = semla.Matrix.from_coo([0, 1], [2, 1], nrows=3, ncols=3)
    for thing in (u, A, pattern):
        again = pickle.loads(pickle.dumps(thing))
        assert again.isequal(thing, check_dtype=True)
    assert pickle.loads(pickle.dumps(pattern)).is_pattern


@pytest.mark.parametrize("size", [10**6, 10**9, 2**60])
def test_pickles_of_few_entries_are_small(size):
    A = semla.Matrix.from_coo([0, size - 1], [1, 2], [1.5, 2], nrows=size, ncols=size)
    pattern = semla.Matrix.from_coo([size - 1], [0], nrows=size, ncols=1)
    for thing in (A, A.T.new(), pattern, semla.Matrix("INT8", size, 0), A[0, :].new()):
        text = pickle.dumps(thing)
        assert len(text) < 10_000
        assert pickle.loads(text).isequal(thing, check_dtype=True)
        assert copy.deepcopy(thing).isequal(thing, check_dtype=True)
    assert pickle.loads(pickle.dumps(pattern)).is_pattern


def test_pickles_of_compressed_rows_are_read():
    # as 0.1.0 wrote them of every matrix
    parts = np.array([0, 1, 2], "u8"), np.array([2, 1], "u8"), np.array([3, 4], "i1"), "|i1"
    A = semla.compressed._unpickle_matrix(semla.Matrix, parts, 2, 5)
    assert A.isequal(semla.Matrix.from_coo([0, 1], [2, 1], [3, 4], "INT8", nrows=2, ncols=5))


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def test_pickled_operators_are_the_same_ones():
    spaces = [getattr(semla, name) for name in
              ("unary", "binary", "indexunary", "select", "monoid", "semiring", "agg")]  # fmt: skip
    for space in spaces:
        assert again(space) is space
        for name in space:
            op = space[name]
            assert again(op) is op, op
            for dtype in getattr(op, "types", ()):
                assert again(op[dtype]) is op[dtype], op[dtype]
    for op in (semla.semiring.min_rminus, semla.monoid.eq, semla.replace):
        assert again(op) is op
    for dtype in semla.TYPES.values():
        assert again(dtype) == dtype
    typed = semla.semiring.min_plus["FP32"]
    for part in (typed.monoid, typed.binaryop, typed.monoid.binaryop):
        copy = again(part)
        assert copy.name == part.name and copy.dtype == part.dtype and copy.result == part.result
    assert again({"op": semla.binary.plus, "typed": typed})["typed"] is typed


def negated(x):
    return -x


def halved(x):
    return x / 2


def weighted(x, y):
    return x + 3 * y


def larger(x, y):
    return max(x, y)


def below(x, row, column, thunk):
    return row < thunk


def test_pickled_user_operators_compute_the_same():
    v = semla.Vector.from_dense([1, 2, 7])
    A = semla.Matrix.from_coo([0, 1], [1, 2], [5, 3], nrows=3, ncols=3)
    greatest = semla.binary.new(larger, "INT64", source="*z = *x > *y ? *x : *y;", name="greatest")
    monoid = semla.monoid.new(greatest, identity=0, terminal=9, idempotent=True)
    weight = semla.binary.new(weighted, "INT64", right="INT8", result="FP64")
    untyped = semla.monoid.new(semla.binary.new(larger), identity=0)
    for op, use in (
        (semla.unary.new(negated, "INT64"), v.apply),
        (semla.unary.new(halved), v.apply),
        (semla.unary.new(halved)["INT64"], v.apply),
        (weight, lambda op: v.ewise_mult(v, op)),
        (greatest, lambda op: v.ewise_mult(v, op)),
        (semla.indexunary.new(below, "INT64", "BOOL", thunk="INT64"), lambda op: v.select(op, 2)),
        (semla.indexunary.new(below, result="BOOL"), lambda op: v.select(op, 2)),
        (monoid, v.reduce),
        (monoid.binaryop, lambda op: v.ewise_mult(v, op)),
        (untyped, v.reduce),
        (untyped["INT64"], v.reduce),
        (semla.semiring.new(monoid, greatest), lambda op: A.mxm(A, op)),
        (semla.semiring.new("min", "max"), lambda op: A.mxm(A, op)),
        (semla.semiring.new("min", greatest), lambda op: A.mxm(A, op)),
        (semla.semiring.new("min", greatest)["INT64"], lambda op: A.mxm(A, op)),
        (semla.semiring.min_rminus["INT64"], lambda op: A.mxm(A, op)),
    ):
        copy = again(op)
        assert (copy.name, copy.kind, type(copy)) == (op.name, op.kind, type(op))
        found, right = use(copy).new(), use(op).new()
        if isinstance(right, semla.Scalar):
            assert found.value == right.value
        else:
            assert found.isequal(right, check_dtype=True) and right.nvals
    copy = again(monoid)
    assert (copy.identity, copy.terminal, copy.idempotent) == (0, 9, True)
    assert again(weight).dtype == semla.INT64 and again(weight).result == semla.FP64
    with semla.Context("suitesparse") as context:
        assert again(greatest).context is context
        assert again(semla.unary.new(halved)["INT64"]).context is context


def test_what_cannot_be_pickled_says_so():
    v = semla.Vector.from_dense([1, 2])
    for thing, words in (
        (semla.unary.new(lambda x: x, "INT64", name="mine"), "lambda"),
        (v + 1, r"pickle its \.new\(\)"),
        (v.reduce(), r"pickle its \.new\(\) or \.value"),
        (v.context, "a Context cannot be pickled"),
    ):
        with pytest.raises((TypeError, AttributeError, pickle.PicklingError), match=words):
            pickle.dumps(thing)
    assert again(semla.Scalar(5, "INT8")).value == 5 and again(v.S).parent.isequal(v)
    assert again(semla.Matrix.from_coo([0], [1], [2]).T).new().to_dicts() == {1: {0: 2}}


def test_dup_makes_an_independent_copy():
    u = some_vector()
    v, w = u.dup(), u.dup("INT8")
    v[1] = 9
    u.clear()
    assert v.to_dict() == {0: 1.5, 1: 9, 2: 2.5} and w.to_dict() == {0: 1, 2: 2} and u.nvals == 0


def test_progress_of_one_call():
    reports = []
    A = semla.generate("kronecker", scale=10)
    before = A.context.progress
    semla.betweenness(A, [0, 1, 2, 3], progress=reports.append)
    assert reports and A.context.progress is before
    count = len(reports)
    semla.Graph(A).betweenness([0, 1], progress=False)
    assert len(reports) == count
    with pytest.raises(semla.Invalid, match="progress is 3"):
        semla.betweenness(A, [0], progress=3)
