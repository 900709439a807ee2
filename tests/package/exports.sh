#!/bin/sh
# Checks that libsemla.so and libsemla.a export exactly the symbols that the public headers declare, and libsemla.so as
# SEMLA_PRIVATE exactly what the module libsemla_mpi.so, if there is one, and the command need.
#
#     exports.sh FUNCTIONS NM INCLUDE LIBRARIES COMMAND COMPILER...
#
# FUNCTIONS: the script public_functions.sh.
set -eu
functions=$1 nm=$2 include=$3 libraries=$4 command=$5
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sh "$functions" symbols "$include" "$@" >"$work/declared"

failed=0
# compare FILE EXPECTED EXPORTED: two sorted lists of names.
compare() {
    {
        comm -13 "$2" "$3" | sed "s/$/: exported by $1, but not needed: no public header, module or command names it/"
        comm -23 "$2" "$3" | sed "s/$/: needed, but not exported by $1; see cmake\/exports.map and the visibility in its header/"
    } >"$work/wrong"
    [ -s "$work/wrong" ] || return 0
    cat "$work/wrong" >&2
    failed=1
}
# Names that start with "." or "_" and a capital are reserved for the compiler; A marks the names of versions.
"$nm" -D --defined-only "$libraries/libsemla.so" | awk 'NF == 3 && $2 != "A" { print $3 }' >"$work/shared"
"$nm" -g --defined-only "$libraries/libsemla.a" | awk 'NF == 3 { print $3 }' | grep -v '^\.\|^_[A-Z_]' | sort -u >"$work/static"
sed -n 's/@@SEMLA_PRIVATE$//p' "$work/shared" | sort -u >"$work/private"
sed '/@@SEMLA_PRIVATE$/d; s/@@SEMLA_PUBLIC$//' "$work/shared" | grep -v '^\.\|^_[A-Z_]' | sort -u >"$work/public"
compare libsemla.so "$work/declared" "$work/public"
compare libsemla.a "$work/declared" "$work/static"
for module in "$libraries"/libsemla_mpi.so.*; do
    [ -e "$module" ] || break # a build without MPI
    "$nm" -D --undefined-only "$module" "$command" | sed -n 's/.* \([a-z_0-9]*\)@SEMLA_PRIVATE$/\1/p' | sort -u >"$work/needed"
    compare "libsemla.so as SEMLA_PRIVATE" "$work/needed" "$work/private"
    [ "$("$nm" -D --defined-only "$module" | awk '{ print $3 }')" = sl_mpi_module_table ] || {
        echo "$module exports more than its table" >&2
        failed=1
    }
done
exit $failed
