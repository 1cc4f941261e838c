#!/usr/bin/env bash
# sqlite3-tools 3.40.1-2+deb12u2 (Debian): sqldiff writes an infinite number as the name Inf, which the shell
# refuses as an unknown column.
#
# Expected: the page of sqldiff: its output is a script of SQL. The .dump of the shell of the same version writes a
# number that is read as infinity.
# Seen: the shell refuses the statement, so the patch can not be applied.
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
    "$sqlite3" $database.db 'CREATE TABLE bounds (id INTEGER PRIMARY KEY, upper REAL); INSERT INTO bounds VALUES (1, 0)'
  done
  "$sqlite3" new.db 'UPDATE bounds SET upper = 1e999'
  "$sqlite3" new.db .dump | grep INSERT
  "$sqldiff" old.db new.db | tee patch.sql
  { "$sqlite3" -bail old.db <patch.sql || true; } 2>&1 | grep -o 'no such column: .*'
)
expected=$(cat <<'TEXT'
INSERT INTO bounds VALUES(1,1e999);
UPDATE bounds SET upper=Inf WHERE id=1;
no such column: Inf
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
