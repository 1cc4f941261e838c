#!/usr/bin/env bash
# libtext-asciitable-perl 0.22-3 (Debian): if a coloured text is wrapped, the sequence that ends the colour is cut
# and its rest is lost.
#
# Expected: the documentation: with allowANSI, the codes are not counted in the width, and setColWidth wraps texts
# that are wider.
# Seen: the codes are counted when the text is wrapped: "one two" needs two rows of a column that is wide enough for
# it, and "ESC [" is left without its end.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtext-asciitable-perl=0.22-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(perl -I"$dir/usr/share/perl5" - <<'PERL'
use Text::ASCIITable;

for my $text ('one two three', "\e[31mone two three\e[0m") {
  my $table = Text::ASCIITable->new({allowANSI => 1, hide_HeadLine => 1, hide_HeadRow => 1});
  $table->setCols('name');
  $table->setColWidth('name', 7);
  $table->addRow($text);
  print "$table" =~ s/\e/<ESC>/gr;
}
PERL
)
expected=$(cat <<'TEXT'
.---------.
| one two |
| three   |
'---------'
.---------.
| <ESC>[31mon      |
| two     |
| three<ESC>[ |
'---------'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
