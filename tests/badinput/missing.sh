# A program that does not exist: 127.
. "$ROOT/tests/badinput/lib.sh"
refuse 127 'nosuchprogram' -- nosuchprogram arg
refuse 127 '/nonexistent/program' -- /nonexistent/program
refuse 127 './here' -- ./here
