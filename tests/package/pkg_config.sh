#!/bin/sh
# Builds and runs a program with the flags from pkg-config.
#
#     pkg_config.sh shared|static|graphblas MODULE LIBRARIES PROGRAM ARGUMENT COMPILER...
#
# graphblas: the module of the GraphBLAS C API, which is in a prefix of its own and names the folder of its library.
set -eu
kind=$1 module=$2 libraries=$3 program=$4 argument=$5
shift 5
export PKG_CONFIG_PATH="$libraries/pkgconfig"
if [ "$kind" = graphblas ]; then
    export PKG_CONFIG_PATH="$libraries/semla/graphblas/lib/pkgconfig"
    flags=$(pkg-config --cflags --libs "$module")
elif [ "$kind" = static ]; then
    # Both libraries are installed, and the linker would prefer the shared one.
    flags=$(pkg-config --static --cflags --libs "$module" | sed 's/-lsemla\>/-l:libsemla.a/')
else
    flags=$(pkg-config --cflags --libs "$module")
fi
# shellcheck disable=SC2086 # a list of flags
"$@" $flags -o "$program"
"$program" "$argument"
if [ "$kind" = graphblas ]; then
    readelf -d "$program" | grep 'NEEDED.*libsemla_graphblas\.so\.2\]'
    exit
fi
if readelf -d "$program" | grep -q 'NEEDED.*libsemla'; then needed=shared; else needed=static; fi
[ "$needed" = "$kind" ] || { echo "linked the $needed library" >&2; exit 1; }
