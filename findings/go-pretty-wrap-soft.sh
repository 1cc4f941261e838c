#!/usr/bin/env bash
# golang-github-jedib0t-go-pretty-dev 6.4.4-2 (Debian): where WrapSoft breaks a line, it drops the indentation and
# repeated blanks, adds blanks at the ends, and breaks at a no-break space.
#
# Expected: the documentation: a string is wrapped with newlines, and words beyond the boundary go to the next line.
# Its WrapText keeps the blanks, and a line that fits keeps them too.
# Seen: the text is split into words by any white space and joined again, and a row that is broken is filled up to
# the width.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-jedib0t-go-pretty-dev=6.4.4-2 golang-github-mattn-go-runewidth-dev=0.0.14-1 \
  golang-github-rivo-uniseg-dev=0.4.2-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/text"
)

func main() {
	for _, line := range []string{"one two", "one two three", "  one two three", "one   two three", "one two\u00a0three"} {
		fmt.Printf("%+q => %+q\n", line, text.WrapSoft(line, 10))
	}
}
GO

ln -s . usr/share/gocode/src/github.com/jedib0t/go-pretty/v6
export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"one two" => "one two"
"one two three" => "one two   \nthree"
"  one two three" => "one two   \nthree"
"one   two three" => "one two   \nthree"
"one two\u00a0three" => "one two   \nthree"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
