#!/bin/sh
# setup.sh LIST...: install the Debian packages named in the lists that are not there yet. Quiet when none is missing.
set -eu

wanted=$(sed 's/#.*//' "$@")
missing=
for package in $wanted; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
    *' installed') ;;
    *) missing="$missing $package" ;;
    esac
done
[ -z "$missing" ] && exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "please install, as root:$missing" >&2; exit 1; }
    as_root=sudo
fi
echo "  SETUP  $missing"
$as_root apt-get -qq update
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null
