#!/usr/bin/env python3
"""Fails if source files depend on each other in a circle: by their includes, or by what they call.

    circles.py SOURCE BUILD

Two graphs are examined:

Includes. A node is a module, that is all files of one folder with the same name but for the suffix (dispatch.c
and dispatch.h, bfs.c and bfs.cu and bfs.cuh). An edge leads from a module to each module one of whose headers it
includes. An #include is resolved as the compiler does: first in the folder of the including file, then in the
include paths of the sources through which that file is compiled (BUILD/compile_commands.json). A header
<semla/x.h> of the build's interfaces is traced back to the source from which the build copied it
(`semla_interface` in CMakeLists.txt). Circles of headers alone fail in every folder, and so does an include of
this project that cannot be resolved.

Symbols. A node is a source file of the library; bfs.c and bfs.cu are two, because the host launches kernels and
kernels never call the host. An edge leads from a file to each file that defines a symbol which the object file of
the first uses: a function that it calls, or data whose address it takes. So a function that is declared in a lower
folder and defined in a higher one closes a circle, and so does a table of functions that a lower file names; a
table that is handed down at run time does not. The symbols are read from the symbol tables of the object files
(ELF), which the build must have made. The folders of these files must not form circles either.

A circle is a strongly connected component of more than one node (Tarjan, SIAM J. Computing 1(2), 1972). Each
is printed with the edges that form it.
"""
import argparse
import json
import os
import re
import shlex
import struct
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.M)
INTERFACE = re.compile(r'semla_interface\(\s*(\w+)\s+(?:PRIVATE\s+)?([^)]*)\)')

# The folders of the library, whose object files are examined.
LIBRARY = ('la', 'dist', 'bfs', 'algorithms', 'semirings')


def interface_sources(source, build):
    """Maps each header that the build copied to the source that it is a copy of."""
    with open(os.path.join(source, 'CMakeLists.txt')) as file:
        text = file.read()
    return {os.path.join(build, 'interfaces', name, 'semla', os.path.basename(header)):
            os.path.join(source, header)
            for name, headers in INTERFACE.findall(text) for header in headers.split()}


def include_paths(command, directory):
    """The -I folders of a compiler's command line."""
    words, paths = shlex.split(command), []
    for k, word in enumerate(words):
        if word == '-I':
            paths.append(words[k + 1])
        elif word.startswith('-I'):
            paths.append(word[2:])
        elif word.startswith('--include-path='):
            paths.append(word.split('=', 1)[1])
    return tuple(os.path.normpath(os.path.join(directory, path)) for path in paths)


def object_symbols(path):
    """The global symbols that an object file (ELF of 64 bits, little-endian) defines, and those that it uses."""
    if not os.path.exists(path):
        raise SystemExit(f'{path}: missing; build the library first')
    with open(path, 'rb') as file:
        data = file.read()
    if data[:6] != b'\x7fELF\x02\x01':
        raise SystemExit(f'{path}: no object file whose symbols can be read')
    offset, (size, count) = struct.unpack_from('<Q', data, 40)[0], struct.unpack_from('<HH', data, 58)
    sections = [struct.unpack_from('<IIQQQQIIQQ', data, offset + k * size) for k in range(count)]
    defines, uses = set(), set()
    for section in sections:
        if section[1] != 2:             # SHT_SYMTAB
            continue
        names = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 24):
            name, info, _, where = struct.unpack_from('<IBBH', data, at)
            symbol = data[names + name:data.index(b'\0', names + name)].decode()
            if info >> 4 == 0:          # STB_LOCAL
                continue
            if where == 0:              # SHN_UNDEF
                uses.add(symbol)
            elif info >> 4 == 1:        # STB_GLOBAL; a weak symbol may be in several files
                defines.add(symbol)
    return defines, uses


