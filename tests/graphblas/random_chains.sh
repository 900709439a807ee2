#!/bin/sh
# random_chains.sh PROGRAM SEED COUNT ENGINE [MPIEXEC ARGUMENT...]
#
# Runs chains of random calls (random_calls.c) on the host and on ENGINE, a word of SEMLA_GRB, under MPIEXEC if it is
# there; the first rank prints. Prints the lines that differ.
set -eu
program=$1 seed=$2 count=$3 engine=$4
shift 4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

SEMLA_GRB=host "$program" "$seed" "$count" >"$folder/host"
# shellcheck disable=SC2016
SEMLA_GRB=$engine "$@" sh -c '
    [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = 0 ] || exec >/dev/null
    exec "$0" "$@"' "$program" "$seed" "$count" >"$folder/engine"

if cmp -s "$folder/host" "$folder/engine"; then
    echo "$(wc -l <"$folder/host") calls, all equal"
    exit
fi
diff "$folder/host" "$folder/engine" | head -n 20
exit 1
