#!/usr/bin/env python3
"""Writes semla/__init__.pyi: the types of the public names, for type checkers and editors.

    PYTHONPATH=build/release/python python3 python/stubs/generate.py [OUTPUT]

The types come from the docstrings, in the form of numpydoc; the names of algorithms and operators
from the library. The file is part of the sources; the test python.stubs fails if it is not what this
program writes.
"""

import inspect
import itertools
import re
import sys

import semla
from semla import algorithms, expressions, lending, scalar
from semla._library import lib
from semla._library import text as decoded

HEAD = '''"""Written by python/stubs/generate.py: the types of the public names."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import errors as errors
from .errors import *

Number: TypeAlias = bool | int | float | np.generic | "Scalar" | "ScalarExpression"

__version__: str
'''

# The words of docstrings, in this order, and their types.
WORDS = (
    (r"aggregator", "Aggregator"),
    (r"operator|monoid|semiring|Unary|Binary|Monoid|Semiring|Index\b|ComposedSemiring", "Operator"),
    (r"array_like", "ArrayLike"),
    (r"numpy.ndarray|array", "NDArray[Any]"),
    (r"dtype", "DTypeLike"),
    (r"number", "Number"),
    (r"sequence", "Sequence[Any]"),
    (r"callable", "Callable[..., Any]"),
    (r"dict|mapping", "Mapping[Any, Any]"),
    (r"list", "list[Any]"),
    (r"tuple", "tuple[Any, ...]"),
    (r"path|str", "str"),
    (r"float", "float"),
    (r"int", "int"),
    (r"bool", "bool"),
    (r"scipy|table|networkx", "Any"),
)
CLASSES = (
    "Matrix",
    "Vector",
    "Mask",
    "Context",
    "Arrays",
    "Expression",
    "ScalarExpression",
    "View",
    "Scalar",
    "Graph",
    "VertexMap",
)

# What docstrings do not say: by the name of the member or of the parameter.
MEMBERS = {
    "nvals": "int", "size": "int", "nrows": "int", "ncols": "int", "shape": "tuple[int, ...]",
    "dtype": "np.dtype[Any]", "result": "np.dtype[Any]", "S": "Mask", "V": "Mask", "T": "Matrix",
    "context": "Context", "value": "Any", "is_empty": "bool", "is_pattern": "bool",
    "is_symmetric": "bool", "is_declared_symmetric": "bool", "threads": "int", "memory": "dict[str, int]", "name": "str",
    "isequal": "bool", "isclose": "bool", "same_pattern": "bool", "diag": "Any", "get": "Any",
    "clear": "None", "resize": "None", "setdiag": "None", "promise_symmetric": "None",
    "optimize": "None", "write": "None", "to_dict": "dict[int, Any]",
    "to_dicts": "dict[int, dict[int, Any]]", "to_coo": "tuple[NDArray[Any], ...]",
    "to_csr": "tuple[NDArray[Any], ...]", "to_csc": "tuple[NDArray[Any], ...]",
    "to_edgelist": "tuple[NDArray[Any], NDArray[Any]]", "to_dense": "NDArray[Any]",
    "to_arrays": "Arrays", "give": "Arrays", "inner": "ScalarExpression", "outer": "Expression",
    "reposition": "Expression", "power": "Expression", "reduce_columnwise": "Expression",
    "vertex": "int", "label": "VertexMap", "take": "SELF", "dup": "SELF", "new": "Any",
    "sort": "tuple[Vector, Vector]", "matrix": "Matrix", "labels": "NDArray[Any]", "directed": "bool",
    "edges": "tuple[NDArray[Any], NDArray[Any], NDArray[Any]]",
    "columns": "tuple[NDArray[Any], NDArray[Any]]",
}  # fmt: skip
PARAMETERS = {
    "context": "Context | None", "dtype": "DTypeLike | None", "size": "int | None",
    "nrows": "int", "ncols": "int", "k": "int", "other": "Any", "op": "Operator | str",
    "mask": "Mask | Matrix | Vector | None", "check_dtype": "bool", "default": "Any", "A": "Any",
    "rel_tol": "float", "abs_tol": "float",
}  # fmt: skip
OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge",
             "matmul", "or", "and", "xor", "radd", "rsub", "rmul", "rtruediv", "rfloordiv", "rmod",
             "rpow")  # fmt: skip


