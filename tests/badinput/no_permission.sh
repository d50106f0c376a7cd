# A file without execute permission, and one below a closed folder: 126.
. "$ROOT/tests/badinput/lib.sh"
cp /bin/true t; chmod 644 t
refuse 126 't' -- ./t
if [ "$(id -u)" -eq 0 ]; then
    mkdir -p closed; cp /bin/true closed/t; chmod 700 closed; chmod 755 .
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$COTTER" || exit 0
fi
