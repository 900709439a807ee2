#!/bin/sh
# The demonstration: searches a real graph and a generated one on every available engine, validates the trees,
# and compares the engines.
set -eu
semla=$1
karate=tests/data/karate.mtx

# Runs two MPI ranks. The variables allow Open MPI to run as root, in containers and on one core.
on_two_ranks() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader \
        OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent='' \
        OMPI_MCA_hwloc_base_binding_policy=none mpiexec -n 2 "$@"
}

# Searches on one engine. The grid engine runs on two ranks, or on one if there is no mpiexec.
search() {
    engine=$1
    shift
    if [ "$engine" != grid ]; then
        "$semla" bfs "$@" --engine "$engine" --validate
    elif command -v mpiexec >/dev/null; then
        on_two_ranks "$semla" bfs "$@" --grid 2x1 --validate
    else
        "$semla" bfs "$@" --grid 1x1 --validate
    fi
}

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

say "The engines of this build"
"$semla" engines
engines=$("$semla" engines | awk '/ present /{print $1}')

for engine in $engines; do
    say "Zachary's karate club from vertex 0, engine $engine"
    search "$engine" "$karate" --source 0
done
for engine in $engines; do
    say "A Kronecker graph of 2^18 vertices and 4 million edges, engine $engine"
    search "$engine" kronecker:scale=18,edgefactor=16,seed=1
done
say "All engines and directions, compared with a queue-based search"
"$semla" parity "$karate" --source 0
