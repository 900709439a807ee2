"""Calls with wrong arguments: the message names the function and suggests the nearest keyword, as the
command does for options."""

import difflib
import functools
import inspect


def _nearest(word, words):
    """The only word that begins with `word`, else the most similar one; None if none is similar."""
    begins = [one for one in words if one.startswith(word)]
    if len(begins) == 1 and len(word) > 1:
        return begins[0]
    return next(iter(difflib.get_close_matches(word, words, n=1)), None)


def _takes(signature):
    """The names of the parameters that can be given as keywords."""
    kinds = inspect.Parameter
    by_name = kinds.POSITIONAL_OR_KEYWORD, kinds.KEYWORD_ONLY
    return [
        name
        for name, parameter in signature.parameters.items()
        if parameter.kind in by_name and name not in ("self", "cls")
    ]


def bind(name, signature, args, kwargs):
    """signature.bind(*args, **kwargs). The message of its TypeError begins with the function's name."""
    try:
        return signature.bind(*args, **kwargs)
    except TypeError as error:
        words = _takes(signature)
        unknown = next((key for key in kwargs if key not in words), None)
        if unknown is None:
            raise TypeError(f"{name}: {error}") from None
    nearest = _nearest(unknown, words)
    hint = f"did you mean {nearest!r}?" if nearest else f"it takes {', '.join(words)}"
    raise TypeError(f"{name}: got an unexpected keyword argument {unknown!r}; {hint}")


def named(function, name=None):
    """The function, with messages as those of `bind` if it is called with wrong arguments."""
    name = name or function.__name__

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if error.__traceback__.tb_next is None:  # raised by the call, not in the function
                bind(name, inspect.signature(function), args, kwargs)
            raise

    return call


def name_constructors(made):
    """Makes `__init__` and the class methods of a class `named`: "Matrix.from_coo: got ..."."""
    made.__init__ = named(made.__init__, made.__name__)
    for name in dir(made):
        static = inspect.getattr_static(made, name)
        if isinstance(static, classmethod) and name[0] != "_":
            full = f"{made.__name__}.{name}"
            setattr(made, name, classmethod(named(static.__func__, full)))
    return made
