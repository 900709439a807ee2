#!/bin/sh
# header.sh FOLDER COMPILER...
#
# Compiles the header of FOLDER alone, as C11 and as C++17, and the programs that use every generic name, with each
# compiler that is installed and all warnings; checks that the programs use each generic name of the header.
set -eu
include=$1
shift
here=$(dirname "$0")
strict="-pedantic -Wall -Wextra -Werror -fsyntax-only -I$include"
compiled=0
for compiler in "$@"; do
    command -v "$compiler" > /dev/null || continue
    case $compiler in
    *++*) sources=/dev/null standards="c++17 c++11" language=c++ ;;
    *) sources="/dev/null $here/generic.c $(echo "$here"/random_*.c)" standards=c11 language=c ;;
    esac
    for standard in $standards; do
        for source in $sources; do
            # shellcheck disable=SC2086
            "$compiler" -std=$standard $strict -include GraphBLAS.h -x $language "$source"
            # shellcheck disable=SC2086
            "$compiler" -std=$standard $strict -DSEMLA_GRB_NO_GXB -include GraphBLAS.h -x $language "$source"
            compiled=$((compiled + 1))
        done
    done
done
for name in $(sed -n 's/^#define \(GrB_[A-Za-z_]*\)(.*/\1/p' "$include/GraphBLAS_generic.h"); do
    if ! grep -q "$name(" "$here/generic.c"; then
        echo "generic.c does not use $name"
        exit 1
    fi
done
test "$compiled" -gt 0
