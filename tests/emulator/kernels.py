"""Compares the kernels that tests have run with all kernels of la/cuda.

    kernels.py PROJECT RUN NOT_RUN

RUN is the file EMULATED_KERNELS that the tests wrote; it is removed, so that the next run begins anew. NOT_RUN lists kernels
that tests of continuous integration do not run, one a line, and why. The script fails if another kernel was not run.
"""
import pathlib
import sys

from rewrite import kernels


def main(project, run, not_run):
    sources = pathlib.Path(project, "la/cuda").rglob("*.cu*")
    every = {"%s %s" % (path.relative_to(project), name) for path in sources for name, _ in kernels(path.read_text())}
    if not pathlib.Path(run).exists():
        sys.exit("no test wrote %s: run ctest --preset emulated-ci" % run)
    ran = set(pathlib.Path(run).read_text().splitlines())
    pathlib.Path(run).unlink()
    listed = set()
    for line in pathlib.Path(not_run).read_text().splitlines():
        if line and not line.startswith("#"):
            listed.add(" ".join(line.split(":")[0].split()))
    print("%d of %d kernels ran" % (len(ran & every), len(every)))
    for name in sorted(ran & listed):
        print("%s: runs; it need not be in %s" % (name, not_run))
    wrong = {name: "no test runs it; add a test to tests/sets/emulated.txt" for name in every - ran - listed}
    wrong.update({name: "is no kernel; remove it from %s" % not_run for name in listed - every})
    for name in sorted(wrong):
        print("%s: %s" % (name, wrong[name]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
