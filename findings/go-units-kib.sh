#!/usr/bin/env bash
# golang-github-docker-go-units-dev 0.4.0-4 (Debian): FromHumanSize reads 1KiB as 1000, and RAMInBytes 1kB as 1024.
#
# Expected: IEC 80000-13: KiB is 1024 bytes, and kB 1000. The package writes sizes so.
# Seen: each reader accepts both spellings and gives them one meaning, so what BytesSize writes is less in
# FromHumanSize, without an error.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-docker-go-units-dev=0.4.0-4 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/docker/go-units"
)

func main() {
	for _, size := range []float64{1024, 1000, 5 << 30} {
		for _, text := range []string{units.BytesSize(size), units.HumanSize(size)} {
			human, _ := units.FromHumanSize(text)
			ram, _ := units.RAMInBytes(text)
			fmt.Printf("%.0f is written as %s: FromHumanSize %d, RAMInBytes %d\n", size, text, human, ram)
		}
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
1024 is written as 1KiB: FromHumanSize 1000, RAMInBytes 1024
1024 is written as 1.024kB: FromHumanSize 1024, RAMInBytes 1048
1000 is written as 1000B: FromHumanSize 1000, RAMInBytes 1000
1000 is written as 1kB: FromHumanSize 1000, RAMInBytes 1024
5368709120 is written as 5GiB: FromHumanSize 5000000000, RAMInBytes 5368709120
5368709120 is written as 5.369GB: FromHumanSize 5369000000, RAMInBytes 5764919853
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
