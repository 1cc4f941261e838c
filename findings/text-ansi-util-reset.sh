#!/usr/bin/env bash
# libtext-ansi-util-perl 0.233-2 (Debian): CSI m without a parameter counts as visible characters.
#
# Expected: ECMA-48: SGR without a parameter is SGR 0, the reset; grep and ls write it. The package handles colour
# codes (its description), of which it knows CSI 0 m.
# Seen: the text is neither stripped nor measured right, so columns do not align.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtext-ansi-util-perl=0.233-2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(perl -I usr/share/perl5 - <<'PERL'
use Text::ANSI::Util qw(ta_length ta_strip);

for my $text ("\e[31mred\e[0m", "\e[31mred\e[m") {
  my ($shown, $stripped) = map { s/\e/ESC /gr } $text, ta_strip($text);
  print "$shown: length ", ta_length($text), ", stripped $stripped\n";
}
PERL
)
expected=$(cat <<'TEXT'
ESC [31mredESC [0m: length 3, stripped red
ESC [31mredESC [m: length 6, stripped redESC [m
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
