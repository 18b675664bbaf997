/**
 * RMI listens on every address of the machine, and TLC has no option for that. This main class gives RMI sockets of one
 * address, and calls the one that it is for: `java -cp tla2tools.jar BoundTo.java 127.0.0.1 <class> <arguments>`. A JDK
 * compiles it as it starts.
 */
export const BOUND_TO_JAVA = `import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.Arrays;

public class BoundTo {
  public static void main(String[] args) throws Exception {
    InetAddress address = InetAddress.getByName(args[0]);
    RMISocketFactory.setSocketFactory(new RMISocketFactory() {
      public ServerSocket createServerSocket(int port) throws IOException {
        return new ServerSocket(port, 50, address);
      }
      public Socket createSocket(String host, int port) throws IOException {
        return new Socket(host, port);
      }
    });
    String[] rest = Arrays.copyOfRange(args, 2, args.length);
    Class.forName(args[1]).getMethod("main", String[].class).invoke(null, (Object) rest);
  }
}
`;
