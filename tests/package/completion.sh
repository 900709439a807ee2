#!/usr/bin/env bash
# Tests the installed completion for bash.
#
#     completion.sh PREFIX
set -euo pipefail
PATH="$1/bin:$PATH"
# shellcheck disable=SC1091
source "$1/share/bash-completion/completions/semla"

# expect WORDS WORD...: the completions of the last WORD must be WORDS.
expect() {
    local wanted=$1
    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _semla || true # its exit status is ignored
    if [[ "${COMPREPLY[*]-}" != "$wanted" ]]; then
        echo "$*: completed to '${COMPREPLY[*]-}', expected '$wanted'" >&2
        exit 1
    fi
}
expect "graph500 generate" semla g
expect "validate" semla help v
expect "--directed --direction=" semla bfs --di
expect "--deterministic --direction=" semla graph500 --d
expect "betweenness bipartite" semla run b
expect "" semla bfs kar
expect "" semla nosuch --x 2>/dev/null
complete -p semla