class Graph:
    """The modules of the project and the includes between them."""

    def __init__(self, source, build):
        self.source, self.build = source, build
        self.emulated = os.path.join(build, 'emulated') + os.sep
        self.copies = interface_sources(source, build)
        # Headers of interfaces: an include may be conditional, as that of <semla/dist.h> without MPI.
        self.offered = {'semla/' + os.path.basename(copy) for copy in self.copies}
        self.text = {}      # file -> [(name, quoted)]
        self.edges = {}     # module -> {module: (including file, included file)}
        self.headers = {}   # header -> {header}
        self.unresolved = set()
        self.outputs = []   # (source, object file)
        seen = set()        # (file, include paths)
        with open(os.path.join(build, 'compile_commands.json')) as file:
            commands = json.load(file)
        for entry in commands:
            path = os.path.normpath(os.path.join(entry['directory'], entry['file']))
            if path.startswith(self.emulated):      # a copy that processors run (cmake/EmulatedCuda.cmake)
                path = os.path.join(self.source, os.path.relpath(path, self.emulated))
            if self.is_ours(path):
                command = entry.get('command') or ' '.join(map(shlex.quote, entry['arguments']))
                self.scan(path, include_paths(command, entry['directory']), seen)
                words = shlex.split(command)
                self.outputs.append((path, os.path.join(entry['directory'], words[words.index('-o') + 1])))

    def is_ours(self, path):
        return path.startswith(self.source + os.sep) and not path.startswith(self.build + os.sep)

    def includes(self, path):
        if path not in self.text:
            with open(path, encoding='utf-8') as file:
                self.text[path] = [(q or a, bool(q)) for q, a in INCLUDE.findall(file.read())]
        return self.text[path]

    def resolve(self, path, name, quoted, paths):
        for folder in ((os.path.dirname(path),) if quoted else ()) + paths:
            found = os.path.normpath(os.path.join(folder, name))
            if os.path.exists(found):
                return self.copies.get(found, found)
        return None

    def scan(self, start, paths, seen):
        stack = [start]
        while stack:
            path = stack.pop()
            if (path, paths) in seen:
                continue
            seen.add((path, paths))
            module = self.module(path)
            targets = self.edges.setdefault(module, {})
            for name, quoted in self.includes(path):
                found = self.resolve(path, name, quoted, paths)
                if found and self.is_ours(found):
                    stack.append(found)
                    if not path.endswith(('.c', '.cu', '.cpp')):
                        self.headers.setdefault(path, set()).add(found)
                    if self.module(found) != module:
                        targets.setdefault(self.module(found), (path, found))
                elif not found and (quoted or name.startswith('semla/')) and name not in self.offered:
                    self.unresolved.add((os.path.relpath(path, self.source), name))

    def module(self, path):
        return os.path.splitext(os.path.relpath(path, self.source))[0]


class Symbols:
    """The source files of the library and the symbols that one uses and another defines."""

    def __init__(self, graph):
        self.defines, self.uses = {}, {}        # file -> {symbol}
        for path, output in graph.outputs:
            source = os.path.relpath(path, graph.source)
            if source.split(os.sep)[0] in LIBRARY:
                defines, uses = object_symbols(output)
                self.defines.setdefault(source, set()).update(defines)
                self.uses.setdefault(source, set()).update(uses)
        owners = {}
        for source, symbols in self.defines.items():
            for symbol in symbols:
                owners.setdefault(symbol, []).append(source)
        self.files = {source: {} for source in self.uses}       # file -> {file: {symbol}}
        self.folders = {}                                       # folder -> {folder: {symbol}}
        for source, symbols in self.uses.items():
            for symbol in symbols:
                for owner in owners.get(symbol, ()):
                    if owner != source:
                        self.files[source].setdefault(owner, set()).add(symbol)
        for source, targets in self.files.items():
            edges = self.folders.setdefault(os.path.dirname(source), {})
            for target, symbols in targets.items():
                if os.path.dirname(target) != os.path.dirname(source):
                    edges.setdefault(os.path.dirname(target), set()).update(symbols)

    def report(self):
        """Prints the circles; returns whether there are some."""
        failed = False
        for kind, edges in (('files', self.files), ('folders', self.folders)):
            for circle in components(edges):
                failed = True
                print(f'FAILED: a circle of symbols of {len(circle)} {kind}:')
                for node in circle:
                    for target, symbols in sorted(edges[node].items()):
                        if target in circle:
                            print('   ', node, 'uses', ' '.join(sorted(symbols)[:6]), 'of', target)
        return failed


def components(edges):
    """Strongly connected components of more than one node."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in sorted(edges):
        if root in index:
            continue
        work = [(root, iter(sorted(edges.get(root, ()))))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, successors = work[-1]
            for successor in successors:
                if successor not in index:
                    index[successor] = low[successor] = len(index)
                    stack.append(successor)
                    on_stack.add(successor)
                    work.append((successor, iter(sorted(edges.get(successor, ())))))
                    break
                if successor in on_stack:
                    low[node] = min(low[node], index[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    if len(component) > 1:
                        found.append(sorted(component))
    return found


def main():
    parser = argparse.ArgumentParser(description='Fails if source files depend on each other in a circle.')
    parser.add_argument('source')
    parser.add_argument('build')
    arguments = parser.parse_args()
    graph = Graph(os.path.realpath(arguments.source), os.path.realpath(arguments.build))
    failed = False
    for path, name in sorted(graph.unresolved):
        print(f'{path}: cannot find the header {name}')
        failed = True
    for circle in components(graph.headers):
        failed = True
        print('FAILED: a circle of headers:', *(os.path.relpath(path, graph.source) for path in circle))
    for circle in components(graph.edges):
        failed = True
        print(f'FAILED: a circle of includes of {len(circle)} modules:')
        for module in circle:
            for target, (path, found) in sorted(graph.edges[module].items()):
                if target in circle:
                    print('   ', os.path.relpath(path, graph.source), 'includes',
                          os.path.relpath(found, graph.source))
    symbols = Symbols(graph)
    failed = symbols.report() or failed
    print(f'{len(graph.edges)} modules, {sum(map(len, graph.edges.values()))} includes; {len(symbols.files)} source files of the '
          f'library, {sum(map(len, symbols.files.values()))} uses of symbols')
    return failed or not graph.edges or not any(symbols.files.values())


if __name__ == '__main__':
    sys.exit(main())
