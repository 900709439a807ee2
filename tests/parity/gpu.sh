#!/bin/sh
# Parity of the GPU on graphs of the size that it is for: one model, or "files" for the
# graphs of SEMLA_DATA_DIR, or "searches" for 200 random searches. Ends with 77, which is
# skipped, where there is no GPU or there are no files.
#
#     gpu.sh SEMLA RANDOM_SEARCHES GRAPH [OPTION...]
set -eu
semla=$1 searches=$2 graph=$3
shift 3

if ! "$semla" engines --json | tr -d '\n\t ' | grep -q '"name":"cuda","version":"[^"]*","present":true'; then
    echo "skipped: there is no GPU"
    exit 77
fi
case $graph in
searches)
    # Each by itself, as many at once as there are cores: SuiteSparse takes most of the time.
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
    # Forced pulls over thousands of levels take minutes on the host: one search is made of them.
    exec "$semla" parity "$graph" --searches 4 --seconds 20 --quiet "$@"
    ;;
esac
