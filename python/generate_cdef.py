#!/usr/bin/env python3
"""Writes semla/_cdef.py or semla/_graphblas_cdef.py, the declarations of a library for cffi.

    generate_cdef.py OUTPUT HEADER[,HEADER...] INCLUDE_DIR...

Every build makes the declarations from the public headers with the C preprocessor, so they always
match the library. The result is a module of tables that needs neither a compiler nor a parser at
import time (cffi's out-of-line ABI mode).
"""

import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

import cffi
from pycparser import c_ast, c_generator, c_parser

# Types of the standard headers, which cffi knows and pycparser must be told about.
STANDARD_TYPES = ["bool", "size_t", "FILE"] + [
    f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)
]


# A communicator of MPI is passed as a pointer: on 64-bit machines an int is passed in the same way.
STUBS = {"mpi.h": "typedef void *MPI_Comm;\n"}


def standard_headers(include_dirs):
    """The standard headers that the public headers include."""
    names = set()
    for folder in include_dirs:
        for header in glob.glob(os.path.join(folder, "**", "*.h"), recursive=True):
            with open(header, encoding="utf-8") as text:
                names.update(re.findall(r"^#include <([^>]+)>", text.read(), re.M))
    return {name for name in names if not name.startswith("semla/")}


def preprocess(headers, include_dirs):
    """The preprocessed headers, with nearly empty files for the standard headers: declarations and
    macros of semla only."""
    with tempfile.TemporaryDirectory() as stubs:
        for name in standard_headers(include_dirs):
            with open(os.path.join(stubs, name), "w", encoding="utf-8") as stub:
                stub.write(STUBS.get(name, ""))
        command = shlex.split(os.environ.get("CC", "cc")) + ["-E", "-P", "-dD", "-nostdinc", "-x", "c"]
        command += ["-D__attribute__(x)=", f"-I{stubs}"] + [
            f"-I{folder}" for folder in include_dirs
        ]
        return subprocess.run(
            command + ["-"],
            input="".join(f"#include <{header}>\n" for header in headers.split(",")),
            capture_output=True,
            text=True,
            check=True,
        ).stdout


def declarations(text):
    """The declarations, without inline functions, pragmas and macros. A function or variable whose symbol has
    another name is declared by its symbol, which cffi looks up."""
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = re.sub(r'\b(\w+)(\s*\([^;]*?\))? __asm__\("(\w+)" "\1"\)', r"\3\1\2", text)
    known = "".join(f"typedef int {name};\n" for name in STANDARD_TYPES)
    tree = c_parser.CParser().parse(known + text)
    kept = tree.ext[len(STANDARD_TYPES) :]
    tree.ext = [node for node in kept if not isinstance(node, c_ast.FuncDef)]
    return c_generator.CGenerator().visit(tree)


def constants(text):
    """The macros of the GraphBLAS C API that are integers; semla's own headers have enumerations."""
    return "".join(re.findall(r"^#define G[rx]B_\w+ +-?\d+\n", text, re.M))


def pass_scalars(text):
    """Replaces the union in sl_scalar by a uint64_t.

    libffi cannot pass unions by value. On every 64-bit ABI a union of integers and floats of at
    most 8 bytes is passed like a 64-bit integer; types.py packs and unpacks its bytes.
    """
    text, count = re.subn(r"union\s*\{[^}]*\}\s*as;", "uint64_t bits;", text)
    if count != text.count("} sl_scalar;"):
        raise SystemExit(f"generate_cdef.py: expected the union of sl_scalar, found {count}")
    return text


def main(output, headers, *include_dirs):
    ffi = cffi.FFI()
    text = preprocess(headers, include_dirs)
    ffi.cdef(pass_scalars(declarations(text)) + constants(text))
    ffi.set_source("semla." + os.path.splitext(os.path.basename(output))[0], None)
    ffi.emit_python_code(output)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
