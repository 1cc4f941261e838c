"""Completions offer every option and subcommand of --help. shells_test.py asks zsh and fish themselves."""

import subprocess
import unittest

from program_help import PROGRAMS, names, printed


def offered_by_bash(program, *words):
    """What bash offers after these words, the last of which is being typed."""
    script = printed(program, "--completions", "bash")
    function = "_" + program.replace("-", "_")
    typed = " ".join(f"'{word}'" for word in (program, *words))
    script += (f"\nCOMP_WORDS=({typed}); COMP_CWORD={len(words)}; {function}; "
               "printf '%s\\n' \"${COMPREPLY[@]}\"")
    result = subprocess.run(["bash", "--norc", "-c", script], check=True, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return set(result.stdout.split())


class Completions(unittest.TestCase):
    def test_bash_offers_what_help_tells_of(self):
        for program in PROGRAMS:
            for command, expected in names(program).items():
                with self.subTest(program=program, command=command):
                    offered = offered_by_bash(program, *([command] if command else []), "")
                    self.assertLessEqual(expected, offered)
                    if not command:
                        self.assertEqual(expected, offered)

    def test_bash_knows_what_an_option_takes(self):
        self.assertEqual(offered_by_bash("tictactoe-server", "--log", ""),
                         {"debug", "info", "warn", "error", "off"})
        self.assertEqual(offered_by_bash("tictactoe-server", "--log", "w"), {"warn"})
        self.assertEqual(offered_by_bash("tictactoe-engine", "suggest", "--level", "p"),
                         {"perfect"})
        self.assertIn("--server", offered_by_bash("tictactoe", "history", "--se"))
        self.assertEqual(offered_by_bash("tictactoe", "hist"), {"history"})

    def test_bash_offers_the_actions_of_a_command_once(self):
        actions = {"status", "reach", "players", "rooms", "room", "kick", "ban", "unban", "bans", "say",
                   "close-room", "drain", "reload", "backup", "restore"}
        for before in ((), ("--json",), ("--data-dir", "/tmp")):
            offered = offered_by_bash("tictactoe-server", "ctl", *before, "")
            self.assertEqual({word for word in offered if not word.startswith("-")}, actions)
        self.assertEqual(offered_by_bash("tictactoe-server", "ctl", "st"), {"status"})
        self.assertFalse(actions & offered_by_bash("tictactoe-server", "ctl", "kick", ""))
        self.assertEqual(offered_by_bash("tictactoe-server", "ctl", "status", "--w"), {"--watch"})
        self.assertEqual(offered_by_bash("tictactoe-server", "account", "a"), {"add"})
        self.assertNotIn("status", offered_by_bash("tictactoe-server", ""))

    def test_other_shells_offer_actions(self):
        zsh = printed("tictactoe-server", "--completions", "zsh")
        self.assertIn("ctl/status|ctl/reach|ctl/players|", zsh)
        self.assertIn("'status' 'reach' 'players' ", zsh)
        self.assertIn("-a 'status reach players ", printed("tictactoe-server", "--completions", "fish"))
