#!/bin/sh
# Prints the names that the public headers declare, one a line, sorted.
#
#     public_functions.sh functions|symbols|macro FOLDERS COMPILER...
#
# functions: the functions; symbols: also the constants; macro: the functions as C text, the macro
# PUBLIC_FUNCTIONS(X) that expands to X(function) for each, and PUBLIC_CALLS(X) that expands to X(function, number
# of parameters, call), where the call has POINTER(k, type) or ARGUMENT(k, type) for parameter k. FOLDERS: include folders, separated by colons; the
# headers are FOLDER/semla/*.h. COMPILER...: the C compiler with options for other libraries' headers.
set -eu
what=$1 folders=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The text of the headers on one line, without the headers of other libraries.
for folder in $(echo "$folders" | tr : ' '); do
    set -- "$@" -I "$folder"
    for header in "$folder"/semla/*.h; do
        echo "#include <semla/${header##*/}>"
    done
done >"$work/all.c"
"$@" -std=c11 -E "$work/all.c" | awk -v folders="$folders" '
    BEGIN { count = split(folders, ours, ":") }
    /^# [0-9]/ { on = 0; for (i = 1; i <= count; i++) on = on || index($3, ours[i] "/semla/"); next }
    /^#/ { next }
    on' | tr '\n' ' ' >"$work/text"

# Removes the bodies of functions and types, which leaves a list of declarations.
awk '{
    while (gsub(/\{[^{}]*\}/, ";")) continue
    n = split($0, declaration, ";")
    for (i = 1; i <= n; i++) {
        d = declaration[i]
        if (d ~ /^ *(static|typedef) /) continue
        if (match(d, /sl_[a-z0-9_]+ *\(/)) print substr(d, RSTART, RLENGTH - 1) "(" substr(d, RSTART + RLENGTH)
        else if (match(d, /^ *extern .* SL_[A-Z0-9_]+ *$/) && match(d, /SL_[A-Z0-9_]+/)) print substr(d, RSTART, RLENGTH)
    }
}' "$work/text" >"$work/declarations"
sed 's/(.*//' "$work/declarations" | tr -d ' ' | sort -u >"$work/names"
[ "$what" = symbols ] || sed -i -n /^sl_/p "$work/names"
[ "$(wc -l <"$work/names")" -gt 100 ] || { echo "no declarations found in $folders" >&2; exit 1; }
if [ "$what" = macro ]; then
    echo '#ifdef PUBLIC_HEADERS /* defined by the includer that wants the declarations, too */'
    cat "$work/all.c"
    echo '#endif'
    echo '#define PUBLIC_FUNCTIONS(X) \'
    sed '$!s/.*/    X(&) \\/; $s/.*/    X(&)/' "$work/names"
    # The parameters are what is inside the first parentheses, divided at the commas outside of further ones.
    grep '^sl_' "$work/declarations" | sort -u | awk '
        function end_parameter() {
            gsub(/^ +| +$/, "", parameter)
            if (parameter == "void" || parameter == "") return
            if (parameter != "...") {
                if (sub(/\(\* *[a-z_0-9]+ *\)/, "(*)", parameter) == 0) {
                    pointer = sub(/\[[^]]*\]/, "", parameter)
                    sub(/[A-Za-z_0-9]+$/, "", parameter)
                    gsub(/ +$/, "", parameter)
                    if (pointer) parameter = parameter " *"
                }
                arguments = arguments (count ? ", " : "") (parameter ~ /\*/ ? "POINTER(" : "ARGUMENT(") count ", " parameter ")"
                count++
            }
            parameter = ""
        }
        BEGIN { print "#define PUBLIC_CALLS(X) \\" }
        {
            split($0, parts, "(")
            name = parts[1]
            gsub(/ /, "", name)
            rest = substr($0, index($0, "(") + 1)
            depth = count = 0
            arguments = parameter = ""
            for (i = 1; i <= length(rest) && depth >= 0; i++) {
                c = substr(rest, i, 1)
                depth += (c == "(") - (c == ")")
                if (depth < 0 || (depth == 0 && c == ",")) end_parameter()
                else parameter = parameter c
            }
            print "    X(" name ", " count ", " name "(" arguments ")) \\"
        }
        END { print "" }'
else
    cat "$work/names"
fi
