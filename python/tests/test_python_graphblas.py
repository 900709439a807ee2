"""Every line of docs/coming-from-python-graphblas.md, with python-graphblas itself if there is one."""

import os
import re

import pytest

import semla

try:
    import graphblas as gb
except ImportError:
    gb = None

PAGE = os.path.join(os.environ["SEMLA_PROJECT"], "docs", "coming-from-python-graphblas.md")


def lines():
    with open(PAGE, encoding="utf-8") as file:
        section = file.read().split("## Line by line")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `(.+)` \| `(.+)` \|$", section, re.M)
    return [tuple(cell.replace("\\|", "|") for cell in row) for row in rows]


def objects(package):
    """The names that the lines use."""
    square = {"nrows": 3, "ncols": 3}
    make, vector = package.Matrix.from_coo, package.Vector.from_coo
    return {
        "A": make([0, 0, 1, 2], [1, 2, 2, 0], [1.0, 4.0, 2.0, 3.0], **square),
        "B": make([0, 1, 2, 2], [1, 0, 2, 1], [2.0, 1.0, 0.5, 3.0], **square),
        "C": make([0, 2], [0, 2], [1.0, 9.0], **square),
        "M": make([0, 1, 2], [0, 1, 1], [True, False, True], **square),
        "u": vector([0, 1], [1.5, 2.0], size=3),
        "v": vector([1, 2], [4.0, 3.0], size=3),
        "w": vector([0, 2], [8.0, 6.0], size=3),
    }


def outcome(line, package, names):
    """What the line leaves in C, w and s."""
    scope = {**objects(package), **names}
    exec(line, scope)
    return [scope["C"].to_dicts(), scope["w"].to_dict(), scope.get("s")], scope


def equal(one, other):
    """Whether dicts, lists and numbers are equal, up to rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[k], other[k]) for k in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(equal, one, other))
    return one == other or one == pytest.approx(other)


def test_the_page_has_lines():
    assert len(lines()) > 45
    assert {"C(M.V, semla.replace) << A @ B"} <= {own for _, own in lines()}


@pytest.mark.parametrize("theirs, own", lines(), ids=[own for _, own in lines()])
def test_line(theirs, own):
    found, scope = outcome(own, semla, {"semla": semla})
    if gb is None:
        before = objects(semla)
        changed = any(not scope[k].isequal(before[k]) for k in "w") or "s" in scope
        assert changed or scope["C"].shape != (3, 3) or not scope["C"].isequal(before["C"])
        return
    gb.init("suitesparse", blocking=True)
    expected, _ = outcome(theirs, gb, {"gb": gb})
    assert all(equal(one, other) for one, other in zip(found, expected)), (found, expected)


@pytest.mark.skipif(gb is None, reason="no python-graphblas")
def test_names_of_operators():
    """Every operator of python-graphblas is here, or the page says that it is not."""
    with open(PAGE, encoding="utf-8") as file:
        missing = file.read().split("## Only in one of them")[1]
    own_words = {"register_anonymous", "register_new", "from_string", "ss"}
    for kind in ("unary", "binary", "monoid", "indexunary", "select", "agg"):
        for name in dir(getattr(gb, kind)):
            if name[0] == "_" or name in own_words or hasattr(getattr(semla, kind), name):
                continue
            named = f"`{name}`" in missing or re.search(rf"`{kind}\.{name}\b", missing)
            assert named or name in ("Aggregator", "TypedAggregator"), f"{kind}.{name}"


def test_two_masks_or_accumulators():
    w = semla.Vector("FP64", 3)
    with pytest.raises(TypeError, match="two accumulators"):
        w("plus", semla.binary.max)
    with pytest.raises(TypeError, match="two masks"):
        w(w.S, w.V)
