# Unknown options, missing and wrong values: 125, and a hint.
. "$ROOT/tests/badinput/lib.sh"
refuse 125 'no-such-option' --no-such-option -- /bin/true
refuse 125 'max-trace-ins' --max-trace-ins=abc -- /bin/true
refuse 125 'max-trace-ins' --max-trace-ins=0 -- /bin/true
refuse 125 'cache-block' --cache-block=1 -- /bin/true
refuse 125 'cache-limit' --cache-limit=12q -- /bin/true
refuse 125 'returns' --returns=nonsense -- /bin/true
refuse 125 'cache-limit' --cache-limit= -- /bin/true
refuse 125 'random-layout' --random-layout=99999999999999999999999999 -- /bin/true
refuse 125 'an address' --dump-trace=0xzz -- /bin/true
refuse 125 'an address' --dump-trace=12 -- /bin/true
for option in dump-trace log stats-file out; do
    refuse 125 "$option wants a value" --$option= -- /bin/true
done
for word in list doctor --pin-root --version --help; do
    refuse 125 'stands alone' $word more
done
refuse 125 'the id of a process' detach 4294967297
refuse 125 'bundled tool' run '' -- /bin/true
mkfifo pipe
refuse 125 'not a Cotter tool' -t pipe -- /bin/true
