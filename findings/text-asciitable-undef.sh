#!/usr/bin/env bash
# libtext-asciitable-perl 0.22-3 (Debian): a row with an undefined cell changes the variable of the caller, and
# fails if the cell is a literal undef.
#
# Expected: the documentation: undef_as replaces undefined values in the table.
# Seen: the replacement is assigned to the argument itself, an alias of what the caller passed.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtext-asciitable-perl=0.22-3 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(perl -I"$dir/usr/share/perl5" - <<'PERL'
use Text::ASCIITable;

my $table = Text::ASCIITable->new({undef_as => '-'});
$table->setCols('name', 'opponent');
my $opponent;
$table->addRow('anna', $opponent);
print 'the variable: ', $opponent // 'undefined', "\n";
eval { $table->addRow('bob', undef); 1 } or print "the literal: $@" =~ s/ at .*//sr, "\n";
print $table;
PERL
)
expected=$(cat <<'TEXT'
the variable: -
the literal: Modification of a read-only value attempted
.-----------------.
| name | opponent |
+------+----------+
| anna | -        |
'------+----------'
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
