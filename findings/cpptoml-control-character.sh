#!/usr/bin/env bash
# libcpptoml-dev 0.1.1-3 (Debian): a control character is written as \u with one or two digits, and an empty key as
# nothing.
#
# Expected: TOML 0.5 and 1.0: \u has four digits, and an empty key needs quotes. The parser reads both.
# Seen: what the writer makes of a document, the parser refuses.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libcpptoml-dev=0.1.1-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.cpp <<'CPP'
#include <cpptoml.h>
#include <iostream>
#include <sstream>

int main() {
  for (const char* text : {"a = \"\\t\"", "a = \"\\u001b[1m\"", "a = \"\\u0001\"", "\"\" = 1"}) {
    std::istringstream in(text);
    std::ostringstream out;
    out << *cpptoml::parser(in).parse();
    std::cout << text << " => " << out.str();
    try {
      std::istringstream again(out.str());
      cpptoml::parser(again).parse();
    } catch (const cpptoml::parse_exception& error) {
      std::cout << "  " << error.what() << "\n";
    }
  }
}
CPP
g++ -std=c++17 -w -I usr/include main.cpp -o main

seen=$(./main)
expected=$(cat <<'TEXT'
a = "\t" => a = "\t"
a = "\u001b[1m" => a = "\u1b[1m"
  Invalid unicode escape sequence at line 1
a = "\u0001" => a = "\u1"
  Invalid unicode escape sequence at line 1
"" = 1 =>  = 1
  Unexpected end of key at line 1
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
