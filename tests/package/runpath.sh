#!/bin/sh
# Checks the RUNPATH of every program and library that is built and installed: no element is empty or relative, which
# would be looked up in the working directory, and no installed file looks in the folders of the build.
#
#     runpath.sh BUILD SOURCE PREFIX
#
# PREFIX: the installed files. Virtual environments in BUILD have files of others.
set -eu
build=$1 source=$2 prefix=$3
failed=0

# elements FILE: the elements of its RUNPATH or RPATH, a line each; nothing if it has none or is no ELF file.
elements() {
    readelf -d "$1" 2>/dev/null | sed -n 's/.*(R[UN]*PATH).*\[\(.*\)\]$/\1/p' | tr ':' '\n'
}

wrong() {
    printf '%s: its RUNPATH has "%s", %s\n' "$1" "$2" "$3" >&2
    failed=1
}

# check FILE: its elements are absolute.
check() {
    elements "$1" >"$work/elements"
    while IFS= read -r element; do
        case $element in
        '') wrong "$1" "" "the working directory" ;;
        /* | '$ORIGIN' | '$ORIGIN'/*) ;;
        *) wrong "$1" "$element" "which depends on the working directory" ;;
        esac
    done <"$work/elements"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$build" \( -name CMakeFiles -o -name environment -o -path "$prefix" \) -prune -o \
    -type f \( -perm -u+x -o -name '*.so*' \) -print >"$work/built"
find "$prefix" -type f \( -perm -u+x -o -name '*.so*' \) >"$work/installed"
while IFS= read -r file; do
    check "$file"
done <"$work/built"
while IFS= read -r file; do
    check "$file"
    while IFS= read -r element; do
        case $element in
        "$build" | "$build"/* | "$source" | "$source"/*) wrong "$file" "$element" "a folder of the build" ;;
        esac
    done <"$work/elements"
done <"$work/installed"

# The files that must be among them.
grep -qx "$build/semla" "$work/built"
grep -qx "$prefix/bin/semla" "$work/installed"
grep -q '/libsemla\.so' "$work/built"
grep -q '/libsemla\.so' "$work/installed"
exit $failed
