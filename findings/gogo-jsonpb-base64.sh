#!/usr/bin/env bash
# golang-github-gogo-protobuf-dev 1.3.2-3 (Debian): JSON bytes in the URL-safe alphabet or without padding are
# refused, as are the integers 1e2 and 1.0.
#
# Expected: the JSON mapping of Protocol Buffers: either standard or URL-safe base64, with or without padding, is
# accepted; for integers, the exponent notation is, too, and a fraction of zero.
# Seen: only the form that the package writes is read.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-gogo-protobuf-dev=1.3.2-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"
	"strings"

	"github.com/gogo/protobuf/jsonpb"
	"github.com/gogo/protobuf/types"
)

func main() {
	for _, text := range []string{`"+/8="`, `"+/8"`, `"-_8="`} {
		var read types.BytesValue
		err := jsonpb.Unmarshal(strings.NewReader(text), &read)
		fmt.Println(text, read.Value, err)
	}
	for _, text := range []string{`100`, `"100"`, `1e2`, `100.0`} {
		var read types.Int32Value
		err := jsonpb.Unmarshal(strings.NewReader(text), &read)
		fmt.Println(text, read.Value, err)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"+/8=" [251 255] <nil>
"+/8" [] illegal base64 data at input byte 0
"-_8=" [] illegal base64 data at input byte 0
100 100 <nil>
"100" 100 <nil>
1e2 0 json: cannot unmarshal number 1e2 into Go value of type int32
100.0 0 json: cannot unmarshal number 100.0 into Go value of type int32
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
