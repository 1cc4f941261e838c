#!/usr/bin/env bash
# libtomlplusplus-dev 3.3.0+ds-1 (Debian): a text that is one line break is written so that it reads as the empty
# text, and a key with a line break has no quotes.
#
# Expected: TOML 1.0: a line break right behind the opening quotes of a multi-line string is trimmed, and a bare key
# has no line breaks. What the library writes, a parser reads back.
# Seen: Python's tomllib reads the empty text, and refuses the key.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtomlplusplus-dev=3.3.0+ds-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >format.cpp <<'CPP'
#include <iostream>
#include <iterator>
#include <string>
#include <toml++/toml.h>

int main(int, char** arguments) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const toml::table table = toml::parse(text);
  if (arguments[1] == std::string("yaml"))
    std::cout << toml::yaml_formatter{table} << '\n';
  else
    std::cout << table << '\n';
}
CPP
g++ -std=c++17 -w -I usr/include format.cpp -o format

seen=$(/usr/bin/python3 - <<'PYTHON'
import subprocess
import tomllib

for text in (r'name = "a\nb"', r'name = "\n"', r'"a b" = 1', r'"a\nb" = 1'):
    written = subprocess.run(['./format', 'toml'], input=text, capture_output=True, check=True, text=True).stdout
    try:
        back = tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        back = error
    print(text, '=>', repr(written.strip()), '=>', back)
PYTHON
)
expected=$(cat <<'TEXT'
name = "a\nb" => "name = '''a\nb'''" => {'name': 'a\nb'}
name = "\n" => "name = '''\n'''" => {'name': ''}
"a b" = 1 => "'a b' = 1" => {'a b': 1}
"a\nb" = 1 => 'a\nb = 1' => Expected '=' after a key in a key/value pair (at line 1, column 2)
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
