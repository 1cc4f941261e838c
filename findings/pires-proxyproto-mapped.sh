#!/usr/bin/env bash
# golang-github-pires-go-proxyproto-dev 0.4.2-3 (Debian): an IPv4-mapped IPv6 address is refused in version 1, and
# read in version 2.
#
# Expected: the PROXY protocol, section 2.1: TCP6 is followed by IPv6 addresses, of which ::ffff:c000:201 is one. A
# proxy whose socket takes both families sends those.
# Seen: "invalid address". Its own Format() writes such a header.
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
	"bytes"
	"fmt"
	"net"
	"strings"

	"github.com/pires/go-proxyproto"
)

func read(header string) {
	parsed, err := proxyproto.Read(bufio.NewReader(strings.NewReader(header)))
	if err == nil {
		fmt.Printf("%q: %v\n", header, parsed.SourceAddr)
	} else {
		fmt.Printf("%q: %v\n", header, err)
	}
}

func main() {
	read("PROXY TCP6 2001:db8::1 2001:db8::2 5 6\r\n")
	read("PROXY TCP6 ::ffff:c000:201 2001:db8::2 5 6\r\n")
	mapped := append(append(bytes.Repeat([]byte{0}, 10), 0xff, 0xff), net.IPv4(192, 0, 2, 1).To4()...)
	read("\r\n\r\n\x00\r\nQUIT\n\x21\x21\x00\x24" + string(mapped) + string(net.ParseIP("2001:db8::2")) + "\x00\x05\x00\x06")
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"PROXY TCP6 2001:db8::1 2001:db8::2 5 6\r\n": [2001:db8::1]:5
"PROXY TCP6 ::ffff:c000:201 2001:db8::2 5 6\r\n": proxyproto: invalid address
"\r\n\r\n\x00\r\nQUIT\n!!\x00$\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xc0\x00\x02\x01 \x01\r\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x05\x00\x06": 192.0.2.1:5
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
