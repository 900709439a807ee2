#!/usr/bin/env python3
"""Checks that every test that docs/testing.md names in a table of promises exists.

    check_tests.py PROJECT BUILD

The names are those of `ctest -N` in the folder BUILD. In the page `cli.bfs` is a test, or the tests cli.bfs_N of several
numbers of ranks; `dist.cancel_1`, `_2` are dist.cancel_1 and dist.cancel_2; `fuzz.*` is any test of that name. Groups of which
BUILD has no test at all, such as `dist.` without MPI, are skipped. Prints each name without a test; the exit status is 1
if there is one.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

NAME = re.compile(r"`([a-z]+\.[a-z0-9_.]+\*?|[a-z]+\.\*|_\d+)`")


def tests(build):
    """The names of all tests of a build folder."""
    command = ["ctest", "--test-dir", build, "-N"]
    listed = subprocess.run(command, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    return re.findall(r"^ +Test +#\d+: (\S+)", listed, re.MULTILINE)


def named(page):
    """The tests that the second column of tables names, as pairs of line number and name."""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        columns = line.strip().strip("|").split(" | ")
        if not line.startswith("|") or len(columns) != 2:
            continue
        last = ""
        for name in NAME.findall(columns[1]):
            last = re.sub(r"_\d+$", name, last) if name.startswith("_") else name
            yield number, last


def main(project, build):
    page = pathlib.Path(project, "docs", "testing.md")
    existing = tests(build)
    groups = {name.split(".")[0] for name in existing}
    count = missing = 0
    for number, name in named(page):
        if name.split(".")[0] not in groups:
            continue
        count += 1
        ranks = re.compile(re.escape(name) + r"_\d+$")
        if not any(fnmatch.fnmatchcase(test, name) or ranks.match(test) for test in existing):
            print(f"{page}:{number}: there is no test {name}")
            missing += 1
    print(f"{count} names of tests, {missing} without a test")
    return missing > 0 or count == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
