"""The types of semla/__init__.pyi as mypy reads them: programs that are right, lines that are wrong, and
the examples of the documentation."""

import doctest
import json
import os
import re
import subprocess
import sys

import pytest

import semla

pytest.importorskip("mypy")

DOCS = os.path.join(os.environ["SEMLA_PROJECT"], "docs")

RIGHT = """
from collections.abc import Mapping
from typing import Any

import numpy as np
import semla

A = semla.Matrix.from_coo([0, 1], [1, 2], [1.0, 2.0], nrows=3, ncols=3)
u: semla.Vector = semla.Vector.from_dense(np.ones(3))
w = semla.Vector("FP64", A.nrows)
w(u.S, accum=semla.binary.plus, replace=True) << A.mxv(u, semla.semiring.min_plus)
w << (A @ u).apply("sqrt")
ranks: semla.Vector = semla.pagerank(A, damping=0.5)
parents, levels = semla.bfs(A + 1, 0)
n: int = levels.nvals
one: float = float(u.reduce() + u[0])
same: bool = A.isclose(A * 2)
array = np.from_dlpack(u)
made: semla.Vector = semla.Vector.from_dlpack(np.ones(3))

B: semla.Matrix = semla.read("x.mtx", format="edges")
C, ids = semla.read("x.mtx", return_ids=True)
entries: int = C.nvals
if ids is not None:
    first = ids[0]

labels, info = semla.components(A, return_info=True)
count: int = labels.size + info["components"]
total: int = semla.triangles(A)
total, per_vertex = semla.triangles(A, per_vertex=True)
number: int = per_vertex.nvals
distances: semla.Vector = semla.sssp(A, np.int64(0))[0]
path = semla.st_connected(A, 0, 1)
hops: int = -1 if path is None else len(path)


def run(return_info: bool) -> Any:
    return semla.scc(A, return_info=return_info)


graph = semla.Graph.from_edges([("a", "b", 2.0)])
towns, before = graph.sssp("a")
length: Mapping[Any, Any] = towns
town = before["b"]
levels_of: semla.VertexMap = graph.bfs("a", targets=["b"], max_depth=3)[1]
scores: semla.VertexMap = graph.pagerank(personalisation={"a": 1.0})
route = graph.st_connected("a", "b")
if route is not None:
    stops: list[Any] = route
sides, cycle = graph.bipartite()
side = None if sides is None else sides["a"]
nvals: int = graph.matrix.nvals
from_file = semla.Graph.read("roads.csv", weight_column="km", symmetric=True)
op = semla.unary.new(lambda x: x + 1, "INT64", source="*z = *x + 1;")
semla.current_context().progress = True
"""

# Each line, and a pattern that mypy's error has.
WRONG = [
    ("A.mxm(A, semiring='plus_times')", "semiring"),
    ("semla.betweenness(A, dampening=0.5)", "dampening"),
    ("semla.pagerank(A, dampening=0.5)", "overload"),
    ("semla.unary.squareroot", "squareroot"),
    ("A.nrow", "nrow"),
    ("text: str = A.nvals", "Incompatible"),
    ("semla.read('x').tolist()", "tolist"),
    ("semla.read('x', return_ids=True)[1].tolist()", "None|Optional"),
    ("semla.components(A, return_info=True).nvals", "nvals"),
    ("semla.triangles(A).nvals", "nvals"),
    ("len(semla.st_connected(A, 0, 1))", "None|Optional"),
    ("semla.sssp(A, 'a')", "overload"),
    ("graph.pagerank().nvals", "nvals"),
    ("graph.sssp('a')[0].to_coo()", "to_coo"),
    ("graph.bfs('a', max_dept=3)", "max_dept"),
    ("graph.st_connected('a', 'b').index('a')", "None|Optional"),
    ("graph.bipartite()[0]['a']", "None|Optional"),
    ("semla.Graph.read('x', weight_colum='km')", "weight_colum"),
]


def errors(folder, *names, flags=()):
    """The lines of mypy with errors."""
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--follow-imports=silent", "--ignore-missing-imports"]
        + [f"--cache-dir={folder / 'cache'}", *flags, *names],
        env={**os.environ, "MYPYPATH": os.path.dirname(os.path.dirname(semla.__file__))},
        cwd=folder,
        capture_output=True,
        text=True,
    )
    found = [line for line in result.stdout.splitlines() if "error:" in line]
    assert result.returncode == bool(found), result.stdout + result.stderr
    return found


def test_a_right_program(tmp_path):
    (tmp_path / "program.py").write_text(RIGHT)
    assert errors(tmp_path, "program.py") == []


def test_wrong_lines(tmp_path):
    (tmp_path / "program.py").write_text(RIGHT + "\n".join(line for line, _ in WRONG) + "\n")
    found = {}  # {number of the line: its errors}
    for error in errors(tmp_path, "program.py"):
        found.setdefault(int(error.split(":")[1]), []).append(error)
    before = RIGHT.count("\n")
    assert sorted(found) == [before + k + 1 for k in range(len(WRONG))], found
    for k, (line, words) in enumerate(WRONG):
        assert re.search(words, "".join(found[before + k + 1])), (line, found[before + k + 1])


def test_examples(tmp_path):
    """The examples of the pages and the notebooks. They do not test results for None."""
    names = []
    for page in ("index.md", "python.md"):
        with open(os.path.join(DOCS, page), encoding="utf-8") as file:
            text = re.sub(r"^```.*$", "", file.read(), flags=re.M)
        examples = [one.source for one in doctest.DocTestParser().get_examples(text)]
        names.append(page.replace(".md", "_page.py"))
        (tmp_path / names[-1]).write_text("import semla\n" + "".join(examples))
    folder = os.path.join(DOCS, "notebooks")
    for notebook in sorted(os.listdir(folder)):
        if notebook.endswith(".ipynb"):
            with open(os.path.join(folder, notebook), encoding="utf-8") as file:
                cells = json.load(file)["cells"]
            code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
            names.append(notebook.replace("-", "_").replace(".ipynb", ".py"))
            (tmp_path / names[-1]).write_text("\n".join(code) + "\n")
    assert len(names) >= 5
    flags = ["--allow-redefinition", "--allow-untyped-globals", "--no-strict-optional"]
    assert errors(tmp_path, *names, flags=flags) == []
