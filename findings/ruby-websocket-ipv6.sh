#!/usr/bin/env bash
# ruby-websocket 1.2.9-3 (Debian): the Host header of an IPv6 address is read as the host "[" and the port 0.
#
# Expected: RFC 3986, section 3.2.2: an IPv6 address stands in brackets, and the port follows them. The client of the
# package reads such an address.
# Seen: the server splits the header at its first colon.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 \
  ruby-websocket=1.2.9-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
gems=$(printf '%s:' "$dir"/usr/share/rubygems-integration/all/gems/*/lib)
export LD_LIBRARY_PATH="$libraries"
export RUBYLIB="$gems$dir/usr/lib/ruby/vendor_ruby:$dir/usr/lib/ruby/3.1.0:$libraries/ruby/3.1.0"

seen=$(usr/bin/ruby3.1 -W0 --disable=gems - <<'RUBY'
require 'websocket'

['h.example:7654', '[2001:db8::1]:7654', '[2001:db8::1]'].each do |host|
  server = WebSocket::Handshake::Server.new
  server << "GET / HTTP/1.1\r\nHost: #{host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
  client = WebSocket::Handshake::Client.new(url: "ws://#{host}/")
  puts "#{host}: server #{server.valid?} #{server.host} #{server.port}, client #{client.host} #{client.port}"
end
RUBY
)
expected=$(cat <<'TEXT'
h.example:7654: server true h.example 7654, client h.example 7654
[2001:db8::1]:7654: server true [2001 0, client [2001:db8::1] 7654
[2001:db8::1]: server true [2001 0, client [2001:db8::1] 80
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
