#!/usr/bin/env bash
# libtext-format-perl 0.62-1 (Debian): formatting the elements of an array in a loop over $_ leaves the array
# without its texts.
#
# Expected: the documentation: format returns the formatted text. perlsub: a function that assigns to $_ should make
# it local first.
# Seen: the words are taken into the global $_ one after the other, which is the element of the array; if it is a
# literal, the call fails.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtext-format-perl=0.62-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(perl -I"$dir/usr/share/perl5" - <<'PERL'
use Text::Format;

my $format = Text::Format->new({columns => 20, firstIndent => 0});
my @names = ('anna and bob', 'eve');
print $format->format($_) for @names;
print 'the array: ', join(', ', map { $_ // 'undefined' } @names), "\n";
eval { print $format->format($_) for 'anna and bob'; 1 } or print "the literal: $@" =~ s/ at .*//sr, "\n";
PERL
)
expected=$(cat <<'TEXT'
anna and bob
eve
the array: undefined, undefined
the literal: Modification of a read-only value attempted
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
