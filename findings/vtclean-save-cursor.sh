#!/usr/bin/env bash
# golang-github-lunixbochs-vtclean-dev 1.0.0-1 (Debian): ESC 7 and ESC 8 leave their digits in the text, and a
# cursor's shape and a link leave more.
#
# Expected: ECMA-35 and ECMA-48: an escape sequence ends with its final byte, a control sequence may have a blank
# before its final byte, and OSC lasts to its terminator, which for xterm may be BEL. The package strips terminal
# escapes (its description).
# Seen: only the escape character goes in the first; CSI 2 blank q and a link that ends with BEL leave text, too. ESC
# M and a link that ends with ST are stripped.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-lunixbochs-vtclean-dev=1.0.0-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/lunixbochs/vtclean"
)

func main() {
	for _, text := range []string{
		"a\x1bMb", "a\x1b7b\x1b8c", "a\x1b=b\x1b>c", "a\x1b[2 qb",
		"\x1b]8;;http://h.example\x1b\\h\x1b]8;;\x1b\\", "\x1b]8;;http://h.example\x07h\x1b]8;;\x07",
	} {
		fmt.Printf("%q => %q\n", text, vtclean.Clean(text, false))
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"a\x1bMb" => "ab"
"a\x1b7b\x1b8c" => "a7b8c"
"a\x1b=b\x1b>c" => "a=b>c"
"a\x1b[2 qb" => "a2 qb"
"\x1b]8;;http://h.example\x1b\\h\x1b]8;;\x1b\\" => "h"
"\x1b]8;;http://h.example\ah\x1b]8;;\a" => "ttp://h.exampleh8;;"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
