#!/bin/sh
# random_calls.sh PROGRAM REFERENCE SEED COUNT
#
# Runs random_calls.c against semla (PROGRAM) and against SuiteSparse:GraphBLAS (REFERENCE) and compares their lines.
# Differences are allowed by the rules below only; prints how often each was used, and lines that none allows.
set -eu
program=$1 reference=$2 seed=$3 count=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$program" "$seed" "$count" > "$folder/semla"

# SuiteSparse may fail in a call: it continues with the next one.
: > "$folder/reference"
first=0
until "$reference" "$seed" $((count - first)) "$first" >> "$folder/reference" 2> /dev/null; do
    last=$(tail -n 1 "$folder/reference" | cut -d ' ' -f 1)
    if [ -z "$last" ] || [ "$last" -lt "$first" ]; then
        echo "the reference program does not start"
        exit 1
    fi
    echo " crashed" >> "$folder/reference"
    first=$((last + 1))
done

paste -d '\n' "$folder/semla" "$folder/reference" | awk '
# The code of a call, which follows the first arrow;
# the last arrow for a descriptor, which is made first.
function code(line, call, parts, n)
{
    n = split(line, parts, " -> *")
    return n > 1 ? parts[call == "descriptor" ? n : 2] + 0 : "none"
}
function rule(call, a, b, line, other) {
    if (other ~ /crashed$/) return "the reference fails"
    if (line ~ /unsupported/ || other ~ /unsupported/) return "a user-defined type of a size that one has not"
    if (call == "fields") return "fields, which API 2.0 has not or names otherwise"
    # Several arguments are wrong: the specification does not say which is reported.
    if (a != b && a ~ /^-(2|3|5|6|7|8|103|105|106)$/ && b ~ /^-(2|3|5|6|7|8|103|105|106)$/) return "several arguments are wrong"
    if (a == -4 && b == -2 && call ~ /^(set|get|remove)_/) return "several arguments are wrong"
    # SuiteSparse takes the bytes at the address of a user-defined value as the type that it needs.
    if (a == -5 && line ~ / type=1[1-4] /) return "a user-defined value where another type is needed"
    if (a == -5 && b == 0 && call ~ /^tuples_/ && line ~ /types=[0-9,]*1[1-4]/) return "tuples of another user-defined type"
    # ... and does not compare the types of a scalar and of the object it is stored in.
    if (a == -5 && b == 0 && call ~ /scalar/) return "user-defined types in a scalar"
    if (a == -5 && b == 1 && call ~ /^get_/) return "no entry, and a wrong type"
    if (a == -3 && b == 0 && call ~ /^wait_/) return "unknown mode of wait"
    if (a == 0 && b == -8 && call ~ /^reduce_.*op/) return "a reduction by an operator that SuiteSparse has no monoid of"
    if (a ~ /^-(2|4|5|6|105)$/ && b ~ /^-(2|4|5|6|105)$/ && (call ~ /(column|row)$/ || (call == "lists" && line ~ / which=[378] /))) return "a wrong row or column, and other arguments"
    if (a == -5 && b == 0 && line ~ /(FIRST|SECOND|ONEB)/) return "an operand that the operator does not read"
    # The output is an input or the mask, and is replaced: 7.4 frees its list of rows, and then reads it.
    if (a == 0 && b == 0 && call ~ /^mult_matrix/ && line ~ /DESC_R/ && other ~ /[{ ]-?[0-9][0-9][0-9]+,/) return "an input or a mask that is the output, which is replaced"
    # Nothing is to be computed: SuiteSparse does not look at other arguments then.
    if (b == 0 && a ~ /^-(4|6|105|106)$/ && line !~ /unmasked/) return "a mask without entries, and a wrong argument"
    if (a == -106 && b == 0 && call ~ /scalar$/) return "an empty scalar, and nothing to compute"
    if (a == -2 && b == 0 && call ~ /^reduce_.*scalar/) return "no scalar to reduce to"
    # The complement of no mask lets nothing through: SuiteSparse does not look at other arguments then.
    if (b == 0 && line ~ /DESC_R?S?C/) return "the complement of no mask, and a wrong argument"
    if (a ~ /^-(5|105)$/ && b == -4 && call ~ /^assign_.*(value|scalar)$/) return "a value assigned to one index, which is out of range"
    if (a == 0 && b == 0 && call ~ /^(apply|select)_/) {
        if (line ~ /index=(place|keep|position)/) return "an index operator on equal values, which 7.4 reads wrongly"
        if (line ~ /index=GrB_[A-Z]*INDEX_INT32/) return "a thunk that int32 does not hold"
        if (line ~ /index=GrB_(TRI|DIAG|OFFDIAG|COL|ROW).* wild/) return "a thunk that overflows with the index"
    }
    # An entry of one operand alone is cast to the type of the result, by SuiteSparse first to that of the operand.
    if (a == 0 && b == 0 && call ~ /^add_matrix/ && line ~ /T[01]/) return "an entry of a transposed operand alone"
    return ""
}
NR % 2 { line = $0; next }
{
    total++
    if (line == $0) next
    split(line, words, " ")
    allowed = rule(words[2], code(line, words[2]), code($0, words[2]), line, $0)
    if (allowed != "") uses[allowed]++
    else if (++failures <= 50) printf "semla:       %s\nSuiteSparse: %s\n", line, $0
}
END {
    for (name in uses) printf "%6d allowed: %s\n", uses[name], name
    printf "%d calls, %d differ\n", total, failures
    exit failures > 0 || total == 0
}'
