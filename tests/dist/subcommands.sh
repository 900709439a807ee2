#!/bin/sh
# Every subcommand of semla on a grid says what it says on one process: $1 is "mpiexec -n", $2
# the command, $3 the folder of graphs.
set -eu
mpi=$1 semla=$2 data=$3
dir=$(mktemp -d)
# After a rank has failed, mpiexec otherwise waits two seconds for ranks that have ended.
export OMPI_MCA_odls_base_sigkill_timeout=0
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "subcommands.sh: $1; it printed:" >&2
    cat "$dir/got" >&2
    exit 1
}

# Leaves out what differs from run to run: times and engines.
plain() {
    sed -E -e 's/[0-9.]+ (us|ms|s)\b/TIME/g' -e '/^(Engine|Time|Speed)/d' "$1"
}

# same RANKS GRID ARGUMENT...: the same text, and status, with and without a grid.
same() {
    ranks=$1 grid=$2
    shift 2
    right=0 got=0
    "$semla" "$@" >"$dir/right" 2>&1 || right=$?
    $mpi "$ranks" "$semla" "$@" --grid "$grid" >"$dir/got" 2>&1 || got=$?
    [ "$got" -eq "$right" ] || fail "semla $* --grid $grid: status $got, not $right"
    plain "$dir/right" >"$dir/right.plain"
    plain "$dir/got" >"$dir/got.plain"
    diff "$dir/right.plain" "$dir/got.plain" >"$dir/diff" || { cat "$dir/diff" >>"$dir/got"; fail "semla $* --grid $grid differs"; }
}

# written RANKS GRID FILE ARGUMENT...: the same file, FILE standing for its name.
written() {
    ranks=$1 grid=$2 file=$3
    shift 3
    "$semla" "$@" "$dir/right.$file" >"$dir/got" 2>&1 || fail "semla $*"
    $mpi "$ranks" "$semla" "$@" "$dir/$file" --grid "$grid" >"$dir/got" 2>&1 || fail "semla $* on $grid"
    cmp "$dir/right.$file" "$dir/$file" >>"$dir/got" 2>&1 || fail "semla $* --grid $grid wrote another file"
}

# refused RANKS GRID TEXT ARGUMENT...: status 1, and TEXT once.
refused() {
    ranks=$1 grid=$2 text=$3 got=0
    shift 3
    $mpi "$ranks" "$semla" "$@" --grid "$grid" >"$dir/got" 2>&1 || got=$?
    [ "$got" -eq 1 ] || fail "semla $* --grid $grid: status $got"
    [ "$(grep -c -e "$text" "$dir/got")" -eq 1 ] || fail "semla $* --grid $grid: '$text' is not there once"
}

graph=$data/karate.mtx
e=--engine=suitesparse
same 4 2x2 info $graph $e
same 3 1x3 info kronecker:scale=9,seed=2 $e

written 4 2x2 k.mtx generate kronecker:scale=9,seed=7 $e -o
written 3 3x1 r.semla generate road:20x30 $e -o
written 2 1x2 c.graph convert $graph $e
written 2 2x1 t.g500 convert kronecker:scale=8 --tuples $e
written 2 2x1 w.gr convert $graph --weights integer $e

# The decision between values and a pattern is that of one process.
printf '2 2 1\n' >"$dir/one.el"
written 2 1x2 one.mtx convert "$dir/one.el" $e
written 2 2x1 one.gr convert "$dir/one.el" $e
grep -q ' real ' "$dir/one.mtx" || fail "one.mtx has no values"

printf '2 2 1\n' >"$dir/ones.txt"
written 2 2x1 o.mtx convert "$dir/ones.txt" $e
written 2 1x2 o.gr convert "$dir/ones.txt" $e
written 2 2x1 o.txt convert "$dir/ones.txt" $e
refused 2 1x2 'Graph500 files store no values' convert "$dir/ones.txt" "$dir/o.g500" $e

