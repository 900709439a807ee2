#!/bin/sh
# Ranks that write one file need a name for it while it is written. A signal to mpiexec leaves no such name behind, and the
# file is complete or absent. $1 is "mpiexec -n", $2 the command.
set -eu
mpi=$1 semla=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "signals.sh: $1; the folder has:" >&2
    ls -l "$dir" >&2
    exit 1
}

# Waits up to 5 s until the file does not exist.
vanishes() {
    for _ in $(seq 50); do
        [ -e "$1" ] || return 0
        sleep 0.1
    done
    return 1
}

graph=kronecker:scale=15
$mpi 2 "$semla" convert $graph "$dir/whole.mtx" --grid 1x2 --engine suitesparse >"$dir/log"
ended=0
signal=TERM
for delay in 0.3 0.4 0.45 0.5 0.55 0.6 0.65 0.7 0.8 1.0; do
    if [ $signal = TERM ]; then signal=INT; else signal=TERM; fi
    rm -f "$dir/part.mtx"
    timeout --signal=$signal "$delay" $mpi 2 "$semla" convert $graph "$dir/part.mtx" --grid 1x2 \
        --engine suitesparse >"$dir/log" 2>&1 || ended=$((ended + 1))
    for name in "$dir"/*.tmp; do # a rank may end shortly after mpiexec
        vanishes "$name" || fail "SIG$signal after $delay s left $name"
    done
    [ ! -e "$dir/part.mtx" ] || cmp -s "$dir/part.mtx" "$dir/whole.mtx" || fail "part.mtx is not complete"
done
[ "$ended" -gt 0 ] || fail "no run was ended"
