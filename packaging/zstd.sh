#!/bin/sh
# Makes a static zstd for the wheel: the system's shared library may need a newer glibc than the wheel shall. The sources
# are those in the source distribution of the package zstd, from the package index.
#
#     zstd.sh FOLDER PIP
#
# Afterwards FOLDER has libzstd.a, the headers, and libzstd.pc for pkg-config.
set -eu
folder=$1 pip=$2
version=1.5.7.2
rm -rf "$folder"
mkdir -p "$folder/objects"
$pip download --quiet --disable-pip-version-check --no-deps --no-binary zstd --dest "$folder" "zstd==$version"
tar -xzf "$folder/zstd-$version.tar.gz" -C "$folder"
sources=$folder/zstd-$version/zstd/lib
cp "$sources/zstd.h" "$sources/zstd_errors.h" "$folder"
cd "$folder/objects"
# shellcheck disable=SC2086 # a list of flags
printf '%s\n' "$sources"/common/*.c "$sources"/compress/*.c "$sources"/decompress/*.c | xargs -n 4 -P "$(nproc)" \
    ${CC:-cc} ${CFLAGS:-} -O2 -fPIC -fvisibility=hidden -DZSTD_DISABLE_ASM=1 -DZSTDLIB_VISIBLE= -DZSTDERRORLIB_VISIBLE= -c
ar rcs ../libzstd.a ./*.o
cat >../libzstd.pc <<END
Name: libzstd
Description: zstd $version, static
Version: ${version%.*}
Cflags: -I$folder
Libs: -L$folder -lzstd
END
