#!/usr/bin/env bash
# python3-wsproto 1.2.0-1: a quoted extension parameter raises ValueError.
#
# Expected: RFC 6455, section 9.1: the value of a parameter may be a quoted string; it means the same as without
# quotes. ws 8.18.3 and faye-websocket 0.11.4 accept it.
# Seen: accept() raises while the handshake is answered.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-wsproto=1.2.0-1 python3-h11=0.14.0-1.1~deb12u1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
from wsproto.extensions import PerMessageDeflate

for offer in ('permessage-deflate; server_max_window_bits=10', 'permessage-deflate; server_max_window_bits="10"'):
    try:
        print(offer, '=>', PerMessageDeflate().accept(offer))
    except ValueError as error:
        print(offer, '=> ValueError:', error)
PYTHON
)
expected=$(cat <<'TEXT'
permessage-deflate; server_max_window_bits=10 => server_max_window_bits=10
permessage-deflate; server_max_window_bits="10" => ValueError: invalid literal for int() with base 10: '"10"'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
