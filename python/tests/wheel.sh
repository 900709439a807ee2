#!/bin/sh
# Builds the wheel, installs it into a fresh environment without a network, and
# searches a graph there.
#
#     wheel.sh CMAKE BUILD PYTHON
set -eu
cmake=$1 build=$2 python=$3
"$cmake" --build "$build" --target wheel >/dev/null
set -- "$build"/wheels/*.whl
[ $# = 1 ] || { echo "expected one wheel, found: $*" >&2; exit 1; }

place=$build/python/environment
rm -rf "$place"
"$python" -m venv --system-site-packages --without-pip "$place"
"$python" -m pip --python "$place/bin/python" install --quiet --no-index --no-deps "$1"

# From elsewhere, so that nothing but the environment can be found.
cd /
env -u PYTHONPATH -u SEMLA_LIBRARY "$place/bin/python" - "$place" <<'PROGRAM'
import os
import sys

import semla
from semla import _library

place = os.path.realpath(sys.argv[1])
assert os.path.realpath(semla.__file__).startswith(place), semla.__file__
mapped = [line.split()[-1] for line in open("/proc/self/maps") if "libsemla" in line]
assert mapped and all(os.path.realpath(path).startswith(place) for path in mapped), mapped

path = semla.Matrix.from_coo([0, 1, 1, 2], [1, 0, 2, 1], nrows=3, ncols=3)
parents, levels = semla.bfs(path, 0)
assert levels.to_dict() == {0: 0, 1: 1, 2: 2}, levels.to_dict()
print("searched by", semla.__version__, "from", os.path.basename(mapped[0]))
PROGRAM
