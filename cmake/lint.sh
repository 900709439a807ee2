#!/bin/sh
# Looks for faults without running the code. Prints them, and fails if there is one.
#
#     lint.sh quick             format, lengths of lines, ruff and shellcheck
#     lint.sh BUILD             cppcheck and clang-tidy on the C sources of the libraries and the command, by the compiler's commands in
#                               the folder BUILD, which has been configured; it need not be built
#
# RUFF=none in the environment leaves ruff out, where pip finds no package index.
set -eu
cd "$(dirname "$0")/.."
failed=0
fails() { echo "lint: $1" >&2; failed=1; }

if [ "${1:?the mode, quick, or a build folder}" = quick ]; then
    sh cmake/format.sh --check || fails "make format corrects these files"
    git ls-files -z -- '*.c' '*.h' '*.cc' '*.cu' '*.cuh' ':!third_party' |
        xargs -0 awk 'FNR == 1 { off = 0 } /clang-format off/ { off = 1 } /clang-format on/ { off = 0 }
            !off && length > 120 { print FILENAME ":" FNR ": " length " columns; at most 120 are allowed"; n++ } END { exit n > 0 }' ||
        fails "lines are too long"

    if [ "${RUFF:-}" = none ]; then
        echo "lint: Python files are not checked (RUFF=none)"
    else
        ruff=$(command -v ruff || true)
        if [ -z "$ruff" ]; then # Debian has no package of it
            ruff=build/lint/venv/bin/ruff
            [ -x "$ruff" ] || { python3 -m venv build/lint/venv && build/lint/venv/bin/pip install -q ruff; } || fails "pip cannot install ruff"
        fi
        "$ruff" check -q --output-format concise . || fails "ruff"
    fi

    git ls-files -z -- '*.sh' .ci | xargs -0 shellcheck -S warning || fails "shellcheck"
else
    # Sources of tests, examples and third parties, and generated ones, are left out.
    # cppcheck takes longer for the table predefined.c than for all other files.
    mkdir -p build/lint
    rm -f build/lint/part.*
    python3 - "$1/compile_commands.json" build/lint/compile_commands.json "$(nproc)" <<'END_PYTHON'
import json, pathlib, sys
root = str(pathlib.Path.cwd())
chosen = {}
for command in json.loads(pathlib.Path(sys.argv[1]).read_text()):
    name = command["file"]
    if name.endswith(".c") and name.startswith(root) and not name[len(root) + 1:].startswith(("tests/", "docs/", "build/", "third_party/")):
        chosen.setdefault(name, command)
pathlib.Path(sys.argv[2]).write_text(json.dumps(list(chosen.values())))
pathlib.Path("build/lint/files").write_text("".join(name + "\n" for name in chosen))
checked = [command for name, command in chosen.items() if not name.endswith("/graphblas/predefined.c")]
for part in range(int(sys.argv[3])):
    pathlib.Path(f"build/lint/part.{part}.json").write_text(json.dumps(checked[part::int(sys.argv[3])]))
END_PYTHON
    # cppcheck 2.10 does not know _Noreturn, and checks one file of a project at a time.
    printf '%s\n' build/lint/part.*.json | xargs -I '{}' -P "$(nproc)" cppcheck --project='{}' -D'_Noreturn=__attribute__((noreturn))' \
        --enable=warning,performance,portability --suppressions-list=cmake/cppcheck.txt --error-exitcode=1 --quiet \
        --template='{file}:{line}: {id}: {message}' || fails "cppcheck"
    xargs -n 8 -P "$(nproc)" clang-tidy -p build/lint --quiet <build/lint/files 2>/dev/null || fails "clang-tidy"
fi
exit $failed
