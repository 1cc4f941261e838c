#!/usr/bin/env bash
# sqlite3-tools 3.40.1-2+deb12u2 (Debian): with --primarykey a row whose key is NULL is added again by each patch
# instead of being changed.
#
# Expected: the page of sqldiff: its output transforms the first database into the second. A comparison with = NULL
# is never true in SQL; IS NULL is.
# Seen: the row is to be deleted with "WHERE name=NULL", which finds nothing, and inserted again, so there are two
# rows afterwards. (SQLite lets the key of a table with a rowid be NULL.)
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
  for wins in 1 2; do
    "$sqlite3" $wins.db "CREATE TABLE players (name TEXT PRIMARY KEY, wins); INSERT INTO players VALUES (NULL, $wins)"
  done
  "$sqldiff" --primarykey 1.db 2.db | tee patch.sql
  "$sqlite3" 1.db <patch.sql
  echo "rows afterwards: $("$sqlite3" 1.db 'SELECT count(*) FROM players')"
)
expected=$(cat <<'TEXT'
DELETE FROM players WHERE name=NULL;
INSERT INTO players(name,wins) VALUES(NULL,2);
rows afterwards: 2
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
