#!/usr/bin/env bash
# Tests the installed scripts of completion, for bash and for each of zsh and fish that is installed.
#
#     completion.sh PREFIX
set -euo pipefail
PATH="$1/bin:$PATH"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"
touch karate.mtx pathless.csv

# ---- bash ---------------------------------------------------------------------

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
        echo "bash: $*: completed to '${COMPREPLY[*]-}', expected '$wanted'" >&2
        exit 1
    fi
}
expect "graph500 generate" semla g
expect "validate" semla help v
expect "help" semla h
expect "--direction= --directed" semla bfs --di
expect "--direction= --deterministic" semla graph500 --d
expect "betweenness bipartite" semla run b
expect "--samples=" semla run betweenness --sa
expect "" semla bfs kar   # files are completed by default
expect "" semla nosuch --x
expect "auto push pull" semla bfs --direction ""
expect "push pull" semla bfs --direction p
expect "push pull" semla bfs --direction = p
expect "any all" semla bfs --until = a
expect "openmp" semla info --engine o
expect "mtx metis" semla convert x.csv --to m
expect "drop" semla run pagerank karate.mtx --duplicates d
expect "" semla bfs --output kar
expect "" semla bfs -o kar
expect "path: pathless.csv" semla bfs pa
expect "path: pathless.csv" semla run components pa
expect "path:" semla generate pa
expect "kronecker:" semla bfs --source 3 kr
expect "bash zsh fish" semla completion ""
complete -p semla > /dev/null

# The options that are offered are accepted: what is missing is then something else.
for command in convert run graph500; do
    for option in $(_semla_options "$command"); do
        message=$(semla "$command" "${option%=}" 2>&1 < /dev/null || true)
        [[ $message != *"unknown option"* ]] || { echo "bash: $message" >&2; exit 1; }
    done
done

# Every value that is offered is accepted.
for command in bfs graph500 convert generate; do
    for option in $(_semla_options "$command"); do
        for value in $(_semla_values "$command ${option%=}"); do
            [[ $value != @* ]] || continue
            message=$(semla "$command" "$option$value" 2>&1 || true)
            [[ $message != *"takes"* ]] || { echo "bash: $option$value: $message" >&2; exit 1; }
        done
    done
done

# ---- zsh ------------------------------------------------------------------------

# _describe, _arguments and compadd of zsh are replaced by functions that print what they get.
if command -v zsh > /dev/null; then
    cat > zsh_test << 'END'
_describe() { local list=${@[-1]}; print -rl -- ${(P)list} }
_arguments() { print -rl -- "$@" }
_files() { print files }
compadd() { print -rl -- "${@[4,-1]}" }
compdef() { }
source $1
offered() { words=(semla "$@"); CURRENT=$(($# + 1)); _semla }
require() {
    local wanted=$1
    shift
    [[ "$(offered "$@")" == *"$wanted"* ]] || { print -u2 "zsh: $*: no '$wanted'"; exit 1 }
}
require 'bfs:breadth-first search' b
require 'validate:' help v
require '--direction=[push (top-down)' bfs -
require 'for each level]:auto|push|pull:(auto push pull)' bfs -
require '--json[Print' bfs -
require '-d+[Stop after N levels]:N: ' bfs -
require '*--target=[' bfs -
require ':FILE:_files' bfs -
require '1:graph:_semla_graph' bfs -
require '1:algorithm:_semla_algorithms' run p
require '--damping=[' run pagerank g.txt -
[[ "$(offered run components g.txt -)" != *--damping* ]] || { print -u2 "zsh: --damping"; exit 1 }
require '1:shell:(bash zsh fish)' completion ''
[[ "$(_semla_algorithms)" == *pagerank:* ]] || { print -u2 "zsh: no pagerank"; exit 1 }
[[ "$(_semla_graph)" == *rmat:*files* ]] || { print -u2 "zsh: no rmat:"; exit 1 }
END
    zsh -f zsh_test "$1/share/zsh/site-functions/_semla"
else
    echo "zsh is not installed: its completion is not tested"
fi

# ---- fish -----------------------------------------------------------------------

if command -v fish > /dev/null; then
    export HOME=$folder
    # offered LINE WORD...: the completions of the line must contain the words.
    offered() {
        local line=$1 list
        shift
        list=$(fish --no-config -c "source '$script'; complete -C '$line'" | cut -f 1)
        for word in "$@"; do
            grep -qxe "$word" <<< "$list" || { echo "fish: $line: no '$word' in $list" >&2; exit 1; }
        done
    }
    script="$1/share/fish/vendor_completions.d/semla.fish"
    offered "semla g" graph500 generate
    offered "semla help v" validate
    offered "semla bfs --di" --directed --direction
    offered "semla bfs --direction p" push pull
    offered "semla run b" betweenness bipartite
    offered "semla run betweenness --sa" --samples
    offered "semla bfs kr" kronecker:
    offered "semla bfs kar" karate.mtx
    offered "semla run components pa" path: pathless.csv
    offered "semla bfs --output kar" karate.mtx
    offered "semla completion " bash zsh fish
else
    echo "fish is not installed: its completion is not tested"
fi
