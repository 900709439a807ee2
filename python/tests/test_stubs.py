"""The types of the public names (semla/__init__.pyi), and what completion offers."""

import importlib.util
import os
import subprocess
import sys

import pytest

import semla

PROJECT = os.environ["SEMLA_PROJECT"]
STUB = os.path.join(PROJECT, "python", "semla", "__init__.pyi")


def generated():
    path = os.path.join(PROJECT, "python", "stubs", "generate.py")
    spec = importlib.util.spec_from_file_location("generate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.stub()


def test_the_stub_is_that_of_the_library():
    """If this fails, run python/stubs/generate.py python/semla/__init__.pyi."""
    with open(STUB, encoding="utf-8") as file:
        assert file.read() == generated()


def test_the_stub_has_the_public_names():
    text = generated()
    for name in semla.__all__:
        if name not in semla.errors.__all__:
            assert any(f"\n{word}{name}" in text for word in ("def ", "class ", "")), name
    for space in ("unary", "binary", "monoid", "semiring"):
        for name in getattr(semla, space):
            assert f"\n    {name}: Operator" in text


PROGRAM = """
import numpy as np
import semla

A = semla.Matrix.from_coo([0, 1], [1, 2], [1.0, 2.0], nrows=3, ncols=3)
u: semla.Vector = semla.Vector.from_dense(np.ones(3))
w = semla.Vector("FP64", A.nrows)
w(u.S, accum=semla.binary.plus, replace=True) << A.mxv(u, semla.semiring.min_plus)
w << (A @ u).apply("sqrt")
ranks = semla.pagerank(A, damping=0.5)
parents, levels = semla.bfs(A + 1, 0)
n: int = levels.nvals
one: float = float(u.reduce() + u[0])
same: bool = A.isclose(A * 2)
"""
WRONG = [
    ("A.mxm(A, semiring='plus_times')", "semiring"),
    ("semla.pagerank(A, dampening=0.5)", "dampening"),
    ("semla.unary.squareroot", "squareroot"),
    ("A.nrow", "nrow"),
    ("text: str = A.nvals", "Incompatible"),
]


def checked(program, folder):
    path = folder / "program.py"
    path.write_text(program)
    source = os.path.join(PROJECT, "python")
    return subprocess.run(
        [sys.executable, "-m", "mypy", f"--cache-dir={folder / 'cache'}", str(path)],
        env={**os.environ, "MYPYPATH": source},
        cwd=folder,
        capture_output=True,
        text=True,
    )


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    result = checked(PROGRAM, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    result = checked(PROGRAM + "\n".join(line for line, _ in WRONG) + "\n", tmp_path)
    errors = [line for line in result.stdout.splitlines() if "error:" in line]
    assert len(errors) == len(WRONG), result.stdout
    for error, (_, word) in zip(errors, WRONG):
        assert word in error


def test_completion_offers_public_names():
    A = semla.Matrix("FP64", 2, 2)
    for thing in (semla, A, A.T, A + 1, semla.Vector("FP64", 2), semla.binary, semla.semiring):
        names = dir(thing)
        assert names and not [n for n in names if n[0] == "_" and not n.startswith("__")], thing
    assert set(semla.__all__) <= set(dir(semla)) and "collection" not in dir(semla)
    assert {"mxm", "nvals", "power", "T"} <= set(dir(A)) & set(dir(A + 1)) | {"T"}
    assert "squareroot" not in dir(semla.unary) and "sqrt" in dir(semla.unary)
