#!/usr/bin/env bash
# libterm-vt102-perl 0.91-3 (Debian): after a character in the last column the cursor is reported one column behind
# it.
#
# Expected: VT102 user guide, autowrap: the cursor stays in the last column until the next character. Its report says
# so, and a backspace moves to the last but one.
# Seen: a screen of 12 columns reports column 13, and a backspace moves to column 12.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libterm-vt102-perl=0.91-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(perl -I usr/share/perl5 - <<'PERL'
use Term::VT102;

for my $text ("\e[1;11Hab", "\e[1;11Hab\b", "\e[1;12Ha\bx") {
  my $screen = Term::VT102->new(cols => 12, rows => 2);
  my $answer = '';
  $screen->option_set('LINEWRAP', 1);
  $screen->callback_set('OUTPUT', sub { $answer .= $_[2] });
  $screen->process("$text\e[6n");
  my ($shown, $sent) = map { s/\x08/BS /gr =~ s/\e/ESC /gr } $text, $answer;
  (my $row = $screen->row_plaintext(1)) =~ s/ /./g;
  print "$shown: row $row, answer '$sent'\n";
}
PERL
)
expected=$(cat <<'TEXT'
ESC [1;11Hab: row ..........ab, answer 'ESC [1;13R'
ESC [1;11HabBS : row ..........ab, answer 'ESC [1;12R'
ESC [1;12HaBS x: row ...........x, answer 'ESC [1;13R'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
