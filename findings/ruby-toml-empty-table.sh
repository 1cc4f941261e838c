#!/usr/bin/env bash
# ruby-toml 0.2.0-4 (Debian): an empty table is not written, and an empty array raises an error about types.
#
# Expected: TOML: empty tables are allowed, and an empty array has no types that could differ. The package reads
# both.
# Seen: the table is lost without an error; the array raises "All array values must be the same type".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 \
  ruby-toml=0.2.0-4 ruby-parslet=1.8.2-4 ruby-blankslate=3.1.3-1.1 ruby-tomlrb=1.3.0-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
gems=$(printf '%s:' "$dir"/usr/share/rubygems-integration/all/gems/*/lib)
export LD_LIBRARY_PATH="$libraries"
export RUBYLIB="$gems$dir/usr/lib/ruby/vendor_ruby:$dir/usr/lib/ruby/3.1.0:$libraries/ruby/3.1.0"

seen=$(usr/bin/ruby3.1 -W0 --disable=gems - <<'RUBY'
require 'toml'

['[bans]', 'bans = []'].each do |text|
  read = TOML::Parser.new(text).parsed
  written = begin
    TOML::Generator.new(read).body.inspect
  rescue RuntimeError => error
    error.message
  end
  puts "#{text} is read as #{read} and written as: #{written}"
end
RUBY
)
expected=$(cat <<'TEXT'
[bans] is read as {"bans"=>{}} and written as: ""
bans = [] is read as {"bans"=>[]} and written as: All array values must be the same type
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
