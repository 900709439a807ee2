#!/bin/sh
# Makes the Debian packages of a build folder, checks their metadata and contents, unpacks them and runs the
# command.
#
#     deb.sh CPACK BUILD FOLDER VERSION LIBDIR GRAPH HAS_MPI
set -eu
cpack=$1 build=$2 folder=$3 version=$4 libdir=usr/$5 graph=$6 mpi=$7
interface=${version%.*}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# The packages of a release are compressed by xz, which takes a minute for the code of all GPUs.
"$cpack" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip --config "$build/CPackConfig.cmake" -G DEB -B "$folder" >cpack.log 2>&1 || { cat cpack.log >&2; exit 1; }
architecture=$(dpkg --print-architecture)

# has NAME TEXT PATTERN: TEXT must have a line that matches PATTERN.
has() {
    echo "$2" | grep -qE -e "$3" && return 0
    printf '%s has no "%s":\n%s\n' "$1" "$3" "$2" >&2
    exit 1
}

# package NAME DEPENDS FILE...: the package must depend on DEPENDS and contain each FILE.
package() {
    name=$1 depends=$2 deb=$1_${version}_$architecture.deb
    shift 2
    has "$name" "$(dpkg-deb --field "$deb" Version)" "^$version\$"
    for one in $depends; do
        has "$name" "$(dpkg-deb --field "$deb" Depends | tr -d ' ' | tr ',' '\n')" "^$one(\(|\$)"
    done
    dpkg-deb --field "$deb" >"$name.control"
    contents=$(dpkg-deb --contents "$deb" | awk '{ print $6 }')
    for file in "$@" "./usr/share/doc/$name/copyright" "./usr/share/doc/$name/changelog.gz"; do
        has "$name" "$contents" "^$file\$"
    done
    echo "$contents" | grep -v '/$' >>files
    dpkg -x "$deb" root
}
package "libsemla$interface" "libc6 libgraphblas[0-9]+ libgomp1 zlib1g libzstd1" "./$libdir/libsemla.so.$interface" \
    "./$libdir/semla/graphblas/lib/libgraphblas.so.2.1.0" "./$libdir/semla/graphblas/lib/libsemla_graphblas.so.2"
if [ "$mpi" = ON ]; then
    package "libsemla$interface-mpi" "libsemla$interface libc6 (libopenmpi|libmpich).*" "./$libdir/libsemla_mpi.so.$interface"
fi
package libsemla-dev "libsemla$interface" ./usr/include/semla/bfs.h "./$libdir/libsemla.so" "./$libdir/libsemla.a" \
    "./$libdir/pkgconfig/semla.pc" "./$libdir/cmake/semla/semlaConfig.cmake" \
    "./$libdir/semla/graphblas/include/GraphBLAS.h" "./$libdir/semla/graphblas/lib/libgraphblas.so" \
    "./$libdir/semla/graphblas/lib/cmake/GraphBLAS/GraphBLASConfig.cmake" \
    "./$libdir/semla/graphblas/lib/pkgconfig/GraphBLAS.pc"
package semla "libsemla$interface libcjson1" ./usr/bin/semla ./usr/share/man/man1/semla.1.gz

if grep -liE '^Depends:.*(libopenmpi|libmpich)' "libsemla$interface.control" semla.control; then
    echo "only libsemla$interface-mpi may depend on MPI" >&2
    exit 1
fi
twice=$(sort files | uniq -d)
[ -z "$twice" ] || { echo "contained in two packages: $twice" >&2; exit 1; }
for file in root/usr/bin/semla $(find root/usr/lib* -name "*.so.*"); do
    if readelf -d "$file" | grep -E 'R(UN)?PATH'; then
        echo "$file has a RUNPATH; the folders of Debian need none" >&2
        exit 1
    fi
done
LD_LIBRARY_PATH=root/$libdir root/usr/bin/semla bfs "$graph" --validate >output
grep -q '^Valid *yes' output
[ "$mpi" = OFF ] || LD_LIBRARY_PATH=root/$libdir root/usr/bin/semla engines | grep -q '^grid *present'
if command -v lintian >/dev/null 2>&1; then
    # Suppressed: in a build with CUDA or MPI, semla.pc contains their folders, which the static library needs.
    lintian --allow-root --fail-on error \
        --suppress-tags pkg-config-bad-directive,pkg-config-multi-arch-wrong-dir ./*.deb
fi
