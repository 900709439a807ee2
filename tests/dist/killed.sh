#!/bin/sh
# A rank that is killed ends the job within 60 seconds, with a message of another rank that names it and a status that is not 0.
# $1 is "mpiexec -n", $2 the command, $3 the engine (suitesparse). With the engine cuda it is skipped, with exit status 77,
# where there is no GPU.
set -eu
mpi=$1 semla=$2 engine=${3:-suitesparse}
case $engine in
cuda) scale=20 roots=20000 delay=6 ;; # ranks first initialise CUDA and generate the graph
*) scale=16 roots=64 delay=1 ;;
esac
if [ "$engine" = cuda ] && ! nvidia-smi -L 2>/dev/null | grep -q '^GPU'; then
    echo "SKIPPED: there is no GPU"
    exit 77
fi
out=$(mktemp)
job=
trap 'rm -f "$out"; [ -z "$job" ] || kill "$job" 2>/dev/null || :' EXIT

fail() {
    echo "killed.sh: $1; it printed:" >&2
    cat "$out" >&2
    exit 1
}

# The process of a rank below mpiexec, which has a process for each.
rank_of() {
    for process in /proc/[0-9]*; do
        parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$process/status" 2>/dev/null || :)
        name=$(sed -n 's/^Name:[[:space:]]*//p' "$process/status" 2>/dev/null || :)
        [ "$parent" != "$1" ] || [ "$name" != "$(basename "$semla" | cut -c1-15)" ] || echo "${process#/proc/}"
    done
}

# A search that would take minutes; it prints before it searches.
$mpi 3 "$semla" graph500 --scale $scale --roots $roots --grid 3x1 --engine "$engine" --sssp --timeout 300 >"$out" 2>&1 &
job=$!
victim=
for _ in $(seq 300); do
    victim=$(rank_of "$job" | sed -n 2p)
    [ -z "$victim" ] || break
    sleep 0.1
done
[ -n "$victim" ] || fail "no rank was started"
sleep $delay # most of the work is exchanges
kill -9 "$victim" || fail "the job ended before a rank was killed"
for _ in $(seq 60); do
    kill -0 "$job" 2>/dev/null || break
    sleep 1
done
! kill -0 "$job" 2>/dev/null || fail "the job has not ended in 60 seconds"
status=0
wait "$job" || status=$?
job=
[ "$status" -ne 0 ] || fail "status 0"
grep -q "^semla.*: rank [0-9]* (process $victim) has ended; all ranks end" "$out" || fail "no rank names the one that was killed"
[ "$(grep -c "has ended" "$out")" -eq 1 ] || fail "other ranks are said to have ended"

# A signal to the launcher ends ranks that are all alive: they say nothing.
$mpi 2 "$semla" graph500 --scale $scale --roots $roots --grid 2x1 --engine "$engine" --sssp --timeout 300 >"$out" 2>&1 &
job=$!
sleep $((delay + 2))
kill "$job"
wait "$job" || :
job=
! grep -q "has ended" "$out" || fail "ranks that lived are said to have ended"
