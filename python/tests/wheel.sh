#!/bin/sh
# Builds the wheel, installs it into a new virtual environment without network access, and runs a search
# with the installed package.
#
#     wheel.sh CMAKE BUILD PYTHON
set -eu
cmake=$1 build=$2 python=$3
"$cmake" --build "$build" --target wheel >/dev/null
set -- "$build"/wheels/*.whl
[ $# = 1 ] || { echo "expected one wheel, found: $*" >&2; exit 1; }

venv=$build/python/environment
rm -rf "$venv"
"$python" -m venv --system-site-packages --without-pip "$venv"
"$python" -m pip --python "$venv/bin/python" install --quiet --no-index --no-deps "$1"

# In another folder, so that only the installed package can be found.
cd /
env -u PYTHONPATH -u SEMLA_LIBRARY "$venv/bin/python" - "$venv" <<'PROGRAM'
import os
import sys

import semla
from semla import _library

venv = os.path.realpath(sys.argv[1])
assert os.path.realpath(semla.__file__).startswith(venv), semla.__file__
mapped = [line.split()[-1] for line in open("/proc/self/maps") if "libsemla" in line]
assert mapped and all(os.path.realpath(path).startswith(venv) for path in mapped), mapped

path = semla.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], nrows=3, ncols=3)
parents, levels = semla.bfs(path, 0)
assert levels.to_dict() == {0: 0, 1: 1, 2: 2}, levels.to_dict()
from importlib.metadata import distribution

groups = {entry.group for entry in distribution("semla").entry_points if entry.name == "semla"}
assert groups == {"networkx.backends", "networkx.backend_info"}, groups
import _semla_networkx  # noqa: E402

assert _semla_networkx.get_info()["backend_name"] == "semla"
assert os.path.exists(os.path.join(os.path.dirname(semla.__file__), "py.typed"))
print("searched by", semla.__version__, "from", os.path.basename(mapped[0]))
PROGRAM
