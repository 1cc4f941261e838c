#!/usr/bin/env bash
# golang-github-influxdata-toml-dev 0.0~git20160905.0.ad49a5c-1.1 (Debian): an array of two dates is read as seven
# numbers, without an error.
#
# Expected: TOML 0.4, which the README claims: a date may stand without a time. BurntSushi/toml 1.2.0 reads two
# dates.
# Seen: A date's parts are taken for numbers of their own, and no comma is missed.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-influxdata-toml-dev=0.0~git20160905.0.ad49a5c-1.1 \
  golang-github-naoina-go-stringutil-dev=0.1.0-5 golang-github-burntsushi-toml-dev=1.2.0-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/BurntSushi/toml"
	influx "github.com/influxdata/toml"
)

func main() {
	text := "days = [2026-11-28, 2026-12-01]\n"
	read, reference := map[string]interface{}{}, map[string][]interface{}{}
	err := influx.Unmarshal([]byte(text), &read)
	fmt.Println("influxdata:", read["days"], err)
	toml.Decode(text, &reference)
	fmt.Println("BurntSushi:", len(reference["days"]), "dates")
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
influxdata: [2026 -11 -28 2026 -12 0 1] <nil>
BurntSushi: 2 dates
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
