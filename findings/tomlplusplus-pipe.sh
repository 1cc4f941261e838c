#!/usr/bin/env bash
# libtomlplusplus-dev 3.3.0+ds-1 (Debian): a document that comes through a pipe is read as an empty table, whatever
# it holds, without an error.
#
# Expected: toml::parse(std::istream&) parses a document from a stream, and throws parse_error for a bad one (its
# documentation). A stream need not be seekable.
# Seen: the parser looks for the start of the stream by seeking; on a pipe that fails, and the failed stream counts
# as the end. A settings file from a process substitution is ignored.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtomlplusplus-dev=3.3.0+ds-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >count.cpp <<'CPP'
#include <iostream>
#include <toml++/toml.h>

int main() {
  try {
    std::cout << toml::parse(std::cin).size() << " keys\n";
  } catch (const toml::parse_error&) {
    std::cout << "parse_error\n";
  }
}
CPP
g++ -std=c++17 -w -I usr/include count.cpp -o count

seen=$(/usr/bin/python3 - <<'PYTHON'
import subprocess

for text in ('port = 7654\n', 'port = = 7654\n'):
    with open('settings.toml', 'w') as file:
        file.write(text)
    with open('settings.toml') as file:
        direct = subprocess.run(['./count'], stdin=file, capture_output=True, check=True, text=True).stdout.strip()
    piped = subprocess.run(['./count'], input=text, capture_output=True, check=True, text=True).stdout.strip()
    print(f'{text.strip()}: from a file {direct}; from a pipe {piped}')
PYTHON
)
expected=$(cat <<'TEXT'
port = 7654: from a file 1 keys; from a pipe 0 keys
port = = 7654: from a file parse_error; from a pipe 0 keys
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
