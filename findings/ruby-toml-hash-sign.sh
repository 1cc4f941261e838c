#!/usr/bin/env bash
# ruby-toml 0.2.0-4 (Debian): a text with a number sign before a brace, a dollar or an at sign is written with an
# escape that TOML does not have.
#
# Expected: TOML: a backslash before a number sign is reserved and an error. What the generator writes, a reader
# reads.
# Seen: the generator uses the form of a Ruby literal. tomlrb 1.3.0 refuses it.
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
require 'tomlrb'

['room #1', 'room #{1}', 'room #$1'].each do |name|
  text = TOML::Generator.new('name' => name).body.strip
  read = begin
    Tomlrb.parse(text)['name'] == name ? 'the same' : 'another text'
  rescue Tomlrb::ParseError => error
    error.message
  end
  puts "#{text}: #{read}"
end
RUBY
)
expected=$(cat <<'TEXT'
name = "room #1": the same
name = "room \#{1}": Escape sequence \# is reserved
name = "room \#$1": Escape sequence \# is reserved
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