printf '1 2\n2 3\n' >"$dir/directed.txt"
refused 2 1x2 'entry has no mirror entry$' convert "$dir/directed.txt" "$dir/d.graph" $e
printf '1 2 5\n2 1 6\n' >"$dir/directed.txt"
refused 2 1x2 'entry has no mirror entry of the same weight$' convert "$dir/directed.txt" "$dir/d.graph" $e

# Ids for which vectors have no room are refused when the graph is read, and no file is begun.
printf '1 100000000000000\n1 5\n' >"$dir/enormous.txt"
mkdir "$dir/empty"
for command in info bfs 'run components' convert; do
    # shellcheck disable=SC2086
    set -- $command "$dir/enormous.txt"
    [ "$command" != convert ] || set -- "$@" "$dir/empty/e.mtx"
    refused 2 1x2 'no memory for 100000000000001 vertices: .* needs 400000000000008 bytes on each of 2 ranks, .*--renumber' "$@"
done
[ -z "$(ls -A "$dir/empty")" ] || fail "a refused graph left a file"

# Ids of the file: results, the map, vectors that are read, messages.
printf '7 70\n70 700\n700 7000\n5 6\n' >"$dir/sparse.txt"
sparse="$dir/sparse.txt --renumber $e"
same 4 2x2 run multi-source-bfs $sparse --source 7 --check
written 2 2x1 levels run multi-source-bfs $sparse --source 7 --source 5 --out
written 2 1x2 parents run multi-source-bfs $sparse --source 7 --out - --parents
written 3 3x1 up run sssp $sparse --source 7 --parents
written 2 1x2 map info $sparse --ids
same 4 2x2 validate $sparse --source 7 --parents "$dir/up"
printf '7 7\n70 7\n700 6\n' >"$dir/wrong"
refused 2 1x2 'NOT VALID: vertex 700 has parent 6' validate $sparse --source 7 --parents "$dir/wrong"
printf '7 7\n71 7\n' >"$dir/wrong"
refused 2 2x1 'wrong: vertex 71 is not a vertex' validate $sparse --source 7 --parents "$dir/wrong"
refused 2 1x2 'the edge from 5 to 6 has no mirror edge' run triangles $sparse

for algorithm in components independent-set label-propagation scc sssp spanning-forest triangles bipartite pseudo-diameter \
    local-clustering core-numbers ktruss closeness; do
    same 2 1x2 run $algorithm $graph --check $e
done
same 4 2x2 run scc $graph --directed --check $e
same 4 2x2 run betweenness $graph --check $e
same 2 2x1 run multi-source-bfs $graph --source 3 --source 7 --check $e
same 2 2x1 run ktruss $graph --k 4 --check $e
same 3 3x1 run closeness $graph --samples 6 --seed 5 --check $e
same 2 1x2 run closeness $graph --source 5 --source 9 --check $e
written 2 1x2 truss run ktruss $sparse --symmetric --out
same 3 1x3 run khop $graph --source 5 --hops 2 --check $e
same 2 1x2 run st-connected $graph --source 5 --target 30 --check $e
written 2 1x2 sizes.txt run components $graph $e --out

"$semla" bfs $graph --source 4 --deterministic $e --output "$dir/tree" >"$dir/got"
same 4 2x2 validate $graph --source 4 --tree "$dir/tree" $e
refused 2 1x2 'NOT VALID: the source 5 has parent 0' validate $graph --source 5 --tree "$dir/tree" $e
refused 2 2x1 'nowhere: cannot open' validate $graph --source 4 --tree "$dir/nowhere" $e

# Every grid of six ranks, every engine.
$mpi 6 "$semla" parity kronecker:scale=7 --searches 1 --grid auto >"$dir/got" 2>&1 || fail "parity"
for grid in 1x6 2x3 3x2 6x1; do
    grep -q "^$grid suitesparse .*ok  *ok  *ok" "$dir/got" || fail "parity: no $grid"
done
grep -q 'All agree' "$dir/got" || fail "parity does not agree"
$mpi 2 "$semla" engines --grid 1x2 >"$dir/got" 2>&1 || fail "engines"
[ "$(grep -c '^grid .*present' "$dir/got")" -eq 1 ] || fail "engines: the grid is not there once"
