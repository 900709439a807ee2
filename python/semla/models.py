"""Generates graphs from models."""

import re

from ._library import ffi, lib
from .context import current_context
from .errors import Invalid
from .files import choices, read_options
from .indices import count, index_array
from .matrix import Matrix
from .signatures import named
from .traversal import chosen

_CODES = choices("sl_model", "SL_MODEL_")
_CODES["rmat"] = _CODES["kronecker"]

# The parameters of each model beside `seed` and `weights`; those with a default are not required.
_PARAMETERS = {
    "kronecker": ("scale", "edgefactor"),
    "rmat": ("scale", "edgefactor", "a", "b", "c"),
    "uniform": ("vertices", "edges"),
    "grid": ("sides",),
    "road": ("sides",),
    "path": ("vertices",),
    "star": ("vertices",),
    "complete": ("vertices",),
}
_DEFAULTS = {"edgefactor": 16.0, "a": 0.57, "b": 0.19, "c": 0.19}


def _range(weights):
    """(first, last, integers) of a range of weights: "1..255", "0.0..1.0", or a pair."""
    if isinstance(weights, str):
        number = r"(-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
        found = re.fullmatch(rf"{number}\.\.{number}", weights)
        if not found:
            raise Invalid(
                f"generate: {weights!r} is not a range of weights, such as '1..255' (integers) or "
                "'0.0..1.0' (reals)"
            )
        weights = [int(text) if text.lstrip("-").isdigit() else float(text) for text in found.groups()]
    first, last = weights
    if first == last == 0:
        raise Invalid("generate: the weights must not all be 0")
    return float(first), float(last), isinstance(first, int) and isinstance(last, int)


def _checked(model, given):
    """The parameters of a model, with defaults; `given` has None for those that were not given."""
    takes = _PARAMETERS[model]
    words = ", ".join((*takes, "seed", "weights"))
    for name, value in given.items():
        if value is not None and name not in takes:
            raise Invalid(f"generate: {model!r} takes no {name} (it takes {words})")
    made = {name: _DEFAULTS.get(name) if given[name] is None else given[name] for name in takes}
    for name, value in made.items():
        if value is None:
            raise Invalid(f"generate: {model!r} needs {name} (it takes {words})")
    return made


def _set_model(wanted, model, given):
    """Writes the parameters of a model to an sl_generator."""
    wanted.model = _CODES[model]
    for name, value in _checked(model, given).items():
        if name == "sides":
            sides = index_array(value, "side").tolist()
            if not 2 <= len(sides) <= 3:
                raise Invalid(f"generate: {len(sides)} sides were given; a grid has two or three")
            wanted.side = [*sides, 0][:3]
        elif name == "edgefactor":
            if not value > 0:
                raise Invalid(f"generate: edgefactor must be above 0, not {value!r}")
            wanted.edge_factor = value
        elif name in ("a", "b", "c"):
            setattr(wanted, name, value)
        else:
            setattr(wanted, name, count(value, name, bits=32 if name == "scale" else 64))


@named
def generate(
    model,
    *,
    seed=0,
    scale=None,
    edgefactor=None,
    a=None,
    b=None,
    c=None,
    vertices=None,
    edges=None,
    sides=None,
    weights=None,
    symmetric=True,
    no_loops=False,
    transpose=False,
    pattern=False,
    duplicates="drop",
    context=None,
):
    """Generate a graph from a model. Equal arguments give equal graphs.

    The command `semla generate` has the same names. An engine of the context that can generate
    the model does so: the `cuda` engine makes "kronecker", "rmat" and "uniform" in the memory of the GPU.

    Parameters
    ----------
    model : str
        "kronecker" (uses scale, edgefactor), "rmat" (the same, and a, b, c), "uniform" (vertices,
        edges), "grid" (two or three sides), "road" (two sides; a grid with gaps and shortcuts),
        "path", "star" or "complete" (vertices).
    seed : int, default 0
        Of the edges of "kronecker", "rmat", "uniform" and "road", and of the weights.
    scale : int, optional
        The graph has 2**scale vertices.
    edgefactor : float, optional
        Edges per vertex, by default 16.
    a, b, c : float, optional
        The probabilities of the first three quadrants of the adjacency matrix, by default 0.57,
        0.19, 0.19; the fourth has the rest of 1.
    vertices, edges : int, optional
    sides : sequence of int, optional
    weights : str or tuple of number, optional
        The range of random weights: "1..255" or (1, 255) for integers, both ends included,
        "0.0..1.0" or (0.0, 1.0) for reals, the end excluded. By default there are none.
    symmetric : bool, default True
        Whether each edge is stored in both directions.
    no_loops : bool, default False
        Whether self-loops are dropped.
    transpose : bool, default False
        Reverse every edge.
    pattern : bool, default False
        Ignore weights.
    duplicates : {"drop", "last", "sum", "min", "max", "error"}, default "drop"
        What becomes of edges that occur more than once: as for `semla.read`.
    context : Context, optional
        By default the current context.

    Returns
    -------
    Matrix
        A pattern without weights, else of type INT64 or FP64.

    Raises
    ------
    Invalid
        If the arguments do not fit the model.

    Examples
    --------
    >>> semla.generate("grid", sides=(3, 4)).shape
    (12, 12)
    >>> A = semla.generate("rmat", scale=4, a=0.45, b=0.22, c=0.22, weights="1..9", seed=1)
    >>> A.dtype, A.reduce_scalar("max").value
    (dtype('int64'), 9)
    """
    context = context or current_context()
    chosen(_CODES, "model", model)
    wanted = ffi.new("sl_generator *")
    wanted.seed = count(seed, "seed")
    sizes = {"vertices": vertices, "edges": edges, "sides": sides}
    _set_model(
        wanted, model, {"scale": scale, "edgefactor": edgefactor, "a": a, "b": b, "c": c, **sizes}
    )
    if weights is not None:
        wanted.weighted = True
        wanted.least_weight, wanted.greatest_weight, wanted.integer_weights = _range(weights)
    options = read_options(
        duplicates, symmetric=symmetric, no_loops=no_loops, transposed=transpose, pattern=pattern
    )
    out = ffi.new("sl_matrix **")
    context._call(lib.sl_matrix_generate, out, context, wanted, options)
    return Matrix._owning(context, out[0])
