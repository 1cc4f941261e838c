#!/usr/bin/env bash
# pgn-extract 19.04-1 (Debian): a comment that begins with a semicolon ends the game, and the moves behind it are
# lost.
#
# Expected: PGN standard, section 5: a comment is in braces, or from a semicolon to the end of the line.
# Seen: "Unknown character ;". What follows counts as another game, which begins with an illegal move.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq pgn-extract=19.04-1 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

seen=$(for comment in '{opens}' '; opens'; do
  printf '[White "Ann"]\n\n1. e4 %s\ne5 2. Nf3 *\n' "$comment" >game.pgn
  echo "with $comment"
  usr/games/pgn-extract -s --nocomments game.pgn 2>&1 | grep -E '^1\. |White|Unknown|Failed' || true
done
)
expected=$(cat <<'TEXT'
with {opens}
[White "Ann"]
1. e4 e5 2. Nf3 *
with ; opens
Unknown character ; (Hex: 3b).
[White "Ann"]
Failed to make move 1. e5 in the game:
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
