#!/usr/bin/env bash
# golang-github-alecthomas-units-dev 0.0~git20211218.b94a6e3-1 (Debian): a negative size is written with a minus
# before each unit, which its own reader refuses.
#
# Expected: the reader takes "-1KB", and what String writes of a positive size.
# Seen: -1024 is "-1KB-24B", with an error about the unit "KB-". A size of a single unit comes back.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-alecthomas-units-dev=0.0~git20211218.b94a6e3-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/alecthomas/units"
)

func main() {
	for _, size := range []int64{1024, -1000, -1024} {
		text := units.MetricBytes(size).String()
		again, err := units.ParseMetricBytes(text)
		fmt.Println(size, "=>", text, "=>", int64(again), err)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
1024 => 1KB24B => 1024 <nil>
-1000 => -1KB => -1000 <nil>
-1024 => -1KB-24B => 0 units: unknown unit KB- in -1KB-24B
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
