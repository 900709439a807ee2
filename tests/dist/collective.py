#!/usr/bin/env python3
"""Checks that tests/dist/collective_cases.h names every public function, and that the comments of the
headers say the same about it.

    collective.py FUNCTIONS CASES HEADER...

FUNCTIONS is the header that tests/support/public_functions.sh makes of the public headers. A function is
collective if the comment above it says "collective"; not, if it says "not collective". If it says neither, the
header decides: it may have a comment "every function is collective", which holds for the functions that return
a status. Functions without an empty line between them share a comment.
"""
import re
import sys


def declarations(text, names):
    """Yields the name, whether it returns a status, and the comment of each function `names` of a header."""
    text = re.sub(r"^#ifdef __cplusplus.*?^#endif", "", text, flags=re.M | re.S)
    text = re.sub(r"^ *#(.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r"^[A-Z_]+\(.*\)$", "", text, flags=re.M)  # uses of X-macros
    comment, begins, depth, used = "", True, 0, False
    for piece in re.findall(r"/\*.*?\*/|[{};]|\n\n+|(?:(?!/\*|\n\n)[^{};])+", text, re.S):
        if piece.startswith("/*"):
            if depth == 0 and begins:
                comment, used = piece, False
        elif piece in "{};":
            depth += {"{": 1, "}": -1, ";": 0}[piece]
            begins = depth == 0
        elif piece.startswith("\n\n"):
            comment = "" if used and depth == 0 else comment
        elif depth == 0 and piece.strip():
            found = re.search(r"\b(sl_\w+)\s*\(", piece)
            if begins and found and found[1] in names:
                yield found[1], piece.split()[0] == "sl_status", comment
                used = True
            begins = False


def says(comment):
    """True: collective; False: not; None: the comment does not say."""
    text = re.sub(r"\s*\n\s*\*?\s*", " ", comment)
    if re.search(r"\bnot\s+collective\b", text, re.I):
        return False
    return True if re.search(r"\bcollective\b", text, re.I) else None


def main():
    functions = set(re.findall(r"X\((sl_\w+)\)", open(sys.argv[1]).read()))
    cases = open(sys.argv[2]).read()
    wrong, listed, declared = [], {}, set()
    for kind, name in re.findall(r"^(COLLECTIVE|ONLY_NULL|LOCAL)\((\w+)", cases, re.M):
        collective = kind != "LOCAL"
        if listed.setdefault(name, collective) != collective:
            wrong.append(f"{name}: listed as collective and as LOCAL")
    for header in sys.argv[3:]:
        text = open(header).read()
        rule = re.search(r"\b(every\s+function[^.]*\s+is|all\s+are)\s+collective\b", text, re.I)
        for name, status, comment in declarations(text, functions):
            declared.add(name)
            said = says(comment)
            expected = said if said is not None else bool(rule) and status
            if name in listed and listed[name] != expected:
                wrong.append(f"{name}: {header} says {'' if expected else 'not '}collective, but it is listed as "
                             f"{'collective' if listed[name] else 'LOCAL'}")
    wrong += [f"{name}: public, but {sys.argv[2]} has no call of it" for name in functions - set(listed)]
    wrong += [f"{name}: listed, but no public header declares it" for name in set(listed) - functions]
    wrong += [f"{name}: public, but its comment was not found" for name in functions - declared]
    print("\n".join(sorted(wrong)) or f"{len(functions)} public functions, {sum(listed.values())} of them collective")
    return bool(wrong)


sys.exit(main())
