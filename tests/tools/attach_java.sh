# Attach to a Java virtual machine and detach, over and over, while a client checks every reply: some thirty threads.
# test-needs: cmd:java cmd:javac
# test-timeout: 300
. "$ROOT/tests/tools/src/attach_lib.sh"
cat >Server.java <<'END'
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
class Server {
    public static void main(String[] args) throws Exception {
        HttpServer s = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        s.setExecutor(Executors.newFixedThreadPool(4));
        s.createContext("/", e -> {
            String path = e.getRequestURI().getPath();
            long n = Long.parseLong(path.substring(1)), sum = 0;
            for (long i = 0; i <= n; i++) sum = (sum + i) % 1000003;
            byte[] reply = (new StringBuilder(path).reverse() + " " + sum).getBytes();
            e.sendResponseHeaders(200, reply.length);
            e.getResponseBody().write(reply);
            e.close();
        });
        s.start();
        System.out.println(s.getAddress().getPort());
    }
}
END
javac Server.java || die "javac failed"
java -cp . Server >port 2>log &
started=$!
wait_for test -s port
checked $started sums "$(cat port)"
exit 0
