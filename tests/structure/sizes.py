#!/usr/bin/env python3
"""Fails if a struct has too many members or a function too many parameters.

    sizes.py SOURCE

A struct of the library and the command has at most 25 members. Larger ones are parameters of kernels, in headers *_kernels.h,
which are copied to the device as a whole. A function has at most 7 parameters. Public functions with the arguments of a
GraphBLAS operation may have more: the C API of GraphBLAS has as many.
"""
import os
import re
import sys

MEMBERS, PARAMETERS = 25, 7
FOLDERS = ('semirings', 'la', 'bfs', 'algorithms', 'dist', 'graphblas', 'cli')
# GraphBLAS's own interface, and the functions of la/operations.h and la/operators.h that correspond to it.
PUBLIC = re.compile(r'G[rx]B_\w+|sl_(matrix_(assign|extract)\w*|(matrix|vector)_ewise_union|(binary|index)_op_new)')
FUNCTION = re.compile(r'(?:\b(\w+)\s+|(?<!-)[>*&]\s*)(\w+)\s*\(')  # after a type
FOLLOWS = re.compile(r'\s*(?:\{|;|__attribute__)')  # the parameters of a function that is declared or defined
NAME = re.compile(r'\s*(\w*)')
STRUCT = re.compile(r'\b(?:struct|union)\b\s*(?:alignas\s*\([^)]*\)\s*)?(\w*)\s*\{')


def files(source):
    """The paths of all C and CUDA sources of the library and the command, from the project's folder."""
    for top in FOLDERS:
        for folder, _, names in os.walk(os.path.join(source, top)):
            for name in names:
                if name.endswith(('.c', '.h', '.cu', '.cuh')):
                    yield os.path.relpath(os.path.join(folder, name), source)


def blank(match):
    return re.sub(r'[^\n]', ' ', match[0])


def code(text):
    """The text without comments, literals and directives; lines keep their numbers."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*', blank, text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text)
    return re.sub(r'^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', blank, text, flags=re.M)


def end_of(text, start):
    """The place of the bracket that closes the one at `start`."""
    opening, closing = text[start], {'(': ')', '{': '}'}[text[start]]
    depth = 0
    for bracket in re.compile(f'[{opening}{closing}]').finditer(text, start):
        depth += 1 if bracket[0] == opening else -1
        if depth == 0:
            return bracket.start()
    return len(text)


def flat(text):
    """The text without what is in brackets, and without arguments of templates."""
    for pattern in (r'\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}', r'<[^<>;{}]*>'):
        before = None
        while before != text:
            before, text = text, re.sub(pattern, ' ', text)
    return text


def structs(text):
    """The name and the number of members of each struct."""
    for match in STRUCT.finditer(text):
        end = end_of(text, match.end() - 1)
        name = match[1] or NAME.match(text, end + 1)[1]
        members = re.sub(r'\([^()]*\)\s*(?:const\s*)?\{[^{}]*\}', ';', text[match.end():end])  # functions with a body
        members = re.sub(r'\(\s*\*\s*(\w+)', r'\1(', members)  # pointers to functions
        yield match.start(), name, sum(1 + d.count(',') for d in flat(members).split(';') if d.strip())


def functions(text):
    """The name and the number of parameters of each function that is declared or defined."""
    for match in FUNCTION.finditer(text):
        end = end_of(text, match.end() - 1)
        if match[1] not in ('return', 'else', 'case') and FOLLOWS.match(text, end + 1):
            yield match.start(2), match[2], 1 + flat(text[match.end():end]).count(',')


def faults(path, text):
    text = code(text)

    def at(place):
        return f'{path}:{text.count(chr(10), 0, place) + 1}'
    for place, name, members in structs(text):
        if members > MEMBERS and not path.endswith('_kernels.h'):
            yield f'{at(place)}: struct {name} has {members} members; at most {MEMBERS} are allowed'
    for place, name, parameters in functions(text):
        if parameters > PARAMETERS and not PUBLIC.fullmatch(name):
            yield f'{at(place)}: {name} has {parameters} parameters; at most {PARAMETERS} are allowed'


def main(source):
    found, count = [], 0
    for path in sorted(files(source)):
        with open(os.path.join(source, path), newline='') as file:
            found += faults(path, file.read())
        count += 1
    print('\n'.join(found) or f'{count} files; no struct has more than {MEMBERS} members, no function more than {PARAMETERS} parameters')
    return bool(found)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
