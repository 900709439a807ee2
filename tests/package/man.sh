#!/bin/sh
# Checks that the manual has exactly the subcommands, options and environment variables that the program has.
#
#     man.sh SEMLA FOLDER PROJECT
set -eu
semla=$1 folder=$2 project=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# same WHAT: compares $work/program with $work/manual.
same() {
    [ -s "$work/program" ] && diff -u "$work/program" "$work/manual" >&2 && return 0
    echo "$1: the program (-) and the manual (+) differ" >&2
    failed=1
}

commands=$("$semla" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
for command in $commands; do
    "$semla" "$command" --help | grep -oE '^ {2,6}(-., )?--[a-z0-9-]+' | tr -d ', ' | sort >"$work/program"
    sed -n 's/^\.B //p' "$folder/semla-$command.1" | tr -d '\\' | grep -oE '^(-., )?--[a-z0-9-]+' |
        tr -d ', ' | sort >"$work/manual"
    same "semla $command"
done

echo "$commands" | sed 's/$/.1/; s/^/semla-/' | sort >"$work/program"
(cd "$folder" && ls semla-*.1) | sort >"$work/manual"
same "the pages of the subcommands"
sed -n 's/^\.BR \(semla[^ ]*\) (1)$/\1.1/p' "$folder/semla.1" | tr -d '\\' | sort -u >"$work/manual"
same "the list of subcommands"

grep -rhoE '"SEMLA_[A-Z_]+"' "$project/semirings" "$project/la" "$project/bfs" \
    "$project/dist" "$project/cli" |
    cut -d'"' -f2 | sort -u >"$work/program"
sed -n 's/^\.B \(SEMLA_[A-Z_]*\)$/\1/p' "$folder/semla.1" | sort >"$work/manual"
same "environment variables"

# Each word of SEMLA_TRAVERSAL and SEMLA_DIST must be in the manual, in the guide and in a test.
sed -n '/define SL_SWITCHES(X)/,/^$/s/^    X([A-Z]*, \([a-z]*\)).*/\1/p' "$project/la/engine/switches.h" >"$work/words"
grep -oE 'reads_number\(&s->[a-z]+' "$project/la/core/switches.c" | sed 's/.*>//' >>"$work/words"
sed -n '/const words\[\] = {/,/}/p' "$project/dist/grid/dist_switches.c" | grep -oE '"[a-z]+"' |
    tr -d '"' >>"$work/words"
[ "$(wc -l <"$work/words")" -ge 18 ] || { echo "found too few words of SEMLA_TRAVERSAL and SEMLA_DIST" >&2; failed=1; }
while read -r word; do
    sed 's/\\//g' "$folder/semla.1" | grep -qw "$word" || { echo "semla.1 does not mention '$word'" >&2; failed=1; }
    grep -qE "\`$word(=[0-9]+)?\`" "$project/docs/guide/contexts-and-engines.md" "$project/docs/guide/grid.md" ||
        { echo "docs/guide does not mention '$word'" >&2; failed=1; }
    grep -rqE "[\",]$word(=[0-9.e-]+)?[\",]" "$project/tests/parity" "$project/tests/dist" ||
        { echo "no test uses '$word'" >&2; failed=1; }
done <"$work/words"

if command -v groff >/dev/null 2>&1; then
    for page in "$folder"/semla*.1; do
        groff -man -Tascii -ww -z "$page" 2>"$work/warnings"
        [ ! -s "$work/warnings" ] || { cat "$work/warnings" >&2; failed=1; }
    done
fi
exit $failed
