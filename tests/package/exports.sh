#!/bin/sh
# Checks that libsemla.so and libsemla.a export exactly the symbols that the public headers declare.
#
#     exports.sh FUNCTIONS NM INCLUDE LIBRARIES COMPILER...
#
# FUNCTIONS: the script public_functions.sh.
set -eu
functions=$1 nm=$2 include=$3 libraries=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sh "$functions" symbols "$include" "$@" >"$work/declared"

failed=0
# compare FILE NM-OPTION: names that start with "." or "_" and a capital are reserved for the compiler.
compare() {
    "$nm" "$2" --defined-only "$libraries/$1" | awk 'NF == 3 && $3 !~ /^(\.|_[A-Z_])/ { print $3 }' | sort -u >"$work/exported"
    {
        comm -13 "$work/declared" "$work/exported" | sed "s/$/: exported by $1, but no public header declares it/"
        comm -23 "$work/declared" "$work/exported" |
            sed "s/$/: declared, but not exported by $1; is it between the visibility pragmas of its header?/"
    } >"$work/wrong"
    [ -s "$work/wrong" ] || return 0
    cat "$work/wrong" >&2
    failed=1
}
compare libsemla.so -D
compare libsemla.a -g
exit $failed
