#!/bin/sh
# fetch-zydis.sh DIR: put Zydis's original source archive into DIR, from Debian's source package.
#
# Debian's binary package has no static archive, so the decoder is built from source. Most machines list only binary
# packages: a private copy of the machine's own apt sources, turned into source entries, serves here. Nothing outside
# DIR changes. The archive is pinned by its checksum, wherever it comes from.
set -eu

version=4.0.0
package=zydis=$version-1
archive=zydis_$version.orig.tar.gz
sha256=e990107f80c62afc1deb51de230023a1098db801b8ea6bf483e296d45459e234
mkdir -p "$1"
cd "$1"

is_good() {
    [ -f "$archive" ] && echo "$sha256  $archive" | sha256sum --check --status
}

# One-line entries (*.list) and paragraphs (*.sources), each in its own form.
copy_sources() {
    rm -rf apt
    mkdir -p apt/parts apt/lists/partial apt/cache/archives/partial
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$file" ] && sed -n 's/^deb[[:space:]]/deb-src /p' "$file" >"apt/parts/$(basename "$file" .list).list"
    done
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -f "$file" ] && sed 's/^Types:.*/Types: deb-src/' "$file" >"apt/parts/$(basename "$file")"
    done
    return 0
}

private_apt() {
    apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$PWD/apt/parts" \
        -o Dir::State::lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

is_good && exit 0
echo "  FETCH   $package (Debian source package)"
copy_sources
# An unrelated source that offers no source packages makes `update` fail; the download below decides.
private_apt update >apt/log 2>&1 || true
private_apt source --download-only "$package" >>apt/log 2>&1 || true
if ! is_good; then
    echo "cannot get $archive: put the file into $PWD, or see $PWD/apt/log:" >&2
    tail -n 5 apt/log >&2
    exit 1
fi
rm -rf apt
