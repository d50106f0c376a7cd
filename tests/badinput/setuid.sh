# A program that is set-user-ID, set-group-ID or has file capabilities is refused, with a reason; as a followed child it runs natively, which is said once.
. "$ROOT/tests/badinput/lib.sh"
[ "$(id -u)" -eq 0 ] || exit 0
cp /bin/true s; chown 65534 s; chmod 4755 s; refuse '125 126' 'set' -- ./s
cp /bin/true g; chgrp 65534 g; chmod 2755 g; refuse '125 126' 'set' -- ./g
printf '#!/bin/sh\n./s; ./g; ./s\necho done\n' > run; chmod +x run
[ "$("$COTTER" -f -- ./run 2> err)" = done ] || { echo "followed: no output"; exit 1; }
[ "$(wc -l < err)" -eq 1 ] && grep -q '^cotter: .*/s runs without Cotter: setuid' err || { echo "followed: $(cat err)"; exit 1; }
# CAP_NET_RAW, permitted and effective, as setcap writes it; some file systems have no room for it.
cp /bin/true c
python3 -c 'import os, struct; os.setxattr("c", "security.capability", struct.pack("<5I", 0x02000001, 1 << 13, 0, 0, 0))' 2> /dev/null || exit 0
refuse '125 126' 'capabilit' -- ./c
refuse '125 126' 'capabilit' --inject=exec -- ./c
printf '#!/bin/sh\n./c; ./c\necho done\n' > run
[ "$("$COTTER" -f -- ./run 2> err)" = done ] || { echo "followed: no output"; exit 1; }
[ "$(wc -l < err)" -eq 1 ] && grep -q '^cotter: .*/c runs without Cotter: .*capabilit' err || { echo "followed: $(cat err)"; exit 1; }
