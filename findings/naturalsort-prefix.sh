#!/usr/bin/env bash
# golang-github-skarademir-naturalsort-dev 0.0~git20150715.0.69a5d87-1.1 (Debian): a text that ends with a number
# comes before and behind a longer text that starts with it.
#
# Expected: a prefix comes first, as in maruel/natural 1.1.0. Go's sort.Interface requires an order in which at most
# one of two precedes the other.
# Seen: both answers are true, and the result depends on the order before.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-skarademir-naturalsort-dev=0.0~git20150715.0.69a5d87-1.1 \
  golang-github-maruel-natural-dev=1.1.0-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"
	"sort"

	"github.com/maruel/natural"
	"github.com/skarademir/naturalsort"
)

func main() {
	pair := naturalsort.NaturalSort{"x10", "x10y2"}
	fmt.Println("skarademir:", pair.Less(0, 1), pair.Less(1, 0))
	fmt.Println("maruel:", natural.Less(pair[0], pair[1]), natural.Less(pair[1], pair[0]))
	for _, names := range [][]string{{"x10", "x10y2"}, {"x10y2", "x10"}} {
		sorted := append([]string{}, names...)
		sort.Stable(naturalsort.NaturalSort(sorted))
		fmt.Println(names, "=>", sorted)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
skarademir: true true
maruel: true false
[x10 x10y2] => [x10y2 x10]
[x10y2 x10] => [x10 x10y2]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
