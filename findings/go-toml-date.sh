#!/usr/bin/env bash
# golang-github-pelletier-go-toml-dev 1.9.4-1 (Debian): a date without a time is a syntax error, depending on what
# follows.
#
# Expected: TOML 1.0: a local date is a value like any other. BurntSushi/toml 1.2.0 reads all.
# Seen: The character behind the date is taken for the separator of date and time. A line break and a bracket are
# refused, so the usual form of a line is.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-pelletier-go-toml-dev=1.9.4-1 golang-github-burntsushi-toml-dev=1.2.0-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/BurntSushi/toml"
	pelletier "github.com/pelletier/go-toml"
)

func main() {
	for _, text := range []string{
		"a = 2026-11-28", "a = 2026-11-28 # day\n", "a = 2026-11-28\n", "a = [2026-11-28]\n", "a = 2026-11-28T09:30:00\n",
	} {
		_, err := pelletier.Load(text)
		var table map[string]interface{}
		_, reference := toml.Decode(text, &table)
		fmt.Printf("%q: %q; BurntSushi %v\n", text, fmt.Sprint(err), reference)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"a = 2026-11-28": "<nil>"; BurntSushi <nil>
"a = 2026-11-28 # day\n": "<nil>"; BurntSushi <nil>
"a = 2026-11-28\n": "(1, 15): parsing error: incorrect date/time separation character: \n"; BurntSushi <nil>
"a = [2026-11-28]\n": "(1, 16): missing comma"; BurntSushi <nil>
"a = 2026-11-28T09:30:00\n": "<nil>"; BurntSushi <nil>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
