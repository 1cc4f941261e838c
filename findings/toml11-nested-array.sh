#!/usr/bin/env bash
# libtoml11-dev 3.7.1-3 (Debian): an array of arrays of tables is written with headers inside its brackets.
#
# Expected: TOML: a header can not stand in an array, so the tables are inline. What toml11 writes, it reads, as for
# an array that mixes a number and a table.
# Seen: the text has [[""]] within the outer array, and the parser refuses it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtoml11-dev=3.7.1-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.cpp <<'CPP'
#include <iostream>
#include <sstream>
#include <toml.hpp>

int main() {
  for (const char* text : {"a = [1, {b = 2}]", "a = [[{b = 2}]]"}) {
    std::istringstream in(text);
    std::ostringstream out;
    out << toml::parse(in, "in.toml");
    std::cout << text << " => " << out.str();
    try {
      std::istringstream again(out.str());
      toml::parse(again, "again.toml");
      std::cout << "  read again\n";
    } catch (const toml::syntax_error&) {
      std::cout << "  syntax_error\n";
    }
  }
}
CPP
g++ -std=c++17 -w -I usr/include main.cpp -o main

seen=$(./main)
expected=$(cat <<'TEXT'
a = [1, {b = 2}] => a = [
1,
{b=2},
]
  read again
a = [[{b = 2}]] => a = [
[[""]]
b = 2,
]
  syntax_error
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
