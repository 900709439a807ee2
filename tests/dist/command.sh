#!/bin/sh
# semla --grid under mpiexec: $1 is "mpiexec -n", $2 the command.
set -eu
mpi=$1
semla=$2
out=$(mktemp)
# After a rank has failed, mpiexec otherwise waits two seconds for ranks that have ended.
export OMPI_MCA_odls_base_sigkill_timeout=0
trap 'rm -f "$out" "$out.grid" "$out.one"' EXIT

fail() {
    echo "command.sh: $1; it printed:" >&2
    cat "$out" >&2
    exit 1
}

# expect STATUS RANKS TEXT ARGUMENT...: runs it; TEXT has to be there, once.
expect() {
    status=$1 ranks=$2 text=$3
    shift 3
    got=0
    $mpi "$ranks" "$semla" "$@" >"$out" 2>&1 || got=$?
    [ "$got" -eq "$status" ] || fail "semla $*: status $got, not $status"
    [ "$(grep -c -e "$text" "$out")" -eq 1 ] || fail "semla $*: '$text' is not there once"
}

for grid in 1x4 2x2 4x1 auto; do
    expect 0 4 'valid_trees: *5 of 5' graph500 --scale 8 --roots 5 --grid $grid --engine suitesparse
done
expect 0 4 'sssp_valid_trees: *5 of 5' graph500 --scale 8 --roots 5 --grid 2x2 --engine suitesparse --sssp
expect 0 2 'sssp_valid_trees: *5 of 5' graph500 --scale 8 --roots 5 --grid 1x2 --engine openmp --sssp
expect 0 2 '^kernel_time: *0\.[0-9]*[1-9]' graph500 --scale 12 --roots 5 --grid 2x1 --engine suitesparse
expect 0 2 '"kernel_time":' graph500 --scale 8 --roots 5 --grid 1x2 --json --engine suitesparse
expect 0 2 '"valid_trees":.5' graph500 --scale 8 --roots 5 --grid 1x2 --json --engine suitesparse
expect 0 1 '^grid: *1x1' graph500 --scale 6 --roots 2 --grid 1x1 --engine suitesparse
expect 0 2 '^transport: *processors' graph500 --scale 6 --roots 2 --grid 2x1 --engine suitesparse
# Operations of the ranks' engines count for the grid.
expect 0 2 '^Engine *grid (.* operations ran on suitesparse)$' bfs grid:9x7 --grid 2x1 --engine openmp --plain --deterministic
expect 0 2 '^Engine *grid$' bfs grid:9x7 --grid 2x1 --engine suitesparse --plain
expect 0 2 '^Pruned *0 vertices outside the 2-core: grids do not prune$' bfs kronecker:8 --grid 2x1 --prune
# Not counted: entries that one rank sets in its host's memory.
expect 0 2 '^Engine *grid$' bfs grid:9x7 --grid 1x2 --engine openmp --source 0
expect 0 2 '^Engine *grid$' bfs grid:9x7 --grid 1x2 --engine openmp --source 62
expect 1 2 '--grid 2x2 needs 4 ranks, but MPI started 2' graph500 --scale 6 --grid 2x2
expect 1 2 '--grid 1x1 needs 1 rank, but MPI started 2' graph500 --scale 6 --grid 1x1
expect 2 2 "not '2by2'" graph500 --scale 6 --grid 2by2
expect 2 2 'scale is missing' graph500 --grid 1x2

expect 0 6 'Valid *yes' bfs kronecker:scale=8,seed=1 --grid 2x3 --engine suitesparse --validate --deterministic
cp "$out" "$out.grid"
expect 0 1 'Valid *yes' bfs kronecker:scale=8,seed=1 --engine suitesparse --validate --deterministic
for what in Reached Source; do
    [ "$(grep "^$what" "$out")" = "$(grep "^$what" "$out.grid")" ] || fail "$what differs from one process's"
