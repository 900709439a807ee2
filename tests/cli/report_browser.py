#!/usr/bin/env python3
"""Shows pages of `semla report` in headless Chromium: the console has no message, every chart has
marks, and a screenshot is saved.

    report_browser.py SEMLA FOLDER [MPIRUN]

Exit status 77, with a line that says so, if there is no Chromium. FOLDER receives the pages, the
screenshots, in light and dark, and a PDF file.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
COMMON = {"frontier", "edges", "time", "teps", "degrees", "components", "spy_given", "spy_degree"}
COMMON |= {"timeline", "operations"}


def browser():
    """The program of Chromium or Chrome; None: there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


def show(program, page, profile, *options):
    """Loads a page. Returns what the browser printed on stdout, and the messages of the console."""
    done = subprocess.run(
        [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        + [f"--user-data-dir={profile}", "--window-size=1280,1900", "--virtual-time-budget=20000"]
        + ["--enable-logging=stderr", *options, f"file://{page}"],
        check=False,
        capture_output=True,
        text=True,
        timeout=200,
    )
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def check(program, page, profile, wanted):
    """Loads a page and returns what is wrong with it, as a list of texts."""
    dom, console = show(program, page, profile, "--dump-dom")
    marks = dict(re.findall(r'<canvas id="(\w+)"[^>]*data-marks="(\d+)"', dom))
    wrong = [f"console: {line}" for line in console]
    if set(marks) != wanted:
        wrong.append(f"charts {sorted(marks)}, expected {sorted(wanted)}")
    wrong += [f"chart {name} has no marks" for name, number in marks.items() if number == "0"]
    verdict = re.search(r'id="validity"[^>]*>([^<]*)<', dom)
    if not verdict or not verdict[1].startswith("Valid: all "):
        wrong.append(f"the page does not say that the trees are valid: {verdict and verdict[1]}")
    return wrong


def take_screenshots(program, page, profile):
    """Saves pictures of a page, in light, in dark and on paper, and returns what is wrong, as a list
    of texts."""
    wrong = []
    for theme, number, what in (
        ("light.png", 1, "screenshot"),
        ("dark.png", 0, "screenshot"),
        ("paper.pdf", 0, "print-to-pdf"),
    ):
        picture = page.replace(".html", f"-{theme}")
        if os.path.exists(picture):
            os.remove(picture)
        scheme = f"--blink-settings=preferredColorScheme={number}"
        _, console = show(program, page, profile, scheme, f"--{what}={picture}")
        wrong += [f"console, {theme}: {line}" for line in console]
        if not os.path.exists(picture) or os.path.getsize(picture) < 20000:
            wrong.append(f"no screenshot {picture}")
    return wrong


def main(semla, folder, mpirun=None):
    program = browser()
    if not program:
        print("skipped: no Chromium (Debian's package: chromium)")
        return SKIPPED
    os.makedirs(folder, exist_ok=True)
    page = {name: os.path.join(folder, f"{name}.html") for name in ("hubs", "road", "grid")}
    hubs = ["kronecker:scale=12", "--roots", "8"]
    road = ["road:40x40", "--roots", "3", "--against", page["hubs"]]
    runs = {"hubs": ([], hubs, COMMON), "road": ([], road, COMMON | {"compared_levels"})}
    if mpirun:
        ranks = [mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "2"]
        runs["grid"] = (ranks, hubs + ["--threads", "1"], COMMON | {"traffic", "exchange"})
    wrong = []
    with tempfile.TemporaryDirectory() as profile:
        for name, (before, options, wanted) in runs.items():
            command = [*before, semla, "report", *options, "--force", "--quiet", "-o", page[name]]
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=200)
            if done.returncode != 0:
                wrong.append(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
                continue
            wrong += [f"{name}: {text}" for text in check(program, page[name], profile, wanted)]
        if os.path.exists(page["hubs"]):
            wrong += take_screenshots(program, page["hubs"], profile)
    print("\n".join(wrong) or f"{len(runs)} pages shown")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
