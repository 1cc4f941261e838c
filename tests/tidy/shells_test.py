"""zsh and fish offer, when they are asked themselves, every option and subcommand of --help."""

import shutil
import subprocess
import tempfile
import unittest

from program_help import PROGRAMS, names, printed


class Shells(unittest.TestCase):
    def check(self, shell, asked):
        """`asked` is the program of the shell that prints what is offered: of the script, a function and words."""
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed (package {shell})")
        for program in PROGRAMS:
            script = self.enterContext(tempfile.NamedTemporaryFile("w", prefix=program))
            script.write(printed(program, "--completions", shell))
            script.flush()
            for command, expected in names(program).items():
                offered = set()
                for begun in ("", "-", "--"):
                    words = [program, *([command] if command else []), begun]
                    result = subprocess.run(asked(script.name, "_" + program.replace("-", "_"), words),
                                            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                            stdin=subprocess.DEVNULL, check=False, timeout=60)
                    self.assertEqual((result.returncode, result.stderr), (0, ""), words)
                    offered |= {line.split("\t")[0] for line in result.stdout.splitlines()}
                with self.subTest(program=program, command=command):
                    self.assertLessEqual(expected, offered)

    def test_fish(self):
        self.check("fish", lambda script, _, words: [
            "fish", "--no-config", "-c",
            f"source {script}; complete -C '{' '.join(words)}'; true"])

    def test_zsh(self):
        # Outside of a terminal zsh completes nothing, so what shows the offers is replaced.
        self.check("zsh", lambda script, function, words: [
            "zsh", "-f", "-c",
            "_describe() { for one in ${(P)@[-1]}; do print -r -- ${one%%:*}; done }; _files() {}; compdef() {}; "
            f"words=({' '.join(map(repr, words))}); CURRENT={len(words)}; source {script}; {function}"])
