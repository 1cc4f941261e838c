#!/usr/bin/env bash
# golang-github-pires-go-proxyproto-dev 0.4.2-3 (Debian): a version 2 header with the family UNSPEC is refused.
#
# Expected: the PROXY protocol, section 2.2: for AF_UNSPEC the receiver should accept the connection and use its real
# addresses, as for UNKNOWN in version 1. The package does that for UNKNOWN and for the command LOCAL.
# Seen: "unsupported address family and protocol": a proxy whose client has no internet address cannot connect.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-pires-go-proxyproto-dev=0.4.2-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/pires/go-proxyproto"
)

func main() {
	const signature = "\r\n\r\n\x00\r\nQUIT\n"
	for _, header := range []string{
		"PROXY UNKNOWN\r\n", signature + "\x20\x00\x00\x00", signature + "\x21\x00\x00\x00",
	} {
		_, err := proxyproto.Read(bufio.NewReader(strings.NewReader(header)))
		fmt.Printf("%q: %v\n", header, err)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"PROXY UNKNOWN\r\n": <nil>
"\r\n\r\n\x00\r\nQUIT\n \x00\x00\x00": <nil>
"\r\n\r\n\x00\r\nQUIT\n!\x00\x00\x00": proxyproto: unsupported address family and protocol
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
