#!/bin/sh
# Installs the wheel that packaging/wheel.sh made into a new virtual environment, with numpy and cffi from the
# package index, and runs a search. Exits with 77 (skipped) if there is no wheel.
#
#     wheel.sh WHEELS PYTHON ENVIRONMENT
set -eu
python=$2 venv=$3
set -- "$1"/semla-*.whl
[ -e "$1" ] || { echo "skipped: there is no wheel $1; make wheel makes it"; exit 77; }
[ $# = 1 ] || { echo "expected one wheel, found: $*" >&2; exit 1; }
case $1 in
*-py3-none-manylinux_*_x86_64.whl) ;;
*) echo "not a wheel for other systems: $1" >&2; exit 1 ;;
esac

rm -rf "$venv"
"$python" -m venv --without-pip "$venv"
"$python" -m pip --python "$venv/bin/python" --disable-pip-version-check install --quiet "$1"

# In another folder and an empty environment, so that only the installed package can be found.
cd /
env -i PATH=/usr/bin:/bin "$venv/bin/python" - "$venv" <<'PROGRAM'
import os
import re
import sys

import semla

venv = os.path.realpath(sys.argv[1])
assert os.path.realpath(semla.__file__).startswith(venv), semla.__file__

path = semla.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], nrows=3, ncols=3)
parents, levels = semla.bfs(path, 0)
assert levels.to_dict() == {0: 0, 1: 1, 2: 2}, levels.to_dict()
square = semla.Vector(float, 3)
square << semla.semiring.plus_times(path @ semla.Vector.from_dense([1.0, 2.0, 3.0]))
assert square.to_dict() == {0: 2.0, 1: 4.0, 2: 2.0}, square.to_dict()

with open("/proc/self/maps") as maps:
    mapped = {line.split()[-1] for line in maps if "/lib" in line}
for name in "libsemla", "libgraphblas", "libgomp":
    found = [library for library in mapped if re.match(name + r"[-.]", os.path.basename(library))]
    assert len(found) == 1 and os.path.realpath(found[0]).startswith(venv), (name, found)
assert not [library for library in mapped if "libmpi" in library], mapped

from importlib.metadata import distribution  # noqa: E402

groups = {entry.group for entry in distribution("semla").entry_points if entry.name == "semla"}
assert groups == {"networkx.backends", "networkx.backend_info"}, groups
import _semla_networkx  # noqa: E402

assert _semla_networkx.get_info()["backend_name"] == "semla"
assert os.path.exists(os.path.join(os.path.dirname(semla.__file__), "py.typed"))
print("searched by semla", semla.__version__)
PROGRAM
