import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import java.net.InetSocketAddress;
import org.h2.mvstore.MVStore;

/** Speaks the wire protocol of MongoDB at a port of this machine, and keeps its data in one file. */
public class Main {
    /** By itself it keeps 16, and reads pages of its keys again and again from 10,000 documents on. */
    private static final int CACHE_MEGABYTES = 256;

    public static void main(String[] arguments) throws Exception {
        MVStore file = new MVStore.Builder().fileName(arguments[1]).cacheSize(CACHE_MEGABYTES).open();
        MongoServer server = new MongoServer(new H2Backend(file));
        server.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        Thread.currentThread().join();
    }
}
