#!/usr/bin/env bash
# golang-github-coreos-go-systemd-dev 22.3.2-1 (Debian): a comment inside a continued line ends the line and becomes
# part of its value.
#
# Expected: systemd.syntax(7): when comment lines follow a line that ends with a backslash, the comment is ignored,
# and the line goes on behind it.
# Seen: the value has the comment, and the rest of it is an error or another option.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 \
  golang-github-coreos-go-systemd-dev=22.3.2-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

cat >main.go <<'GO'
package main

import (
	"fmt"
	"strings"

	"github.com/coreos/go-systemd/unit"
)

func main() {
	for _, text := range []string{
		"[Service]\nExecStart=/bin/den \\\n  --port 7654\n",
		"[Service]\nExecStart=/bin/den \\\n# the port\n  --port 7654\n",
		"[Service]\nExecStart=/bin/den \\\n# the port\n  --port=7654\n",
	} {
		options, err := unit.Deserialize(strings.NewReader(text))
		for _, option := range options {
			fmt.Printf("%q is %q; ", option.Name, option.Value)
		}
		fmt.Println(err)
	}
}
GO

export GOROOT="$dir/usr/lib/go-1.19" GOPATH="$dir/usr/share/gocode" GOCACHE="$dir/cache" GO111MODULE=off
seen=$(usr/lib/go-1.19/bin/go run main.go)
expected=$(cat <<'TEXT'
"ExecStart" is "/bin/den \\\n  --port 7654"; <nil>
"ExecStart" is "/bin/den \\\n# the port"; unexpected newline encountered while parsing option name
"ExecStart" is "/bin/den \\\n# the port"; "--port" is "7654"; <nil>
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
