#!/usr/bin/env bash
# libterm-vt102-perl 0.91-3 (Debian): a control sequence that it does not know takes the text behind it, up to a
# letter that it knows.
#
# Expected: ECMA-48, section 5.4: the first byte from @ to ~ ends a control sequence, whatever it means. The
# documentation says that unknown sequences are ignored.
# Seen: The letters behind it become part of the sequence until one has a meaning: a "c" in the text makes the
# terminal report what it is.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libterm-vt102-perl=0.91-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(perl -I usr/share/perl5 - <<'PERL'
use Term::VT102;

for my $text ("1\e[2Kx y", "1\e[2Ix y", "1\e[3bx y", "1\e[!pxyz", "1\e[2Ix yc") {
  my $screen = Term::VT102->new(cols => 12, rows => 2);
  my $answer = '';
  $screen->callback_set('OUTPUT', sub { $answer .= $_[2] });
  $screen->process($text);
  my ($shown, $sent) = map { s/\e/ESC /gr } $text, $answer;
  (my $row = $screen->row_plaintext(1)) =~ s/ +$//;
  print "$shown: row '$row', answer '$sent'\n";
}
PERL
)
expected=$(cat <<'TEXT'
1ESC [2Kx y: row ' x y', answer ''
1ESC [2Ix y: row '1', answer ''
1ESC [3bx y: row '1', answer ''
1ESC [!pxyz: row '1', answer ''
1ESC [2Ix yc: row '1', answer 'ESC [?6c'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
