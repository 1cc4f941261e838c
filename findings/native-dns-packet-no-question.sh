#!/usr/bin/env bash
# native-dns-packet 0.1.1: an answer without a question can be neither read nor written.
#
# Expected: the header counts the questions, and 0 is a number (RFC 1035, section 4.1.1). A multicast answer must not
# have questions (RFC 6762, section 6).
# Seen: the parser takes the first answer for a question and runs over the end; the writer fails an assertion. With
# one question it works.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  native-dns-packet@0.1.1 dns-packet@5.6.1
cd "$dir"

seen=$(node - <<'JS'
const Packet = require('native-dns-packet');
const { encode } = require('dns-packet');
const answers = [{ type: 'A', name: 'den.local', ttl: 120, data: '192.0.2.1' }];
for (const questions of [[{ type: 'A', name: 'den.local' }], []]) {
  const bytes = encode({ type: 'response', id: 0, flags: 0x8400, questions, answers });
  try {
    console.log('questions', questions.length, 'address', Packet.parse(bytes).answer[0].address);
  } catch (error) {
    console.log('questions', questions.length, error.name);
  }
}
const packet = new Packet();
packet.answer.push({ name: 'den.local', type: 1, class: 1, ttl: 120, address: '192.0.2.1' });
try {
  console.log(Packet.write(Buffer.alloc(512), packet));
} catch (error) {
  console.log('write', error.message);
}
JS
)
expected=$(cat <<'TEXT'
questions 1 address 192.0.2.1
questions 0 RangeError
write DNS requires one question
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
