#!/usr/bin/env bash
# golang-github-acarl005-stripansi-dev 0.0~git20180116.5a71ef0-3 (Debian): of a link only a few letters are stripped,
# and a colour with colons stays in part.
#
# Expected: ECMA-48: an operating system command lasts to ST (for xterm, or BEL), and a parameter may have parts that
# are separated by colons.
# Seen: the address of the link appears in the text without its first letter; of CSI 38:5:196 m the end appears.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-acarl005-stripansi-dev=0.0~git20180116.5a71ef0-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/acarl005/stripansi"
)

func main() {
	for _, text := range []string{
		"\x1b[38;5;196mred\x1b[m", "\x1b[38:5:196mred\x1b[m", "\x1b]0;title\x07text", "\x1b]0;title\x1b\\text",
		"\x1b]8;;http://h.example\x07link\x1b]8;;\x07",
	} {
		fmt.Printf("%q => %q\n", text, stripansi.Strip(text))
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"\x1b[38;5;196mred\x1b[m" => "red"
"\x1b[38:5:196mred\x1b[m" => ":5:196mred"
"\x1b]0;title\atext" => "text"
"\x1b]0;title\x1b\\text" => "itle\x1b\\text"
"\x1b]8;;http://h.example\alink\x1b]8;;\a" => "ttp://h.example\alink"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
