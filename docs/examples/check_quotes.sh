#!/bin/sh
# Checks that every program quoted in README.md, docs/*.md and docs/guide/*.md is identical to the file, and that
# every example is quoted.
#
#     check_quotes.sh PROJECT
#
# A quote is a fenced block directly below one of these lines; FILE is relative to the project:
#
#     <!-- FILE -->                     the whole file
#     <!-- FILE from FUNCTION -->       from the first line of FUNCTION to the end
set -eu
cd "$1"
docs="README.md $(echo docs/*.md docs/guide/*.md)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain() {
    echo "$*" >&2
    failed=1
}

# Splits a document into $work/N.marker and $work/N.block. A marker without a fence below it has no block.
# Fails if a fence does not close.
split_quotes() {
    awk -v work="$work" '
        quoting && /^```$/ { quoting = 0; close(block); next }
        quoting            { print > block; next }
        waiting && /^```/  { quoting = 1; waiting = 0; block = work "/" n ".block"; printf "" > block; next }
        /^<!-- .* -->$/    { n++; waiting = 1; marker = work "/" n ".marker"
                             print substr($0, 6, length($0) - 9) > marker; close(marker); next }
        waiting            { waiting = 0 }
        END                { if (quoting) exit 1 }
    ' "$1"
}

for doc in $docs; do
    rm -f "$work"/*.marker "$work"/*.block
    split_quotes "$doc" || complain "$doc: a fenced block does not end"
    for marker in "$work"/*.marker; do
        [ -e "$marker" ] || continue
        read -r file from function <"$marker" || true
        quote="${marker%.marker}.block"
        if [ ! -e "$quote" ]; then
            complain "$doc: no fenced block below the marker of $file"
            continue
        fi
        if [ ! -f "$file" ]; then
            complain "$doc: there is no file $file"
            continue
        fi
        if [ "${from:-}" = from ]; then
            awk -v call=" $function(" '/^[a-z]/ && index($0, call) { on = 1 } on' "$file" >"$work/original"
        else
            cp "$file" "$work/original"
        fi
        if ! diff -u --label "$file" --label "$doc" "$work/original" "$quote" >&2; then
            complain "$doc: the quote of $file differs from the file"
        fi
        echo "$file" >>"$work/quoted"
    done
done

for file in docs/examples/*.c bfs/bfs.c bfs/bfs_plain.c; do
    grep -qx "$file" "$work/quoted" 2>/dev/null || complain "$file is not quoted in any document"
done
exit $failed
