#!/usr/bin/env bash
# golang-github-komkom-toml-dev 0.0~git20211215.3c8ee9d-2 (Debian): in a multi-line text the escape \t becomes "/t",
# and \U stays as it is.
#
# Expected: TOML 1.0: a multi-line basic string has the same escapes as a basic string. The package translates TOML
# to JSON. BurntSushi/toml 1.2.0 reads all four lines.
# Seen: JSON with other letters. In a basic string \t is right, and \U makes the JSON invalid.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-komkom-toml-dev=0.0~git20211215.3c8ee9d-2 golang-github-pkg-errors-dev=0.9.1-2 \
  golang-github-burntsushi-toml-dev=1.2.0-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
	komkom "github.com/komkom/toml"
)

func main() {
	texts := []string{`a = "x\ty"`, `a = """x\ty"""`, `a = "\U00000041"`, `a = """\U00000041"""`}
	for _, text := range texts {
		var read, reference map[string]string
		err := json.NewDecoder(komkom.New(strings.NewReader(text + "\n"))).Decode(&read)
		toml.Decode(text, &reference)
		fmt.Printf("%s: %q %v, BurntSushi %q\n", text, read["a"], err, reference["a"])
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
a = "x\ty": "x\ty" <nil>, BurntSushi "x\ty"
a = """x\ty""": "x/ty" <nil>, BurntSushi "x\ty"
a = "\U00000041": "" invalid character 'U' in string escape code, BurntSushi "A"
a = """\U00000041""": "\\U00000041" <nil>, BurntSushi "A"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