# The types of results and arguments of algorithms by their kind, and what differs in a Graph's methods.
ARRAY = "NDArray[Any]"
RESULTS = {
    lib.SL_KIND_FLAG: "bool", lib.SL_KIND_COUNT: "int", lib.SL_KIND_NUMBER: "float",
    lib.SL_KIND_TEXT: "str", lib.SL_KIND_COUNTS: ARRAY, lib.SL_KIND_VERTICES: ARRAY,
    lib.SL_KIND_VECTOR: "Vector", lib.SL_KIND_VERTEX_VECTOR: "Vector", lib.SL_KIND_MATRIX: "Matrix",
    lib.SL_KIND_VERTEX_MATRIX: "Matrix", lib.SL_KIND_GRAPH: "Matrix",
}  # fmt: skip
LABELLED_RESULTS = {
    lib.SL_KIND_VERTICES: "list[Any]", lib.SL_KIND_VECTOR: "VertexMap",
    lib.SL_KIND_VERTEX_VECTOR: "VertexMap",
}  # fmt: skip
ARGUMENTS = {lib.SL_KIND_VERTEX: "SupportsIndex", lib.SL_KIND_VECTOR: "Vector | Mapping[int, float]"}
LABELLED_ARGUMENTS = {
    lib.SL_KIND_VERTEX: "Any", lib.SL_KIND_VERTICES: "Iterable[Any]",
    lib.SL_KIND_VECTOR: "Vector | Mapping[Any, float]",
}  # fmt: skip


def python_type(words):
    """The type that the words after the colon of a docstring's parameter mean."""
    words, optional = re.subn(r", optional$", "", words)
    words, *default = words.split(", default ")
    if words.startswith("{"):
        return f"Literal[{words[1:-1]}]"
    found = [name for name in CLASSES if re.search(rf"\b{name}\b", words)]
    rest = words
    for name in CLASSES:
        rest = re.sub(rf"\b{name}\b", "", rest)
    for pattern, name in WORDS:
        if re.search(pattern, rest):
            found.append(name)
            rest = re.sub(pattern, "", rest)
    if "ArrayLike" in found:
        found = ["ArrayLike"]
    if "Sequence[Any]" in found:
        found = [kind for kind in found if kind not in ("Number", "int", "str")]
    made = "Any" if not found or "Any" in found else " | ".join(dict.fromkeys(found))
    return f"{made} | None" if optional or default == ["None"] else made


def section(doc, title):
    """The pairs (name, words) of a section of a docstring."""
    found = re.search(
        rf"^{title}\n-+\n(.*?)(\n\n(?=\S)|\Z)", inspect.cleandoc(doc or ""), re.S | re.M
    )
    pairs = []
    for line in (found[1] if found else "").split("\n"):
        if line and not line.startswith(" "):
            names, _, words = line.partition(" : ")
            pairs += [(name.strip(), words or names) for name in names.split(",")]
    return pairs


def _result(kind):
    """The type of a result: a list of dicts is a list."""
    return (
        "list[Any]" if "list[Any]" in kind else kind.replace("Mapping[Any, Any]", "dict[Any, Any]")
    )


def _accepted(kind):
    """The type of a parameter: an expression serves as what it computes."""
    if kind in ("Matrix", "Vector", "Vector | None", "Matrix | None", "Matrix | Vector"):
        return f"{kind} | Expression"
    return kind


def returned(function, name):
    """The type of a function's result."""
    if name in MEMBERS:
        return MEMBERS[name]
    results = section(function.__doc__, "Returns")
    if name.startswith("from_"):
        return "SELF"
    if not results:
        return "Any"
    types = [_result(python_type(words)) for _, words in results]
    return types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"


def shown(value):
    return "..." if not isinstance(value, (int, str, float, type(None))) else repr(value)


