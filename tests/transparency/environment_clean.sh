# Nothing of Cotter shows in the environment, neither of the program nor of its children, followed or not.
env -i A=1 B=2 $COTTER -q -- /usr/bin/env | sort > one
env -i A=1 B=2 $COTTER -q -- /bin/sh -c 'unset PWD _ OLDPWD SHLVL; /usr/bin/env' | sort > two
env -i A=1 B=2 $COTTER -q -f -- /bin/sh -c 'unset PWD _ OLDPWD SHLVL; /usr/bin/env' | sort > three
printf 'A=1\nB=2\n' > expect
for f in one two three; do
    diff expect $f || { echo "environment $f differs"; exit 1; }
done
