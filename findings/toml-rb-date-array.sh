#!/usr/bin/env bash
# ruby-toml-rb 2.2.0-1 (Debian): an array of dates is a syntax error, as is one that mixes types.
#
# Expected: the README: "TOML specs supported: 1.0.0". There, an array holds values of any types. tomlrb 1.3.0 reads
# all.
# Seen: a syntax error. An array of texts or numbers alone is read.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 \
  ruby-toml-rb=2.2.0-1 ruby-citrus=3.0.2-2 ruby-tomlrb=1.3.0-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
gems=$(printf '%s:' "$dir"/usr/share/rubygems-integration/all/gems/*/lib)
export LD_LIBRARY_PATH="$libraries"
export RUBYLIB="$gems$dir/usr/lib/ruby/vendor_ruby:$dir/usr/lib/ruby/3.1.0:$libraries/ruby/3.1.0"

seen=$(usr/bin/ruby3.1 -W0 --disable=gems - <<'RUBY'
require 'toml-rb'
require 'tomlrb'

['a = [1, 2]', 'a = [2026-11-28T09:30:00Z]', 'a = [2026-11-28]', 'a = [1, "two"]'].each do |text|
  read = begin
    TomlRB.parse(text)['a'].length
  rescue TomlRB::ParseError => error
    error.class
  end
  puts "#{text}: #{read}, tomlrb #{Tomlrb.parse(text)['a'].length}"
end
RUBY
)
expected=$(cat <<'TEXT'
a = [1, 2]: 2, tomlrb 2
a = [2026-11-28T09:30:00Z]: TomlRB::ParseError, tomlrb 1
a = [2026-11-28]: TomlRB::ParseError, tomlrb 1
a = [1, "two"]: TomlRB::ParseError, tomlrb 2
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
