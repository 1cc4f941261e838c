#!/usr/bin/env bash
# Prints the changelog of a version, in Debian's format: the subjects of the commits since the last
# release in the git repository of the working directory.
#   changelog.sh VERSION
set -euo pipefail
export LC_ALL=C TZ=UTC

last=$(git describe --tags --match 'v[0-9]*' --abbrev=0 HEAD^ 2>/dev/null || true)
printf 'tictactoe (%s) unstable; urgency=medium\n\n' "$1"
git log --no-merges --format='* %s' "${last:+$last..}HEAD" | fold -s -w 74 |
  sed -e 's/^\*/  &/' -e 's/^[^ ]/    &/' -e 's/ *$//'
printf '\n -- %s  %s\n' "$(git log -1 --format='%an <%ae>')" \
  "$(date -R -d "@$(git log -1 --format=%ct)")"
