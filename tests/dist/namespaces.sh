#!/bin/sh
# Searches and all operations over two network namespaces as two hosts, which have only TCP between
# them: $1 is mpiexec (Open MPI's), $2 the command, the rest are test programs that run on 4 ranks.
# All addresses are in the namespaces that are made here. Skipped, with exit status 77, where the
# machine does not allow it.
set -eu
mpiexec=$1 semla=$2
shift 2
name=semla$$ net=10.97.31
dir=$(mktemp -d)

clean_up() {
    ip netns del ${name}a 2>/dev/null || true
    ip netns del ${name}b 2>/dev/null || true
    rm -rf "$dir"
}
trap clean_up EXIT

skip() {
    echo "SKIPPED: $1"
    exit 77
}

command -v ip >/dev/null || skip "there is no ip (iproute2)"
"$mpiexec" --version 2>&1 | grep -q 'Open MPI\|OpenRTE' || skip "the MPI is not Open MPI"
ip netns add ${name}a 2>/dev/null || skip "network namespaces may not be made here"
ip netns add ${name}b
ip link add ${name}x netns ${name}a type veth peer name ${name}y netns ${name}b 2>/dev/null ||
    skip "there are no pairs of virtual interfaces"
for side in a:x:1 b:y:2; do
    ns=$name${side%%:*} number=${side##*:} link=${side#*:}
    link=$name${link%:*}
    ip -n $ns addr add $net.$number/24 dev $link
    ip -n $ns link set $link up
    ip -n $ns link set lo up
done
unshare --uts true 2>/dev/null || skip "host names of namespaces may not be set here"

# What mpiexec takes for ssh: the host's name, and a command for its shell.
cat >"$dir/agent" <<AGENT
#!/bin/sh
shift
exec ip netns exec ${name}b unshare --uts sh -c "hostname ${name}b; \$*"
AGENT
chmod +x "$dir/agent"

# The first rank of each host says where it is, so that it is sure that there are two.
cat >"$dir/rank" <<RANK
#!/bin/sh
hostname >"$dir/host.\$OMPI_COMM_WORLD_RANK"
exec "\$@"
RANK
chmod +x "$dir/rank"

# The agent is the one above, whatever the environment of other tests says.
unset OMPI_MCA_plm_rsh_agent OMPI_MCA_btl
on_two_hosts() {
    timeout 250 ip netns exec ${name}a unshare --uts sh -c 'hostname $0; exec "$@"' ${name}a \
        "$mpiexec" -n 4 --host $net.1:2,$net.2:2 --mca plm rsh --mca plm_rsh_agent "$dir/agent" \
        --mca mpi_yield_when_idle 1 --mca btl self,tcp --mca btl_tcp_if_include $net.0/24 --mca oob_tcp_if_include $net.0/24 \
        -x OMP_NUM_THREADS -x SEMLA_TEST_TRIALS "$dir/rank" "$@"
}

sent() {
    ip netns exec ${name}a cat /sys/class/net/${name}x/statistics/tx_bytes
}

before=$(sent)
on_two_hosts "$semla" graph500 --scale 10 --roots 4 --grid 2x2 --engine suitesparse >"$dir/out" 2>&1 || {
    cat "$dir/out" >&2
    exit 1
}
grep -q '^valid_trees: *4 of 4' "$dir/out" || { cat "$dir/out" >&2; exit 1; }
hosts=$(cat "$dir"/host.* | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')
[ "$hosts" = "2 2 " ] || { echo "ranks on the hosts: $hosts" >&2; exit 1; }
[ $(($(sent) - before)) -gt 100000 ] || { echo "too little went over the link" >&2; exit 1; }

# Messages are slow here: few random trials of each operation.
export SEMLA_TEST_TRIALS=2
for program in "$@"; do
    on_two_hosts "$program" >"$dir/out" 2>&1 || {
        cat "$dir/out" >&2
        exit 1
    }
done
