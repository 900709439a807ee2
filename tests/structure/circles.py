#!/usr/bin/env python3
"""Fails if source files include each other in a circle.

    circles.py SOURCE BUILD

The graph: a node is a module, that is all files of one folder with the same name but for the suffix
(dispatch.c and dispatch.h, bfs.c and bfs.cu and bfs.cuh). An edge leads from a module to each module one of
whose headers it includes. An #include is resolved as the compiler does: first in the folder of the
including file, then in the include paths of the sources through which that file is compiled
(BUILD/compile_commands.json). A header <semla/x.h> of the build's interfaces is traced back to the source
from which the build copied it (`semla_interface` in CMakeLists.txt).

A circle is a strongly connected component of more than one module (Tarjan, SIAM J. Computing 1(2), 1972). Each
is printed with the includes that form it.
Circles of headers alone fail in every folder, and so does an include of this project that cannot be resolved.
"""
import argparse
import json
import os
import re
import shlex
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', re.M)
INTERFACE = re.compile(r'semla_interface\(\s*(\w+)\s+(?:PRIVATE\s+)?([^)]*)\)')


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


class Graph:
    """The modules of the project and the includes between them."""

    def __init__(self, source, build):
        self.source, self.build = source, build
        self.copies = interface_sources(source, build)
        # Headers of interfaces: an include may be conditional, as that of <semla/dist.h> without MPI.
        self.offered = {'semla/' + os.path.basename(copy) for copy in self.copies}
        self.text = {}      # file -> [(name, quoted)]
        self.edges = {}     # module -> {module: (including file, included file)}
        self.headers = {}   # header -> {header}
        self.unresolved = set()
        seen = set()        # (file, include paths)
        with open(os.path.join(build, 'compile_commands.json')) as file:
            commands = json.load(file)
        for entry in commands:
            path = os.path.normpath(os.path.join(entry['directory'], entry['file']))
            if self.is_ours(path):
                command = entry.get('command') or ' '.join(map(shlex.quote, entry['arguments']))
                self.scan(path, include_paths(command, entry['directory']), seen)

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
    parser = argparse.ArgumentParser(description='Fails if source files include each other in a circle.')
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
        print(f'FAILED: a circle of {len(circle)} modules:')
        for module in circle:
            for target, (path, found) in sorted(graph.edges[module].items()):
                if target in circle:
                    print('   ', os.path.relpath(path, graph.source), 'includes',
                          os.path.relpath(found, graph.source))
    print(f'{len(graph.edges)} modules, {sum(map(len, graph.edges.values()))} includes')
    return failed or not graph.edges


if __name__ == '__main__':
    sys.exit(main())
