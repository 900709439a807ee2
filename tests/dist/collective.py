#!/usr/bin/env python3
"""Checks that tests/dist/collective_cases.h names every public function, and that the comments of the
headers say the same about it.

    collective.py CASES HEADER...

A function is collective if the comment above it says "collective"; not, if it says "not collective". If
it says neither, the header decides: it may have a comment "every function is collective", which holds for the
functions that return a status. Functions without an empty line between them share a comment.
"""
import re
import sys


def declarations(text):
    """Yields the name, whether it returns a status, and the comment of each function of a header."""
    text = re.sub(r"^#ifdef __cplusplus.*?^#endif", "", text, flags=re.M | re.S)
    text = re.sub(r"^ *#(.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r"^[A-Z_]+\(.*\)$", "", text, flags=re.M)  # uses of X-macros
    comment, declaration, depth, used = "", "", 0, False
    for piece in re.findall(r"/\*.*?\*/|[{};]|\n\n+|(?:(?!/\*|\n\n)[^{};])+", text, re.S):
        if piece.startswith("/*"):
            if depth == 0 and not declaration.strip():
                comment, used = piece, False
        elif piece in "{}":
            depth += 1 if piece == "{" else -1
            if depth == 0 and "static inline" in declaration:
                declaration = ""
        elif piece == ";" and depth == 0:
            found = re.match(r"([a-z_][\w ]*[ *])(sl_\w+)\(", declaration.strip())
            if found and not declaration.strip().startswith(("typedef", "static")):
                yield found[2], found[1].split() == ["sl_status"], comment
                used = True
            declaration = ""
        elif piece.startswith("\n\n"):
            comment = "" if used and depth == 0 else comment
        elif depth == 0:
            declaration += piece


def says(comment):
    """True: collective; False: not; None: the comment does not say."""
    text = re.sub(r"\s*\n\s*\*?\s*", " ", comment)
    if re.search(r"\bnot\s+collective\b", text, re.I):
        return False
    return True if re.search(r"\bcollective\b", text, re.I) else None


def main():
    cases = open(sys.argv[1]).read()
    wrong, listed = [], {}
    for kind, name in re.findall(r"^(COLLECTIVE|ONLY_NULL|LOCAL)\((\w+)", cases, re.M):
        collective = kind != "LOCAL"
        if listed.setdefault(name, collective) != collective:
            wrong.append(f"{name}: listed as collective and as LOCAL")
    declared = set()
    for header in sys.argv[2:]:
        text = open(header).read()
        rule = re.search(r"\b(every\s+function[^.]*\s+is|all\s+are)\s+collective\b", text, re.I)
        for name, status, comment in declarations(text):
            declared.add(name)
            said = says(comment)
            expected = said if said is not None else bool(rule) and status
            if name not in listed:
                wrong.append(f"{name}: {header} declares it, but {sys.argv[1]} has no call of it")
            elif listed[name] != expected:
                wrong.append(f"{name}: {header} says {'' if expected else 'not '}collective, but it is listed as "
                             f"{'collective' if listed[name] else 'LOCAL'}")
    wrong += [f"{name}: listed, but no public header declares it" for name in listed if name not in declared]
    if len(declared) < 200:
        wrong.append(f"only {len(declared)} declarations were found")
    print("\n".join(wrong) or f"{len(declared)} public functions, {sum(listed.values())} of them collective")
    return bool(wrong)


sys.exit(main())
