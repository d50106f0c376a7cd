# A set-user-ID program is refused, with a reason; as a followed child it runs natively, which is said once.
. "$ROOT/tests/badinput/lib.sh"
[ "$(id -u)" -eq 0 ] || exit 0
cp /bin/true s; chown 65534 s; chmod 4755 s; refuse '125 126' 'set' -- ./s
cp /bin/true g; chgrp 65534 g; chmod 2755 g; refuse '125 126' 'set' -- ./g
printf '#!/bin/sh\n./s; ./g; ./s\necho done\n' > run; chmod +x run
[ "$("$COTTER" -f -- ./run 2> err)" = done ] || { echo "followed: no output"; exit 1; }
[ "$(wc -l < err)" -eq 1 ] && grep -q '^cotter: .*/s runs without Cotter: setuid' err || { echo "followed: $(cat err)"; exit 1; }
