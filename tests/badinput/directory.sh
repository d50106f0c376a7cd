# A folder instead of a program: 126.
. "$ROOT/tests/badinput/lib.sh"
refuse 126 '/tmp' -- /tmp
mkdir d; refuse 126 'd' -- ./d
refuse '126 127' 'x' -- /etc/passwd/x
