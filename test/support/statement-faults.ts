// A proxy in front of PostgreSQL that makes a fault at the nth statement: what a failover, a restart, a recovery or a
// cut gives exactly there.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { message } from "#test/support/fake-postgres.ts";

interface Ends {
  readonly client: Socket;
  readonly server: Socket;
  /** The statement, with its parameters. */
  readonly sent: Buffer;
}

type Fault = (ends: Ends) => void;

const errorOf = (severity: string, code: string, text: string): Buffer =>
  message("E", `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`);

/** An error of the statement, after which the connection lasts. */
const refusal =
  (code: string, text: string): Fault =>
  ({ client }) =>
    client.write(Buffer.concat([errorOf("ERROR", code, text), message("Z", "E")]));

/** An error after which the server closes the connection. */
const end =
  (code: string, text: string): Fault =>
  ({ client, server }) => {
    client.end(errorOf("FATAL", code, text));
    server.destroy();
  };

/** Runs the statement, and passes on what `change` leaves of its response. */
const afterwards =
  (change: (client: Socket, response: Buffer) => void): Fault =>
  ({ client, server, sent }) => {
    server.removeAllListeners("data");
    server.once("data", (response) => {
      change(client, response);
      server.destroy();
    });
    server.write(sent);
  };

/** Whether it ends with ReadyForQuery, so that another message may follow. */
const isWhole = (response: Buffer): boolean => response.subarray(-6, -1).equals(message("Z", "I").subarray(0, -1));

export const statementFaults = {
  "a reset connection": ({ client, server }) => {
    client.resetAndDestroy();
    server.destroy();
  },
  "a closed connection": ({ client, server }) => {
    client.end();
    server.destroy();
  },
  "a lost response": afterwards((client) => client.resetAndDestroy()),
  "half a response": afterwards((client, response) => client.end(response.subarray(0, response.length >> 1))),
  "an end after the response": afterwards((client, response) =>
    client.end(isWhole(response) ? Buffer.concat([response, errorOf("FATAL", "57P01", "terminating")]) : response),
  ),
  "57P01": end("57P01", "terminating connection due to administrator command"),
  "57P02": end("57P02", "terminating connection because of crash of another server process"),
  "25006": refusal("25006", "cannot execute INSERT in a read-only transaction"),
  "40001": refusal("40001", "canceling statement due to conflict with recovery"),
  "55000": refusal("55000", "recovery is in progress"),
  XX000: refusal("XX000", "cannot assign TransactionIds during recovery"),
} satisfies Readonly<Record<string, Fault>>;
export type StatementFault = keyof typeof statementFaults;

export interface StatementFaults extends AsyncDisposable {
  readonly url: string;
  /** Makes the fault at the statement with this index, counted from now. */
  arm(fault: StatementFault, index: number): void;
  /** Makes none from now on. Returns whether it was made. */
  disarm(): boolean;
}

/** Starts a proxy in front of the database at `url`, whose clients connect to its own. */
export async function startStatementFaults(url: string): Promise<StatementFaults> {
  const to = new URL(url);
  let left = Infinity;
  let fault: Fault | undefined;
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect({ path: `${to.searchParams.get("host")}/.s.PGSQL.5432` });
    open.add(client);
    for (const socket of [client, server]) {
      socket.on("error", () => {}); // "close" follows
      socket.on("close", () => {
        open.delete(client);
        client.destroy();
        server.destroy();
      });
    }
    let isStarted = false; // the first message has no statement
    client.on("data", (sent) => {
      if (isStarted && left-- === 0) return fault?.({ client, server, sent });
      isStarted = true;
      server.write(sent);
    });
    server.on("data", (response) => client.write(response));
  });
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const { port } = listener.address() as AddressInfo; // of TCP
  return {
    url: `postgres://${to.username}@127.0.0.1:${port}${to.pathname}`,
    arm(name, index) {
      [fault, left] = [statementFaults[name], index];
    },
    disarm() {
      const isMade = left < 0;
      left = Infinity;
      return isMade;
    },
    async [Symbol.asyncDispose]() {
      for (const client of open) client.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
