#!/bin/sh
# Two ranks whose GPUs cannot reach each other's memory: NCCL takes each rank for a host of its own and sends through
# sockets. $1 is mpiexec (Open MPI's), the rest are test programs, which try every transport that connects. Skipped,
# with exit status 77, where there are fewer than two GPUs or no NCCL.
set -eu
mpiexec=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "apart.sh: $1" >&2
    cat "$dir/out" >&2
    exit 1
}

[ "$(nvidia-smi -L 2>/dev/null | grep -c '^GPU')" -ge 2 ] || { echo "SKIPPED: there are fewer than two GPUs"; exit 77; }

cat >"$dir/rank" <<'RANK'
#!/bin/sh
export NCCL_HOSTID="host$OMPI_COMM_WORLD_RANK" NCCL_P2P_DISABLE=1 NCCL_SHM_DISABLE=1 NCCL_NET=Socket NCCL_DEBUG=INFO
exec "$@"
RANK
chmod +x "$dir/rank"

for program in "$@"; do
    NCCL_DEBUG_FILE="$dir/nccl.%p" timeout 600 "$mpiexec" -n 2 "$dir/rank" "$program" >"$dir/out" 2>&1 ||
        fail "$program: status $?"
    [ -n "$(find "$dir" -name 'nccl*')" ] || { echo "SKIPPED: there is no NCCL"; exit 77; }
    cat "$dir"/nccl.* | grep -q 'via NET/Socket' || fail "$program: NCCL sent nothing through sockets"
    ! cat "$dir"/nccl.* | grep -q 'via P2P\|via SHM' || fail "$program: NCCL sent data within the host"
    rm -f "$dir"/nccl.*
done
