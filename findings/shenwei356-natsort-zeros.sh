#!/usr/bin/env bash
# golang-github-shenwei356-natsort-dev 0.0~git20190418.600d539-3 and golang-github-facette-natsort-dev
# 0.0~git20181210.2cd4dd1-4 (Debian): of two texts that differ only in leading zeros, each comes before the other.
#
# Expected: both document that Compare returns true if the first text precedes the second. Go's sort.Interface
# requires an order in which at most one precedes the other.
# Seen: both answers are true, so the result depends on the order before.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-shenwei356-natsort-dev=0.0~git20190418.600d539-3 \
  golang-github-facette-natsort-dev=0.0~git20181210.2cd4dd1-4 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	facette "github.com/facette/natsort"
	shenwei "github.com/shenwei356/natsort"
)

func main() {
	fmt.Println("shenwei356:", shenwei.Compare("x2", "x02", false), shenwei.Compare("x02", "x2", false))
	fmt.Println("facette:", facette.Compare("x2", "x02"), facette.Compare("x02", "x2"))
	for _, names := range [][]string{{"x2", "x02", "x1"}, {"x02", "x2", "x1"}} {
		sorted := append([]string{}, names...)
		shenwei.Sort(sorted)
		fmt.Println(names, "=>", sorted)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
shenwei356: true true
facette: true true
[x2 x02 x1] => [x1 x02 x2]
[x02 x2 x1] => [x1 x2 x02]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
