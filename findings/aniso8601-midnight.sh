#!/usr/bin/env bash
# python3-aniso8601 9.0.1-2 (Debian): 24:00, the end of a day, is read as its beginning.
#
# Expected: ISO 8601:2004, section 4.2.3: 24:00 is the end of a calendar day, the same moment as 00:00 of the next.
# So an interval from 09:30 to 24:00 lasts 14.5 hours.
# Seen: it ends nine hours and a half before it begins.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-aniso8601=9.0.1-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
import aniso8601

for text in ('2026-11-28T09:30/2026-11-28T23:59', '2026-11-28T09:30/2026-11-28T24:00'):
    start, end = aniso8601.parse_interval(text)
    print(text, '=>', end, (end - start).total_seconds() / 3600, 'hours')
PYTHON
)
expected=$(cat <<'TEXT'
2026-11-28T09:30/2026-11-28T23:59 => 2026-11-28 23:59:00 14.483333333333333 hours
2026-11-28T09:30/2026-11-28T24:00 => 2026-11-28 00:00:00 -9.5 hours
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
