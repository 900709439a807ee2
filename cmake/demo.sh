#!/bin/sh
# A search on a real graph and on a generated one, on every engine present, its
# trees validated, and the engines held against each other.
set -eu
semla=$1
karate=tests/data/karate.mtx

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

say "The engines of this build"
"$semla" engines
engines=$("$semla" engines | awk '/ present /{print $1}')

for engine in $engines; do
    say "Zachary's karate club, from member 0, on engine $engine"
    "$semla" bfs "$karate" --source 0 --engine "$engine" --validate
done
for engine in $engines; do
    say "A Kronecker graph of 2^18 vertices and 4 million edges, on engine $engine"
    "$semla" bfs kronecker:scale=18,edgefactor=16,seed=1 --engine "$engine" --validate
done
say "The same search on every engine, in every direction, against a queue-based one"
"$semla" parity "$karate" --source 0
