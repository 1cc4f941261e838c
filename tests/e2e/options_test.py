"""Options of the client from the command line, the environment and the file of options."""

import os

from case import ServerCase
from programs import run


class Options(ServerCase):
    """Name and server from the command line, the environment, or a file of options."""

    def config(self, text):
        (self.folder / "tictactoe").mkdir(exist_ok=True)
        return self.file("tictactoe/config.toml", text)

    def run_with(self, *options, **environment):
        return run("tictactoe", *options,
                   env={**os.environ, "XDG_CONFIG_HOME": str(self.folder), **environment})

    def test_the_nearer_counts(self):
        self.config(f'server = "{self.address}"\nname = "filed"\nlines = true\n')
        for options, environment, name in (
                ((), {}, "filed"),
                ((), {"TICTACTOE_NAME": "around"}, "around"),
                (("--name", "typed"), {"TICTACTOE_NAME": "around"}, "typed"),
                (("--name", "typed"), {}, "typed"),
                ((), {"TICTACTOE_NAME": ""}, "filed")):
            with self.subTest(name=name, options=options, environment=environment):
                result = self.run_with(*options, **environment)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertIn(f" as {name}.", result.stdout)

    def test_a_mistake_in_the_file_does_not_hide_the_version_and_names_the_file(self):
        path = self.config('nonsense = 1\n"\\u001b[31m" = 2')
        for option, said in (("--version", "tictactoe "), ("--help", "--server")):
            result = self.run_with(option)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result)
            self.assertIn(said, result.stdout)
        result = self.run_with()
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"{path}, line 1: there is no option ", result.stderr)
        self.assertNotIn("\x1b", result.stderr)

    def test_each_mistake_in_the_file_names_its_line_and_what_to_do(self):
        for text, *expected in (
                ('# mine\nname = "alice\n', (2, "Write options as in")),
                ("name = alice\n", (1, "Write options as in")),
                ('name = "a"\nname = "b"\n', (2, "name")),
                ('\n\nretry = "soon"\n', (3, "--retry")),
                ('retry = 2000000\n', (1, "--retry")),
                ('alert = "loud"\n', (1, "bell")),
                ('lines = "perhaps"\n', (1, "must be true or false")),
                ('name = true\n', (1, "needs a value, such as name = ")),
                ('name = ["a", "b"]\n', (1, "--name")),
                ('server = 2020-01-01\n', (1, "needs a value")),
                ('config = "other.toml"\n', (1, "only on the command line")),
                ('[nowhere]\nname = "a"\n', (1, "no section [nowhere]")),
                ('[local]\nname = "a"\n', (2, '"name" in the section [local]')),
                ('[local]\nai = "easy peasy"\n', (2, "--ai")),
                ('name = ""\n', (1, "--name: the name is empty")),
                ('lines = true\nserver = "[::1"\n', (2, "[ADDRESS]:PORT")),
                ('one = 1\ntwo = 2\nretry = -1\n', (1, '"one"'), (2, '"two"'), (3, "--retry"))):
            with self.subTest(text=text):
                path = self.config(text)
                result = self.run_with()
                self.assertEqual((result.returncode, result.stdout), (2, ""), result)
                lines = result.stderr.splitlines()
                self.assertEqual(len(lines), len(expected) + 1, lines)
                for line, (number, words) in zip(lines, expected):
                    self.assertIn(f"tictactoe: {path}, line {number}: ", line)
                    self.assertIn(words, line)

    def test_a_section_sets_the_options_of_its_command(self):
        self.config('lines = true\n[local]\nsize = "7x6x4"\nai = "random"\n')
        result = self.run_with("local", "--command", "quit")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("7 x 6, 4 in a row", result.stdout)
        result = self.run_with("local", "--size", "5", "--command", "quit")
        self.assertIn("5 x 5", result.stdout)

    def test_the_server_of_the_file_or_the_environment_may_be_overridden(self):
        self.config('server = "[::1]:1"\n')
        for environment in ({}, {"TICTACTOE_SERVER": "[::1]:2"}):
            with self.subTest(environment=environment):
                result = self.run_with(self.address, **environment)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                result = self.run_with("local", "--command", "quit", **environment)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_server_of_a_command_may_stand_before_it(self):
        for words in ((self.address, "history"), ("history", self.address)):
            result = self.run_with(*words)
            self.assertIn("This server keeps no records", result.stderr)

    def test_a_mistyped_command_is_named(self):
        result = self.run_with(self.address, "histroy")
        self.assertEqual(result.returncode, 2)
        self.assertIn('unknown command "histroy"; there are: local, lan, history', result.stderr)
        self.assertIn("Usage: tictactoe history", self.run_with("help", "history").stdout)

    def test_a_local_game_takes_no_server(self):
        for arguments, words in ((("local", "den"), 'argument "den": `local` plays without'),
                                 (("local", "--server", "den"), "--from NUMBER needs one"),
                                 (("local", "--from", "game.txt", "--server=den"),
                                  "--from NUMBER needs one")):
            with self.subTest(arguments=arguments):
                result = self.run_with(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(words, result.stderr)