def all_parameters(function, doc):
    """The parameters of a function, and the types in its docstring. `**options` that are those of
    another function, as its docstring says, are replaced by them."""
    types, found = dict(section(doc, "Parameters")), []
    for parameter in inspect.signature(function).parameters.values():
        other = re.search(r"\*\*options\n +As for `semla\.(\w+)`", doc or "")
        if parameter.kind == parameter.VAR_KEYWORD and other:
            other = getattr(semla, other[1])
            given = {"return_ids", *(one.name for one in found)}
            found += [one for one in inspect.signature(other).parameters.values()
                      if one.kind == one.KEYWORD_ONLY and one.name not in given]  # fmt: skip
            types = {**dict(section(other.__doc__, "Parameters")), **types}
        else:
            found.append(parameter)
    return found, types


def parameters(function, doc, known=None):
    """The list of parameters as text; `known` are types of some that the docstring does not say."""
    parts, keyword_only = [], False
    found, types = all_parameters(function, doc)
    for parameter in found:
        name = parameter.name
        if parameter.kind == parameter.VAR_POSITIONAL:
            parts.append(f"*{name}: Any")
            keyword_only = True
            continue
        if parameter.kind == parameter.VAR_KEYWORD:
            parts.append(f"**{name}: Any")
            continue
        if parameter.kind == parameter.KEYWORD_ONLY and not keyword_only:
            parts.append("*")
            keyword_only = True
        if name in ("self", "cls"):
            parts.append(name)
            continue
        kind = python_type(types[name]) if name in types else PARAMETERS.get(name, "Any")
        kind = "str | PathLike[str]" if name == "path" else _accepted(kind)
        kind = (known or {}).get(name, kind)
        text = f"{name}: {kind}"
        if kind == "Literal[True]":
            parts.append(text)
            continue
        if parameter.default is not parameter.empty:
            if parameter.default is None and "None" not in kind and kind != "Any":
                text = f"{name}: {kind} | None"
            text += f" = {shown(parameter.default)}"
        parts.append(text)
    return ", ".join(parts)


def overloads(name, function, flags, result, known=None, indent=""):
    """The lines of a function with keywords `flags` that are True or False, on which the type of its
    result depends: result(the set of flags that are True)."""
    if not flags:
        of = parameters(function, function.__doc__, known)
        return [f"{indent}def {name}({of}) -> {result(set())}: ..."]
    lines = []
    for values in itertools.product((False, True), repeat=len(flags)):
        types = {flag: f"Literal[{value}]" for flag, value in zip(flags, values)}
        of = parameters(function, function.__doc__, {**(known or {}), **types})
        kind = result({flag for flag, value in zip(flags, values) if value})
        lines += [f"{indent}@overload", f"{indent}def {name}({of}) -> {kind}: ..."]
    of = parameters(function, function.__doc__, known)
    return [*lines, f"{indent}@overload", f"{indent}def {name}({of}) -> Any: ..."]


def algorithm_lines(name, function, labelled=False):
    """The lines of a registered algorithm: the function, or with `labelled` the method of Graph."""
    description = algorithms.description_of(name)
    kinds = {**ARGUMENTS, **(LABELLED_ARGUMENTS if labelled else {})}
    known = {decoded(one.name): kinds[one.kind] for one in algorithms.elements(description.arguments)
             if one.kind in kinds}  # fmt: skip
    results = [one for one in algorithms.elements(description.results) if not algorithms.is_summary(one)]

    def result(on):
        types = []
        for one in results:
            if not one.flags & lib.SL_RESULT_KEYWORD or decoded(one.name) in on:
                kind = {**RESULTS, **(LABELLED_RESULTS if labelled else {})}[one.kind]
                missing = re.search(r"\bnone if\b", decoded(one.help))
                types.append(f"{kind} | None" if missing else kind)
        if "return_info" in on or not results:
            types.append("dict[str, Any]")
        return types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"

    flags = algorithms.keywords(description)
    return overloads(name, function, flags, result, known, "    " * labelled)


