#!/usr/bin/env python3
"""Runs the GraphBLAS C Test Suite (Lucata, jomcmahon/GraphBLAS_CTest on GitHub) over semla.

    suite.py WORK [--source SUITE] --prefix PREFIX [--specification NAME] [--programs REGEX] [--mpiexec COMMAND]

SUITE is a copy of the suite, which stays as it is: its files are copied to WORK. Without --source the environment
variable SEMLA_GRAPHBLAS_CTEST_DIR names it; without both the exit status is 77. PREFIX is the prefix of semla's
GraphBLAS library.

The suite is written for SuiteSparse:GraphBLAS 3.2: plain programs of it, over the SuiteSparse:GraphBLAS of the system,
write the answers, and programs over semla, through the names of GraphBLAS.h beside this file, compare theirs. NAME is a
specification of the suite: REGRESSION (6,679 comparisons), FULLSPEC (millions, more than an hour) or USERDEF. Three
programs are left out: they read tables of SuiteSparse's operators, for which the C API has no functions.

Prints a line for each program; the exit status is 1 if a comparison fails or a program does not end.
"""
import argparse
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
LEFT_OUT = {"testMonoid", "testSelect", "testSemi"}


# ---- inputs: matrices of the kinds that inputs.m of the suite makes with Octave ------------------------------


def random_entries(rng, rows, cols, density):
    return {(i, j): rng.uniform(-10, 10) for i in range(rows) for j in range(cols) if rng.random() < density}


def write_sparse(folder, name, entries, rows, cols):
    """The submatrix of rows x cols, which are lists of indices."""
    lines = [
        f"{i + 1} {j + 1}  {entries[row, col]:.16g}"
        for j, col in enumerate(cols)
        for i, row in enumerate(rows)
        if (row, col) in entries
    ]
    text = f"%%MatrixMarket matrix coordinate real general\n{len(rows)} {len(cols)} {len(lines)}\n"
    (folder / f"{name}.mm").write_text(text + "".join(line + "\n" for line in lines), encoding="ascii")


def write_list(folder, name, indices):
    text = f"%%MatrixMarket matrix array real general\n1 {len(indices)}\n"
    (folder / f"{name}.mm").write_text(text + "".join(f" {k}\n" for k in indices), encoding="ascii")


def write_inputs(folder):
    rng = random.Random(1)
    n = range(10)
    # The first row and column have five entries, as many as a stride of 2 selects.
    row, column = [0, 1, 5, 7, 9], [0, 1, 2, 3, 6]
    line = {*((0, j) for j in row), *((i, 0) for i in column)}
    A = random_entries(rng, 10, 10, 1)
    A = {at: x for at, x in A.items() if at in line or (0 not in at and rng.random() < 0.3)}
    stride, back = list(n)[::2], list(n)[::-2]
    A_row, A_col = [1, 3, 4, 6, 8], [0, 2, 5, 7, 9]
    write_sparse(folder, "B", random_entries(rng, 10, 10, 0.2), n, n)
    mask = {at: 1.0 for at in A if rng.random() < 0.5} | {at: 1.0 for at in random_entries(rng, 10, 10, 0.1)}
    write_sparse(folder, "M", mask, n, n)
    for name in "K", "KM":
        write_sparse(folder, name, random_entries(rng, 100, 100, 0.05), range(100), range(100))
    for name, rows, cols in (
        ("A", n, n), ("S", [0], [0]), ("V1", [0], n), ("V2", n, [0]),
        ("ME", A_row, A_col), ("MEA", n, n), ("MER", n, n), ("MES", stride, stride), ("MEB", back, back),
        ("CE", A_row, [0]), ("CEA", n, [0]), ("CER", n, [0]), ("CES", stride, [0]), ("CEB", back, [0]),
        ("VE", [0], row), ("VEA", [0], n), ("VER", [0], n), ("VES", [0], stride), ("VEB", [0], back),
    ):  # fmt: skip
        write_sparse(folder, name, A, rows, cols)
    for name, indices in ("A_row", A_row), ("A_col", A_col), ("V1_ind", row), ("V2_ind", column):
        write_list(folder, name, [k + 1 for k in indices])
    for name, numbers in ("I_RANGE", [1, 10]), ("I_STRIDE", [1, 10, 2]), ("I_BACK", [10, 1, 2]):
        write_list(folder, name, numbers)


# ---- names.h and names.c: what the suite's tables name and the C API does not -----------------------------


def write_names(work, prefix, compiler):
    sys.path.insert(0, str(work / "util"))
    import GBlists as lists

    command = [compiler, "-E", "-dD", f"-I{prefix}/include", "-include", "GraphBLAS.h", "-x", "c", os.devnull]
    known = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"\bG[rx]B_\w+", known))
    for fill in lists.unoplist, lists.binoplist, lists.monlist, lists.semilist:
        fill()
    header, source = ["/* Written by suite.py. */"], ['#include "GraphBLAS.h"']
    for name in [*lists.ALLUNOPS, *lists.ALLBINOPS]:
        if name not in known:
            header.append(f"#define {name} {name.replace('GxB_', 'GrB_')}")
    for name in lists.ALLMONS:
        if name not in known:
            operation, kind = re.fullmatch(r"GxB_([A-Z]+)_(\w+)_MONOID", name).groups()
            operation = "LXNOR" if operation == "EQ" else operation
            header.append(f"#define {name} GrB_{operation}_MONOID_{kind}")
    header += [f"extern GxB_SelectOp {name};" for name in lists.ALLSELECT]
    made = []
    for name, monoid, op in zip(lists.ALLSEMIS, lists.SEMIMON, lists.SEMIOP):
        if name not in known:
            header.append(f"extern GrB_Semiring {name};")
            source.append(f"GrB_Semiring {name};")
            made.append(f"    GrB_Semiring_new(&{name}, {monoid}, {op});")
    source += ["void suite_new_semirings(void)", "{", *made, "}", ""]
    (work / "adapter" / "names.h").write_text("\n".join([*header, ""]), encoding="ascii")
    (work / "names.c").write_text("\n".join(source), encoding="ascii")


