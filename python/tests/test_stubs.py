"""The types of the public names (semla/__init__.pyi), and what completion offers."""

import importlib.util
import os
import re
import sys
import types
import typing

import numpy as np
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


def fits(value, kind):
    """Whether a value has the type that the stub says."""
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is types.UnionType:
        return any(fits(value, one) for one in arguments)
    if typing.get_origin(kind) is tuple:
        return len(value) == len(arguments) and all(map(fits, value, arguments))
    return isinstance(value, typing.get_origin(kind) or kind)


def declared(text, name, labelled):
    """The types of the results of an algorithm, by the flag that is True, or ""."""
    indent = "    " if labelled else ""
    lines = re.findall(rf"^{indent}def {name}\((.*)\) -> (.*): \.\.\.$", text, re.M)
    scope = {"Any": object, "np": np, **{key: getattr(semla, key) for key in semla.__all__}}
    return {
        "".join(re.findall(r"(\w+): Literal\[True\]", given)): eval(
            kind.replace("NDArray[Any]", "np.ndarray"), scope
        )
        for given, kind in lines
        if kind != "Any"
    }


@pytest.mark.skipif(sys.version_info < (3, 10), reason="types.UnionType")
@pytest.mark.parametrize("name", semla.algorithms.REGISTERED)
def test_results_have_the_types_of_the_stub(name):
    path = semla.generate("path", vertices=4)
    triangle = semla.Matrix.from_coo([0, 1, 2, 1, 2, 0], [1, 2, 0, 0, 1, 2], nrows=4, ncols=4)
    flags = ["", *semla.algorithms.keywords(semla.algorithms.description_of(name))]
    text = generated()
    for matrix in (path, triangle):
        graph = semla.Graph(matrix, list("abcd"))
        for labelled, call in ((False, getattr(semla, name)), (True, getattr(graph, name))):
            kinds = declared(text, name, labelled)
            assert sorted(kinds) == sorted(flags)
            given = [] if labelled else [matrix]
            if name == "st_connected":
                given += ["a", "d"] if labelled else [0, 3]
            for flag, kind in kinds.items():
                result = call(*given, **({flag: True} if flag else {}))
                assert fits(result, kind), (result, kind)


def test_completion_offers_public_names():
    A = semla.Matrix("FP64", 2, 2)
    for thing in (semla, A, A.T, A + 1, semla.Vector("FP64", 2), semla.binary, semla.semiring):
        names = dir(thing)
        assert names and not [n for n in names if n[0] == "_" and not n.startswith("__")], thing
    assert set(semla.__all__) <= set(dir(semla)) and "collection" not in dir(semla)
    assert {"mxm", "nvals", "power", "T"} <= set(dir(A)) & set(dir(A + 1)) | {"T"}
    assert "squareroot" not in dir(semla.unary) and "sqrt" in dir(semla.unary)
