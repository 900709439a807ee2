"""The command, its manual, docs/algorithms.md and the package have the same algorithms and options."""

import importlib.util
import inspect
import os
import re

import pytest

import semla

PROJECT = os.environ.get("SEMLA_PROJECT", "")
spec = importlib.util.spec_from_file_location(
    "list_algorithms", os.path.join(PROJECT, "docs", "list_algorithms.py")
)
list_algorithms = importlib.util.module_from_spec(spec)
spec.loader.exec_module(list_algorithms)

if "SEMLA_COMMAND" not in os.environ:
    pytest.skip("SEMLA_COMMAND is not set", allow_module_level=True)
ALGORITHMS = list_algorithms.listing(os.environ["SEMLA_COMMAND"])


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def test_the_command_has_the_functions_of_the_package():
    assert [a["function"] for a in ALGORITHMS] == list(semla.algorithms.REGISTERED)
    assert len(ALGORITHMS) >= 10


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: a["function"])
def test_signature_and_docstring(algorithm):
    function = getattr(semla, algorithm["function"])
    parameters = inspect.signature(function).parameters
    names = [option["argument"] for option in algorithm["options"]]
    assert set(names) <= set(parameters)
    keywords = {r["name"] for r in algorithm["results"]} | {"A", "return_info", "progress"}
    assert set(parameters) - set(names) <= keywords
    text = " ".join(function.__doc__.split())
    assert algorithm["summary"][1:] in text
    for option in algorithm["options"]:
        assert f" {option['argument']} : " in text and " ".join(option["help"].split()) in text
        required = parameters[option["argument"]].default is inspect.Parameter.empty
        assert required == option["required"]


def test_the_manual():
    manual = read(os.path.join(os.environ["SEMLA_MANUAL"], "semla-run.1")).replace("\\", "")
    for algorithm in ALGORITHMS:
        section = re.search(rf"^\.SS {re.escape(algorithm['name'])}, .*?(?=^\.S)", manual, re.M | re.S)
        assert section and algorithm["summary"] in section[0]
        options = set(re.findall(r"--([a-z-]+)", section[0]))
        files = {r["name"] for r in algorithm["results"] if r["file"]}
        assert options == {option["name"] for option in algorithm["options"]} | files


def test_the_page():
    """If this fails, run docs/list_algorithms.py with the command."""
    page = read(os.path.join(PROJECT, "docs", "algorithms.md"))
    begin, end = list_algorithms.BEGIN, list_algorithms.END
    assert page.split(begin)[1].split(end)[0] == list_algorithms.table(ALGORITHMS)
