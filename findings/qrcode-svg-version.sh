#!/usr/bin/env bash
# qrcode-svg 1.1.0 (npm): a text needs a larger QR code than the standard says, because its length counts three bytes
# too many.
#
# Expected: ISO/IEC 18004: version 1 at level L holds 17 bytes, and version 40 holds 2,953. qrcode-generator 2.0.4
# makes those.
# Seen: 17 bytes need version 2, and 2,953 bytes are too long.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
npm install --prefix "$dir" --silent --no-audit --no-fund --ignore-scripts \
  qrcode-svg@1.1.0 qrcode-generator@2.0.4
cd "$dir"

seen=$(node - <<'JS'
const Svg = require('qrcode-svg');
const generator = require('qrcode-generator');
for (const length of [14, 15, 17, 2953]) {
  const content = 'a'.repeat(length);
  const code = generator(0, 'L');
  code.addData(content);
  code.make();
  let version;
  try {
    version = (new Svg({ content, ecl: 'L' }).qrcode.getModuleCount() - 17) / 4;
  } catch (error) {
    version = error.message;
  }
  console.log(`${length} bytes: qrcode-svg ${version}, qrcode-generator ${(code.getModuleCount() - 17) / 4}`);
}
JS
)
expected=$(cat <<'TEXT'
14 bytes: qrcode-svg 1, qrcode-generator 1
15 bytes: qrcode-svg 2, qrcode-generator 1
17 bytes: qrcode-svg 2, qrcode-generator 1
2953 bytes: qrcode-svg Content too long: expected 2953 but got 2956, qrcode-generator 40
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