# ---- programs -----------------------------------------------------------------------------------------------


def build(work, args):
    """Copies the suite and builds its programs over SuiteSparse and over semla; returns their names."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(args.source, work, ignore=shutil.ignore_patterns(".git", "data"))
    (work / "adapter").mkdir()
    shutil.copy(HERE / "GraphBLAS.h", work / "adapter")
    shutil.copy(HERE / "adapter.c", work)
    shutil.copy(work / "util" / "GBlists3.2.0.py", work / "util" / "GBlists.py")
    subprocess.run([sys.executable, "util/codegen.py"], cwd=work, check=True)
    compiler = os.environ.get("CC", "cc")
    write_names(work, args.prefix, compiler)
    reference = ["-I/usr/include/suitesparse"]
    # Hidden: the names of semirings are names of SuiteSparse's, too, which semla's library uses.
    semla = ["-fvisibility=hidden", f"-I{work}/adapter", f"-I{args.prefix}/include"]
    library = f"{args.prefix}/lib"
    links = {"reference": ["-lgraphblas"], "semla": [f"-L{library}", f"-Wl,-rpath,{library}", "-lgraphblas"]}
    shared = sorted(work.glob("util/*.c"))
    programs = [f.stem for f in sorted(work.glob("test*.c")) if re.search(args.programs, f.stem)]
    programs = [name for name in programs if name not in LEFT_OUT]
    for side, flags, more in (
        ("reference", reference, []), ("semla", semla, [work / "adapter.c", work / "names.c"]),
    ):  # fmt: skip
        out = work / side
        out.mkdir()
        objects = []

        def compile_file(file, *extra):
            target = out / f"{file.stem}.o"
            command = [compiler, "-std=gnu11", "-O1", "-w", *flags, *extra, "-c", str(file), "-o", str(target)]
            subprocess.run(command, check=True, cwd=work)
            return str(target)

        objects = [compile_file(file) for file in [*shared, *more]]
        for name in programs:
            main = compile_file(work / f"{name}.c", *["-DSUITE_ROWS"] * (name == "testRSubA"))
            command = [compiler, main, *objects, *links[side], "-lm", "-o", str(out / name)]
            subprocess.run(command, check=True)
    return programs


def run(work, side, name, options, wrapper=()):
    """(passed, failed, ended well, the last line) of a program."""
    command = [*wrapper, str(work / side / name), *options]
    result = subprocess.run(command, cwd=work, capture_output=True, text=True, errors="replace")
    lines = result.stdout.splitlines()
    passed, failed = (sum(line.endswith(word) for line in lines) for word in ("PASSED", "FAILED"))
    last = (result.stderr.splitlines() or lines or [""])[-1]
    return passed, failed, result.returncode == 0, last


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--source", default=os.environ.get("SEMLA_GRAPHBLAS_CTEST_DIR"))
    parser.add_argument("--prefix", type=pathlib.Path, required=True)
    parser.add_argument("--specification", default="REGRESSION")
    parser.add_argument("--programs", default="")
    parser.add_argument("--mpiexec", default="", help="starts the programs over semla")
    args = parser.parse_args()
    if not args.source:
        print("no copy of the suite; SEMLA_GRAPHBLAS_CTEST_DIR names one")
        return SKIPPED
    work, args.prefix = args.work.resolve(), args.prefix.resolve()
    args.source = pathlib.Path(args.source).resolve()
    programs = build(work, args)
    data, folder = work / "data", args.specification.lower()
    (data / folder).mkdir(parents=True)
    (data / "specfiles").symlink_to(folder)
    subprocess.run([sys.executable, "util/specgen.py", args.specification], cwd=work, check=True)
    (data / "testread").mkdir()
    write_inputs(data / "testread")
    total, wrong = 0, []
    for name in programs:
        (data / name).mkdir(exist_ok=True)
        *_, made, why = run(work, "reference", name, ["-g"])
        if not made and not (data / folder / f"{name}.list").exists():
            print(f"{name}: not in the specification")
            continue
        if not made:
            print(f"{name}: SuiteSparse wrote no answers: {why}")
            wrong.append(name)
            continue
        passed, failed, ended, last = run(work, "semla", name, [], shlex.split(args.mpiexec))
        total += passed
        print(f"{name}: {passed} passed, {failed} failed" + ("" if ended else f"; {last}"), flush=True)
        if failed or not ended:
            wrong.append(name)
        if name != "testread":
            shutil.rmtree(data / name)
    print(f"{len(programs)} programs, {total} comparisons passed; wrong: {', '.join(wrong) or 'none'}")
    return 1 if wrong or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
