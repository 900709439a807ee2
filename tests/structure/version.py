#!/usr/bin/env python3
"""Compares the version of CMakeLists.txt with the files that repeat it because they cannot read it there.

    version.py PROJECT

Prints each file that names another version; the exit status is 1 if there is one.
"""

import pathlib
import re
import sys

# (file, an expression for each place whose group is a version, whether the group is MAJOR.MINOR alone)
PLACES = (
    ("CITATION.cff", r"^version: (\S+)$", False),
    ("packaging/conda/recipe.yaml", r'^  version: "([^"]+)"$', False),
    ("packaging/spack/package.py", r'version\("([^"]+)"\)', False),
    ("packaging/spack/package.py", r"/semla-([0-9.]+)\.tar", False),
    ("docs/guide/getting-started.md", r"libsemla(?:_mpi)?\.so\.([0-9.]*[0-9])", True),
    ("docs/guide/getting-started.md", r"`libsemla([0-9][0-9.]*)(?:-mpi)?`", True),
    ("docs/guide/getting-started.md", r"find_package\(semla ([0-9.]+)", True),
    ("docs/guide/getting-started.md", r"the versions ([0-9.]+)\.x", True),
    ("docs/guide/grid.md", r"libsemla_mpi\.so\.([0-9.]*[0-9])", True),
    ("docs/graphblas.md", r"`libsemla([0-9][0-9.]*)`", True),
    ("dist/load/README.md", r"libsemla_mpi\.so\.([0-9.]*[0-9])", True),
)


def first(pattern, text, name):
    found = re.search(pattern, text, re.M)
    if not found:
        sys.exit(f"version: {name} has nothing like {pattern}")
    return found.groups()


def main(project):
    root = pathlib.Path(project)
    texts = {name: (root / name).read_text(encoding="utf-8") for name in {p[0] for p in PLACES} | {"CMakeLists.txt", "CHANGELOG.md"}}
    version, = first(r"^project\(semla VERSION ([0-9]+\.[0-9]+\.[0-9]+) ", texts["CMakeLists.txt"], "CMakeLists.txt")
    failed = False
    for name, pattern, minor in PLACES:
        first(pattern, texts[name], name)
        expected = version.rpartition(".")[0] if minor else version
        for found in re.finditer(pattern, texts[name], re.M):
            if found[1] != expected:
                failed = True
                line = texts[name].count("\n", 0, found.start(1)) + 1
                print(f"{name}:{line}: version {found[1]}; CMakeLists.txt has {version}", file=sys.stderr)
    released, date = first(r"^## \[([0-9.]+)\] - (\d{4}-\d\d-\d\d)$", texts["CHANGELOG.md"], "CHANGELOG.md")
    if released != version:
        failed = True
        print(f"CHANGELOG.md: the newest release is {released}; CMakeLists.txt has {version}", file=sys.stderr)
    cited, = first(r"^date-released: (\S+)$", texts["CITATION.cff"], "CITATION.cff")
    if cited != date:
        failed = True
        print(f"CITATION.cff: released {cited}; CHANGELOG.md has {date}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
