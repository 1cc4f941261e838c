#!/usr/bin/env bash
# python3-humanfriendly 10.0-3 (Debian): a year has 364 days, and 1M is a minute.
#
# Expected: a year of 365 or 365.25 days, as in other libraries of durations; a capital M is a month in ISO 8601.
# Seen: 365 days are "1 year and 1 day", and a century is 125 days too short. Units are compared without regard to
# case.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq python3-humanfriendly=10.0-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 - <<'PYTHON'
from humanfriendly import format_timespan, parse_timespan

day = 24 * 60 * 60
print('365 days:', format_timespan(365 * day))
print('100 years:', parse_timespan('100 years') / day, 'days')
print('1m:', parse_timespan('1m'), 's, 1M:', parse_timespan('1M'), 's')
PYTHON
)
expected=$(cat <<'TEXT'
365 days: 1 year and 1 day
100 years: 36400.0 days
1m: 60.0 s, 1M: 60.0 s
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
