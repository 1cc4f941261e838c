#!/usr/bin/env bash
# python3-protobuf 3.21.12-3+deb12u1: its JSON parser refuses the largest float that its JSON printer writes.
#
# Expected: the JSON of a message can be parsed again (JSON mapping of Protocol Buffers). The value is finite, and
# 3.4028235e+38 is its usual short form.
# Seen: ParseError. The next smaller float makes the round trip.
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' python3-protobuf 2>/dev/null || true)
if [ "$version" != "3.21.12-3+deb12u1" ]; then
  echo "This needs python3-protobuf 3.21.12-3+deb12u1, and finds ${version:-none}." >&2
  exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

seen=$(/usr/bin/python3 - <<'PYTHON'
import struct
from google.protobuf import json_format, wrappers_pb2

for bits in (0x7F7FFFFE, 0x7F7FFFFF):
    value = struct.unpack('<f', struct.pack('<I', bits))[0]
    text = json_format.MessageToJson(wrappers_pb2.FloatValue(value=value))
    try:
        print(text, 'same value', json_format.Parse(text, wrappers_pb2.FloatValue()).value == value)
    except json_format.ParseError as error:
        print(text, 'ParseError:', error)
PYTHON
)
expected=$(cat <<'TEXT'
3.4028233e+38 same value True
3.4028235e+38 ParseError: Float value too large at FloatValue.value
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
