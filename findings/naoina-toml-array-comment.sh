#!/usr/bin/env bash
# golang-github-naoina-toml-dev 0.1.1-8 (Debian): a comment behind the opening bracket of an array is a syntax error.
#
# Expected: TOML 0.4, which the package claims, and 1.0: comments may stand between the tokens of an array.
# BurntSushi/toml 1.2.0 reads all.
# Seen: A comment is read everywhere in the array but there.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-naoina-toml-dev=0.1.1-8 golang-github-naoina-go-stringutil-dev=0.1.0-5 \
  golang-github-burntsushi-toml-dev=1.2.0-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	burntsushi "github.com/BurntSushi/toml"
	"github.com/naoina/toml"
)

func main() {
	for _, text := range []string{
		"a = [\n1, # one\n2]\n", "a = [\n1, 2 # two\n]\n", "a = [\n# list\n1, 2]\n", "a = [ # list\n1, 2]\n",
	} {
		read, reference := map[string]interface{}{}, map[string]interface{}{}
		err := toml.Unmarshal([]byte(text), &read)
		_, referenceErr := burntsushi.Decode(text, &reference)
		fmt.Printf("%q: %v %v; BurntSushi %v %v\n", text, read["a"], err, reference["a"], referenceErr)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"a = [\n1, # one\n2]\n": [1 2] <nil>; BurntSushi [1 2] <nil>
"a = [\n1, 2 # two\n]\n": [1 2] <nil>; BurntSushi [1 2] <nil>
"a = [\n# list\n1, 2]\n": <nil> line 2: invalid TOML syntax; BurntSushi [1 2] <nil>
"a = [ # list\n1, 2]\n": <nil> line 1: invalid TOML syntax; BurntSushi [1 2] <nil>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
