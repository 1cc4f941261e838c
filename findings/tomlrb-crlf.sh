#!/usr/bin/env bash
# ruby-tomlrb 1.3.0-2 (Debian): in a file with CRLF, a multi-line text begins with an additional line break.
#
# Expected: TOML 0.4 and 1.0: a newline immediately following the opening delimiter is trimmed, and a newline is LF
# or CRLF. toml-rb 2.2.0 trims both.
# Seen: LF is trimmed, CRLF is not, so a file has another meaning after its line ends were changed.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 \
  ruby-tomlrb=1.3.0-2 ruby-toml-rb=2.2.0-1 ruby-citrus=3.0.2-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
gems=$(printf '%s:' "$dir"/usr/share/rubygems-integration/all/gems/*/lib)
export LD_LIBRARY_PATH="$libraries"
export RUBYLIB="$gems$dir/usr/lib/ruby/vendor_ruby:$dir/usr/lib/ruby/3.1.0:$libraries/ruby/3.1.0"

seen=$(usr/bin/ruby3.1 -W0 --disable=gems - <<'RUBY'
require 'tomlrb'
require 'toml-rb'

[%(a = """\nx"""\n), %(a = """\r\nx"""\r\n), %(a = '''\r\nx'''\r\n)].each do |text|
  puts "#{text.inspect}: #{Tomlrb.parse(text)['a'].inspect}, toml-rb #{TomlRB.parse(text)['a'].inspect}"
end
RUBY
)
expected=$(cat <<'TEXT'
"a = \"\"\"\nx\"\"\"\n": "x", toml-rb "x"
"a = \"\"\"\r\nx\"\"\"\r\n": "\r\nx", toml-rb "x"
"a = '''\r\nx'''\r\n": "\r\nx", toml-rb "x"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