def method(name, static, own, indent="    "):
    """The lines of a method or property of the class `own`."""
    if own == "Graph" and name in algorithms.REGISTERED:
        return algorithm_lines(name, static, labelled=True)
    if isinstance(static, property):
        kind = MEMBERS.get(name, "Any").replace("SELF", own)
        lines = [f"{indent}@property", f"{indent}def {name}(self) -> {kind}: ..."]
        if static.fset:
            lines += [
                f"{indent}@{name}.setter",
                f"{indent}def {name}(self, value: Any) -> None: ...",
            ]
        return lines
    lines = []
    function = static
    if isinstance(static, (classmethod, staticmethod)):
        lines.append(f"{indent}@{type(static).__name__}")
        function = static.__func__
    result = returned(function, name).replace("SELF", own)
    text = f"{indent}def {name}({parameters(function, function.__doc__)}) -> {result}: ..."
    return [*lines, text]


def class_lines(made, extra=(), also=()):
    """The stub of a class; `also` are (name, member) of other classes that it has, too."""
    own = made.__name__
    base = "(Mapping[Any, Any])" if own == "VertexMap" else ""
    lines = [f"class {own}{base}:"]
    if "__init__" in vars(made) and own in semla.__all__ and own != "VertexMap":
        of = parameters(made.__init__, made.__doc__)
        lines.append(f"    def __init__({of}) -> None: ...")
    fields = section(made.__doc__, "Attributes")
    named = {name for name, _ in fields}
    lines += [f"    {name}: {MEMBERS.get(name) or python_type(words)}" for name, words in fields]
    members = {
        name: inspect.getattr_static(made, name) for name in sorted(dir(made)) if name[0] != "_"
    }
    inherited = vars(__import__("collections").abc.Mapping) if base else {}
    for name, static in [*members.items(), *also]:
        if name in named or name in inherited or name in (n for n, _ in also if n in members):
            continue
        if isinstance(static, (property, classmethod, staticmethod)) or inspect.isfunction(static):
            lines += method(name, static, "Any" if own == "Expression" else own)
    return [*lines, *(f"    {line}" for line in extra), ""]


def infix(result):
    """The special methods of what can be an operand."""
    lines = [f"def __{name}__(self, other: Any) -> {result}: ...  # type: ignore[override]"
             if name in ("eq", "ne") else f"def __{name}__(self, other: Any) -> {result}: ..."
             for name in OPERATORS]  # fmt: skip
    lines += [f"def __{name}__(self) -> {result}: ..." for name in ("neg", "pos", "abs")]
    return [
        *lines,
        "def __getitem__(self, key: Any) -> Any: ...",
        "def __contains__(self, key: Any) -> bool: ...",
        "def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]: ...",
        "def __lshift__(self, value: Any) -> None: ...",
    ]


def object_lines():
    """The special methods of vectors and matrices."""
    return [
        *infix("Expression"),
        *(f"def __i{name}__(self, other: Any) -> Any: ..."
          for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "or", "and",
                       "xor")),
        "def __setitem__(self, key: Any, value: Any) -> None: ...",
        "def __delitem__(self, key: Any) -> None: ...",
        "def __iter__(self) -> Iterator[Any]: ...",
        "def __call__(self, *given: Mask | Matrix | Vector | Operator | Replace | str | bool | None, "
        "mask: Mask | Matrix | Vector | None = None, accum: Operator | str | None = None, replace: bool = False, "
        "dup: Operator | str | None = None) -> Output: ...",
    ]  # fmt: skip


def namespace_lines():
    lines = ["class Operator:", "    @property", "    def name(self) -> str: ...",
             "    kind: str", "    types: list[np.dtype[Any]]",
             "    def __call__(self, *operands: Any) -> Expression: ...",
             "    def __getitem__(self, dtype: DTypeLike) -> Operator: ...",
             "    def __getattr__(self, name: str) -> Any: ...", ""]  # fmt: skip
    for name in ("unary", "binary", "indexunary", "select", "monoid", "semiring"):
        space = getattr(semla, name)
        lines += [f"class _{name.capitalize()}:"]
        lines += [f"    {op}: Operator" for op in space if op.isidentifier()]
        of = parameters(space.new, space.new.__doc__)
        lines += [f"    def new(self, {of}) -> Operator: ...",
                  "    def __getitem__(self, name: str) -> Operator: ...",
                  "    def __contains__(self, name: str) -> bool: ...",
                  "    def __iter__(self) -> Iterator[str]: ..."]  # fmt: skip
        if name == "select":
            lines += [f"    def {of}(self, expression: Expression) -> Expression: ..."
                      for of in ("value", "row", "column", "index")]  # fmt: skip
        if name == "semiring":
            lines.append("    def __getattr__(self, name: str) -> Operator: ...")
        lines += ["", f"{name}: _{name.capitalize()}", ""]
    return [
        *lines,
        "class Aggregator:",
        "    name: str",
        "    kind: str",
        "    def __call__(self, x: Any, *, rowwise: bool = False, columnwise: bool = False) -> Any: ...",
        "",
        "class _Agg:",
        *(f"    {name}: Aggregator" for name in semla.agg),
        "    def __getitem__(self, name: str) -> Aggregator: ...",
        "    def __contains__(self, name: str) -> bool: ...",
        "    def __iter__(self) -> Iterator[str]: ...",
        "",
        "agg: _Agg",
        "",
    ]


