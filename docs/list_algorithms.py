#!/usr/bin/env python3
"""Writes the table of algorithms in docs/algorithms.md, from what the command says.

    list_algorithms.py SEMLA [PAGE]

The test python.registry fails if the table is not up to date.
"""

import json
import os
import re
import subprocess
import sys

BEGIN, END = "[//]: # (semla run --list)\n\n", "\n[//end]: # (end of the list)\n"


def listing(semla):
    """The algorithms as `semla run --list --json` describes them."""
    output = subprocess.run([semla, "run", "--list", "--json"], capture_output=True, check=True)
    return json.loads(output.stdout)["algorithms"]


def table(algorithms):
    """The table as Markdown."""
    lines = ["| Function | Command | Result | Options | Check |", "|---|---|---|---|---|"]
    for a in algorithms:
        options = [f"`--{option['name']}`" for option in a["options"]]
        options += [f"`--{result['name']}`" for result in a["results"] if result["file"]]
        lines.append(
            f"| `sl_{a['function']}` | `semla run {a['name']}` | {a['summary']} "
            f"| {', '.join(options) or 'none'} | {a['check']} |"
        )
    return "\n".join(lines) + "\n"


def main(semla, page=os.path.join(os.path.dirname(__file__), "algorithms.md")):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
    with open(page, "w", encoding="utf-8") as file:
        file.write(pattern.sub(lambda _: BEGIN + table(listing(semla)) + END, text))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
