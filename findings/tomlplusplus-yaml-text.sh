#!/usr/bin/env bash
# libtomlplusplus-dev 3.3.0+ds-1 (Debian): the YAML formatter writes texts such as "true", "null" and "12" without
# quotes, so a reader gets other types.
#
# Expected: YAML 1.2, core schema: a plain scalar of that form is a boolean, null or an integer; a text of that form
# has quotes. A text of the form of a float gets them.
# Seen: Python's yaml 6.0 reads True, None and 12.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtomlplusplus-dev=3.3.0+ds-1 python3-yaml=6.0-3+b2 2>/dev/null
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

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import json
import subprocess
import yaml

for text in ('den', '1.5', 'true', 'null', '12'):
    toml = f'name = {json.dumps(text)}\n'
    written = subprocess.run(['./format', 'yaml'], input=toml, capture_output=True, check=True, text=True).stdout
    print(json.dumps(text), '=>', written.strip(), '=>', repr(yaml.safe_load(written)['name']))
PYTHON
)
expected=$(cat <<'TEXT'
"den" => name: den => 'den'
"1.5" => name: '1.5' => '1.5'
"true" => name: true => True
"null" => name: null => None
"12" => name: 12 => 12
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
