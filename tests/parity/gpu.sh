#!/bin/sh
# Compares the GPU with the host on graphs of realistic size: GRAPH is a model, or "files" for the graphs in
# SEMLA_DATA_DIR, or "searches" for 200 random searches. Exits with 77 (skipped) if there is no GPU or there are
# no files.
#
#     gpu.sh SEMLA RANDOM_SEARCHES GRAPH [OPTION...]
set -eu
semla=$1 searches=$2 graph=$3
shift 3

if ! "$semla" engines --json | tr -d '\n\t ' | grep -q '"name":"cuda","version":"[^"]*","present":true'; then
    echo "skipped: no GPU"
    exit 77
fi
case $graph in
searches)
    # One process per search, as many at once as there are cores, because SuiteSparse takes most of the time.
    seq 0 199 | OMP_NUM_THREADS=1 xargs -P "$(nproc)" -I{} \
        sh -c 'SEMLA_TEST_SEED={} "$1" >/dev/null || { echo "SEMLA_TEST_SEED={} $1 fails"; exit 255; }' sh "$searches"
    ;;
files)
    [ -d "${SEMLA_DATA_DIR:-}" ] || { echo "skipped: SEMLA_DATA_DIR is not set"; exit 77; }
    found=0
    for file in "$SEMLA_DATA_DIR"/*.mtx* "$SEMLA_DATA_DIR"/*.txt* "$SEMLA_DATA_DIR"/*.graph*; do
        [ -f "$file" ] || continue
        case $file in
        *.txt*) options=--renumber ;;
        *luxembourg_osm.mtx) options="--format edges --base 1" ;; # it has no banner
        *) options= ;;
        esac
        "$semla" parity "$file" $options --searches 4 --seconds 20 --quiet
        found=1
    done
    [ $found = 1 ] || { echo "skipped: no graphs in $SEMLA_DATA_DIR"; exit 77; }
    ;;
*)
    # Few searches, because forced pulls over thousands of levels take minutes on the host.
    exec "$semla" parity "$graph" --searches 4 --seconds 20 --quiet "$@"
    ;;
esac
