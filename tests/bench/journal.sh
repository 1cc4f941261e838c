#!/bin/bash
# What the journal costs: moves a second with and without it, in turn, and their ratio.
#   tests/bench/journal.sh BUILD_DIR [OUTPUT_DIR]
# BUILD_DIR is a configured release build; the table goes to tests/bench/results if no other
# directory is given. The server runs on the first core and the load on the second. ROUNDS, SECONDS_EACH
# and ROOMS can be set in the environment. The journal lies in BUILD_DIR, as /tmp may be memory.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${1:?usage: journal.sh BUILD_DIR [OUTPUT_DIR]}
output=${2:-$here/results}
rounds=${ROUNDS:-5}
seconds=${SECONDS_EACH:-5}
read -ra rooms <<<"${ROOMS:-50 500}"
[ "$(nproc)" -ge 2 ] || { echo "journal.sh: two cores are needed" >&2; exit 1; }
cmake --build "$build" --target tictactoe-server tictactoe-load

work=$(mktemp -d -p "$build" journal-bench.XXXXXX)
server=
end_server() {
  [ -z "$server" ] || { kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; }
  server=
}
trap 'end_server; rm -rf "$work"' EXIT

# measure ROOMS NAME OPTIONS... : one figure more in NAME-ROOMS-*.json
measure() {
  local count=$1 name=$2 port
  shift 2
  : >"$work/announced"
  taskset -c 0 "$build/bin/tictactoe-server" --listen 127.0.0.1 --port 0 --log off --rate 0 \
    --max-per-address 0 --max-connections 20000 --max-rooms 20000 "$@" >"$work/announced" &
  server=$!
  until grep -q listening "$work/announced"; do
    kill -0 "$server" 2>/dev/null || { echo "journal.sh: the server did not start" >&2; exit 1; }
    sleep 0.05
  done
  port=$(sed -n 's/.*listening on .*:\([0-9]*\)$/\1/p' "$work/announced")
  taskset -c 1 "$build/bin/tictactoe-load" --port "$port" --server-pid "$server" --quiet \
    --json "$work/$name-$count-$round.json" games --rooms "$count" --seconds "$seconds" >/dev/null
  end_server
}

for ((round = 1; round <= rounds; ++round)); do
  for count in "${rooms[@]}"; do
    echo "round $round of $rounds, $count rooms" >&2
    measure "$count" plain --no-journal
    mkdir "$work/data"
    measure "$count" journal --data-dir "$work/data"
    rm -r "$work/data"
  done
done
mkdir -p "$output"
"$here/journal_report.py" "$work" "$(stat -f -c %T "$work")" \
  "$("$build/bin/tictactoe-server" --version)" "$output/journal.md"
cat "$output/journal.md"
