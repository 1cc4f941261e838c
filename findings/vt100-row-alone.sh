#!/usr/bin/env bash
# golang-github-jaguilar-vt100-dev 0.0~git20201024.81de19c-2 (Debian): CSI 3 H goes to the first row instead of the
# third, and a parameter of 0 moves nothing.
#
# Expected: VT100 user guide, CUP and CUF: a parameter that is missing or 0 is 1. So CSI 3 H is row 3, column 1, and
# CSI 0 C moves one column.
# Seen: the row is dropped if it stands alone; CSI 0 C moves 0 columns. There is no error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-jaguilar-vt100-dev=0.0~git20201024.81de19c-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"
	"strings"

	"github.com/jaguilar/vt100"
)

func main() {
	for _, text := range []string{"\x1b[3;1Hx", "\x1b[3Hx", "\x1b[Hx", "a\x1b[1Cx", "a\x1b[Cx", "a\x1b[0Cx"} {
		screen, reader, err := vt100.NewVT100(4, 8), strings.NewReader(text), error(nil)
		for reader.Len() > 0 && err == nil {
			var command vt100.Command
			if command, err = vt100.Decode(reader); err == nil {
				err = screen.Process(command)
			}
		}
		var rows []string
		for _, row := range screen.Content {
			rows = append(rows, strings.TrimRight(string(row), " "))
		}
		fmt.Printf("%-14q %q %v\n", text, rows, err)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"\x1b[3;1Hx"   ["" "" "x" ""] <nil>
"\x1b[3Hx"     ["x" "" "" ""] <nil>
"\x1b[Hx"      ["x" "" "" ""] <nil>
"a\x1b[1Cx"    ["a x" "" "" ""] <nil>
"a\x1b[Cx"     ["a x" "" "" ""] <nil>
"a\x1b[0Cx"    ["ax" "" "" ""] <nil>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
