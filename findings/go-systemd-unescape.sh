#!/usr/bin/env bash
# golang-github-coreos-go-systemd-dev 22.3.2-1 (Debian): the name of a unit with a letter outside ASCII is escaped,
# and not unescaped.
#
# Expected: systemd-escape(1): --unescape undoes the escaping. UnitNameUnescape is documented to do as that.
# Seen: UnitNameUnescape leaves the escapes of all bytes above 7f.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-coreos-go-systemd-dev=22.3.2-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/coreos/go-systemd/unit"
)

func main() {
	for _, name := range []string{"the den", "den/7", "a\x7fb", "caf\u00e9"} {
		escaped := unit.UnitNameEscape(name)
		fmt.Printf("%q, escaped %s, unescaped %q\n", name, escaped, unit.UnitNameUnescape(escaped))
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"the den", escaped the\x20den, unescaped "the den"
"den/7", escaped den-7, unescaped "den/7"
"a\x7fb", escaped a\x7fb, unescaped "a\x7fb"
"café", escaped caf\xc3\xa9, unescaped "caf\\xc3\\xa9"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
