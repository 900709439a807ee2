"""Programs of python-graphblas on semla: python -m semla.python_graphblas, and python-graphblas's own tests."""

import os
import re
import subprocess
import sys

import pytest

graphblas = pytest.importorskip("graphblas", reason="no python-graphblas")

HOST = {**os.environ, "SEMLA_GRB": "host", "OMP_NUM_THREADS": "1"}

PROGRAM = """
import sys
import graphblas as gb
import semla.python_graphblas
from graphblas import *

semla.python_graphblas.install()
gb.init("suitesparse", blocking=True)
print(sys.argv[1:], __name__)
A = gb.Matrix.from_coo([0, 1, 2, 3], [1, 2, 3, 0], [1.5, 2.5, 3.5, 4.5])
level, frontier = gb.Vector(int, 4), gb.Vector.from_coo([1], [True], size=4)
for depth in range(4):
    level(frontier.S)[:] << depth
    frontier(~level.S, replace=True) << semiring.any_pair(frontier @ A)
print(level.to_dict())
print(A.apply(unary.positioni1).new().to_dicts())
print(A.reduce_rowwise(monoid.max).new()[1:3].new().to_dict())
print(A.apply(lambda x: x + 1).new().reduce_scalar("plus").new().value)
print(gb.MAX_SIZE, repr(A).split()[0])
try:
    A.ewise_mult(A, binary.firsti1).new()
except TypeError as error:
    print(str(error).replace("\\n", " "))
for statement in "gb.core.lib.GxB_Matrix_concat", "A.ss", "gb.init('cusparse')":
    try:
        eval(statement)
    except (AttributeError, ValueError) as error:
        print(error)
"""
OUTPUT = r"""\['a', 'b'\] __main__
{1: 0, 2: 1, 3: 2, 0: 3}|{0: 3, 1: 0, 2: 1, 3: 2}
{0: {1: 1}, 1: {2: 2}, 2: {3: 3}, 3: {0: 4}}
{0: 2.5, 1: 3.5}
16.0
1152921504606846976 "M_\d+"
Error calling GrB_Matrix_eWiseMult_BinaryOp: .*GxB_FIRSTI1_INT64.*not NotInSemla
semla's library of the GraphBLAS C API has no GxB_Matrix_concat
.*"suitesparse" backend.*
Bad backend name: 'cusparse'; it is one of suitesparse, suitesparse-vanilla
"""

# Tests of python-graphblas that fail on semla.
INDEX = "an index out of range is GrB_INDEX_OUT_OF_BOUNDS, as in the C API; SuiteSparse: GrB_INVALID_OBJECT"
DIFFERENT = {
    "test_core.py::test_bad_init": "a second init is accepted, since install() calls the first",
    "test_matrix.py::test_to_csr_from_csc": INDEX,
    "test_matrix.py::test_from_list_of_dicts": INDEX,
    "test_op.py::test_create_semiring": "semla has no firsti1, firstj1, secondi1, secondj1",
    "test_operator_types.py::test_binarytypes": "semla's bshift takes no int8",
}
PLUGIN = """
import semla.python_graphblas

semla.python_graphblas.install()


def pytest_addoption(parser):
    parser.addoption("--backend", default="suitesparse-vanilla")
    for name in "--blocking", "--record", "--mapnumpy", "--runslow", "--randomly":
        parser.addoption(name, action="store_true", default=False)
"""


def run(arguments, folder):
    command = [sys.executable, "-W", "ignore", *arguments]
    return subprocess.run(command, cwd=folder, env=HOST, capture_output=True, text=True)


def test_program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = run(["-m", "semla.python_graphblas", "program.py", "a", "b"], tmp_path)
    assert done.returncode == 0, done.stderr
    for expected, line in zip(OUTPUT.splitlines(), done.stdout.splitlines(), strict=True):
        assert re.fullmatch(expected, line), (expected, line)


def test_without_program(tmp_path):
    done = run(["-m", "semla.python_graphblas"], tmp_path)
    assert done.returncode == 1 and "PROGRAM [ARGUMENT...]" in done.stderr, done


def test_unknown_place(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", "import semla.python_graphblas as p; p.install()"],
        env={**HOST, "SEMLA_GRB": "gird"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done
    assert "SEMLA_GRB=gird" in done.stderr and "GrB_init failed with code -3" in done.stderr


def test_own_tests(tmp_path):
    """The tests of python-graphblas have the results that they have over its own backend, but for those listed."""
    tests = os.path.join(os.path.dirname(graphblas.__file__), "tests")
    if not os.path.exists(tests):
        pytest.skip("python-graphblas is installed without its tests")
    (tmp_path / "on_semla.py").write_text(PLUGIN)
    HOST["PYTHONPATH"] = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = run(["-m", "pytest", "-q", "-p", "on_semla", "-p", "no:cacheprovider", tests], tmp_path)
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 300, done.stdout + done.stderr
    failed = set(re.findall(r"^(?:FAILED|ERROR) \S*/(test_\S+)", done.stdout, re.M))
    assert failed <= DIFFERENT.keys(), (failed, done.stdout)
