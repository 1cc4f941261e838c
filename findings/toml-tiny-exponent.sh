#!/usr/bin/env bash
# libtoml-tiny-perl 0.15-1 (Debian): an exponent with a leading zero is a syntax error.
#
# Expected: TOML 1.0: an exponent follows the rules of integers but may have leading zeros; its own example is 1e06.
# TOML::Tiny claims TOML 1.0.
# Seen: 1e06 and 1e-06 are refused with "expected EOL, but found integer".
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq libtoml-tiny-perl=0.15-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(PERL5LIB="$dir/usr/share/perl5" perl - <<'PERL'
use TOML::Tiny qw(from_toml);

for my $value ('1e6', '5e+22', '1e06', '6.626e-34', '1e-06') {
    my ($read, $error) = from_toml("rate = $value");
    print "$value => ", $error ? $error =~ s/\s+$//r : "$read->{rate}", "\n";
}
PERL
)
expected=$(cat <<'TEXT'
1e6 => 1000000
5e+22 => 5e+22
1e06 => toml parse error at line 1: expected EOL, but found integer
6.626e-34 => 6.626e-34
1e-06 => toml parse error at line 1: expected EOL, but found integer
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
