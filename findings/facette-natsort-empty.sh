#!/usr/bin/env bash
# golang-github-facette-natsort-dev 0.0~git20181210.2cd4dd1-4 (Debian): an empty text keeps the list from being
# sorted.
#
# Expected: the empty text is the prefix of all others and comes first, as in maruel/natural 1.1.0. A comparison is
# an order.
# Seen: the empty text comes neither before nor behind any other, so it stays where it is, and others stay with it.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-facette-natsort-dev=0.0~git20181210.2cd4dd1-4 golang-github-maruel-natural-dev=1.1.0-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"
	"sort"

	"github.com/facette/natsort"
	"github.com/maruel/natural"
)

func main() {
	fmt.Println(natsort.Compare("", "room 2"), natsort.Compare("room 2", ""))
	names := []string{"room 10", "room 9", "", "room 2", "room 1"}
	reference := append([]string{}, names...)
	natsort.Sort(names)
	sort.Sort(natural.StringSlice(reference))
	fmt.Printf("facette: %q\nmaruel: %q\n", names, reference)
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
false false
facette: ["room 9" "room 10" "" "room 1" "room 2"]
maruel: ["" "room 1" "room 2" "room 9" "room 10"]
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
