"""Runs the examples of README.md, of pages of docs/ and of the docstrings of the package."""

import doctest
import importlib.util
import os
import pkgutil
import re

import pytest
import semla


@pytest.mark.parametrize("name, least", [("index.md", 4), ("python.md", 26), ("../README.md", 7), ("guide/from-a-table.md", 9)])
def test_page(name, least, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the pages write files
    path = os.path.join(os.environ["SEMLA_PROJECT"], "docs", name)
    with open(path, encoding="utf-8") as page:
        text = re.sub(r"^```.*$", "", page.read(), flags=re.M)
    test = doctest.DocTestParser().get_doctest(text, {}, name, path, 0)
    assert len(test.examples) >= least
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize().failed == 0


def graph(values):
    """The karate club with this value at each edge; None: a pattern."""
    path = os.path.join(os.environ["SEMLA_PROJECT"], "tests", "data", "karate.mtx")
    rows, cols, _ = semla.read(path, symmetric=True).to_coo()
    entries = None if values is None else values(rows + cols)
    return semla.Matrix.from_coo(rows, cols, entries, nrows=34, ncols=34)


@pytest.mark.parametrize("values", [None, lambda sums: sums % 5 + 1, lambda sums: sums % 5 + 1.5],
                         ids=["pattern", "integers", "reals"])
def test_algorithms_page(values):
    """Every Python block of docs/algorithms.md, on a matrix of each kind of values."""
    path = os.path.join(os.environ["SEMLA_PROJECT"], "docs", "algorithms.md")
    with open(path, encoding="utf-8") as page:
        blocks = re.findall(r"^```python\n(.*?)^```$", page.read(), flags=re.M | re.S)
    assert len(blocks) >= 9
    names = {"semla": semla, "A": graph(values)}
    for block in blocks:
        exec(block, names)
    assert names["truss"].shape == (34, 34) and names["labels"].size == 34


def test_cugraph_page():
    """The program of docs/coming-from-cugraph.md beside that of cuGraph."""
    path = os.path.join(os.environ["SEMLA_PROJECT"], "docs", "coming-from-cugraph.md")
    with open(path, encoding="utf-8") as page:
        blocks = re.findall(r"^```python\n(.*?)^```$", page.read(), flags=re.M | re.S)
    (block,) = (block for block in blocks if "cugraph." not in block)
    edges = pytest.importorskip("pandas").DataFrame({"src": [0, 0, 3], "dst": [1, 2, 2]})
    names = {"semla": semla, "edges": edges}
    exec(block, names)
    assert dict(names["distances"]) == {0: 0, 1: 1, 2: 1, 3: 2}


def test_docstrings():
    attempted = 0
    for info in pkgutil.iter_modules(semla.__path__, "semla."):
        networkx = info.name.startswith("semla.networkx_")
        needed = "networkx" if networkx else {"semla.plot": "matplotlib"}.get(info.name)
        if needed and not importlib.util.find_spec(needed):
            continue
        module = importlib.import_module(info.name)
        result = doctest.testmod(module, globs={"semla": semla})
        assert result.failed == 0, info.name
        attempted += result.attempted
    assert doctest.testmod(semla).failed == 0 and attempted > 20


def test_every_public_name_has_a_docstring():
    for name in semla.__all__:
        thing = getattr(semla, name)
        if name in semla.TYPES:
            continue
        assert thing.__doc__ and len(thing.__doc__) > 20, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"
