#!/usr/bin/env bash
# golang-github-donovanhide-eventsource-dev 0.0~git20210830.c590279-2 (Debian): an event without data is delivered.
#
# Expected: HTML, server-sent events: if the data buffer is empty, the event is not dispatched. Servers send a lone
# id to move the point at which a client resumes.
# Seen: an event with the empty text, as for a data line that is empty.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-donovanhide-eventsource-dev=0.0~git20210830.c590279-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"
	"strings"

	"github.com/donovanhide/eventsource"
)

func main() {
	for _, stream := range []string{"id: 5\n\n", "event: move\n\n", "retry: 1000\n\n", ": comment\n\n", "data:\n\n"} {
		event, err := eventsource.NewDecoder(strings.NewReader(stream)).Decode()
		if err != nil {
			fmt.Printf("%q: %v\n", stream, err)
		} else {
			fmt.Printf("%q: id %q, event %q, data %q\n", stream, event.Id(), event.Event(), event.Data())
		}
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"id: 5\n\n": id "5", event "", data ""
"event: move\n\n": id "", event "move", data ""
"retry: 1000\n\n": id "", event "", data ""
": comment\n\n": EOF
"data:\n\n": id "", event "", data ""
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
