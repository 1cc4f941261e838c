#!/usr/bin/env bash
# golang-github-dustin-go-humanize-dev 1.0.0-3 (Debian): SI writes 1e27 s and 1e30 s as "1 s".
#
# Expected: the documentation: SI gives the most appropriate prefix for the number, and the value adjusted to it.
# Seen: beyond the last prefix (and below the first one) there is neither a prefix nor a power.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-dustin-go-humanize-dev=1.0.0-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

func main() {
	for _, value := range []float64{1e18, 1e24, 1e26, 1e27, 1e30, 1e-24, 1e-27} {
		fmt.Println(value, "SI:", humanize.SI(value, "s"))
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
1e+18 SI: 1 Es
1e+24 SI: 1 Ys
1e+26 SI: 100 Ys
1e+27 SI: 1 s
1e+30 SI: 1 s
1e-24 SI: 1 ys
1e-27 SI: 1 s
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
