"""Looks at the documents: what `./run docs` writes is up to date, and links lead somewhere."""

import re
import subprocess
import sys
import unittest

from program_help import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import generate  # noqa: E402

CODE = re.compile(r"^```.*?^```|^(?: {4}|\t).*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
MENTIONED = re.compile(r"(?<![\w./-])((?:docs|proto|common|client|server|tests)/[\w./-]*\.(?:md|sql|svg|yml))\b")
SOURCES = ("*.hpp", "*.cpp", "*.py", "*.proto", "*.scd", "*.txt", "*.js", "*.sh", "run")
LINK = re.compile(r"\]\(([^)\s]+)\)|\bsrc=\"([^\"]+)\"|\bhref=\"([^\"]+)\"")


def files(*patterns):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
                            cwd=ROOT, check=False, capture_output=True, text=True)
    if listed.returncode != 0:  # an archive of the source
        return [path for pattern in patterns for path in ROOT.rglob(pattern) if path.is_file() and
                not {"build", "node_modules"} & set(path.relative_to(ROOT).parts)]
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).exists()]


def anchors(document):
    """Of its headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        yield re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


class Documents(unittest.TestCase):
    def test_what_programs_say_of_themselves_is_up_to_date(self):
        documents = dict(generate.documents())
        self.assertEqual(len(documents), 5)
        for document, text in documents.items():
            with self.subTest(document=str(document.relative_to(ROOT))):
                self.assertEqual(document.read_text(), text, "run `./run docs`")

    def test_links_lead_somewhere(self):
        checked = 0
        for document in files("*.md"):
            for groups in LINK.findall(CODE.sub("", document.read_text())):
                link = next(filter(None, groups))
                if re.match(r"[a-z]+:", link):
                    continue
                with self.subTest(document=str(document.relative_to(ROOT)), link=link):
                    path, _, anchor = link.partition("#")
                    target = (document.parent / path).resolve() if path else document
                    self.assertTrue(target.exists(), "there is no such file")
                    if anchor:
                        self.assertIn(anchor, list(anchors(target)))
                checked += 1
        self.assertGreater(checked, 40)

    def test_documents_that_sources_mention_are_there(self):
        mentioned = [(source, name) for source in files(*SOURCES)
                     for name in MENTIONED.findall(source.read_text())]
        for source, name in mentioned:
            with self.subTest(source=str(source.relative_to(ROOT))):
                self.assertTrue((ROOT / name).exists(), f"there is no {name}")
        self.assertGreater(len(mentioned), 20)
