"""What the Debian packages contain, and what Debian's own tools say of them."""

import gzip
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from debian_packages import BUILD, make, missing, output
from programs import BIN, TIMEOUT

SCRIPTS = pathlib.Path(__file__).parents[2] / "docs/packages"
# The files of every package; PROGRAM has the name of the package, too.
COMMON = {
    "usr/bin/PROGRAM": "-rwxr-xr-x",
    "usr/share/doc/PROGRAM/changelog.gz": "-rw-r--r--",
    "usr/share/doc/PROGRAM/copyright": "-rw-r--r--",
    "usr/share/man/man1/PROGRAM.1.gz": "-rw-r--r--",
}
SERVICE = {
    "etc/tictactoe/server.toml": "-rw-r--r--",
    "usr/lib/systemd/system/tictactoe-server.service": "-rw-r--r--",
    "usr/lib/systemd/system/tictactoe-server.socket": "-rw-r--r--",
    "usr/lib/sysusers.d/tictactoe-server.conf": "-rw-r--r--",
    "usr/libexec/tictactoe/tictactoe-upnp": "-rwxr-xr-x",
}


def expected_files(name):
    files = {path.replace("PROGRAM", name): mode for path, mode in COMMON.items()}
    return {**files, **(SERVICE if name == "tictactoe-server" else {})}


def listed(package):
    """Modes of the files and of the directories of a package, by path. All are root's."""
    files, directories = {}, {}
    for line in output("dpkg-deb", "--contents", package).splitlines():
        mode, owner, _, _, _, path = line.split(maxsplit=5)
        assert owner == "root/root", line
        (directories if mode.startswith("d") else files)[path.removeprefix("./").rstrip("/")] = mode
    return files, directories


