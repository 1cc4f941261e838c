#!/usr/bin/env bash
# python3-protobuf and protoc 3.21.12-3+deb12u1: the escape \? in the text format is one character in C++ and two in
# Python.
#
# Expected: the text format specification lists \? among the escapes; its value is a question mark.
# Seen: from the same line protoc makes one byte, and python3-protobuf makes a backslash and a question mark.
set -euo pipefail

version=$(dpkg-query -W -f '${Version}' python3-protobuf 2>/dev/null || true)
if [ "$version" != "3.21.12-3+deb12u1" ]; then
  echo "This needs python3-protobuf 3.21.12-3+deb12u1, and finds ${version:-none}." >&2
  exit 2
fi
version=$(dpkg-query -W -f '${Version}' protobuf-compiler 2>/dev/null || true)
if [ "$version" != "3.21.12-3+deb12u1" ]; then
  echo "This needs protobuf-compiler 3.21.12-3+deb12u1, and finds ${version:-none}." >&2
  exit 2
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

seen=$(/usr/bin/python3 - <<'PYTHON'
import subprocess
from google.protobuf import text_format, wrappers_pb2

line = 'value: "\\?"'
print('line', line)
print('Python', text_format.Parse(line, wrappers_pb2.BytesValue()).SerializeToString().hex())
command = ['protoc', '-I/usr/include', '--encode=google.protobuf.BytesValue', 'google/protobuf/wrappers.proto']
print('C++   ', subprocess.run(command, input=line.encode(), capture_output=True, check=True).stdout.hex())
PYTHON
)
expected=$(cat <<'TEXT'
line value: "\?"
Python 0a025c3f
C++    0a013f
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
