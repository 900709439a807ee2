#!/usr/bin/env python3
"""Fails unless each private header is included by its path, and only by its own module.

    includes.py SOURCE

A module is one of the folders of la/ that are compiled on their own, or else a folder of the project. Its files include
the module's headers, and no others, by their paths from the folder that contains it: "cuda/links/links.h" in
la/cuda/, "dist/grid/grid.h" in dist/. Headers of interfaces are included as <semla/x.h>; the build decides which a
module sees. No two headers of the library have the same name.
"""
import collections
import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
FOLDERS = ('semirings', 'la', 'bfs', 'algorithms', 'dist', 'graphblas', 'cli')
MODULES_OF_LA = ('suitesparse', 'openmp', 'cuda', 'io')
INSTALLED = re.compile(r'GraphBLAS\w*\.h')  # by their names alone, as their users include them


def files(source):
    """The paths of all C and CUDA sources of the library and the command, from the project's folder."""
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(source, top)):
            for name in names:
                if name.endswith(('.c', '.h', '.cu', '.cuh')):
                    yield os.path.relpath(os.path.join(folder, name), source)


def module_root(path):
    """The folder that contains the module of a file, and the module's name."""
    parts = path.split('/')
    return ('la', parts[1]) if parts[0] == 'la' and parts[1] in MODULES_OF_LA else ('', parts[0])


def wrong_includes(source, path):
    root, module = module_root(path)
    with open(os.path.join(source, path)) as file:
        for name in INCLUDE.findall(file.read()):
            if INSTALLED.fullmatch(name):
                continue
            if not name.startswith(module + '/') or '..' in name.split('/'):
                yield f'{path}: "{name}" is no path from {root or "the project"} to a header of {module}'
            elif not os.path.exists(os.path.join(source, root, name)):
                yield f'{path}: "{name}" does not exist'


def main(source):
    faults, headers = [], collections.defaultdict(list)
    for path in sorted(files(source)):
        faults += wrong_includes(source, path)
        if path.endswith(('.h', '.cuh')):
            headers[os.path.basename(path)].append(path)
    faults += [f'{name} is the name of several headers: {", ".join(paths)}' for name, paths in headers.items() if len(paths) > 1]
    print('\n'.join(faults) or f'{len(headers)} headers, each included by its path within its module')
    return bool(faults)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
