"""Options of the server from the command line and a file of options."""

import os
import re
import resource
import subprocess
import unittest

from case import Case
from network import LOOPBACK
from programs import BIN, Server, run


class ServerOptions(Case):
    def setUp(self):
        super().setUp()
        self.path = self.folder / "server.toml"

    def check(self, text, *options):
        self.path.write_text(text)
        return run("tictactoe-server", "--config", str(self.path), "--check-config", *options)

    def test_a_server_takes_its_options_from_the_file(self):
        self.path.write_text('name = "the den"\nlisten = ["127.0.0.1"]\nmax-rooms = 3\n'
                             'trusted-proxy = ["10.0.0.0/8", "192.0.2.1"]\nno-lobby-chat = true\n')
        server = self.serve("--config", str(self.path))
        self.assertRegex(server.text, r"listening on 127\.0\.0\.1:")
        self.client("ann").expect("Connected to the den ")

    def test_a_pipe_is_read_like_a_file(self):
        end, other_end = os.pipe()
        self.addCleanup(os.close, end)
        with open(other_end, "w") as pipe:
            pipe.write('nonsense = 5\n')
        checked = run("tictactoe-server", "--config", f"/dev/fd/{end}", "--check-config", pass_fds=[end])
        self.assertEqual(checked.returncode, 2)
        self.assertIn(f'/dev/fd/{end}, line 1: there is no option "nonsense"', checked.stderr)

    def test_every_option_can_be_in_the_file(self):
        url = '"postgresql://nobody@nowhere/none"'
        values = {"{debug,info,warn,error,off}": '"info"', "{text,json,journal}": '"json"',
                  "ADDRESS": '"127.0.0.1"', "CIDR": '"10.0.0.0/8"', "NAME": '"den.example"',
                  "ADDRESS:PORT": '"127.0.0.1:0"', "DIR": f'"{self.folder}/data"', "URL": url,
                  "TEXT": '"den"', "NAME=COMMAND": '"embryo=/bin/true"',
                  "HOST:PORT": f'"den.example:7654"\nstore = {url}'}
        numbers = {"engine-memory": "64"}
        lines = []
        page = run("tictactoe-server", "--help").stdout
        for line in page.split("Commands:")[0].splitlines():
            words = line.split()
            if not line.startswith("  --") or words[0] in ("--help", "--version", "--config", "--check-config"):
                continue
            name = words[0][2:]
            if words[1:2] == ["FILE"] or line.startswith("  " + words[0] + " FILE"):
                continue  # which would have to exist
            is_flag = len(line) > 25 and line[len("  " + words[0]):].startswith("  ")
            value = "true" if is_flag or len(words) == 1 else values.get(words[1], numbers.get(name, "3"))
            lines.append(f"{name} = {value}")
        self.assertGreater(len(lines), 30)
        # The others exclude one of these.
        alone = [line for line in lines if line.startswith(("no-", "internet", "require-tls", "store"))]
        for text in ("\n".join(line for line in lines if line not in alone), *alone):
            checked = self.check(text + "\n")
            self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_the_command_line_counts_for_more(self):
        checked = self.check('max-side = 2\n', "--max-side", "10")
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_all_mistakes_are_listed_with_their_lines(self):
        checked = self.check("""name = "den"
port = 70000
lissten = "::"

listen = ["127.0.0.1", "nowhere"]
qr = "yes"
check-config = true
[account]
size = 3
""", "--grace", "-1")
        self.assertEqual((checked.returncode, checked.stdout), (2, ""))
        lines = checked.stderr.splitlines()
        for line, (number, words) in zip(lines, ((2, "--port"), (3, '"lissten"'), (5, "--listen"),
                                                 (6, "true or false"), (7, "only on the command line"),
                                                 (9, "[account]"))):
            self.assertTrue(line.startswith(f"tictactoe-server: {self.path}, line {number}: "), line)
            self.assertIn(words, line)
        self.assertIn("--grace", lines[6])
        self.assertEqual(len(lines), 8, lines)

    def test_numbers_are_decimal_in_every_program(self):
        """An option whose default is a number, or whose value has no other name, takes one."""
        commands = [("tictactoe-server",), ("tictactoe",), ("tictactoe", "history"),
                    *(("tictactoe-engine", command) for command in
                      ("solve", "suggest", "match", "tournament", "gomocup"))]
        tried = 0
        for command in commands:
            page = run(*command, "--help").stdout
            for name in re.findall(r"^  (--[a-z-]+) (?:N|PORT|TIME|SIZE)\b", page, re.MULTILINE):
                tried += 1
                with self.subTest(command=command, option=name):
                    result = run(*command, name, "0x10")
                    self.assertEqual((result.returncode, result.stdout), (2, ""))
                    self.assertRegex(result.stderr, f'{name}: "0x10" is not (a number from|a time|an amount)')
        self.assertGreater(tried, 30)
        self.assertIn('"0107654" is not a number from 0 to 65535',
                      run("tictactoe-server", "--port", "0107654").stderr)
        self.assertEqual(run("tictactoe-server", "--max-side", "020", "--check-config").returncode, 0)
        for bad in ("3x0b11", "+3x3", "3x 3"):
            board = run("tictactoe-engine", "perft", bad)
            self.assertEqual((board.returncode, board.stdout), (2, ""))
            self.assertIn(f"'{bad}' is not a board", board.stderr)

    def test_files_that_cannot_be_used_end_the_start_as_wrong_options(self):
        """The service manager does not try again then."""
        folder = self.folder
        for name, text in (("password", ""), ("cert.pem", "no certificate")):
            (folder / name).write_text(text)
        data = folder / "data"
        data.mkdir()
        (data / "accounts").write_text("ann\n")
        (folder / "file").write_text("")
        key = folder / "with-key"
        key.mkdir()
        (key / "tls.pem").write_text("no key")
        link = folder / "with-link"
        link.mkdir()
        (link / "tls.pem").symlink_to(folder / "not-mounted")
        os.chmod(key / "tls.pem", 0o644)
        (folder / "round").symlink_to("round")
        (folder / "nowhere").symlink_to(folder / "missing")
        for options, words in (
                (("--tls-cert", f"{folder}/none", "--tls-key", f"{folder}/none"),
                 f"--tls-cert: Can't use the certificate in {folder}/none: No such file"),
                (("--tls-cert", f"{folder}/cert.pem", "--tls-key", f"{folder}/none"), "--tls-cert: "),
                (("--password-file", f"{folder}/password"), "--password-file: "),
                (("--data-dir", str(data)), f"--data-dir: {data}/accounts:1: that is not an account."),
                (("--data-dir", f"{folder}/file"), f"--data-dir: can't use {folder}/file: it is not a directory."),
                (("--data-dir", f"{folder}/file/data"), "Not a directory"),
                (("--data-dir", str(key)), f"--data-dir: can't use {key}/tls.pem: others can read it"),
                (("--data-dir", str(link)), f"it is a symbolic link to {folder}/not-mounted"),
                (("--data-dir", "/proc/1/data"), "--data-dir: can't create /proc/1/data: "),
                (("--data-dir", f"{folder}/round/data"), "Too many levels of symbolic links"),
                (("--data-dir", f"{folder}/nowhere"), f"it is a symbolic link to {folder}/missing, which does not exist"),
                (("--store", "nonsense"), "--store: ")):
            kept = () if options[0] in ("--data-dir", "--store") else ("--data-dir", f"{folder}/fresh")
            for check in ((), ("--check-config",)):
                with self.subTest(options=options, check=check):
                    result = run("tictactoe-server", "--listen", "127.0.0.1", "--port", "0", "--no-discovery",
                                 *options, *kept, *check)
                    self.assertEqual((result.returncode, result.stdout), (2, ""))
                    self.assertIn(words, result.stderr)
        without_home = {name: value for name, value in os.environ.items()
                        if name not in ("HOME", "XDG_DATA_HOME")}
        result = run("tictactoe-server", "--port", "0", env=without_home)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--data-dir: HOME is not set", result.stderr)

    def test_what_is_no_file_is_called_what_it_is(self):
        folder = self.path.parent
        (folder / "directory").mkdir()
        (folder / "link").symlink_to(folder / "missing")
        os.mkfifo(folder / "pipe")
        words = {"directory": "it is a directory", "pipe": "it is a pipe",
                 "link": f"it is a symbolic link to {folder}/missing, which does not exist"}
        key = folder / "key.pem"
        cert = folder / "cert.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                        "-nodes", "-days", "9", "-subj", "/CN=den.example", "-keyout", key, "-out", cert],
                       check=True, stderr=subprocess.DEVNULL)
        for name, why in words.items():
            file = folder / name
            for options in (("--config", file), ("--password-file", file), ("--tls-cert", file, "--tls-key", key),
                            ("--tls-cert", cert, "--tls-key", file)):
                for check in ((), ("--check-config",)):
                    with self.subTest(options=options, check=check):
                        result = run("tictactoe-server", "--no-journal", "--no-discovery", "--port", "0",
                                     *map(str, options), *check)
                        self.assertEqual((result.returncode, result.stdout), (2, ""))
                        self.assertIn(f"{file}: ", result.stderr)
                        self.assertIn(why, result.stderr)
            for command in (("tictactoe", "--config", file, "lan"), ("tictactoe", "replay", file),
                            ("tictactoe", "--guest", "--server", "127.0.0.1:1", "--server-password-file", file),
                            ("tictactoe", "--guest", "--server", "127.0.0.1:1", "--account-password-file", file)):
                with self.subTest(command=command):
                    result = run(*map(str, command))
                    self.assertIn(result.returncode, (1, 2))
                    self.assertIn(f"{file}", result.stderr)
                    self.assertIn(why, result.stderr)
        for name, why in words.items():
            data = folder / f"data-{name}"
            data.mkdir()
            (folder / name).rename(data / "accounts")
            for command in (("--check-config",), ("--port", "0", "--no-discovery")):
                with self.subTest(accounts=name, command=command):
                    result = run("tictactoe-server", "--data-dir", str(data), *command)
                    self.assertEqual((result.returncode, result.stdout), (2, ""))
                    self.assertIn(f"Can't read {data}/accounts: {why}", result.stderr)

    def test_a_limit_on_the_size_of_files_ends_no_program(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        for program in ("tictactoe", "tictactoe-server", "tictactoe-engine"):
            for words in (("--help",), ("--version",), ("--check-config",)):
                if words == ("--check-config",) and program != "tictactoe-server":
                    continue
                with self.subTest(program=program, words=words), open(self.path, "w") as out:
                    result = subprocess.run([f"{BIN}/{program}", *words], stdout=out, stderr=subprocess.PIPE,
                                            text=True, preexec_fn=limit, check=False)
                    self.assertEqual(result.returncode, 1)
                    self.assertEqual(result.stderr, f"{program}: can't write to standard output\n")
            with self.subTest(program=program, words="a bad option"), open(self.path, "w") as out:
                result = subprocess.run([f"{BIN}/{program}", "--nonsense"], stderr=out, preexec_fn=limit, check=False)
                self.assertEqual(result.returncode, 2)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to start a server as another user")
    def test_a_key_of_root_alone_ends_the_start_as_a_wrong_option(self):
        """As Let's Encrypt leaves it."""
        folder = self.folder
        os.chmod(folder, 0o755)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                        "-nodes", "-days", "9", "-subj", "/CN=den.example", "-keyout", folder / "key.pem",
                        "-out", folder / "cert.pem"], check=True, stderr=subprocess.DEVNULL)
        os.chmod(folder / "key.pem", 0o600)
        start = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", f"{BIN}/tictactoe-server",
                 "--port", "0", "--no-journal", "--tls-cert", folder / "cert.pem", "--tls-key", folder / "key.pem"]
        result = subprocess.run(start, capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(f"--tls-cert: Can't use the key in {folder}/key.pem: Permission denied.", result.stderr)

    def test_output_that_cannot_be_written_is_no_success(self):
        for command in (("tictactoe-engine", "perft", "3"),
                        ("tictactoe-server", "account", "--create", "--data-dir", str(self.data), "add", "ann")):
            with self.subTest(command=command), open("/dev/full", "w") as full, \
                    open(self.file("word", "correct-horse-23")) as word:
                result = subprocess.run([f"{BIN}/{command[0]}", *command[1:]], stdin=word, stdout=full,
                                        stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(result.returncode, 1, result.stderr)

    def test_levels_are_listed_from_the_weakest(self):
        words = "choose one of random, 1, 2, 3, suggester, 4, 5, 6, 7, 8, strong, perfect\n"
        for command, begin in ((("suggest", "--level", "9"), '--level: there is no "9"; '),
                               (("match", "9", "strong"), 'LEVEL: there is no "9"; ')):
            with self.subTest(command=command):
                self.assertIn(begin + words, run("tictactoe-engine", *command).stderr)

    def test_links_behind_a_proxy_show_its_port(self):
        for address, link in (("den.example", "https://den.example/"),
                              ("den.example:8443", "https://den.example:8443/")):
            with Server(LOOPBACK, "--trusted-proxy", "10.0.0.1", "--public-address", address) as server:
                server.expect(f"Guests anywhere play at {re.escape(link)}$")

    def test_metrics_are_served_where_people_write_it(self):
        for address, shown in (("localhost:0", r"127\.0\.0\.1"), (":0", r"(\[::\]|0\.0\.0\.0)"),
                               ("[::1]:0", r"\[::1\]")):
            with self.subTest(address=address), Server(LOOPBACK, "--metrics", address) as server:
                server.expect(rf"^metrics at http://{shown}:\d+/metrics$")
        for bad in ("localhost", "[localhost]:1", "::1", "nowhere:1", ":x", ":70000"):
            self.assertIn("is not an address with a port", self.check(f'metrics = "{bad}"\n').stderr)

    def test_the_files_that_it_names_are_checked(self):
        checked = self.check('password-file = "/nonexistent"\ntls-cert = "/nonexistent"\n'
                             'tls-key = "/nonexistent"\n')
        self.assertEqual((checked.returncode, checked.stdout), (2, ""))
        lines = checked.stderr.splitlines()
        self.assertIn(", line 1: --password-file: ", lines[0])
        self.assertIn(", line 2: --tls-cert: ", lines[1])
        self.assertEqual(self.check("").stdout, "The options are valid.\n")
