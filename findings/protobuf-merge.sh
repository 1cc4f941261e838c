#!/usr/bin/env bash
# @apollo/protobufjs 1.2.8 and libgoogle-protocolbuffers-perl 0.12-2 (Debian): a message field that arrives twice is
# replaced instead of merged.
#
# Expected: the encoding guide of Protocol Buffers: several instances of an embedded message field are merged, as if
# their bytes were one message. protobufjs 8.8.1 does that.
# Seen: the field of the first instance is lost.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  @apollo/protobufjs@1.2.8 protobufjs@8.8.1
cd "$dir"
apt-get download -qq \
  libgoogle-protocolbuffers-perl=0.12-2 libclass-accessor-perl=0.51-2 libparse-recdescent-perl=1.967015+dfsg-4 \
  2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PERL5LIB="$dir/usr/share/perl5" node - <<'JS'
const { execFileSync } = require('child_process');
const source = 'message M { optional Clock clock = 1; }' +
  ' message Clock { optional int32 main = 1; optional int32 add = 2; }';
const bytes = '0a02083c' + '0a021005';
for (const name of ['@apollo/protobufjs', 'protobufjs']) {
  const type = require(name).parse(`syntax = "proto2"; ${source}`).root.lookupType('M');
  console.log(name, JSON.stringify(type.toObject(type.decode(Buffer.from(bytes, 'hex')))));
}
console.log('Google::ProtocolBuffers', execFileSync('perl', ['-e', `
  use Google::ProtocolBuffers;
  Google::ProtocolBuffers->parse('${source}', { create_accessors => 0 });
  my $clock = M->decode(pack 'H*', '${bytes}')->{clock};
  print join ', ', map { "$_ $clock->{$_}" } sort keys %$clock;
`]).toString());
JS
)
expected=$(cat <<'TEXT'
@apollo/protobufjs {"clock":{"add":5}}
protobufjs {"clock":{"main":60,"add":5}}
Google::ProtocolBuffers add 5
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
