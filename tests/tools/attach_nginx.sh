# Attach to both workers of an nginx and detach, over and over, while a client fetches a file and checks it.
# test-needs: cmd:nginx
# test-timeout: 200
. "$ROOT/tests/tools/src/attach_lib.sh"
head -c 200000 "$COTTER" >file
cat >conf <<END
daemon off; worker_processes 2; pid $PWD/pid; error_log $PWD/errors;
events { worker_connections 64; }
http { access_log off; client_body_temp_path $PWD/t1; proxy_temp_path $PWD/t2; fastcgi_temp_path $PWD/t3;
       uwsgi_temp_path $PWD/t4; scgi_temp_path $PWD/t5;
       server { listen unix:$PWD/sock; root $PWD; keepalive_requests 100000000; } }
END
[ "$(id -u)" = 0 ] && sed -i "1i user root;" conf
nginx -c "$PWD/conf" >log 2>&1 &
started=$!
wait_for test -S sock
wait_for sh -c "pgrep -P $started >/dev/null"
checked "$(pgrep -P $started)" file sock "$(sha256sum <file | cut -d' ' -f1)"
exit 0
