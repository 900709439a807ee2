#!/usr/bin/env python3
"""Builds LAGraph over the GraphBLAS library of semla and over SuiteSparse:GraphBLAS, and runs its test programs.

    lagraph.py build WORK [--source LAGRAPH] --prefix PREFIX [--library FILE --include FOLDER]
    lagraph.py run WORK ENGINE... [--programs REGEX] [--timeout SECONDS] [--mpiexec COMMAND] [--table FILE]
    lagraph.py table WORK ENGINE...
    lagraph.py bench WORK --semla BUILD [--engines ENGINE,...] [ARGUMENT...]

LAGRAPH is a copy of LAGraph's sources (1.1 or 1.2), which stays as it is: `build` copies it to WORK/source, and builds that
copy in WORK/semla, with GraphBLAS_ROOT=PREFIX in the environment and no compiler flag, and in WORK/suitesparse, with the
SuiteSparse:GraphBLAS of the system or the one that is named, in LAGraph's vanilla mode. Without --source the environment variable SEMLA_LAGRAPH_DIR
names the sources; without both the exit status is 77.

`run` runs every test program with each ENGINE: suitesparse (LAGraph over SuiteSparse), host, auto, cuda, or grid:N (N ranks under
mpiexec). It prints a table: the time of each program, or how it failed, and where there are GPUs, of how many operations how
many fell back to the host (SEMLA_TRACE=counts). The exit status is 1 if a program that passes with `suitesparse`, in this run
or an earlier one, fails with another engine, or if no program runs.

`table` prints the table of earlier runs.

`bench` compiles tests/bench/lagraph.c with the LAGraph of both builds as WORK/bench_lagraph and
WORK/bench_lagraph_suitesparse, BUILD being the build folder of semla, and runs them with the ARGUMENTs, alternating.

The test programs read files of WORK/source/data, and test_MMRead writes there: the folder is copied for each engine.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
COUNTS = re.compile(r"semla: counts of (\w+): (\d+) operations, (\d+) fallbacks")
# Each rank runs in a folder of its own: test_SWrite writes a file in the working directory and reads it.
OWN_FOLDER = 'mkdir "$$" && cd "$$" && exec "$0" "$@"'
# LAGraph 1.2.0 does not compile in vanilla mode with any library: a parenthesis is missing. File, wrong, right.
REPAIRS = [("experimental/utility/LAGraph_Random.c",
            "(&LG_rand_init_op, LG_rand_init_func,\n                GrB_UINT64, GrB_UINT64, GrB_UINT64) ;",
            "(&LG_rand_init_op, LG_rand_init_func,\n                GrB_UINT64, GrB_UINT64, GrB_UINT64)) ;")]


def copy_source(source, target):
    """Copies the sources without builds, and repairs what does not compile."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns(".git", "build*"))
    for name, wrong, right in REPAIRS:
        file = target / name
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        if wrong in text:
            file.write_text(text.replace(wrong, right), encoding="utf-8")
            print(f"{name}: repaired in the copy")
    shutil.copytree(target / "data", target.parent / "data", dirs_exist_ok=True)


def find_suitesparse(args):
    """The library of SuiteSparse and the folder of its header: LAGraph's build does not look in the folders of Debian."""
    library, include = args.library, args.include
    if not library:
        named = subprocess.run([os.environ.get("CC", "cc"), "-print-file-name=libgraphblas.so"], stdout=subprocess.PIPE,
                               text=True, check=True).stdout.strip()
        library = os.path.realpath(named) if os.path.isabs(named) else None
    for folder in ("/usr/include", "/usr/include/suitesparse", "/usr/local/include"):
        include = include or (folder if os.path.exists(f"{folder}/GraphBLAS.h") else None)
    return library, include


