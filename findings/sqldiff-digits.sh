#!/usr/bin/env bash
# sqlite3-tools 3.40.1-2+deb12u2 (Debian): sqldiff writes a real number with 15 digits, so the patched database
# still differs from the other one.
#
# Expected: the page of sqldiff: its output is a script of SQL that transforms the first database into the second. A
# double needs up to 17 digits, and the .dump of the shell of the same version writes them.
# Seen: the rating 1512.3456789012345 arrives as 1512.34567890123, and sqldiff itself reports the same change again.
set -euo pipefail

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq sqlite3=3.40.1-2+deb12u2 sqlite3-tools=3.40.1-2+deb12u2 libsqlite3-0=3.40.1-2+deb12u2 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH="$(echo "$dir"/usr/lib/*-linux-gnu)"

sqlite3=$dir/usr/bin/sqlite3
sqldiff=$dir/usr/bin/sqldiff
seen=$(
  for database in old new; do
    "$sqlite3" $database.db 'CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating REAL); INSERT INTO ratings VALUES (1, 0)'
  done
  "$sqlite3" new.db 'UPDATE ratings SET rating = 1512.3456789012345'
  "$sqlite3" new.db .dump | grep INSERT
  "$sqldiff" old.db new.db | tee patch.sql
  "$sqlite3" old.db <patch.sql
  echo 'after the patch:'
  "$sqldiff" old.db new.db
)
expected=$(cat <<'TEXT'
INSERT INTO ratings VALUES(1,1512.3456789012345779);
UPDATE ratings SET rating=1512.34567890123 WHERE id=1;
after the patch:
UPDATE ratings SET rating=1512.34567890123 WHERE id=1;
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
