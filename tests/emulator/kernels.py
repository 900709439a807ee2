"""Compares the kernels that tests have run with all kernels of la/cuda.

    kernels.py PROJECT RUN NOT_RUN

RUN is the file EMULATED_KERNELS that the tests wrote; it is removed, so that the next run begins anew. NOT_RUN lists the kernels that they are known not to
run, one a line, and why; the script fails if it is not true.
"""
import pathlib
import sys

from rewrite import kernels


def main(project, run, not_run):
    sources = pathlib.Path(project, "la/cuda").rglob("*.cu*")
    every = {"%s %s" % (path.relative_to(project), name) for path in sources for name, _ in kernels(path.read_text())}
    ran = set(pathlib.Path(run).read_text().splitlines())
    pathlib.Path(run).unlink()
    listed = set()
    for line in pathlib.Path(not_run).read_text().splitlines():
        if line and not line.startswith("#"):
            listed.add(" ".join(line.split(":")[0].split()))
    print("%d of %d kernels ran" % (len(ran & every), len(every)))
    wrong = [(every - ran - listed, "no test runs it; add a test to tests/sets/emulated.txt"),
             (ran & listed, "runs; remove it from %s" % not_run),
             (listed - every, "is no kernel; remove it from %s" % not_run)]
    for names, what in wrong:
        for name in sorted(names):
            print("%s: %s" % (name, what))
    return any(names for names, _ in wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
