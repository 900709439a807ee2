#!/bin/sh
# Checks that libsemla.so and libsemla.a export exactly the symbols that the public headers declare.
#
#     exports.sh NM INCLUDE LIBRARIES COMPILER...
set -eu
nm=$1 include=$2 libraries=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The text of the headers on one line, without the headers that they include.
for header in "$include"/semla/*.h; do
    echo "#include <semla/${header##*/}>"
done >"$work/all.c"
"$@" -std=c11 -E -I "$include" "$work/all.c" |
    awk -v ours="$include/semla/" '/^# [0-9]/ { on = index($3, ours); next } /^#/ { next } on' |
    tr '\n' ' ' >"$work/text"

# Removes the bodies of functions and types, which leaves a list of declarations.
awk '{
    while (gsub(/\{[^{}]*\}/, ";")) continue
    n = split($0, declaration, ";")
    for (i = 1; i <= n; i++) {
        d = declaration[i]
        if (d ~ /^ *(static|typedef) /) continue
        if (match(d, /sl_[a-z0-9_]+ *\(/)) print substr(d, RSTART, RLENGTH - 1)
        else if (match(d, /^ *extern .* SL_[A-Z0-9_]+ *$/) && match(d, /SL_[A-Z0-9_]+/)) print substr(d, RSTART, RLENGTH)
    }
}' "$work/text" | tr -d ' ' | sort -u >"$work/declared"
[ "$(wc -l <"$work/declared")" -gt 100 ] || { echo "no declarations found in $include" >&2; exit 1; }

failed=0
# compare FILE NM-OPTION: names that start with "." or "_" and a capital are reserved for the compiler.
compare() {
    "$nm" "$2" --defined-only "$libraries/$1" | awk 'NF == 3 && $3 !~ /^(\.|_[A-Z_])/ { print $3 }' | sort -u >"$work/exported"
    {
        comm -13 "$work/declared" "$work/exported" | sed "s/$/: exported by $1, but no public header declares it/"
        comm -23 "$work/declared" "$work/exported" |
            sed "s/$/: declared, but not exported by $1; is it between the visibility pragmas of its header?/"
    } >"$work/wrong"
    [ -s "$work/wrong" ] || return 0
    cat "$work/wrong" >&2
    failed=1
}
compare libsemla.so -D
compare libsemla.a -g
exit $failed
