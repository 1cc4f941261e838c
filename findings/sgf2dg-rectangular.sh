#!/usr/bin/env bash
# sgf2dg 4.252-1 (Debian): a rectangular board ends the program with an error about its own code.
#
# Expected: FF[4], SZ: a board of two different sides is written with a colon, columns first. sgf2dg reads the other
# forms of FF[4].
# Seen: "Can't use an undefined value as an ARRAY reference", and no diagram of the moves.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq sgf2dg=4.252-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(for size in 5 5:3; do
  echo "(;GM[1]FF[4]SZ[$size];B[aa];W[bb])" >game.sgf
  echo "size $size"
  perl -I usr/share/perl5 usr/bin/sgf2dg -converter ASCII -o diagram game.sgf 2>&1 |
    grep -oE 'undefined value .* reference' || true
  echo "lines of the diagram: $(cat diagram* | grep -cE '^ *(1|\|) ')"
  rm -f diagram*
done
)
expected=$(cat <<'TEXT'
size 5
lines of the diagram: 8
size 5:3
undefined value as an ARRAY reference
lines of the diagram: 0
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
