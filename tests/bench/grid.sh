#!/bin/sh
# What a grid of GPUs gains over one GPU, in one run: searches in one and in two dimensions on every shape of the
# grid, algorithms, and products of matrices. Every tree is checked.
#
#     grid.sh BUILD [SCALE [GPUS [ROOTS]]]
#
# SCALE is 24, GPUS the number that nvidia-smi lists, ROOTS 16, unless given. MPIEXEC is the command that starts ranks
# (mpiexec). Exit status: 77 if there is no GPU, 1 if a program fails or a tree is invalid.
set -eu
build=$1 scale=${2:-24} gpus=${3:-} roots=${4:-16} mpiexec=${MPIEXEC:-mpiexec}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$build/semla" engines --json | tr -d '\n\t ' | grep -q '"name":"cuda","version":"[^"]*","present":true' || {
    echo "skipped: there is no GPU"
    exit 77
}
[ -n "$gpus" ] || gpus=$(nvidia-smi -L | wc -l)

# value NAME: a line of the report.
value() {
    sed -n "s/^$1: *//p" "$work/out"
}

# search RANKS SHAPE [WORD]: a line of the table, which compares the median with that of the first line.
base=
search() {
    SEMLA_DIST=${3:-} $mpiexec -n "$1" "$build/semla" graph500 --quiet --engine cuda \
        --roots "$roots" --scale "$scale" --grid "$2" >"$work/out" || { cat "$work/out"; exit 1; }
    base=${base:-$(value median_time)}
    echo "$2 ${3:--} $(value harmonic_mean_TEPS) $(value median_time) $base $(value valid_trees)" |
        awk '{ printf "%-6s %-4s %9.1f %10.3f %7.2f   %s of %s\n", $1, $2, $3 / 1e9, 1e3 * $4, $5 / $4, $6, $8 }'
}

echo "Searches at scale $scale, $roots roots; speed: the median beside that of one GPU without a grid"
printf '%-6s %-4s %9s %10s %7s   %s\n' grid "" GTEPS "median ms" speed "valid trees"
search 1 none
square=1
for ranks in 1 "$gpus"; do
    rows=0
    while [ $((rows += 1)) -le "$ranks" ]; do
        [ $((ranks % rows)) -eq 0 ] || continue
        [ $((rows * rows)) -gt "$ranks" ] || square=$rows
        for kind in 1d 2d; do
            search "$ranks" "${rows}x$((ranks / rows))" $kind
        done
    done
    [ "$gpus" -gt 1 ] || break
done

shapes="${square}x$((gpus / square))"
for shape in "1x$gpus" "${gpus}x1"; do
    case " $shapes " in *" $shape "*) ;; *) shapes="$shapes $shape" ;; esac
done
for shape in $shapes; do
    echo
    echo "Grid $shape"
    $mpiexec -n "$gpus" "$build/tests/bench/bench_dist_algorithms" --engine cuda --runs 5 --scale "$scale" --grid "$shape"
done
echo
$mpiexec -n "$gpus" "$build/tests/bench/bench_dist_mxm" --engine cuda --runs 5 --scale $((scale < 16 ? scale : 16)) \
    --grid "${square}x$((gpus / square))"
