#!/bin/sh
# semla report on a grid: valid trees, the same graph as on one process, the traffic of each rank, one page.
# $1 is "mpiexec -n", $2 the command.
set -eu
mpi=$1 semla=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "report.sh: $1; it printed:" >&2
    head -c 2000 "$dir/got" >&2
    exit 1
}

# refused TEXT ARGUMENT...: status 1, and TEXT once.
refused() {
    text=$1 got=0
    shift
    $mpi 2 "$semla" report path:9 "$@" --grid 1x2 >"$dir/got" 2>&1 || got=$?
    [ "$got" -eq 1 ] || fail "semla report $*: status $got"
    [ "$(grep -c -e "$text" "$dir/got")" -eq 1 ] || fail "semla report $*: '$text' is not there once"
}

$mpi 4 "$semla" report kronecker:scale=8 --roots 3 --json -o "$dir/page.html" --grid 2x2 >"$dir/got" || fail "report"
"$semla" report kronecker:scale=8 --roots 3 --json -o "$dir/right.html" --engine suitesparse >"$dir/right" || fail "report alone"
[ "$(grep -c '"rank":' "$dir/got")" -eq 4 ] || fail "report: not 4 ranks"
[ "$(grep -c '"exchange_seconds":' "$dir/got")" -eq 4 ] || fail "report: no times of exchanges"
grep -q '"phase":.*"expand"' "$dir/got" || fail "report: no traffic"
grep -q '"valid":.*false' "$dir/got" && fail "report: a tree is not valid"
for file in right got; do
    grep -A1 -E '^.("degrees"|"components"):' "$dir/$file" | grep -v prepare >"$dir/$file.members"
done
[ -s "$dir/got.members" ] && cmp "$dir/right.members" "$dir/got.members" || { mv "$dir/got.members" "$dir/got"; fail "report: other degrees"; }
refused 'page.html exists; pass --force' -o "$dir/page.html"
refused 'nowhere.html: cannot open' -o "$dir/p.html" --against "$dir/nowhere.html"
[ ! -e "$dir/p.html" ] || fail "report left a page"
