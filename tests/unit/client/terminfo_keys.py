#!/usr/bin/env python3
"""Prints terminfo_keys.txt: what the keys of the terminals send that Debian's ncurses-base and
ncurses-term describe. Needs both packages, and infocmp."""

import collections
import os
import re
import subprocess
import sys

# Terminals that people use today, by the names that they set.
TODAY = ("alacritty", "dvtm-256color", "konsole", "linux", "mlterm", "putty-256color", "rxvt-unicode-256color",
         "screen-256color", "st-256color", "tmux-256color", "vte-256color", "xterm-256color", "xterm-kitty")
CUP = (r"\E[%i%p1%d;%p2%dH", r"\E[%i%p1%02d;%p2%02dH", r"\E[%i%p1%2d;%p2%2dH")
# Keys in the forms of ECMA-48 and of today's terminals. Others, such as "ESC F A" and "ESC O P #", look
# like a key with others after it; the terminals that send them are of the 1980s.
FORM = re.compile(
    r"\x1b?(\x1b\[|\x9b)(\[.|[0-?]*[ -/]*[@-~]|[0-9]+\$)|\x1b?(\x1bO|\x8f)[0-?]*[ -~]|\x1b?[^\x1b]",
    re.DOTALL)


def entries():
    for root in ("/lib/terminfo", "/usr/share/terminfo"):
        for folder, _, files in os.walk(root):
            if len(os.path.basename(folder)) == 1:
                yield from files


def unescaped(text):
    one = {"E": "\x1b", "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "s": " ", "0": "\x80"}

    def letter(match):
        octal, other, control = match.groups()
        if octal:
            return chr(int(octal, 8))
        return one.get(other, other) if other else "\x7f" if control == "?" else chr(ord(control) & 31)
    return re.sub(r"\\([0-7]{3})|\\(.)|\^(.)", letter, text)


def main():
    keys = collections.defaultdict(set)
    today = collections.defaultdict(set)
    counts = collections.Counter()
    for name in sorted(set(entries())):
        entry = subprocess.run(["infocmp", "-1", "-x", name], check=True, stdout=subprocess.PIPE,
                               encoding="utf-8", errors="replace").stdout
        cup = re.search(r"^\tcup=(.*),$", entry, re.MULTILINE)
        ecma = cup and re.sub(r"\$<[^>]*>", "", cup.group(1)) in CUP
        counts["entries that move the cursor by ECMA-48" if ecma else "others"] += 1
        for key, text in re.findall(r"^\t(k[A-Za-z0-9]+)=(.+),$", entry, re.MULTILINE):
            sequence = unescaped(text)
            if ecma and key != "kmous" and FORM.fullmatch(sequence):
                keys[sequence].add(key)
                if name in TODAY:
                    today[sequence].add(key)
    version = subprocess.run(["infocmp", "-V"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    print(f"# By terminfo_keys.py from {version}: {dict(counts)}.")
    print("# The bytes in hexadecimal, the capabilities that send them, and those of today's terminals.")
    for sequence in sorted(keys):
        print(sequence.encode("latin-1").hex(), " ".join(sorted(keys[sequence])),
              " ".join(sorted(today[sequence])), sep="\t")


if __name__ == "__main__":
    sys.exit(main())
