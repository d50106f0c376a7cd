# A file without execute permission, one below a closed folder, one that may be executed but not read: 126, with the reason.
. "$ROOT/tests/badinput/lib.sh"
cp /bin/true t; chmod 644 t
refuse 126 'permission denied' -- ./t
mkdir closed; cp /bin/true closed/t; cp /bin/true unread; chmod 711 unread; chmod 700 closed
if [ "$(id -u)" -eq 0 ]; then
    as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
    $as_nobody test -x "$COTTER" -a -x "$PWD" || exit 0             # a build below a closed folder
    COTTER="$as_nobody $COTTER"
    $COTTER -q -- /bin/true || { echo "as another user: $?"; exit 1; }
else
    chmod 000 closed; chmod 111 unread
fi
for way in ptrace exec; do
    refuse 126 'permission denied' --inject=$way -- ./closed/t
    refuse 126 'executed but not read' --inject=$way -- ./unread
done
refuse 126 'executed but not read' run icount -- ./unread
chmod 700 closed
