"""Progress of long calls for people: a line on a terminal with a bar, a count and the time left."""

import os
import shutil
import sys
import threading
import time

AFTER_SECONDS = 1.0  # shorter calls show nothing
REDRAW_SECONDS = 0.25  # between two lines of the thread
_BAR = 20  # characters
_ERASE = "\r\x1b[K"  # to the beginning of the line, which is erased


def _duration(seconds):
    """ "42 s", "3:07 min", "2:05 h"."""
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02} min"
    return f"{seconds // 3600}:{seconds % 3600 // 60:02} h"


class ProgressLine:
    """The progress function that `Context(progress=True)` stands for.

    It writes to a stream, by default sys.stderr, if that is a terminal. The time left follows from
    the units that were done since an operation of the call began to report. A thread redraws the line
    during operations that report nothing; it ends when there are no calls for a while.
    """

    def __init__(self, stream=None, clock=time.monotonic):
        self._stream, self._clock = stream, clock
        self._call_began = None  # when the call began, or its first report came
        self._last = None  # the last report of the call: operation, done, total
        self._operation = None  # what runs: its name and number of units
        self._began = self._first = 0  # when its first report came, and the units done then
        self._shown = False
        self._drawn = 0  # when
        self._process = None  # that the lock and the thread belong to: a child of fork has new ones
        self._lock = threading.Lock()
        self._thread = None

    def __call__(self, progress):
        with self._lock:
            now = self._clock()
            if self._call_began is None:
                self._call_began = now
            operation = progress.operation, progress.total
            if operation != self._operation or progress.done < self._first:
                self._operation, self._began, self._first = operation, now, progress.done
            if self._last is None or progress.done or progress.total:
                self._last = tuple(progress)
            self._draw(now)

    def begun(self, name):
        """Called when a call begins, whose name is shown until it reports a count."""
        if self._process != os.getpid():
            self._process, self._lock, self._thread = os.getpid(), threading.Lock(), None
        with self._lock:
            self._call_began = self._clock()
            self._last = name, 0, None
            if self._thread is None:
                self._thread = threading.Thread(target=self._redraw, daemon=True)
                self._thread.start()

    def ended(self):
        """Called when a call ends: removes the line."""
        with self._lock:
            if self._shown:
                self._write(_ERASE, shown=False)
            self._call_began = self._operation = self._last = None

    def _redraw(self):
        """The thread: draws the line when no report has drawn it."""
        quiet = 0
        while quiet < AFTER_SECONDS:
            time.sleep(REDRAW_SECONDS)
            with self._lock:
                now = self._clock()
                quiet = 0 if self._call_began is not None else quiet + REDRAW_SECONDS
                if self._call_began is not None and now - self._drawn >= REDRAW_SECONDS:
                    self._draw(now)
                if quiet >= AFTER_SECONDS:
                    self._thread = None

    def _draw(self, now):
        if now - self._call_began >= AFTER_SECONDS:
            self._write(_ERASE + self._text(self._last, now), shown=True)
            self._drawn = now

    def _text(self, progress, now):
        """The line, cut to the width of the terminal."""
        name, done, total = progress
        if total:
            part = min(done / total, 1)
            bar = "#" * int(_BAR * part)
            line = f"{name} [{bar:.<{_BAR}}] {done:,} of {total:,}, {100 * part:.0f} %"
            if done > self._first:
                left = (now - self._began) * (total - done) / (done - self._first)
                line += f", {_duration(max(left, 0))} left"
        else:
            count = f" {done:,}" if done else ""
            line = f"{name}{count}, {_duration(now - self._call_began)}"
        return line[: shutil.get_terminal_size().columns - 1]

    def _write(self, text, shown):
        stream = sys.stderr if self._stream is None else self._stream
        try:
            if stream is not None and stream.isatty():
                stream.write(text)
                stream.flush()
                self._shown = shown
        except (OSError, ValueError):  # the terminal is gone: the call goes on
            self._shown = False
