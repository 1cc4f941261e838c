#!/usr/bin/env bash
# golang-github-hashicorp-mdns-dev 1.0.3-2 (Debian): a service whose name has a blank does not answer for its port
# and its text.
#
# Expected: RFC 6763, section 4.1.1: an instance name is for people and may have blanks. A client asks for the PTR
# record first, then for the SRV and TXT records of the name in it.
# Seen: the PTR record arrives; the question that follows from it has no answer. The name is compared in two forms,
# with and without the escape of miekg/dns.
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

// answers returns what the service has for a question that has gone over the wire.
func answers(service *mdns.MDNSService, name string, kind uint16) []dns.RR {
	var sent, received dns.Msg
	wire, _ := sent.SetQuestion(name, kind).Pack()
	received.Unpack(wire)
	return service.Records(received.Question[0])
}

func main() {
	for _, name := range []string{"den", "the den"} {
		addresses, texts := []net.IP{{192, 0, 2, 1}}, []string{"v=1"}
		service, err := mdns.NewMDNSService(name, "_tictactoe._tcp", "", "host.local.", 7654, addresses, texts)
		if err != nil {
			panic(err)
		}
		target := answers(service, "_tictactoe._tcp.local.", dns.TypePTR)[0].(*dns.PTR).Ptr
		ports, text := answers(service, target, dns.TypeSRV), answers(service, target, dns.TypeTXT)
		fmt.Printf("%s: SRV %d, TXT %d records\n", target, len(ports), len(text))
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
den._tictactoe._tcp.local.: SRV 2, TXT 1 records
the den._tictactoe._tcp.local.: SRV 0, TXT 0 records
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
