#!/usr/bin/env bash
# Makes a release of the last commit in a directory: source archive, changelog, packages, checksums.
#   release.sh [--tag] DIRECTORY JOBS
# With --tag, also tags the commit with the project's version, as v0.1.0.
# The bytes depend only on the commit, its tag, and the installed compiler and libraries.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022
tags=false
[ "$1" != --tag ] || { tags=true; shift; }
out=$(mkdir -p "$1" && readlink -f "$1")
cd "$(dirname "$(readlink -f "$0")")/../.."

die() { printf 'run: %s\n' "$*" >&2; exit 1; }
say() { printf '%s\n' "$*" >&2; }

[ -z "$(ls "$out")" ] || die "$1 is not empty."
git rev-parse --quiet --verify HEAD >/dev/null || die "a release needs the git repository."
[ "$(git rev-parse --is-shallow-repository)" = false ] ||
  die "this clone is shallow: get the whole history by git fetch --unshallow."
[ -z "$(git status --porcelain)" ] || die "there are changes: a release is made of a commit."

# The project's version if the commit has its tag, otherwise one that sorts before it.
version=$(sed -n 's/^project(tictactoe VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
if "$tags"; then
  ! git rev-parse --quiet --verify "refs/tags/v$version" >/dev/null ||
    die "there is a tag v$version already: raise the version in CMakeLists.txt."
  git tag --annotate --message "Version $version" "v$version"
  trap 'git tag --delete "v$version" >&2' EXIT  # unless everything succeeds
fi
if ! git describe --tags --exact-match --match "v$version" >/dev/null 2>&1; then
  version+="~git$(git rev-list --count HEAD).$(git rev-parse --short=8 HEAD)"
fi
maintainer=$(git log -1 --format='%an <%ae>')
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
say "Releasing $version into $out ..."

# An empty directory, so that nothing else gets in.
work=$PWD/build/package
rm -rf "$work"
mkdir -p "$work/made"
name=tictactoe-$version
archive=$work/made/$name.tar.xz
changelog=$work/made/$name.changelog
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | xz -9 -T1 >"$archive"
docs/packages/changelog.sh "$version" >"$changelog"

# Built from the archive, so that it is complete.
tar -xJf "$archive" -C "$work"
log=$work/build.log
say "Building (this takes as long as the first build of the programs) ..."
{
  CXXFLAGS="-ffile-prefix-map='$work/'= -ffile-prefix-map='$work/$name/'=" LDFLAGS="-Wl,-z,relro,-z,now" \
    cmake -G Ninja -S "$work/$name" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
    -DTICTACTOE_TESTS=OFF -DTICTACTOE_RELEASE="$version" -DTICTACTOE_MAINTAINER="$maintainer" \
    -DTICTACTOE_CHANGELOG="$changelog" &&
    ninja -C "$work/build" -j "$2" &&
    cpack --config "$work/build/CPackConfig.cmake" -B "$work/packages"
} >"$log" 2>&1 || { tail -n 40 "$log" >&2; die "the build failed; the reason is above."; }
mv "$work"/packages/*.deb "$work/made"
(cd "$work/made" && sha256sum -- * >SHA256SUMS)
mv "$work"/made/* "$out"
trap - EXIT
cat "$out/SHA256SUMS"
