#!/usr/bin/env bash
# libboost1.81-dev 1.81.0-5+deb12u1 (Debian): of a Connection header in two lines Boost.Beast sees the first one, so it
# takes a WebSocket handshake for another request, or the wish to close for the wish to stay.
#
# Expected: RFC 9110, section 5.3: several lines of a list header mean the same as one line with commas. websocket::
# is_upgrade tells whether the request is a WebSocket Upgrade. Tcl's client sends "Connection: close" of its own first.
# Seen: the answer depends on the order of the lines.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libboost1.81-dev=1.81.0-5+deb12u1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done
cat >main.cpp <<'CPP'
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <iostream>
#include <string>

namespace http = boost::beast::http;

int main() {
  for (const std::string connection :
       {"close, Upgrade", "close\r\nConnection: Upgrade", "Upgrade\r\nConnection: close"}) {
    http::request_parser<http::empty_body> parser;
    boost::beast::error_code error;
    const std::string request = "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: " + connection +
                                "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    parser.put(boost::asio::buffer(request), error);
    std::string lines = connection;
    if (const auto end = lines.find("\r\n"); end != lines.npos) lines.replace(end, 2, " / ");
    std::cout << "Connection: " << lines << ": upgrade " << boost::beast::websocket::is_upgrade(parser.get())
              << ", keep alive " << parser.get().keep_alive() << '\n';
  }
}
CPP
g++ -std=c++17 -isystem usr/include -o main main.cpp

seen=$(./main)
expected=$(cat <<'TEXT'
Connection: close, Upgrade: upgrade 1, keep alive 0
Connection: close / Connection: Upgrade: upgrade 0, keep alive 0
Connection: Upgrade / Connection: close: upgrade 1, keep alive 1
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
