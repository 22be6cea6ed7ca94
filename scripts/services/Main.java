import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import java.net.InetSocketAddress;

/** Speaks the wire protocol of MongoDB at a port of this machine, and keeps its data in one file. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        MongoServer server = new MongoServer(new H2Backend(arguments[1]));
        server.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        Thread.currentThread().join();
    }
}
