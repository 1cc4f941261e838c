#!/usr/bin/env bash
# libcpptoml-dev 0.1.1-3 (Debian): an offset of half an hour east comes back as one west.
#
# Expected: RFC 3339: +00:30 is half an hour ahead of UTC. A document that is read and written means the same.
# Seen: +00:30 is written as -00:30, so the time moves by an hour. +05:30 and -00:30 are right.
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
  for (const char* offset : {"+05:30", "+00:30", "-00:30", "-03:30"}) {
    std::istringstream in("a = 2026-11-28T09:30:00" + std::string(offset));
    std::cout << in.str() << " => " << *cpptoml::parser(in).parse();
  }
}
CPP
g++ -std=c++17 -w -I usr/include main.cpp -o main

seen=$(./main)
expected=$(cat <<'TEXT'
a = 2026-11-28T09:30:00+05:30 => a = 2026-11-28T09:30:00+05:30
a = 2026-11-28T09:30:00+00:30 => a = 2026-11-28T09:30:00-00:30
a = 2026-11-28T09:30:00-00:30 => a = 2026-11-28T09:30:00-00:30
a = 2026-11-28T09:30:00-03:30 => a = 2026-11-28T09:30:00-03:30
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
