#!/bin/sh
# Checks that libsemla and the command do not need MPI, and what they do with the module libsemla_mpi.so and without.
#
#     grid.sh MPIEXEC PREFIX LIBDIR VERSION FOLDER GRAPH
#
# PREFIX: the installed files. FOLDER: a folder for copies of them.
set -eu
mpiexec=$1 prefix=$2 libdir=$3 version=$4 folder=$5 graph=$6
module=libsemla_mpi.so.${version%.*}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

for file in "$prefix/bin/semla" "$prefix/$libdir/libsemla.so"; do
    if readelf -d "$file" | grep 'NEEDED.*libmpi'; then
        echo "$file needs MPI" >&2
        exit 1
    fi
done
readelf -d "$prefix/$libdir/$module" | grep -q 'NEEDED.*libmpi'

# has FILE TEXT: the file must contain the text.
has() {
    grep -qF -e "$2" "$1" && return 0
    printf 'expected "%s" in:\n' "$2" >&2
    cat "$1" >&2
    exit 1
}

# A grid of two ranks. MPI is mapped only if there is a grid.
$mpiexec 2 "$prefix/bin/semla" graph500 --scale 6 --roots 2 --grid 2x1 >output 2>&1 || { cat output >&2; exit 1; }
has output 'grid:                       2x1'
"$prefix/bin/semla" engines >output
grep -q '^grid *present' output
"$prefix/bin/semla" doctor >output
has output 'loaded at run time'
LD_DEBUG=libs "$prefix/bin/semla" bfs "$graph" >output 2>&1
if grep libmpi output; then
    echo "a search without a grid loads MPI" >&2
    exit 1
fi

# without REASON: a search works, and a grid fails for REASON.
without() {
    "$copy/bin/semla" bfs "$graph" --validate >output
    grep -q '^Valid *yes' output
    "$copy/bin/semla" doctor >output
    grep '^absent *MPI ' output >line
    has line "$1"
    "$copy/bin/semla" engines >output
    grep '^grid *absent' output >line
    has line "$1"
    for environment in PMI_SIZE=1 PMI_SIZE=2; do # the second as under mpirun
        if env PMI_RANK=0 "$environment" "$copy/bin/semla" bfs "$graph" --grid auto >output 2>&1; then
            echo "a grid without MPI succeeds: $environment" >&2
            exit 1
        fi
        has output "semla: a grid needs MPI: "
        has output "$1"
    done
    env PMI_RANK=0 PMI_SIZE=2 "$copy/bin/semla" bfs "$graph" --grid none >output
}
copy=$folder/copy
mkdir -p "$copy/bin" "$copy/$libdir"
cp "$prefix/bin/semla" "$copy/bin"
cp "$prefix/$libdir"/libsemla.so.* "$copy/$libdir"
without "there is no $copy/"
sed 's/libmpi\.so\.[0-9]/libmpi.so.X/g' "$prefix/$libdir/$module" >"$copy/$libdir/$module"
without "$module cannot be loaded: libmpi.so.X"
sed "s/$version/9.9.9/g" "$prefix/$libdir/$module" >"$copy/$libdir/$module"
without "has version 9.9.9, but libsemla has $version"
