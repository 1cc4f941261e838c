#!/usr/bin/env bash
# ruby-chronic-duration 0.10.6.2-2 (Debian): "half an hour" is a whole hour, and twelve months are five days less
# than a year.
#
# Expected: the README: a natural language parser for elapsed time; nil is returned if the text can not be parsed.
# Seen: a word that is not known is skipped, so the rest counts. A month has 30 days, and a year 365.25.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 \
  ruby-chronic-duration=0.10.6.2-2 ruby-numerizer=0.2.0-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
gems=$(printf '%s:' "$dir"/usr/share/rubygems-integration/all/gems/*/lib)
export LD_LIBRARY_PATH="$libraries"
export RUBYLIB="$gems$dir/usr/lib/ruby/vendor_ruby:$dir/usr/lib/ruby/3.1.0:$libraries/ruby/3.1.0"

seen=$(usr/bin/ruby3.1 -W0 --disable=gems - <<'RUBY'
require 'gitlab_chronic_duration'

['an hour', 'half an hour', 'one and a half hours', '1.5 hours', 'half'].each do |text|
  puts "#{text}: #{ChronicDuration.parse(text).inspect}"
end
surplus = ChronicDuration.parse('1 year') - ChronicDuration.parse('12 months')
puts "a year less twelve months: #{surplus / 86_400.0} days"
RUBY
)
expected=$(cat <<'TEXT'
an hour: 3600
half an hour: 3600
one and a half hours: 5400.0
1.5 hours: 5400.0
half: nil
a year less twelve months: 5.25 days
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
