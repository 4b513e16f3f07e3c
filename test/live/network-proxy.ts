// A cable between clients and a server that can be cut: what was on its way is lost, as on a real network.
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** The end at which a connection is cut: the other end sees it close. */
type End = "client" | "server";

export interface Cable extends AsyncDisposable {
  readonly port: number;
  /** Connections through it now. */
  readonly size: number;
  /** Cuts one of the connections; false when it has ended already. */
  cut(index: number, end: End): boolean;
  /** Cuts all of them, and refuses new ones until it is repaired. */
  pull(): void;
  mend(): void;
  /** Silently loses whatever is sent over the present connections. New ones work. */
  silence(): void;
  close(): Promise<void>;
}

/**
 * Lays a cable to the database at `url`, which its sessions reach by `url` of the cable. Where that is a function it is
 * asked for each connection, as a balancer in front of several servers decides.
 */
export async function layDatabaseCable(at: string | (() => string)): Promise<Cable & { readonly url: string }> {
  const urlNow = () => new URL(typeof at === "string" ? at : at());
  const { username, pathname } = urlNow();
  const cable = await layCable(() => ({ path: `${urlNow().searchParams.get("host")}/.s.PGSQL.5432` }));
  return Object.assign(cable, { url: `postgres://${username}@127.0.0.1:${cable.port}${pathname}` });
}

interface Strand {
  readonly client: Socket;
  readonly server: Socket;
}

/** Lays a cable to a server. */
export async function layCable(to: NetConnectOpts | (() => NetConnectOpts)): Promise<Cable> {
  const strands = new Set<Strand>();
  let isPulled = false;
  const entrance = createServer((client) => {
    if (isPulled) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(typeof to === "function" ? to() : to);
    const strand = { client, server };
    strands.add(strand);
    client.pipe(server);
    server.pipe(client);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", () => {}); // "close" follows
      socket.on("close", () => {
        strands.delete(strand);
        client.destroy();
        server.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => entrance.listen(0, "127.0.0.1", resolve));

  function tear({ client, server }: Strand, end: End): void {
    const [torn, other] = end === "client" ? [client, server] : [server, client];
    torn.resetAndDestroy();
    other.end();
  }

  function pull(): void {
    isPulled = true;
    for (const strand of strands) tear(strand, "client");
  }

  const close = async () => {
    pull();
    await new Promise((resolve) => entrance.close(resolve));
  };
  return {
    port: (entrance.address() as AddressInfo).port, // it listens on TCP
    get size() {
      return strands.size;
    },
    cut(index, end) {
      const strand = [...strands][index];
      if (strand) tear(strand, end);
      return strand !== undefined;
    },
    pull,
    mend() {
      isPulled = false;
    },
    silence() {
      for (const { client, server } of strands) {
        client.unpipe(server).resume();
        server.unpipe(client).resume();
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
