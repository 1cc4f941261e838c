#!/usr/bin/env bash
# golang-github-gogo-protobuf-dev 1.3.2-3 (Debian): in JSON a FieldMask is an object with a list, and the standard
# form is refused.
#
# Expected: the JSON mapping of Protocol Buffers: a FieldMask is one text, with commas between the paths and names in
# camel case. The package knows the forms of Duration and Timestamp.
# Seen: {"paths":["board.last_move"]} is written and read, "board.lastMove" is an error.
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
	"github.com/gogo/protobuf/proto"
	"github.com/gogo/protobuf/types"
)

func main() {
	for _, message := range []proto.Message{
		&types.Duration{Seconds: 1}, &types.Timestamp{}, &types.FieldMask{Paths: []string{"round", "board.last_move"}},
	} {
		text, err := new(jsonpb.Marshaler).MarshalToString(message)
		fmt.Println(text, err)
	}
	fmt.Println(jsonpb.Unmarshal(strings.NewReader(`"round,board.lastMove"`), &types.FieldMask{}))
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"1s" <nil>
"1970-01-01T00:00:00Z" <nil>
{"paths":["round","board.last_move"]} <nil>
json: cannot unmarshal string into Go value of type map[string]json.RawMessage
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
