#!/usr/bin/python3
"""Writes what the programs say of themselves into the documents. Run it by `./run docs`.

The output of --help goes into docs/*.md. Into the man pages go the first line of every option and command, the
keys of the full screen and the commands of the line mode. The other lines of a man page are written by hand, those
below the first line of an option too. tests/tidy/documents_test.py checks that all of it is up to date.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/tidy"))

from program_help import BIN, PROGRAMS, printed  # noqa: E402

HELP_IN = {"tictactoe-server": "docs/hosting.md", "tictactoe": "docs/playing.md"}
ENTRY = re.compile(r"  (\S.*?)(?:  +(\S.*))?$")
CONTINUED = " " * 26


def sections(page):
    """The entries of each section of a page of --help: pairs of names and description."""
    found = {}
    entries = None
    for line in page.splitlines():
        if re.fullmatch(r"[A-Z]\w*:", line):
            entries = found.setdefault(line[:-1], [])
        elif not line:
            entries = None
        elif entries is not None and line.startswith(CONTINUED):
            entries[-1][1] = f"{entries[-1][1]} {line.strip()}".strip()
        elif entries is not None and line.startswith("   "):
            entries[-1][0] += line.strip()
        elif entries is not None:
            name, text = ENTRY.match(line).groups()
            entries.append([name, text or ""])
    return {name: entries for name, entries in found.items() if name not in ("Positionals", "Examples")}


def escaped(text):
    return re.sub(r"([*_\\])", r"\\\1", text)


def heading(name):
    """`--port N` as it stands in a man page."""
    names, _, value = name.partition(" ")
    bold = ", ".join(f"*{each}*" for each in names.split(","))
    if value.startswith("{"):
        return bold + " " + "|".join(f"_{escaped(word)}_" for word in value[1:-1].split(","))
    return f"{bold} _{escaped(value)}_" if value else bold


def sentence(text, has_default=True):
    """A description with its default and its environment variable, as a line of a man page."""
    after = ""
    while has_default and (found := re.search(r" \[([^]]*)\]$", text)):
        text = text[:found.start()]
        variable = re.fullmatch(r"\$([A-Z_]+)", found[1])
        after = (f" Environment: *{variable[1]}*." if variable else f" Default: {escaped(found[1])}.") + after
    text = re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"*\1*", escaped(text))
    return "\t" + re.sub(r"`([^`]*)`", r"*\1*", text).rstrip(".") + "." + after


def by_hand(part):
    """The hand-written lines of a section: those before the first entry, and those of each entry after its first."""
    place, details, intro, name = "", {}, {"": []}, None
    for line in part.splitlines():
        if line.startswith("## "):
            place, name = line[3:], None
            intro[place] = []
        elif line.startswith("*"):
            name = re.match(r"\*([^*]+)\*", line)[1]
            details[place, name] = []
        elif line.startswith("\t"):
            details[place, name].append(line)
        elif line:
            name = None
            intro[place].append(line)
    return intro, {key: lines[1:] for key, lines in details.items()}


def entries_text(entries, place, details, is_command=False):
    for name, text in entries:
        first = re.split(r"[ ,]", name)[0]
        yield "\n".join([heading(name), sentence(text, not is_command), *details.get((place, first), [])])


def manual(program, page):
    """The man page with its generated lines."""
    told = sections(printed(program, "--help"))
    commands = told.pop("Subcommands", [])
    for title in ("OPTIONS", "COMMANDS"):
        begin, part, end = re.split(rf"(?<=\n# {title}\n)(.*?)(?=\n# )", page, maxsplit=1, flags=re.DOTALL)
        intro, details = by_hand(part)
        blocks = ["\n".join(intro[""])] if intro[""] else []
        if title == "OPTIONS":
            for group, entries in told.items():
                place = "" if group == "Options" else group
                blocks += [f"## {place}"] if place else []
                blocks += entries_text(entries, place, details)
        else:
            blocks += entries_text(commands, "", details, True)
            for name, _ in commands:
                own = [entry for entry in sections(printed(program, name, "--help"))["Options"]
                       if not entry[0].startswith("-h")]
                place = name.upper()
                if own:
                    blocks += [f"## {place}", *entries_text(own, place, details)]
        page = begin + "\n" + "\n\n".join(blocks) + "\n" + end
    return page


def block_replaced(page, section, lines):
    """The page with these lines as the literal block of the section."""
    begin, end = page.split(f"\n# {section}\n")
    before, _, after = end.split("```\n", 2)
    return f"{begin}\n# {section}\n{before}```\n{lines}```\n{after}"


def keys():
    """What `?` explains on the full screen, without its introduction and its last words."""
    source = (ROOT / "client/words/prompts.hpp").read_text()
    array = re.search(r"key_help = std::to_array<std::string_view>\(\{\n(.*?)\n\}\);", source, re.DOTALL)[1]
    lines = [json.loads(line.strip().rstrip(",")) for line in array.splitlines()]
    return "".join(f"{line}\n" for line in
                   lines[lines.index("PLAYING"):lines.index("", lines.index("EVERYWHERE"))])


def line_commands():
    """What `help` prints in the line mode."""
    game = subprocess.run([BIN / "tictactoe", "local"], input="help\nquit\n", check=True,
                          stdout=subprocess.PIPE, text=True, timeout=60).stdout
    return game[game.rindex("To move, type"):]


def documents():
    """Every document with generated parts: its path and the text that it should have."""
    for program, name in HELP_IN.items():
        path = ROOT / name
        told = f"```\n{printed(program, '--help').strip()}\n```"
        yield path, re.sub(rf"```\n(?:(?!```)[\s\S])*?Usage: {program} \[[\s\S]*?```", lambda _: told,
                           path.read_text(), count=1)
    for program in PROGRAMS:
        path = ROOT / f"docs/man/{program}.1.scd"
        page = manual(program, path.read_text())
        if program == "tictactoe":
            page = page.replace("Default: alice.", "Default: your user name.")
            page = block_replaced(page, "KEYS", keys())
            page = block_replaced(page, "LINE COMMANDS", line_commands())
        yield path, page


if __name__ == "__main__":
    for document, text in documents():
        if document.read_text() != text:
            document.write_text(text)
            print(f"updated {document.relative_to(ROOT)}")
