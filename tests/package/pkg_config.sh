#!/bin/sh
# Builds and runs a program with the flags that pkg-config tells.
#
#     pkg_config.sh shared|static LIBRARIES PROGRAM ARGUMENT COMPILER...
set -eu
kind=$1 libraries=$2 program=$3 argument=$4
shift 4
export PKG_CONFIG_PATH="$libraries/pkgconfig"
if [ "$kind" = static ]; then
    # Both libraries are there, and the linker would take the shared one.
    flags=$(pkg-config --static --cflags --libs semla | sed 's/-lsemla\>/-l:libsemla.a/')
else
    flags="$(pkg-config --cflags --libs semla) -Wl,-rpath,$libraries"
fi
# shellcheck disable=SC2086 # a list of flags
"$@" $flags -o "$program"
"$program" "$argument"
if readelf -d "$program" | grep -q 'NEEDED.*libsemla'; then needed=shared; else needed=static; fi
[ "$needed" = "$kind" ] || { echo "linked the $needed library" >&2; exit 1; }
