#!/bin/sh
# Installs the Debian packages that are needed to build and test semla, and those named as arguments. Does
# nothing if all are installed, or if the system is not Debian. Without root rights it lists them and fails.
set -eu
packages="gcc g++ make cmake ninja-build pkg-config libgraphblas-dev libcjson-dev zlib1g-dev libzstd-dev libcmocka-dev libopenmpi-dev openmpi-bin iproute2 $*"
command -v dpkg-query >/dev/null 2>&1 || exit 0 # not Debian: CMake reports missing dependencies

missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    echo "semla needs these packages; install them as root:$missing" >&2
    exit 1
fi
echo "installing:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
