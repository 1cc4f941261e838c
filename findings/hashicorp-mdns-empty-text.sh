#!/usr/bin/env bash
# golang-github-hashicorp-mdns-dev 1.0.3-2 (Debian): a service without texts sends a TXT record of no bytes.
#
# Expected: RFC 6763, section 6.1, and RFC 1035, section 3.3.14: a TXT record has one or more strings. A service
# without texts has one empty string, so the record is the byte 0.
# Seen: the record has no data.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-hashicorp-mdns-dev=1.0.3-2 golang-github-miekg-dns-dev=1.1.50-2 \
  golang-golang-x-net-dev=1:0.7.0+dfsg-1 golang-golang-x-sys-dev=0.3.0-1 golang-golang-x-text-dev=0.7.0-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"
	"net"

	"github.com/hashicorp/mdns"
	"github.com/miekg/dns"
)

func main() {
	for _, texts := range [][]string{{"v=1"}, {""}, {}} {
		addresses := []net.IP{{192, 0, 2, 1}}
		service, err := mdns.NewMDNSService("den", "_tictactoe._tcp", "", "host.local.", 7654, addresses, texts)
		if err != nil {
			panic(err)
		}
		question := dns.Question{Name: "den._tictactoe._tcp.local.", Qtype: dns.TypeTXT, Qclass: dns.ClassINET}
		wire, _ := (&dns.Msg{Answer: service.Records(question)}).Pack()
		var received dns.Msg
		received.Unpack(wire)
		fmt.Printf("%q: %d bytes of data\n", texts, received.Answer[0].Header().Rdlength)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
["v=1"]: 4 bytes of data
[""]: 1 bytes of data
[]: 0 bytes of data
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
