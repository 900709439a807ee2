"""Models of graphs: their parameters, and the same graphs as of the command."""

import os
import subprocess

import pytest

import semla


def by_command(tmp_path, model, *options):
    """The graph that the command generates."""
    path = tmp_path / "graph.mtx"
    command = [os.environ["SEMLA_COMMAND"], "generate", model, "-f", "-o", str(path), *options]
    subprocess.run(command, check=True, capture_output=True)
    return semla.read(path)


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("kronecker:scale=6,edgefactor=4,seed=2", "kronecker", {"scale": 6, "edgefactor": 4, "seed": 2}),
        (
            "rmat:scale=6,a=0.4,b=0.3,c=0.1,weights=1..255,seed=5",
            "rmat",
            {"scale": 6, "a": 0.4, "b": 0.3, "c": 0.1, "weights": "1..255", "seed": 5},
        ),
        ("rmat:scale=5,c=0.1", "rmat", {"scale": 5, "c": 0.1}),
        (
            "uniform:vertices=50,edges=200,weights=0.5..1.5",
            "uniform",
            {"vertices": 50, "edges": 200, "weights": (0.5, 1.5)},
        ),
        ("grid:3x4x2", "grid", {"sides": (3, 4, 2)}),
        ("road:9x8,seed=3,weights=-5..5", "road", {"sides": (9, 8), "seed": 3, "weights": (-5, 5)}),
        ("path:7", "path", {"vertices": 7}),
        ("star:7,weights=1e0..2e0", "star", {"vertices": 7, "weights": "1e0..2e0"}),
        ("complete:7", "complete", {"vertices": 7}),
    ],
)
def test_the_same_graphs_as_of_the_command(tmp_path, text, name, parameters):
    made = semla.generate(name, **parameters)
    assert made.isequal(by_command(tmp_path, text), check_dtype=not made.is_pattern)
    assert made.is_pattern == ("weights" not in parameters)
    options = {"symmetric": False, "no_loops": True, "transpose": True, "duplicates": "max"}
    flags = "--directed", "--no-loops", "--transpose", "--duplicates=max"
    made = semla.generate(name, **parameters, **options)
    assert made.isequal(by_command(tmp_path, text, *flags))


def test_weights():
    path = semla.generate("path", vertices=100, weights=(1, 3), seed=4)
    assert path.dtype == semla.INT64 and set(path.to_coo()[2].tolist()) == {1, 2, 3}
    assert path.isequal(path.T.new())
    reals = semla.generate("path", vertices=100, weights="0..1.0").to_coo()[2]
    assert reals.dtype == semla.FP64 and 0 <= reals.min() < reals.max() < 1
    assert semla.generate("path", vertices=9, weights="1..3", pattern=True).is_pattern


@pytest.mark.parametrize(
    ("model", "parameters", "message"),
    [
        ("kronecker", {}, "needs scale"),
        ("kronecker", {"scale": 5, "vertices": 9}, "takes no vertices .it takes scale, edgefactor,"),
        ("kronecker", {"scale": 5, "a": 0.5}, "takes no a"),
        ("kronecker", {"scale": 99}, "scale"),
        ("rmat", {"scale": 5, "edgefactor": 0}, "edgefactor must be above 0"),
        ("rmat", {"scale": 5, "a": 0.9, "b": 0.9}, "probabilities"),
        ("grid", {"sides": (3,)}, "a grid has two or three"),
        ("path", {"vertices": 4, "weights": "1-4"}, "is not a range of weights"),
        ("path", {"vertices": 4, "weights": "1..x"}, "is not a range of weights"),
        ("path", {"vertices": 4, "weights": (0, 0)}, "must not all be 0"),
        ("path", {"vertices": 4, "weights": (5, 1)}, "the first not above the second"),
        ("path", {"vertices": 4, "weights": "2.5..1.5"}, "weights"),
    ],
)
def test_wrong_parameters(model, parameters, message):
    with pytest.raises(semla.Invalid, match=message):
        semla.generate(model, **parameters)
