#!/bin/sh
# Runs the programs of the documents on one graph as a pattern, with integers and with reals. Lengths of 1 in all
# three, and other lengths in both types of numbers, must give the same output.
#
#     check_types.sh FOLDER GRAPH PROGRAM...
#
# FOLDER has the programs; GRAPH is a Matrix Market file of a pattern, undirected.
set -eu
folder=$1 graph=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# with_values TYPE EXPRESSION: the graph with the value of the expression, of i, j, at each edge
with_values() {
    awk -v type="$1" '
        /^%%/ { sub(/pattern/, type); print; next }
        /^%/  { next }
        !size { size = 1; print; next }
              { i = $1; j = $2; printf type == "real" ? "%d %d %.1f\n" : "%d %d %d\n", i, j, '"$2"' }
    ' "$graph"
}
cp "$graph" "$work/pattern.mtx"
for type in integer real; do
    with_values $type 1 >"$work/${type}_1.mtx"
    with_values $type '1 + (i * j) % 5' >"$work/$type.mtx"
done

# run PROGRAM NAME: its output on the graph of that name, with the type's name left out
run() {
    if ! "$folder/$1" "$work/$2.mtx" >"$work/$2.out" 2>&1; then
        echo "$1 fails on $2:" >&2
        cat "$work/$2.out" >&2
        failed=1
    fi
}

# same PROGRAM NAME OTHER
same() {
    if ! diff -u --label "$1 on $2" --label "$1 on $3" "$work/$2.out" "$work/$3.out" >&2; then
        failed=1
    fi
}

for program; do
    for name in pattern integer_1 real_1 integer real; do
        run "$program" $name
    done
    same "$program" pattern integer_1
    same "$program" pattern real_1
    same "$program" integer real
    [ -s "$work/real.out" ] || { echo "$program prints nothing" >&2; failed=1; }
done
exit $failed
