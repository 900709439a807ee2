#!/bin/sh
# Checks the installed prefix of the GraphBLAS C API as LAGraph 1.1 and 1.2 find it: only GraphBLAS_ROOT in the
# environment is set. Once CMake uses the package of the prefix; once, without the package, the name of the library's
# real file gives the version.
#
#     graphblas_found.sh PREFIX FOLDER CMAKE COMPILER READELF [FLAG]
#
# FLAG: of the compiler, for a library with sanitizers.
set -eu
prefix=$1 folder=$2 cmake=$3 compiler=$4 readelf=$5 flag=${6-}
rm -rf "$folder"
mkdir -p "$folder/project"
cat >"$folder/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(found LANGUAGES C)
find_package(GraphBLAS CONFIG REQUIRED)
find_package(GraphBLAS 2.1 CONFIG REQUIRED) # a second time, as the packages of LAGraph's users do
file(WRITE ${CMAKE_BINARY_DIR}/found.c "#include <GraphBLAS.h>
int main(void) { return GrB_init(GrB_BLOCKING) != GrB_SUCCESS || GrB_finalize() != GrB_SUCCESS; }")
add_executable(found ${CMAKE_BINARY_DIR}/found.c)
target_link_libraries(found PRIVATE GraphBLAS::GraphBLAS)
message("found ${GRAPHBLAS_VERSION} ${GraphBLAS_VERSION_MAJOR} ${GRAPHBLAS_INCLUDE_DIR} ${GRAPHBLAS_LIBRARIES}")
find_package(GraphBLAS 9.0 CONFIG QUIET)
message("a later version: ${GraphBLAS_FOUND}")
END
GraphBLAS_ROOT=$prefix "$cmake" -S "$folder/project" -B "$folder/build" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_C_FLAGS="$flag" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }
# has TEXT: a line of the log.
has() {
    grep -qFx "$1" "$folder/log" && return 0
    echo "not in the log: $1" >&2
    cat "$folder/log" >&2
    exit 1
}
has "found 2.1.0 2 $prefix/include $prefix/lib/libgraphblas.so.2.1.0"
has "a later version: 0"
"$cmake" --build "$folder/build" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
if grep -i warning "$folder/log" | grep -v libasan >&2; then exit 1; fi # the linker's of libasan are not ours
"$folder/build/found"
"$readelf" -d "$folder/build/found" | grep -q "NEEDED.*\[libsemla_graphblas\.so\.2\]"

# Without the package: a header, and a link to a file with the version in its name.
[ -f "$prefix/include/GraphBLAS.h" ]
case $(readlink -f "$prefix/lib/libgraphblas.so") in
*/libgraphblas.so.2.1.0) ;;
*) echo "libgraphblas.so does not lead to libgraphblas.so.2.1.0" >&2; exit 1 ;;
esac
