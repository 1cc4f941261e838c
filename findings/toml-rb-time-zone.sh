#!/usr/bin/env bash
# ruby-toml-rb 2.2.0-1 (Debian): a time in another zone is written with its local digits and a Z, so it moves by
# hours.
#
# Expected: RFC 3339, which TOML refers to: Z means UTC. What dump writes, parse reads as the same time.
# Seen: the half past nine of India becomes the half past nine of UTC.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 \
  ruby-toml-rb=2.2.0-1 ruby-citrus=3.0.2-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
gems=$(printf '%s:' "$dir"/usr/share/rubygems-integration/all/gems/*/lib)
export LD_LIBRARY_PATH="$libraries"
export RUBYLIB="$gems$dir/usr/lib/ruby/vendor_ruby:$dir/usr/lib/ruby/3.1.0:$libraries/ruby/3.1.0"

seen=$(usr/bin/ruby3.1 -W0 --disable=gems - <<'RUBY'
require 'toml-rb'

[Time.utc(2026, 11, 28, 9, 30), Time.new(2026, 11, 28, 9, 30, 0, '+05:30')].each do |time|
  text = TomlRB.dump('start' => time)
  puts "#{time}: #{text.strip}, moved by #{(TomlRB.parse(text)['start'] - time) / 3600} hours"
end
RUBY
)
expected=$(cat <<'TEXT'
2026-11-28 09:30:00 UTC: start = 2026-11-28T09:30:00Z, moved by 0.0 hours
2026-11-28 09:30:00 +0530: start = 2026-11-28T09:30:00Z, moved by 5.5 hours
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
