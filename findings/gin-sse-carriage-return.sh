#!/usr/bin/env bash
# golang-github-gin-contrib-sse-dev 0.1.0-2 (Debian): a carriage return in a text is written as a backslash and the
# letter r.
#
# Expected: HTML, server-sent events: CR, LF and CRLF end a line, and there are no escapes. A text with line breaks
# is sent as several data lines. The reader joins them with line feeds.
# Seen: the letters \r appear at the ends of lines, in a browser and in the package's own reader. A line feed is
# right.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-gin-contrib-sse-dev=0.1.0-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"bytes"
	"fmt"

	"github.com/gin-contrib/sse"
)

func main() {
	for _, text := range []string{"one\ntwo", "one\r\ntwo", "one\rtwo"} {
		var stream bytes.Buffer
		sse.Encode(&stream, sse.Event{Data: text})
		written := stream.String()
		events, err := sse.Decode(&stream)
		fmt.Printf("%q is written as %q, read as %q %v\n", text, written, events[0].Data, err)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"one\ntwo" is written as "data:one\ndata:two\n\n", read as "one\ntwo" <nil>
"one\r\ntwo" is written as "data:one\\r\ndata:two\n\n", read as "one\\r\ntwo" <nil>
"one\rtwo" is written as "data:one\\rtwo\n\n", read as "one\\rtwo" <nil>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
