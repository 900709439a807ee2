#!/usr/bin/env python3
"""Checks that every relative link in *.md and docs/**/*.md leads to a file and a heading that exist.

    check_links.py PROJECT

Prints each broken link with its file and line; the exit status is 1 if there is one. Links to other sites and links in
fenced code are ignored. Anchors of headings are formed as GitHub forms them.
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"#{1,6} +(.*?)\s*$")


def prose(path):
    """The lines of a page outside of fenced code, as pairs of line number and text."""
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(path):
    """The anchors of the headings of a page; a repeated heading gets -1, -2, ..."""
    found = set()
    for _, line in prose(path):
        heading = HEADING.match(line)
        if heading:
            anchor = re.sub(r"[^\w\- ]", "", heading.group(1).lower()).replace(" ", "-")
            names = (anchor if k == 0 else f"{anchor}-{k}" for k in range(len(found) + 1))
            found.add(next(name for name in names if name not in found))
    return found


def faults(page):
    """The broken links of a page, as pairs of line number and target; and the number of links."""
    broken, count = [], 0
    for number, line in prose(page):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            count += 1
            name, _, anchor = target.partition("#")
            file = page.parent / name if name else page
            if not file.exists() or (anchor and anchor not in anchors(file)):
                broken.append((number, target))
    return broken, count


def main(project):
    root = pathlib.Path(project)
    total = failed = 0
    for page in [*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md"))]:
        broken, count = faults(page)
        total += count
        failed += len(broken)
        for number, target in broken:
            print(f"{page.relative_to(root)}:{number}: broken link: {target}", file=sys.stderr)
    print(f"{total} relative links, {failed} broken")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
