#!/usr/bin/env bash
# golang-github-jaguilar-vt100-dev 0.0~git20201024.81de19c-2 (Debian): ESC D, a line down, moves the cursor left, and
# ESC H, a tab stop, moves it home.
#
# Expected: VT100 user guide: ESC D (index) moves the cursor down one line, and ESC H (horizontal tabulation set)
# does not move it. They are other functions than CSI D and CSI H.
# Seen: both do what the control sequence with the same final letter does, without an error.
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
	for _, text := range []string{"\x1b[2;3Hab\x1bDc", "\x1b[2;3Hab\x1b[Dc", "\x1b[2;3Hab\x1bHc", "\x1b[2;3Hab\x1b[Hc"} {
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
		fmt.Printf("%-22q %q %v\n", text, rows, err)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"\x1b[2;3Hab\x1bDc"    ["" "  ac" "" ""] <nil>
"\x1b[2;3Hab\x1b[Dc"   ["" "  ac" "" ""] <nil>
"\x1b[2;3Hab\x1bHc"    ["c" "  ab" "" ""] <nil>
"\x1b[2;3Hab\x1b[Hc"   ["c" "  ab" "" ""] <nil>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
