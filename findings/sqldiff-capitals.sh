#!/usr/bin/env bash
# sqlite3-tools 3.40.1-2+deb12u2 (Debian): if only the capitals of a name change in a column that ignores case,
# sqldiff reports the databases as equal.
#
# Expected: the page of sqldiff: it displays the differences between two databases, and its script transforms one
# into the other. A collation decides how texts compare, not what is stored.
# Seen: no script, and "1 unchanged", whether the name is the key or not, although the databases hold anna and Anna.
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
  for name in anna Anna; do
    for table in 'id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE)' 'name TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID'
    do
      "$sqlite3" "$name.db" "CREATE TABLE ${table%% *}_key ($table; INSERT INTO ${table%% *}_key(name) VALUES ('$name')"
    done
    "$sqlite3" "$name.db" 'SELECT name FROM name_key'
  done
  "$sqldiff" anna.db Anna.db
  "$sqldiff" --summary anna.db Anna.db
)
expected=$(cat <<'TEXT'
anna
Anna
id_key: 0 changes, 0 inserts, 0 deletes, 1 unchanged
name_key: 0 changes, 0 inserts, 0 deletes, 1 unchanged
TEXT
)

echo "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'The behaviour has changed. It was:\n%s\n' "$expected" >&2
  exit 1
fi
