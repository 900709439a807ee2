#!/bin/sh
# Compares the model of docs/scaling.md with cases computed by hand and with published figures, and its output
# with the tables that the page quotes.
#
#     scaling.sh BENCH_SCALING
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expects TEXT OPTION...: the output has a line that contains the text.
expects() {
    text=$1
    shift
    "$program" "$@" >"$work/out"
    if ! grep -qF -- "$text" "$work/out"; then
        echo "bench_scaling $*: the output lacks '$text':" >&2
        cat "$work/out" >&2
        failed=1
    fi
}

rejects() {
    if "$program" "$@" >/dev/null 2>&1; then
        echo "bench_scaling $* should fail" >&2
        failed=1
    fi
}

# Fractions counted in generated graphs, one of which is GAP-kron.
expects "scale 22: 42.9 % isolated, 23.0 %" --bytes --scale 22 --grid 1x1
expects "scale 30: 58.3 % isolated, 27.3 %" --bytes --scale 30 --grid 1x1

# Counted in a generated graph of scale 18: 1.544 %, 0.0928 and 11.92.
expects "1.544 % of all vertices; ends of edges between vertices without hubs: 0.0928 per vertex; rank of a neighbour: 11.92" \
    --bytes --scale 18 --grid 1x1 --ones 4
# Ends of the edges of a graph whose vertices are all hubs.
expects "hubs of at most 18 ones: 100.000 % of all vertices; ends of edges between vertices without hubs: 0.0000" \
    --bytes --scale 18 --grid 1x1 --ones 18

# A bitmap of 2^16 vertices is 8,192 bytes: 2 x 3, 0.02 x 3, 0.35 log2(4), 1.15 (4 - 0.45) of them.
expects "expand 49152 share 492 fold 5734 pass 33444" --isolated --bytes --scale 20 --grid 4x4

# One GPU at scale 26: 0.062 ms and 2^30 edges at 2 T/s, 0.537 ms; no exchange. 1,794 GTEPS
# were measured.
expects "    1     26       1x1      0.60     0.60     0.00     0.00     0.00      1793" \
    --isolated --scale 26 --grid 1x1 --examined 1 --cached 1

# Two hosts of 8, one column, a bitmap of 524,288 bytes. Expanded: 30 bitmaps, 8/15 of them over
# the network at 1 GB/s, 8.39 ms, the others at 10 GB/s, 0.73. Two steps with a burst of
# 10 + 15 x 1 ms and a count of 1 x 10 + 3 x 1 ms: 76. Work: 0.062 + 0.034 + 0.004.
hand="--isolated --scale 26 --examined 1 --cached 1 --pushes 1 --pulls 1 --network 1 --link 10
    --latency 10000 --link-latency 1000 --issue 1000 --turn 1000"
expects "   16     26      16x1     85.22     0.10     8.39     0.73    76.00" $hand --grid 16x1

# The same as one row. Two bursts of the push, 25 ms each; 16 turns of 1 ms with hops of
# (1 x 10 + 7 x 1) / 8 ms; 3 x 15 messages for parents, 8/15 of 10 ms and 7/15 of 1; counts of
# 26: 50 + 50 + 261 + 26.
"$program" $hand --grid 1x16 | awk '/1x16/ && $8 == "387.00" { ok = 1 } END { exit !ok }' || {
    echo "one row of 16: the delay is not 387 ms" >&2
    failed=1
}

# Half of the smaller of work and exchange is hidden: 85.22 - 0.05.
expects "85.17" $hand --grid 16x1 --overlap 0.5

# Of two GPUs of a host one dimension is expected to be faster; 17 GPUs have no such search.
expects "    2     20       2x1" --choice --scale 20 --grid 2x1
expects " 2d" --choice --scale 20 --gpus 17

rejects --grid 4
rejects --grid 0x4
rejects --scale 41-33
rejects --network 0
rejects --gpus 64,none
rejects table

"$program" | diff -u "$here/scaling.txt" - >&2 || failed=1
for table in record measured workflows; do
    "$program" --$table | diff -u "$here/scaling_$table.txt" - >&2 || failed=1
done
"$program" --choice --gpus 2,4,8,16,64,1024,8192 --scale 26-34 | awk '$2 % 2 == 0 || NR == 1' |
    diff -u "$here/scaling_choice.txt" - >&2 || failed=1
exit $failed
