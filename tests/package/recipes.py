#!/usr/bin/env python3
"""Compares the recipes of packaging/ with the project: the version, the options and the dependencies
of CMakeLists.txt, and the requirements of pyproject.toml.

    recipes.py PROJECT

The recipe for Spack is run with stand-ins for Spack's functions. That of conda-forge is rendered if
the Python package py-rattler-build is installed.
"""

import importlib.util
import os
import re
import sys
import types

project = sys.argv[1]
errors = []


def check(what, correct):
    if not correct:
        errors.append(what)


def read(*names):
    with open(os.path.join(project, *names), encoding="utf-8") as file:
        return file.read()


cmake = read("CMakeLists.txt")
version = re.search(r"project\(semla VERSION ([0-9.]+)", cmake)[1]
minimum = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)", cmake)[1]
graphblas = re.search(r"find_package\(SuiteSparseGraphBLAS ([0-9.]+)", cmake)[1]
cuda = re.search(
    r"CUDAToolkit_VERSION VERSION_LESS ([0-9.]+)", read("cmake", "OptionalCuda.cmake")
)[1]
options = set(re.findall(r"^(?:option\(|set\()(SEMLA_\w+)", cmake, re.MULTILINE)) | {
    "BUILD_TESTING"
}
pyproject = read("pyproject.toml")


def check_options(recipe, used):
    for option in sorted(used):
        check(f"{recipe}: CMakeLists.txt has no option {option}", option in options)


# ---- Spack ---------------------------------------------------------------------


def run_spack():
    """The class of the recipe, and the calls of Spack's directives."""
    calls = []
    spack = types.ModuleType("spack.package")
    for name in "license", "version", "variant", "depends_on", "generator":
        setattr(spack, name, lambda *a, _name=name, **k: calls.append((_name, a, k)))
    spack.CMakePackage = type("CMakePackage", (), {})
    spack.CudaPackage = type("CudaPackage", (), {})
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": spack})
    path = os.path.join(project, "packaging", "spack", "package.py")
    spec = importlib.util.spec_from_file_location("recipe", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module.Semla, calls


Semla, calls = run_spack()
versions = [arguments[0] for name, arguments, _ in calls if name == "version"]
needs = {re.match(r"[\w-]+", a[0])[0]: a[0] for name, a, _ in calls if name == "depends_on"}
check(f"spack: version {versions}, not {version}", versions == [version])
check(f"spack: the archive is {Semla.url}", Semla.url.endswith(f"/semla-{version}.tar.gz"))
for name, want in ("cmake", minimum), ("graphblas", graphblas), ("cuda", cuda):
    check(f"spack: needs {needs.get(name)}, not {name}@{want}", f"@{want}:" in needs.get(name, ""))
for name in "cjson", "zlib-api", "zstd", "mpi", "pkgconfig", "c":
    check(f"spack: does not need {name}", name in needs)


class Recipe(Semla):
    """Records the options, of an installation with both variants."""

    def __init__(self):
        self.options = {}
        arch = types.SimpleNamespace(value=("90",))
        self.spec = types.SimpleNamespace(
            satisfies=lambda text: text == "+cuda", variants={"cuda_arch": arch}
        )

    def define(self, name, value):
        self.options[name] = value
        return name

    def define_from_variant(self, name, variant):
        return self.define(name, variant)


recipe = Recipe()
arguments = recipe.cmake_args()
check("spack: cmake_args does not return its options", set(arguments) == set(recipe.options))
check_options("spack", set(recipe.options) - {"CMAKE_CUDA_ARCHITECTURES"})

# ---- conda-forge -----------------------------------------------------------------

conda = read("packaging", "conda", "recipe.yaml")
found = re.search(r'^  version: "(.*)"', conda, re.MULTILINE)
check(f"conda: the version is not {version}", found and found[1] == version)
check_options("conda", re.findall(r"-D((?:SEMLA|BUILD)_\w+)=", conda))
for line in f"cmake >={minimum}", f"graphblas >={graphblas}", "cjson", "zlib", "zstd":
    check(f"conda: no requirement '- {line}' in both packages", conda.count(f"- {line}\n") == 2)
for line in re.search(r"^dependencies = \[(.*)\]", pyproject, re.MULTILINE)[1].split(","):
    line = line.strip().strip('"').replace(">=", " >=")
    check(f"conda: no requirement '- {line}'", f"        - {line}\n" in conda)

try:
    import rattler_build
except ImportError:
    print("the recipe of conda-forge was not rendered: there is no py-rattler-build")
else:
    stage0 = rattler_build.Stage0Recipe.from_file(
        os.path.join(project, "packaging", "conda", "recipe.yaml")
    )
    pinned = {"c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"], "python": ["3.12.*"]}
    rendered = stage0.render(rattler_build.VariantConfig(pinned))
    names = sorted(variant.recipe.package.name for variant in rendered)
    check(f"conda: the recipe renders to {names}", names == ["libsemla", "semla"])

# ---- the wheel -------------------------------------------------------------------

defines = re.search(r"\[tool.scikit-build.cmake.define\]\n(.*?)\n\n", pyproject, re.DOTALL)[1]
check_options("pyproject.toml", re.findall(r"^(\w+) =", defines, re.MULTILINE))
pattern = re.search(r"^regex = '(.*)'", pyproject, re.MULTILINE)[1]
check("pyproject.toml: finds no version", re.search(pattern, cmake)["value"] == version)

sys.exit("\n".join(errors) or 0)
