#!/bin/sh
# Tests cmake/skipped.sh with the results of ctest.
#
#     skipped.sh PROJECT
set -eu
results=$(mktemp)
trap 'rm -f "$results"' EXIT

# expect TEXT: the summary has this line.
expect() {
    sh "$1/cmake/skipped.sh" "$results" | grep -qxF -e "$2" && return 0
    printf 'no line "%s" in:\n' "$2" >&2
    sh "$1/cmake/skipped.sh" "$results" >&2
    exit 1
}

# a_test NAME STATUS OUTPUT: a test with this result.
a_test() {
    printf '\t<testcase name="%s" classname="%s" time="0.1" status="%s">\n\t\t<system-out>%b\n</system-out>\n\t</testcase>\n' \
        "$1" "$1" "$2" "$3" >>"$results"
}
a_test a run 'all is well'
expect "$1" '0 of 1 tests were skipped.'
a_test b notrun 'skipped: there is no doxygen'
a_test c notrun '[ RUN      ] one\nengine cuda skipped: there is no device\n[  SKIPPED ] one\n[  SKIPPED ] 1 test(s), listed below:'
a_test d notrun 'SKIPPED: there is no device'
a_test e notrun "semla bfs: rank 0: the engine &apos;cuda&apos; is not available: there is no device"
a_test f disabled ''
a_test g run '...\nSKIPPED [1] test_grid.py:17: no mpi4py\n4 passed, 1 skipped'
a_test h failed 'skipped: nothing'
expect "$1" '5 of 8 tests were skipped, and parts of 1 more, for want of what these lines say:'
expect "$1" '    3  no device'
expect "$1" '    1  no doxygen'
expect "$1" '    1  no reason given'
