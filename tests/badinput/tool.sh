# A tool that does not exist, is no tool, or is broken: 125.
. "$ROOT/tests/badinput/lib.sh"
refuse 125 'nosuchtool' -t nosuchtool -- /bin/true
refuse 125 'bin/true' -t /bin/true -- /bin/true
: > empty; refuse 125 'empty' -t ./empty -- /bin/true
refuse 125 'nosuchtool' run nosuchtool -- /bin/true
refuse 125 '/tmp' -t /tmp -- /bin/true
