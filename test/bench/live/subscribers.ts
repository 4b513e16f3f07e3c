// Many subscribers in a separate process: it opens sockets, and counts and times messages. It gets its tasks
// from messages of its parent.
import WebSocket from "ws";

/** Messages of the parent. */
export type Order =
  | {
      readonly type: "open";
      readonly url: string;
      readonly token: string;
      readonly query: string;
      /** One subscriber each. */
      readonly variables: readonly Record<string, string>[];
    }
  | { readonly type: "reset" }
  | { readonly type: "report" };

/** Replies to the parent. */
export type Answer =
  | { readonly type: "opened" }
  | { readonly type: "reset" }
  | {
      readonly type: "report";
      /** Messages with a marked comment. */
      readonly deliveries: number;
      /** Milliseconds from the marks to the arrivals, sorted. */
      readonly latencies: readonly number[];
      /** The arrival time of the last one, by `now`. */
      readonly lastAt: number;
    };

/** Fractional milliseconds since 1970: the clock of marks, shared by all processes of a machine. */
export const now = (): number => performance.timeOrigin + performance.now();

/** The mark of a comment: its time of sending. */
export const markOf = (time: number): string => `mark:${time.toFixed(3)}:`;

const openAtOnce = 100;
let latencies: number[] = [];
let lastAt = 0;

function count(text: string): void {
  const at = text.indexOf("mark:");
  if (at === -1) return;
  lastAt = now();
  latencies.push(lastAt - Number(text.slice(at + 5, text.indexOf(":", at + 5))));
}

/** Resolves when the server has acknowledged, and has answered a ping sent after the subscription. */
function subscribe(order: Order & { type: "open" }, variables: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(order.url, "graphql-transport-ws", { perMessageDeflate: false });
    socket.on("open", () =>
      socket.send(JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${order.token}` } })),
    );
    socket.on("error", reject);
    socket.on("close", (code, reason) => reject(new Error(`closed with ${code} ${reason.toString()}`)));
    socket.on("message", (data) => {
      const text = (data as Buffer).toString("latin1"); // marks are ASCII
      if (text.includes('"next"')) count(text);
      else if (text.includes('"connection_ack"')) {
        const payload = { query: order.query, variables };
        socket.send(JSON.stringify({ id: "1", type: "subscribe", payload }));
        socket.send(JSON.stringify({ type: "ping" }));
      } else if (text.includes('"pong"')) resolve();
      else if (text.includes('"error"')) reject(new Error(text));
    });
  });
}

async function open(order: Order & { type: "open" }): Promise<void> {
  for (let start = 0; start < order.variables.length; start += openAtOnce)
    await Promise.all(order.variables.slice(start, start + openAtOnce).map((one) => subscribe(order, one)));
}

const answer = (message: Answer) => process.send?.(message);

process.on("message", (order: Order) => {
  if (order.type === "open")
    open(order).then(
      () => answer({ type: "opened" }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  else if (order.type === "reset") {
    latencies = [];
    lastAt = 0;
    answer({ type: "reset" });
  } else {
    const sorted = Float64Array.from(latencies).toSorted();
    answer({ type: "report", deliveries: sorted.length, latencies: percentilesOf(sorted), lastAt });
  }
});

/** The 50th, 95th, 99th and 100th percentile. */
function percentilesOf(sorted: Float64Array): number[] {
  return [0.5, 0.95, 0.99, 1].map((part) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN);
}
