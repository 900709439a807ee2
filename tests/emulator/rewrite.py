"""Copies CUDA sources for the emulator, in which what a C++ compiler does not know is written in other words.

    rewrite.py FROM TO FILE...

FILE are paths below the folders FROM and TO. Launches become calls, which copy the arguments; the clock of the device and prefetches, which are inline PTX, become a call
and nothing; dynamic shared memory and untyped pointers to kernels come from the emulator. Line numbers stay. A copy that is up to date is not
written again.
"""
import os
import re
import sys


def closing_parenthesis(text, at):
    """The position of the parenthesis that closes the one at `at`."""
    depth = 0
    while True:
        if text[at] in "\"'":
            quote, at = text[at], at + 1
            while text[at] != quote:
                at += 2 if text[at] == "\\" else 1
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
        at += 1


def kernel_before(text, at):
    """Where the name of the kernel begins that ends before `at`: an identifier with or without template arguments."""
    if text[at - 1] == ">":
        depth, at = 0, at - 1
        while True:
            depth += {">": 1, "<": -1}.get(text[at], 0)
            if depth == 0:
                break
            at -= 1
    while re.match(r"[\w:]", text[at - 1]):
        at -= 1
    return at


def rewrite_launch(text, at):
    """Replaces kernel<<<shape>>>(arguments), of which `at` is the position of <<<."""
    end_of_name = at
    while text[end_of_name - 1] in " \t\n\\":
        end_of_name -= 1
    begin = kernel_before(text, end_of_name)
    end_of_shape = text.index(">>>", at)
    arguments = text.index("(", end_of_shape)
    end = closing_parenthesis(text, arguments) + 1
    name, gap, shape = text[begin:end_of_name], text[end_of_name:at], text[at + 3:end_of_shape]
    given = text[arguments + 1:end - 1]
    call = "emulator::launch({%s}, [=](auto... a) { %s%s(a...); }%s)" % (shape, name, gap, given.strip() and ", " + given)
    return text[:begin] + call + text[end:]


def kernels(text):
    """Yields the name of each kernel that the text defines, and where its body begins."""
    pattern = r"__global__\s+(?:static\s+|void\s+|__launch_bounds__\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)*(\w+)\s*\("
    for found in re.finditer(pattern, text):
        body = closing_parenthesis(text, found.end() - 1) + 1
        while text[body] in " \t\n\\":
            body += 1
        if text[body] == "{":
            yield found.group(1), body + 1


def note_kernels(text, file):
    """Lets each kernel say that it runs."""
    for name, body in reversed(list(kernels(text))):
        text = '%s static const bool noted = emulator::note_run("%s %s"); (void)noted;%s' % (text[:body], file, name, text[body:])
    return text


def rewrite(text):
    while (at := text.find("<<<")) >= 0:
        text = rewrite_launch(text, at)
    text = re.sub(r'asm volatile\("mov\.u64 %0, %%globaltimer;" : "=l"\((\w+)\)\)', r"\1 = emulator::nanoseconds()", text)
    text = re.sub(r'asm volatile\("prefetch[^"]*"[^;]*;', "(void)at;", text)
    text = re.sub(r"extern __shared__ ([\w ]+?) (\w+)\[\];", r"\1 *\2 = (\1 *)emulator::dynamic_shared;", text)
    return re.sub(r"\(const void \*\)(\w+(?:<[\w, ]*>)?)(?=[\s,;):])", r"emulator::untyped(\1)", text)


def main(source, target, files):
    for file in files:
        path, copy = os.path.join(source, file), os.path.join(target, file)
        with open(path, encoding="utf-8") as stream:
            text = '#line 1 "%s"\n%s' % (path, rewrite(note_kernels(stream.read(), file)))
        if os.path.exists(copy):
            with open(copy, encoding="utf-8") as stream:
                if stream.read() == text:
                    continue
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        with open(copy, "w", encoding="utf-8") as stream:
            stream.write(text)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
