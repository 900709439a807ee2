#!/bin/sh
# Makes the reference. Fails on any warning of Doxygen, or if a public function of the library is missing.
#
#     check.sh DOXYGEN FOLDER NM LIBRARY
set -eu
doxygen=$1 folder=$2 nm=$3 library=$4
"$doxygen" "$folder/Doxyfile"
sed -n 's/.*<name>\(sl_[a-z0-9_]*\)<.*/\1/p' "$folder/names" | sort -u >"$folder/in_reference"
"$nm" -D --defined-only --with-symbol-versions "$library" |
    awk '$3 ~ /^sl_.*@SEMLA_PUBLIC$/ { sub(/@.*/, "", $3); print $3 }' | sort -u >"$folder/exported"
missing=$(comm -13 "$folder/in_reference" "$folder/exported")
[ -z "$missing" ] || { echo "not in the reference: $missing" >&2; exit 1; }
[ -s "$folder/exported" ]
