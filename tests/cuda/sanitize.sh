#!/bin/sh
# Runs the tests that use a GPU under a tool of compute-sanitizer: those with the labels gpu and parity of one
# process, and dist.device_* on two ranks. They have few trials each, as the tool slows kernels down by a factor
# of 100 or more. Prints one line per test; a test that takes longer than SECONDS is stopped. Exit status: 0 clean;
# 1 a finding or a failure; 2 a test was stopped; 77 (skipped) no GPU, no compute-sanitizer or no python3.
#
#     sanitize.sh TOOL BUILD [SECONDS]        memcheck | racecheck | initcheck | synccheck
set -u
tool=$1 build=$2 seconds=${3:-600}
reports=$build/sanitizer/$tool

if ! "$build/semla" engines --json | tr -d '\n\t ' | grep -q '"name":"cuda","version":"[^"]*","present":true'; then
    echo "skipped: there is no GPU"
    exit 77
fi
for program in compute-sanitizer python3; do
    command -v $program >/dev/null || { echo "skipped: there is no $program"; exit 77; }
done
rm -rf "$reports"
mkdir -p "$reports"

# A line per test: name, environment, command. cuda.faults causes a fault on purpose. Ranks ask which devices can
# map each other's memory, and tests of memory for too much; an error is an answer there. A program that was not built has no command.
ctest --test-dir "$build" -L 'gpu|parity' --show-only=json-v1 | python3 -c '
import json, os, shlex, sys
check = ["compute-sanitizer", "--tool", sys.argv[1], "--error-exitcode", "9"]
few = ["SEMLA_TEST_TRIALS=2", "SEMLA_TEST_SEARCHES=10", "SEMLA_TEST_RING=1", "OMP_NUM_THREADS=2"]
for test in json.load(sys.stdin)["tests"]:
    name, command = test["name"], test.get("command", ["not-built"])
    of = {p["name"]: p["value"] for p in test["properties"]}
    report = ["--report-api-errors", "no"]
    if "mpi" in of["LABELS"]:
        if not (name.startswith("dist.device_") and name.endswith("_2")):
            continue
        command = command[:-1] + check + report + command[-1:]
    elif command[0] == "not-built" or os.path.basename(command[0]).startswith("test_"):
        command = check + (report if "memory" in name else []) + command
    else:
        continue
    if name != "cuda.faults":
        print(shlex.join([name] + of.get("ENVIRONMENT", []) + few + command))
' "$tool" >"$reports/tests"
[ -s "$reports/tests" ] || { echo "CTest names no tests"; exit 1; }

xargs -P "$(($(nproc) / 2 + 1))" -L 1 sh -c '
    seconds=$1 reports=$2 name=$3
    shift 3
    case " $* " in *" not-built "*) echo "$name: not built"; : >"$reports/found"; exit 0 ;; esac
    timeout "$seconds" env "$@" >"$reports/$name.txt" 2>&1
    status=$?
    case $status in
    0) echo "$name: clean" ;;
    124) echo "$name: stopped after $seconds s"; : >"$reports/cut" ;;
    *) echo "$name: status $status, see $reports/$name.txt"; : >"$reports/found" ;;
    esac' sh "$seconds" "$reports" <"$reports/tests"

[ ! -e "$reports/found" ] || exit 1
[ ! -e "$reports/cut" ] || exit 2
