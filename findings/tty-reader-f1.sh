#!/usr/bin/env bash
# ruby-tty-reader 0.9.0-1 (Debian): F1 to F4 are an unknown key and the letters P to S, and the arrows of the
# application mode are letters too.
#
# Expected: xterm sends ESC O P for F1, and ESC O A for the up arrow in the application mode. The table of keys has
# f1 for ESC O P, and up for ESC O A.
# Seen: reading stops behind ESC O, so the last letter is typed. F5 and the usual arrows, which begin with ESC [, are
# read as one key.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq ruby3.1=3.1.7+really3.1.2-0+deb12u1 libruby3.1=3.1.7+really3.1.2-0+deb12u1 \
  ruby-tty-reader=0.9.0-1 ruby-tty-cursor=0.7.1-2 ruby-tty-screen=0.8.1-2 ruby-wisper=2.0.1-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

libraries=$(echo "$dir"/usr/lib/*-linux-gnu)
gems=$(printf '%s:' "$dir"/usr/share/rubygems-integration/all/gems/*/lib)
export LD_LIBRARY_PATH="$libraries"
export RUBYLIB="$gems$dir/usr/lib/ruby/vendor_ruby:$dir/usr/lib/ruby/3.1.0:$libraries/ruby/3.1.0"

seen=$(usr/bin/ruby3.1 -W0 --disable=gems - <<'RUBY'
require 'io/wait'
require 'stringio'
require 'tty-reader'

keys = { 'F1' => "\eOP", 'F4' => "\eOS", 'F5' => "\e[15~", 'up' => "\e[A", 'up, application mode' => "\eOA" }
keys.each do |key, bytes|
  input, terminal = IO.pipe
  terminal.write(bytes)
  reader = TTY::Reader.new(input: input, output: StringIO.new, interrupt: :noop)
  names = []
  reader.on(:keypress) { |event| names << "#{event.key.name} #{event.value.inspect}" }
  reader.read_keypress(echo: false, raw: false) while input.wait_readable(0.1)
  puts "#{key}: #{names.join(', ')}; in the table: #{TTY::Reader::Keys.keys[bytes].inspect}"
end
RUBY
)
expected=$(cat <<'TEXT'
F1: ignore "\eO", alpha "P"; in the table: :f1
F4: ignore "\eO", alpha "S"; in the table: :f4
F5: f5 "\e[15~"; in the table: :f5
up: up "\e[A"; in the table: :up
up, application mode: ignore "\eO", alpha "A"; in the table: :up
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
