#!/bin/sh
# Installs the wheel that packaging/wheel.sh made into a new virtual environment, with numpy and cffi from the
# package index, and runs a search; with mpirun and mpi4py also on a grid, with the MPI of the machine. Exits with 77
# (skipped) if there is no wheel.
#
#     wheel.sh WHEELS PYTHON ENVIRONMENT PROGRAM
#
# PROGRAM: what runs on the grid, grid_program.py, which reads a file of enormous vertex ids and one with both directions
# of an edge.
set -eu
python=$2 venv=$3 program=$4
set -- "$1"/semla-*.whl
[ -e "$1" ] || { echo "skipped: there is no wheel $1; make wheel makes it"; exit 77; }
[ $# = 1 ] || { echo "expected one wheel, found: $*" >&2; exit 1; }
case $1 in
*-py3-none-manylinux_2_2[0-8]_x86_64*.whl | *-py3-none-manylinux_2_3[0-4]_x86_64*.whl) ;;
*) echo "not a wheel for other systems: $1" >&2; exit 1 ;;
esac

rm -rf "$venv"
"$python" -m venv --without-pip "$venv"
"$python" -m pip --python "$venv/bin/python" --disable-pip-version-check install --no-compile --quiet "$1"

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

from semla.python_graphblas import Library  # noqa: E402

grb = Library(os.path.join(os.path.dirname(semla.__file__), "libsemla_graphblas.so.2"))
assert grb.GrB_init(grb.GrB_BLOCKING) == grb.GrB_finalize() == grb.GrB_SUCCESS

from importlib.metadata import distribution  # noqa: E402

groups = {entry.group for entry in distribution("semla").entry_points if entry.name == "semla"}
assert groups == {"networkx.backends", "networkx.backend_info"}, groups
import _semla_networkx  # noqa: E402

assert _semla_networkx.get_info()["backend_name"] == "semla"
assert os.path.exists(os.path.join(os.path.dirname(semla.__file__), "py.typed"))
print("searched by semla", semla.__version__)
PROGRAM

# The wheel contains no MPI. Without one a grid is refused, with the name of the missing library.
package=$(echo "$venv"/lib/python3*/site-packages)
if find "$package" -name 'libmpi*' | grep .; then
    echo "the wheel contains MPI" >&2
    exit 1
fi
module=$(echo "$package"/semla/libsemla_mpi.so.*)
cp "$module" "$module.whole"
sed 's/libmpi\.so\.40/libmpi.so.4X/g' "$module.whole" >"$module"
env -i PATH=/usr/bin:/bin "$venv/bin/python" - <<'PROGRAM'
import semla

try:
    semla.Context(comm=3)
except semla.Unsupported as error:
    assert "libmpi.so.4X: cannot open shared object file" in str(error), error
else:
    raise AssertionError("a grid without MPI")
assert semla.Vector.from_dense([1.0, 2.0]).nvals == 2
PROGRAM
mv "$module.whole" "$module"

if ! command -v mpirun >/dev/null || ! "$python" -m pip --python "$venv/bin/python" --disable-pip-version-check \
    install --quiet mpi4py; then
    echo "no mpirun or no mpi4py: no grid"
    exit 0
fi
printf "1 100000000000000\n1 5\n" >"$venv/enormous.txt"
printf "source,target,same,other\na,b,5,5\nb,a,5,7\nc,b,2,2\n" >"$venv/both.csv"
mpirun -n 2 "$venv/bin/python" "$program" 2x1 "$venv/enormous.txt" "$venv/both.csv" >"$venv/output" ||
    { cat "$venv/output" >&2; exit 1; }
[ "$(grep -o equal "$venv/output" | wc -l)" = 2 ] || { echo "of two ranks:" && cat "$venv/output"; exit 1; } >&2