def build(args):
    """Builds both copies. Programs that do not compile are reported and missing."""
    source = args.source or os.environ.get("SEMLA_LAGRAPH_DIR")
    if not source:
        print("skipped: no LAGraph; set SEMLA_LAGRAPH_DIR to a copy of its sources")
        return SKIPPED
    if not pathlib.Path(source, "include", "LAGraph.h").exists() and not list(pathlib.Path(source).glob("**/LAGraph.h")):
        print(f"{source} has no LAGraph.h", file=sys.stderr)
        return 1
    args.work.mkdir(parents=True, exist_ok=True)
    copy_source(pathlib.Path(source), args.work / "source")
    library, include = find_suitesparse(args)
    suitesparse = [f"-DGRAPHBLAS_LIBRARY={library}", f"-DGRAPHBLAS_INCLUDE_DIR={include}"] if library and include else []
    environment = {k: v for k, v in os.environ.items() if k not in ("GraphBLAS_ROOT", "GRAPHBLAS_ROOT")}
    for name, root, options in (("semla", args.prefix, []), ("suitesparse", None, ["-DLAGRAPH_VANILLA=ON"] + suitesparse)):
        folder = args.work / name
        shutil.rmtree(folder, ignore_errors=True)
        variables = dict(environment, GraphBLAS_ROOT=str(root)) if root else environment
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        configured = subprocess.run(["cmake", "-S", args.work / "source", "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                                     "-DBUILD_STATIC_LIBS=OFF"] + generator + options, env=variables, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if configured.returncode:
            print(configured.stdout, file=sys.stderr)
            return 1
        keep_going = ["-k", "0"] if generator else ["-k"]
        made = subprocess.run(["cmake", "--build", folder, "-j", str(args.jobs), "--"] + keep_going, env=variables,
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        (args.work / f"{name}.log").write_text(configured.stdout + made.stdout, encoding="utf-8")
        found = programs(args.work, name, "")
        print(f"{name}: {len(found)} programs" + (f"; not all compiled, see {args.work}/{name}.log" if made.returncode else ""))
        if not found:
            print(made.stdout[-4000:], file=sys.stderr)
            return 1
    return 0


def programs(work, build_name, pattern):
    """The test programs of a build, first of the folder src, then of experimental."""
    found = []
    for part in ("src", "experimental"):
        folder = work / build_name / part / "test"
        found += sorted(p for p in folder.glob("test_*") if p.is_file() and os.access(p, os.X_OK) and re.search(pattern, p.name))
    return found


def counts_of(text, grid):
    """The sums of operations and fallbacks of all contexts that have a GPU; on a grid, of the grid's contexts."""
    found = COUNTS.findall(text)
    if not any(engine == "cuda" for engine, _, _ in found):
        return 0, 0
    wanted = [(int(n), int(m)) for engine, n, m in found if engine == ("grid" if grid else "cuda")]
    return sum(n for n, _ in wanted), sum(m for _, m in wanted)


def unit_tests(program):
    """The names of a program's unit tests."""
    listed = subprocess.run([str(program), "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"^  (\w+)$", listed, re.MULTILINE)


def run_program(program, engine, args):
    """Runs a program: how it ended ("ok" or the failure), seconds, operations and fallbacks, its output. A program runs
    each of its unit tests in a child, which ranks of MPI cannot: on a grid each has an mpiexec of its own."""
    if not engine.startswith("grid:"):
        return run_command([str(program)], engine, 0, args)
    ranks = int(engine.partition(":")[2])
    total = {"how": "ok", "seconds": 0, "operations": 0, "fallbacks": 0, "output": ""}
    for name in unit_tests(program):
        result = run_command(args.mpiexec.split() + [str(ranks), "sh", "-c", OWN_FOLDER, str(program), name], "grid", ranks, args)
        if result["how"] != "ok":
            total["how"] = f"{name} {result['how']}" if total["how"] == "ok" else total["how"] + f", {name} {result['how']}"
        for key in ("seconds", "operations", "fallbacks", "output"):
            total[key] += result[key]
    return total


def run_command(command, engine, ranks, args):
    """Runs one process or, with `ranks`, several."""
    environment = dict(os.environ, SEMLA_TRACE="counts")
    if engine != "suitesparse":
        environment["SEMLA_GRB"] = engine
    if ranks:
        environment["OMP_NUM_THREADS"] = "1"
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
            command, cwd=folder, env=environment, text=True, errors="replace", stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=args.timeout)
            how = "ok" if process.returncode == 0 else f"failed ({process.returncode})"
        except subprocess.TimeoutExpired:
            process.terminate() # mpiexec ends its ranks
            try:
                output, _ = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                output, _ = process.communicate()
            how = f"over {args.timeout} s"
    operations, fallbacks = counts_of(output, ranks > 0)
    return {"how": how, "seconds": time.monotonic() - started, "operations": operations // max(ranks, 1),
            "fallbacks": fallbacks // max(ranks, 1), "output": output}


def run_engine(engine, args):
    """Runs all programs with an engine. Returns the results by name and stores them for later runs."""
    build_name = "suitesparse" if engine == "suitesparse" else "semla"
    results = {}
    shutil.rmtree(args.work / "source" / "data")
    shutil.copytree(args.work / "data", args.work / "source" / "data")
    logs = args.work / "logs" / engine.replace(":", "_")
    logs.mkdir(parents=True, exist_ok=True)
    for program in programs(args.work, build_name, args.programs):
        result = run_program(program, engine, args)
        (logs / f"{program.name}.log").write_text(result.pop("output"), encoding="utf-8")
        results[f"{program.parent.parent.name}/{program.name[5:]}"] = result
        print(f"{engine} {program.name}: {result['how']}, {result['seconds']:.1f} s", file=sys.stderr, flush=True)
    known = dict(stored_results(args.work, engine) or {}, **results)
    (args.work / f"results_{engine.replace(':', '_')}.json").write_text(json.dumps(known), encoding="utf-8")
    return results


def cell(result):
    """A cell of the table."""
    if not result:
        return "not built"
    text = f"{result['seconds']:.1f}" if result["how"] == "ok" else "fails" if "failed" in result["how"] else result["how"]
    return text + (f" ({result['fallbacks']} of {result['operations']})" if result["operations"] else "")


def table(by_engine):
    """The results as a table of Markdown."""
    names = list(dict.fromkeys(name for results in by_engine.values() for name in results))
    lines = ["| Program | " + " | ".join(by_engine) + " |", "|---" * (len(by_engine) + 1) + "|"]
    lines += [f"| {name} | " + " | ".join(cell(results.get(name)) for results in by_engine.values()) + " |" for name in names]
    passed = [f"{sum(r['how'] == 'ok' for r in results.values())} of {len(names)}" for results in by_engine.values()]
    return "\n".join(lines + ["| passed | " + " | ".join(passed) + " |"]) + "\n"


def run(args):
    """Runs the engines, prints the table and what fails though it passes over SuiteSparse."""
    if not programs(args.work, "semla", args.programs):
        print(f"skipped: there are no programs in {args.work}: LAGraph was not built")
        return SKIPPED
    by_engine = {engine: run_engine(engine, args) for engine in args.engines}
    text = table(by_engine)
    print(text)
    if args.table:
        args.table.write_text(text, encoding="utf-8")
    peer = by_engine.get("suitesparse") or stored_results(args.work, "suitesparse")
    if peer is None:
        print("there are no results of SuiteSparse: run the engine suitesparse, too", file=sys.stderr)
        return 1
    worse = [f"{name} {engine}: {results[name]['how'] if name in results else 'not built'}"
             for engine, results in by_engine.items() for name, result in peer.items()
             if engine != "suitesparse" and result["how"] == "ok" and re.search(args.programs, "test_" + name.split("/")[1])
             and results.get(name, {}).get("how") != "ok"]
    for line in worse:
        print(f"passes over SuiteSparse, but not with {line}")
    return 1 if worse else 0


def stored_results(work, engine):
    """The results of earlier runs of an engine, by program; None if there are none."""
    file = work / f"results_{engine.replace(':', '_')}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def print_table(args):
    """Prints the results of earlier runs."""
    print(table({engine: stored_results(args.work, engine) or {} for engine in args.engines}), end="")
    return 0


def cached(work, name):
    """A path in the cache of LAGraph's build over SuiteSparse."""
    text = (work / "suitesparse" / "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(rf"^{name}:\w+=(/.*)$", text, re.MULTILINE)
    return found.group(1) if found else None


def compile_bench(args, name, sources, flags):
    """Compiles the benchmark with LAGraph of the build `name`."""
    bench = pathlib.Path(__file__).resolve().parent.parent / "bench"
    program = args.work / ("bench_lagraph" if name == "semla" else f"bench_lagraph_{name}")
    lagraph = args.work / name / "src"
    command = [os.environ.get("CC", "cc"), "-std=gnu11", "-O2", "-Wall", f"-I{args.work}/source/include"]
    command += [str(bench / file) for file in ["lagraph.c", "lagraph_graph.c"] + sources]
    command += ["-o", str(program), f"-L{lagraph}", f"-Wl,-rpath,{lagraph}", "-llagraph"] + flags + ["-lm"]
    subprocess.run(command, check=True)
    return program


def bench(args):
    """Compiles and runs the benchmark; the exit status is 1 if a result is wrong."""
    if not programs(args.work, "semla", ""):
        print(f"skipped: there are no programs in {args.work}: LAGraph was not built")
        return SKIPPED
    includes = [f"-I{folder}" for folder in sorted((args.semla / "interfaces").iterdir()) if folder.is_dir()]
    prefix = args.semla / "graphblas"
    semla = compile_bench(args, "semla", ["lagraph_semla.c"], includes + [
        f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib", "-lgraphblas", f"-L{args.semla}",
        f"-Wl,-rpath,{args.semla}", "-lsemla"])
    library, include = cached(args.work, "GRAPHBLAS_LIBRARY"), cached(args.work, "GRAPHBLAS_INCLUDE_DIR")
    found = [f"-I{include}", library, f"-Wl,-rpath,{os.path.dirname(library)}"] if library and include else ["-lgraphblas"]
    peer = compile_bench(args, "suitesparse", ["lagraph_without.c"], ["-DLAGRAPH_VANILLA=1"] + found)
    failed = False
    for name, program, environment in [("suitesparse", peer, {})] + [
            (engine, semla, {"SEMLA_GRB": engine}) for engine in args.engines.split(",")]:
        print(f"{name}:", flush=True)
        failed = subprocess.run([program] + args.arguments, env=dict(os.environ, **environment), check=False).returncode or failed
    return 1 if failed else 0


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    modes = parser.add_subparsers(dest="mode", required=True)
    builder = modes.add_parser("build")
    builder.add_argument("work", type=pathlib.Path)
    builder.add_argument("--source", help="LAGraph's sources; default: the environment variable SEMLA_LAGRAPH_DIR")
    builder.add_argument("--prefix", required=True, help="the prefix of semla's GraphBLAS library")
    builder.add_argument("--library", help="libgraphblas.so of SuiteSparse; default: that of the system")
    builder.add_argument("--include", help="the folder of its GraphBLAS.h")
    builder.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    runner = modes.add_parser("run")
    runner.add_argument("work", type=pathlib.Path)
    runner.add_argument("engines", nargs="+", metavar="ENGINE")
    runner.add_argument("--programs", default="", help="only programs whose name matches")
    runner.add_argument("--timeout", type=float, default=300, help="seconds for a program")
    runner.add_argument("--mpiexec", default="mpiexec -n", help="command before the number of ranks")
    runner.add_argument("--table", type=pathlib.Path, help="write the table to this file, too")
    printer = modes.add_parser("table")
    printer.add_argument("work", type=pathlib.Path)
    printer.add_argument("engines", nargs="+", metavar="ENGINE")
    bencher = modes.add_parser("bench")
    bencher.add_argument("work", type=pathlib.Path)
    bencher.add_argument("--semla", type=pathlib.Path, required=True, help="the build folder of semla")
    bencher.add_argument("--engines", default="host")
    args, rest = parser.parse_known_args()
    if rest and args.mode != "bench":
        parser.error(f"unknown arguments: {' '.join(rest)}")
    args.arguments = rest
    args.work = args.work.resolve()
    if args.mode == "bench":
        args.semla = args.semla.resolve() # the program is linked with this path
    return {"build": build, "run": run, "table": print_table, "bench": bench}[args.mode](args)


if __name__ == "__main__":
    sys.exit(main())
