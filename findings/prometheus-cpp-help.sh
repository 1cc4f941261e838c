#!/usr/bin/env bash
# libprometheus-cpp-core1.0 1.0.1-1 (Debian): a help text is written as it is, so a line break in it makes the whole
# page unreadable.
#
# Expected: Prometheus' text format: in the docstring of a HELP line, backslash and line feed are escaped. Label
# values, which have the same rule, are escaped.
# Seen: promtool 2.42.0 refuses the page at the second line of the help text.
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' prometheus-cpp-dev 2>/dev/null || true)
if [ "$version" != "1.0.1-1" ]; then
  echo "This needs prometheus-cpp-dev 1.0.1-1, and finds ${version:-none}." >&2
  exit 2
fi
version=$(dpkg-query -W -f '${Version}' prometheus 2>/dev/null || true)
if [ "$version" != "2.42.0+ds-5+deb12u1" ]; then
  echo "This needs prometheus 2.42.0+ds-5+deb12u1, and finds ${version:-none}." >&2
  exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

cat >page.cpp <<'CPP'
#include <iostream>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

int main() {
  prometheus::Registry registry;
  auto rooms = prometheus::BuildGauge().Name("rooms").Help("Rooms that exist.\n(Without closed ones.)");
  rooms.Register(registry).Add({{"kind", "a\nb"}}).Set(3);
  std::cout << prometheus::TextSerializer().Serialize(registry.Collect());
}
CPP
g++ -std=c++17 page.cpp -o page -lprometheus-cpp-core

seen=$(/usr/bin/python3 - <<'PYTHON'
import subprocess

page = subprocess.run(['./page'], capture_output=True, check=True, text=True).stdout
print(page.strip())
print(subprocess.run(['promtool', 'check', 'metrics'], input=page, capture_output=True, text=True).stderr.strip())
PYTHON
)
expected=$(cat <<'TEXT'
# HELP rooms Rooms that exist.
(Without closed ones.)
# TYPE rooms gauge
rooms{kind="a\nb"} 3
error while linting: text format parsing error in line 2: invalid metric name
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
