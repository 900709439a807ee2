#!/bin/sh
# Formats the C and CUDA sources by .clang-format, in place, or with --check prints the places that differ and fails. Other versions of
# clang-format than 14 give other results.
#
#     format.sh [--check]
set -eu
cd "$(dirname "$0")/.."
format=$(command -v clang-format-14 || command -v clang-format || true)
[ -n "$format" ] && "$format" --version | grep -q 'version 14\.' || { echo "format: clang-format 14 is needed" >&2; exit 1; }
mode=-i
[ "${1:-}" != --check ] || mode="--dry-run --Werror"
# shellcheck disable=SC2086 # words
git ls-files -z -- '*.c' '*.h' '*.cc' '*.cu' '*.cuh' ':!third_party' | xargs -0 -n 50 -P "$(nproc)" "$format" $mode
