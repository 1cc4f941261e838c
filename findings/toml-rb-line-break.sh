#!/usr/bin/env bash
# ruby-toml-rb 2.2.0-1 (Debian): in a multi-line literal text a backslash at the end of a line disappears, with the
# line break.
#
# Expected: TOML 1.0: in literal strings there is no escaping whatsoever. tomlrb 1.3.0 keeps both.
# Seen: a shell command that continues in the next line becomes one line.
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

text = "run = '''\nmake \\\n  test'''\n"
puts text, "toml-rb: #{TomlRB.parse(text)['run'].inspect}", "tomlrb: #{Tomlrb.parse(text)['run'].inspect}"
RUBY
)
expected=$(cat <<'TEXT'
run = '''
make \
  test'''
toml-rb: "make test"
tomlrb: "make \\\n  test"
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