def libraries_of(program):
    """The packages of the libraries that a program names, as installed here."""
    needed = re.findall(r"NEEDED +(\S+)", output("objdump", "--private-headers", program))
    owners = set()
    for line in output("ldd", program).splitlines():
        match = re.match(r"\s+(\S+) => (/\S+)", line)
        if match and match[1] in needed:
            path = pathlib.Path(match[2]).resolve()
            # Files of a merged /usr have the one name or the other.
            name = f"*/{path.relative_to('/usr') if path.is_relative_to('/usr') else path}"
            owners |= {owner.split(":")[0] for owner in output("dpkg", "-S", name).splitlines()}
    return owners


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.made = make(cls.folder / "made")
        cls.content = {}
        for name, package in cls.made.items():
            cls.content[name] = cls.folder / name
            subprocess.run(["dpkg-deb", "--extract", package, cls.content[name]], check=True)

    def field(self, name, field):
        return output("dpkg-deb", "--field", self.made[name], field).strip()

    def test_contain_these_files_and_no_others(self):
        for name, package in self.made.items():
            with self.subTest(package=name):
                files, directories = listed(package)
                self.assertEqual(files, expected_files(name))
                self.assertEqual(set(directories.values()), {"drwxr-xr-x"})

    def test_depend_on_the_libraries_of_their_programs(self):
        for name in self.made:
            with self.subTest(package=name):
                depends = {part.split()[0] for part in re.split("[,|]", self.field(name, "Depends"))}
                programs = [path for path in expected_files(name) if "/bin/" in path or "/libexec/" in path]
                libraries = set().union(*(libraries_of(self.content[name] / path) for path in programs))
                self.assertIn("libstdc++6", libraries)
                for library in libraries:
                    provided = output("dpkg-query", "-W", "-f", "${Provides}", library)
                    self.assertTrue(depends & {library, *re.findall(r"[^\s,]+", provided)}, library)

    def test_say_what_they_are(self):
        version = re.search(r"project\(tictactoe VERSION (\S+)", (
            pathlib.Path(__file__).parents[2] / "CMakeLists.txt").read_text())[1]
        for name in self.made:
            with self.subTest(package=name):
                self.assertEqual(self.field(name, "Package"), name)
                self.assertEqual(self.field(name, "Source"), "tictactoe")
                self.assertTrue(self.field(name, "Version").startswith(version))
                self.assertEqual(self.field(name, "Architecture"),
                                 output("dpkg", "--print-architecture").strip())
                changelog = gzip.decompress(
                    (self.content[name] / f"usr/share/doc/{name}/changelog.gz").read_bytes()).decode()
                self.assertEqual(re.match(r"tictactoe \((\S+)\) ", changelog)[1],
                                 self.field(name, "Version"))
                self.assertIn(self.field(name, "Maintainer"), changelog)

    def test_have_the_pages_of_the_programs(self):
        for name, content in self.content.items():
            with self.subTest(package=name):
                page = (content / f"usr/share/man/man1/{name}.1.gz").read_bytes()
                self.assertEqual(gzip.decompress(page), (BUILD / f"docs/{name}.1").read_bytes())

    def test_the_file_of_options_is_right_as_it_is_and_with_all_its_examples(self):
        shipped = self.content["tictactoe-server"] / "etc/tictactoe/server.toml"
        self.assertEqual(
            output("dpkg-deb", "--info", self.made["tictactoe-server"], "conffiles"),
            "/etc/tictactoe/server.toml\n")
        text, examples = re.subn(r'^#(?=[a-z-]+ = )', "", shipped.read_text(), flags=re.MULTILINE)
        self.assertGreater(examples, 5)
        # The files that it names.
        for name in ("password", "cert.pem", "key.pem"):
            text = text.replace(f"/etc/tictactoe/{name}", f"{self.folder}/{name}")
        (self.folder / "password").write_text("a secret that is long enough\n")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=games.example.org",
                        "-keyout", self.folder / "key.pem", "-out", self.folder / "cert.pem"],
                       check=True, stderr=subprocess.DEVNULL)
        changed = self.folder / "server.toml"
        changed.write_text(text)
        for path in (shipped, changed):
            check = subprocess.run(
                [f"{BIN}/tictactoe-server", "--config", path, "--check-config"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT,
                check=False)
            self.assertEqual(check.returncode, 0, check.stdout)

    def test_have_the_same_bytes_when_they_are_made_again(self):
        again = make(self.folder / "again", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
        for name, package in self.made.items():
            with self.subTest(package=name):
                self.assertEqual(package.read_bytes(), again[name].read_bytes())

    @unittest.skipUnless(shutil.which("git"), "git is not installed (package git)")
    def test_the_changelog_of_a_release_has_the_commits_since_the_last_one(self):
        repository = self.folder / "repository"
        long = "Say in a subject that is longer than a line, and than two lines, of a changelog, " \
               "what there is to be said about a change of which there is a lot to be said indeed"
        git = ["git", "-C", repository, "-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", "init", "--quiet", repository], check=True)
        for subject, tag in (("Before", "v0.0.1"), ("Begin", None), (long, None), ("Z" * 100, "v0.1.0")):
            subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", subject], check=True)
            if tag:
                subprocess.run([*git, "tag", tag], check=True)
        text = subprocess.run([SCRIPTS / "changelog.sh", "0.1.0"], cwd=repository, check=True,
                              stdout=subprocess.PIPE, text=True, timeout=TIMEOUT).stdout
        parsed = subprocess.run(["dpkg-parsechangelog", "-l-"], input=text, text=True, check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
        self.assertEqual(parsed.stderr, "")
        self.assertIn("\nVersion: 0.1.0\n", parsed.stdout)
        self.assertIn("\nMaintainer: Ann <ann@example.org>\n", parsed.stdout)
        entries = re.findall(r"^   \*(.*(?:\n     .*)*)", parsed.stdout, re.MULTILINE)
        self.assertEqual([" ".join(entry.split()) for entry in entries[1:]], [long, "Begin"])
        self.assertEqual("".join(entries[0].split()), "Z" * 100)

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed (package lintian)")
    def test_are_as_debian_wants_them(self):
        check = subprocess.run(["lintian", "--allow-root", "--fail-on", "error",
                                *self.made.values()], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, timeout=4 * TIMEOUT, check=False)
        self.assertEqual(check.returncode, 0, check.stdout)
        print("lintian:", check.stdout.strip() or "no error and no warning")


def setUpModule():
    if reason := missing():
        raise unittest.SkipTest(reason)
