#!/usr/bin/env bash
# golang-github-muesli-ansi-dev 0.0~git20211031.c9f0611-2 (Debian): a sequence whose final byte is no letter takes
# the following text with it.
#
# Expected: ECMA-48, section 5.4: the final byte of a control sequence is any of @ to ~; ECMA-35: that of an escape
# sequence is any of 0 to ~.
# Seen: the sequence lasts to the next letter, so "2048 x" behind it has the width 0.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-muesli-ansi-dev=0.0~git20211031.c9f0611-2 golang-github-mattn-go-runewidth-dev=0.0.14-1 \
  golang-github-rivo-uniseg-dev=0.4.2-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/muesli/ansi"
)

func main() {
	for _, sequence := range []string{"\x1b[1m", "\x1b[200~", "\x1b[2@", "\x1b[2`", "\x1b7", "\x1b8", "\x1b="} {
		fmt.Printf("%-12q before \"2048 x\": width %d\n", sequence, ansi.PrintableRuneWidth(sequence+"2048 x"))
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"\x1b[1m"    before "2048 x": width 6
"\x1b[200~"  before "2048 x": width 0
"\x1b[2@"    before "2048 x": width 6
"\x1b[2`"    before "2048 x": width 0
"\x1b7"      before "2048 x": width 0
"\x1b8"      before "2048 x": width 0
"\x1b="      before "2048 x": width 0
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