def function_lines(name, function):
    if name in algorithms.REGISTERED:
        return algorithm_lines(name, function)
    if name == "read":
        with_ids = f"tuple[Matrix, {ARRAY} | None]"
        return overloads(name, function, ["return_ids"], lambda on: with_ids if on else "Matrix")
    result = returned(function, name)
    return [f"def {name}({parameters(function, function.__doc__)}) -> {result}: ..."]


def both_kinds(self, *offsets, **shape):
    """What an expression has for a method with other parameters for vectors than for matrices."""


def stub():
    """The text of the file."""
    lines = HEAD.split("\n")
    reads = {}
    for kind, made in (("matrix", semla.Matrix), ("vector", semla.Vector)):
        reads.update(
            {
                name: both_kinds if name == "reposition" else inspect.getattr_static(made, name)
                for name in sorted(expressions.READS[kind])
            }
        )
    value = ["def __float__(self) -> float: ...", "def __int__(self) -> int: ...",
             "def __bool__(self) -> bool: ...", "def __index__(self) -> int: ...",
             "def __lshift__(self, value: Any) -> None: ..."]  # fmt: skip
    value += [line for line in infix("Any") if "getitem" not in line and "contains" not in line
              and "lshift" not in line and "matmul" not in line and "or__" not in line
              and "and__" not in line]  # fmt: skip
    lines += class_lines(expressions.Mask, ["def __invert__(self) -> Mask: ..."])
    output = ["def __lshift__(self, value: Any) -> None: ...",
              "def __getitem__(self, key: Any) -> Any: ...",
              "def __setitem__(self, key: Any, value: Any) -> None: ..."]  # fmt: skip
    lines += ["class Output:", *(f"    {line}" for line in output), ""]
    lines += class_lines(expressions.Expression, infix("Expression"), reads.items())
    lines += class_lines(scalar.ScalarExpression, value)
    lines += class_lines(
        semla.Scalar, [*value, "def __call__(self, accum: Any = None) -> Any: ..."]
    )
    lines += class_lines(lending.View)
    dlpack = ["def __dlpack__(self, *, stream: Any = None, **options: Any) -> Any: ...",
              "def __dlpack_device__(self) -> tuple[int, int]: ..."]  # fmt: skip
    lines += class_lines(semla.Matrix, object_lines())
    lines += class_lines(semla.Vector, [*object_lines(), *dlpack])
    lines += class_lines(semla.Arrays)
    lines += class_lines(
        semla.Context,
        ["def __enter__(self) -> Context: ...", "def __exit__(self, *failure: Any) -> None: ..."],
    )
    lines += class_lines(semla.Graph)
    mapping = ["def __getitem__(self, key: Any) -> Any: ...",
               "def __iter__(self) -> Iterator[Any]: ...", "def __len__(self) -> int: ..."]  # fmt: skip
    lines += class_lines(semla.VertexMap, mapping)
    lines += ["class Replace: ...", "", "replace: Replace", ""]
    lines += namespace_lines()
    for name in semla.__all__:
        if inspect.isfunction(getattr(semla, name)):
            lines += function_lines(name, getattr(semla, name))
    lines += [f"{name}: np.dtype[Any]" for name in semla.TYPES]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = stub()
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)
