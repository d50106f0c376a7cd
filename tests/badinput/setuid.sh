# A set-user-ID program is refused, with a reason.
. "$ROOT/tests/badinput/lib.sh"
[ "$(id -u)" -eq 0 ] || exit 0
cp /bin/true s; chown 65534 s; chmod 4755 s; refuse '125 126' 'set' -- ./s
cp /bin/true g; chgrp 65534 g; chmod 2755 g; refuse '125 126' 'set' -- ./g
