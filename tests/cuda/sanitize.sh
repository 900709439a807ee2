#!/bin/sh
# Runs the GPU tests under a tool of compute-sanitizer, with few trials each, as it slows kernels down
# by a factor of 100 or more. Prints one line per test; a test that takes longer than SECONDS is
# stopped. Exit status: 0 clean; 1 a finding or a failure; 2 a test was stopped; 77 (skipped) no GPU or
# no compute-sanitizer.
#
#     sanitize.sh TOOL BUILD [SECONDS]        memcheck | racecheck | initcheck | synccheck
set -u
tool=$1 build=$2 seconds=${3:-600}
reports=$build/sanitizer/$tool

if ! "$build/semla" engines --json | tr -d '\n\t ' | grep -q '"name":"cuda","version":"[^"]*","present":true'; then
    echo "skipped: there is no GPU"
    exit 77
fi
command -v compute-sanitizer >/dev/null || { echo "skipped: there is no compute-sanitizer"; exit 77; }
rm -rf "$reports"
mkdir -p "$reports"

# Name, program, and environment that limits its size.
tests='operations parity/test_parity_operations SEMLA_TEST_TRIALS=2
compiled parity/test_parity_operations SEMLA_TEST_TRIALS=1 SEMLA_JIT=always
traversals parity/test_parity_traversals SEMLA_TEST_TRIALS=4
steps parity/test_parity_steps SEMLA_TEST_TRIALS=1
steps_memory parity/test_parity_steps_memory
switches parity/test_parity_switches
searches parity/test_parity_searches
random_searches parity/test_parity_random_searches SEMLA_TEST_SEARCHES=10
purposes parity/test_parity_purposes
generated parity/test_parity_generated
closures parity/test_parity_closures SEMLA_TEST_TRIALS=3
dependencies parity/test_parity_dependencies SEMLA_TEST_TRIALS=3
list_vectors parity/test_parity_list_vectors SEMLA_TEST_TRIALS=20
full_vectors parity/test_parity_full_vectors SEMLA_TEST_TRIALS=20
sum_order parity/test_parity_sum_order
matrix_products parity/test_parity_matrix_products SEMLA_TEST_RING=1
matrix_products_own parity/test_parity_matrix_products SEMLA_TEST_RING=4 SEMLA_CUSPARSE=off
large parity/test_parity_large SEMLA_TEST_SEED=1
residence la/test_la_residence
user_operators cuda/test_cuda_user_operators
codecs cuda/test_cuda_codecs'

# cuda.faults is left out: it causes a fault on purpose.
echo "$tests" | OMP_NUM_THREADS=2 xargs -P "$(($(nproc) / 2 + 1))" -L 1 sh -c '
    tool=$1 build=$2 seconds=$3 reports=$4 name=$5 program=$build/tests/$6
    shift 6
    [ -x "$program" ] || { echo "$name: not built"; : >"$reports/found"; exit 0; }
    env "$@" timeout "$seconds" compute-sanitizer --tool "$tool" --error-exitcode 9 "$program" \
        >"$reports/$name.txt" 2>&1
    status=$?
    case $status in
    0) echo "$name: clean" ;;
    124) echo "$name: stopped after $seconds s"; : >"$reports/cut" ;;
    *) echo "$name: status $status, see $reports/$name.txt"; : >"$reports/found" ;;
    esac' sh "$tool" "$build" "$seconds" "$reports"

[ ! -e "$reports/found" ] || exit 1
[ ! -e "$reports/cut" ] || exit 2