done
expect 0 1 '^Reached' bfs grid:9x7 --engine suitesparse --deterministic --output "$out.one" --force
expect 0 4 '^Reached' bfs grid:9x7 --engine suitesparse --deterministic --output "$out.grid" --force --grid 2x2
cmp -s "$out.one" "$out.grid" || fail "the trees differ"
# Without --grid mpirun gets one grid, whose rank 0 prints; with `none` each rank is alone.
expect 0 4 '^Engine *grid' bfs grid:9x7
expect 0 3 '^grid: *3x1' graph500 --scale 6 --roots 2 --engine suitesparse
expect 0 2 '^Vertices *63' info grid:9x7
expect 0 2 '^semla ' --version
expect 0 2 '^Usage: semla' help
expect 0 2 '^Usage: semla bfs' bfs --help
expect 0 2 '^grid  *present' engines
expect 0 2 'Valid *yes' bfs grid:9x7 --validate
expect 2 2 'a graph is missing' bfs
expect 0 4 '1x4 suitesparse .*pull .*ok' parity grid:5x5 --searches 1
$mpi 2 "$semla" info grid:9x7 --grid none >"$out" 2>&1 || fail "info --grid none"
[ "$(grep -c '^Vertices *63' "$out")" -eq 2 ] || fail "info --grid none: not twice"
OMPI_COMM_WORLD_SIZE=1 "$semla" info grid:9x7 >"$out" 2>&1 || fail "info alone"
[ "$(grep -c '^Vertices *63' "$out")" -eq 1 ] || fail "info alone: not once"

# apart TEXT ARGUMENT... -- ARGUMENT...: two ranks with different arguments end with one message.
apart() {
    text=$1 first=
    shift
    while [ "$1" != -- ]; do
        first="$first $1"
        shift
    done
    shift
    got=0
    # shellcheck disable=SC2086
    timeout 600 $mpi 1 "$semla" $first : "${mpi##* }" 1 "$semla" "$@" >"$out" 2>&1 || got=$?
    [ "$got" -eq 2 ] || fail "semla$first and semla $*: status $got, not 2"
    [ "$(grep -c -e "$text" "$out")" -eq 1 ] || fail "semla$first and semla $*: '$text' is not there once"
}
apart "argument 1 is 'info' on rank 1, but 'bfs' on rank 0" bfs grid:9x7 -- info grid:9x7
apart "argument 4 is '2' on rank 1, but '1' on rank 0" bfs grid:9x7 --source 1 -- bfs grid:9x7 --source 2
apart "argument 3 is missing on rank 1, but '--grid=1x2' on rank 0" bfs grid:9x7 --grid=1x2 -- bfs grid:9x7
apart "argument 2 is 'grid:9x7' on rank 1, but missing on rank 0" bfs -- bfs grid:9x7
apart '"error":.*argument 1 is' info grid:9x7 --json -- bfs grid:9x7 --json
expect 1 2 'cannot be read\|No such file' bfs /nowhere/graph.mtx --grid 1x2

# The reason why there is no context, from the rank that has it.
SEMLA_ENGINE=cuad expect 1 2 "rank 0: SEMLA_ENGINE: unknown engine 'cuad'.*did you mean 'cuda'" info grid:9x7
SEMLA_TRACE=dispach expect 1 2 "rank 0: SEMLA_TRACE: unknown word 'dispach'" info grid:9x7
got=0
$mpi 1 "$semla" info grid:9x7 : "${mpi##* }" 1 env SEMLA_ENGINE=none "$semla" info grid:9x7 >"$out" 2>&1 || got=$?
[ "$got" -eq 1 ] || fail "SEMLA_ENGINE=none on rank 1: status $got, not 1"
grep -q "^semla.*: rank 1: SEMLA_ENGINE: unknown engine 'none'" "$out" || fail "SEMLA_ENGINE=none on rank 1"
# Absent engines: every rank would say why.
if "$semla" engines | grep -q '^cuda *absent'; then
    expect 1 2 "rank 0: the engine 'cuda' is not available: [^ ]" info grid:9x7 --engine cuda
fi

# A rank that ends by itself, after a failure that is reported, is not one that was lost: others have time to say so.
unset OMPI_MCA_odls_base_sigkill_timeout
for attempt in 1 2; do
    expect 2 4 'unknown command' nonesuch
    ! grep -q 'has ended' "$out" || fail "a wrong command, attempt $attempt: a rank is said to have ended"
    expect 1 4 'out of range' bfs grid:9x7 --source 63
    ! grep -q 'has ended' "$out" || fail "a wrong source, attempt $attempt: a rank is said to have ended"
done
