#!/usr/bin/env bash
# json2toml 6.1.2 and tomlkit 0.11.7-1 (Debian): an array of tables that hold only other tables loses its own
# headers.
#
# Expected: TOML: each element of an array of tables starts with its [[name]], and the tables in it have the name of
# the array as a prefix. smol-toml 1.9.1 writes that.
# Seen: json2toml leaves out the prefix, so the inner list moves to the top. tomlkit leaves out the headers, so the
# list becomes one table, or the text is no TOML.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  json2toml@6.1.2
cd "$dir"
apt-get download -qq python3-tomlkit=0.11.7-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import json, subprocess, tomlkit, tomllib

def json2toml(value):
    program = "const all = require('json2toml'); console.log((all.default ?? all)(JSON.parse(process.argv[1])))"
    return subprocess.run(['node', '-e', program, json.dumps(value)], capture_output=True, check=True, text=True).stdout

rounds = {'round': [{'game': [{'x': 'ann'}, {'x': 'bob'}]}]}
clocks = {'room': [{'clock': {'main': 60}}, {'clock': {'main': 90}}]}
for name, write in (('json2toml', json2toml), ('tomlkit', tomlkit.dumps)):
    for value in (rounds, clocks):
        try:
            back = json.dumps(tomllib.loads(write(value)))
        except tomllib.TOMLDecodeError as error:
            back = error
        print(name, json.dumps(value), '=>', back)
PYTHON
)
expected=$(cat <<'TEXT'
json2toml {"round": [{"game": [{"x": "ann"}, {"x": "bob"}]}]} => {"round": [{}], "game": [{"x": "ann"}, {"x": "bob"}]}
json2toml {"room": [{"clock": {"main": 60}}, {"clock": {"main": 90}}]} => Cannot declare ('clock',) twice (at line 5, column 7)
tomlkit {"round": [{"game": [{"x": "ann"}, {"x": "bob"}]}]} => {"round": {"game": [{"x": "ann"}, {"x": "bob"}]}}
tomlkit {"room": [{"clock": {"main": 60}}, {"clock": {"main": 90}}]} => Cannot declare ('room', 'clock') twice (at line 3, column 12)
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
