#!/bin/sh
# Checks that libsemla and the command do not need MPI, what they do with the module libsemla_mpi.so and without, and
# that ranks of different builds refuse to work together.
#
#     grid.sh MPIEXEC PREFIX LIBDIR VERSION FOLDER GRAPH BUILD_ID PROGRAM
#
# PREFIX: the installed files. FOLDER: a folder for copies of them. BUILD_ID: the source that defines sl_build_id. PROGRAM: makes
# a grid through the library in the build folder.
set -eu
mpiexec=$1 prefix=$2 libdir=$3 version=$4 folder=$5 graph=$6 build_id=$7 program=$8
module=libsemla_mpi.so.${version%.*}
# After a rank has failed, mpiexec otherwise waits two seconds for ranks that have ended.
export OMPI_MCA_odls_base_sigkill_timeout=0
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
id=$(sed -n 's/.*sl_build_id\[\] = "\(.*\)";/\1/p' "$build_id")
has output "$version, build $id"
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
# new_copy NAME: copies the command and the libraries to $folder/NAME, which is $copy.
new_copy() {
    copy=$folder/$1
    mkdir -p "$copy/bin" "$copy/$libdir"
    cp "$prefix/bin/semla" "$copy/bin"
    cp -P "$prefix/$libdir"/libsemla.so.* "$prefix/$libdir"/libsemla_mpi.so.* "$copy/$libdir"
}
# pattern TEXT: prints the expression that matches TEXT alone. The dots of a version would match digits of a build's id.
pattern() {
    printf '%s\n' "$1" | sed 's/\./[.]/g'
}
# replace TEXT BY FILE...: in place, in files that then keep their length.
replace() {
    text=$1 by=$2
    shift 2
    for file in "$@"; do
        grep -qF -e "$text" "$file" || { echo "no '$text' in $file" >&2; exit 1; }
        sed -i "s/$(pattern "$text")/$by/g" "$file"
    done
}
other=0123456789abcdef

new_copy alone
rm "$copy/$libdir"/libsemla_mpi.so.*
without "there is no $copy/"
sed 's/libmpi\.so\.[0-9]/libmpi.so.X/g' "$prefix/$libdir/$module" >"$copy/$libdir/$module"
without "$module cannot be loaded: libmpi.so.X"
sed "s/$(pattern "$version")/9.9.9/g" "$prefix/$libdir/$module" >"$copy/$libdir/$module"
without "has version 9.9.9, but libsemla has $version"
sed "s/$id/$other/g" "$prefix/$libdir/$module" >"$copy/$libdir/$module"
without "is of build $other, but libsemla of build $id"

# refused RANK REASON [SETTING]: the command ends, and names the rank, if it is RANK that runs $copy, of three ranks.
refused() {
    rank=$1 reason=$2 setting=${3:-A=1}
    set --
    for k in 0 1 2; do
        [ $k = 0 ] || set -- "$@" :
        if [ $k = "$rank" ]; then set -- "$@" "$number" 1 env "$setting" "$copy/bin/semla"
        else set -- "$@" "$number" 1 "$prefix/bin/semla"; fi
        set -- "$@" bfs "$graph"
    done
    if timeout 600 $launcher "$@" >output 2>&1; then
        echo "ranks of different builds run together: $reason" >&2
        exit 1
    fi
    has output "$reason"
}
launcher=${mpiexec% *} number=${mpiexec##* }
new_copy missing
rm "$copy/$libdir"/libsemla_mpi.so.*
refused 0 "semla: a grid needs MPI: there is no $copy/"
refused 2 "semla: rank 2: a grid needs MPI: there is no $copy/"
cp "$folder/alone/$libdir/$module" "$copy/$libdir"
refused 1 "semla: rank 1: a grid needs MPI: $copy/bin/../$libdir/$module is of build $other"
new_copy newer
replace "$version" "${version%.*}.9" "$copy/$libdir"/libsemla*.so."$version"
refused 2 "semla: rank 2 on $(hostname) has semla ${version%.*}.9, build $id, in $copy/bin/../$libdir/$module, but rank 0 on"
refused 0 "semla: rank 1 on $(hostname) has semla $version, build $id, in $prefix/bin/../$libdir/$module, but rank 0 on"
has output "has ${version%.*}.9, build $id, in $copy/bin/../$libdir/$module (1 more rank differs from rank 0)"
new_copy same_version
replace "$id" $other "$copy/bin/semla" "$copy/$libdir"/libsemla*.so."$version"
refused 1 "semla: rank 1 on $(hostname) has semla $version, build $other,"
wrong=$copy
new_copy led_astray
refused 1 "semla: rank 1: this command is of build $id, but the libsemla that it has loaded of build $other" \
    "LD_LIBRARY_PATH=$wrong/$libdir"

# A program of the library.
$mpiexec 1 "$program" : "$number" 1 "$program" >output 2>&1
has output 'reached on 2 x 1 ranks'
for wrong in newer same_version alone; do
    if timeout 600 $mpiexec 1 "$program" : "$number" 1 env LD_LIBRARY_PATH="$folder/$wrong/$libdir" "$program" >output 2>&1; then
        echo "a grid of different builds: $wrong" >&2
        exit 1
    fi
    case $wrong in
    alone) has output "no grid: $folder/alone/$libdir/$module is of build $other" ;;
    *) has output "no grid: rank 1 on $(hostname) has semla" ;;
    esac
done
