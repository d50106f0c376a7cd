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
