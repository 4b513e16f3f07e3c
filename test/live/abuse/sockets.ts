// Abuse of WebSockets and streams: invalid frames and messages, floods, and unread responses.
import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { ask, asks, type Check, tested, measured, type Target } from "#test/live/abuse/target.ts";
import { ask as operation, subscribe } from "#test/live/messages.ts";
import { openKnown, openRaw } from "#test/live/raw-socket.ts";
import { times } from "#test/support/world.ts";

/** The close code of a socket that sends this, or that it was not opened. */
const socketEnd = (
  { url }: Target,
  { origin, sends = [] }: { readonly origin?: string; readonly sends?: readonly (string | Buffer)[] },
): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url.replace("http", "ws") + "/graphql", "graphql-transport-ws", {
      ...(origin !== undefined && { origin }),
    });
    socket.once("open", () => sends.forEach((text) => socket.send(text, { binary: false })));
    socket.once("unexpected-response", (_request, answer) => resolve(String(answer.statusCode)));
    socket.once("close", (code) => resolve(String(code)));
    socket.on("error", () => {}); // "close" follows
  });

const socketCheck = (what: string, given: Parameters<typeof socketEnd>[1], due: string): Check =>
  asks("pass", what, async (target) => {
    const end = await socketEnd(target, given);
    return { holds: end === due, evidence: end };
  });

/** The code with which the gateway closes a socket that sends these bytes after the upgrade. */
const closeAfter = ({ url }: Target, bytes: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(
      "GET /graphql HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n" +
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n",
    );
    let isUpgraded = false;
    let received = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf("\r\n\r\n");
      if (!isUpgraded && end > 0) {
        isUpgraded = true;
        received = received.subarray(end + 4);
        socket.write(bytes);
      }
      if (isUpgraded && received[0] === 0x88 && received.length >= 4) {
        resolve(received.readUInt16BE(2));
        socket.destroy();
      }
    });
    socket.once("error", reject).once("close", () => resolve(0));
  });

const frameCheck = (what: string, bytes: Buffer, due: number): Check =>
  asks("pass", what, async (target) => {
    const code = await closeAfter(target, bytes);
    return { holds: code === due, evidence: String(code) };
  });

/** Passes if the gateway still responds and has grown by at most some megabytes. */
async function unharmed({ url, megabytes }: Target, before: number | null, most: number) {
  const grown = (megabytes() ?? 0) - (before ?? 0);
  const { status } = await ask(`${url}/healthz`);
  return measured(status === 200, grown <= most, `/healthz ${status}, ${grown} MB more`);
}

const greetings: readonly Check[] = [
  socketCheck("a socket of another origin", { origin: "https://evil.example" }, "403"),
  socketCheck("a socket of the origin null", { origin: "null" }, "403"),
  asks("pass", "compressed frames offered by the client", async ({ url }) => {
    const socket = new WebSocket(url.replace("http", "ws") + "/graphql", "graphql-transport-ws");
    await once(socket, "open");
    const { extensions } = socket;
    socket.terminate();
    return { holds: extensions === "", evidence: extensions === "" ? "none are negotiated" : extensions };
  }),
  asks("pass", "2,000 silent sockets", async (target) => {
    const before = target.megabytes();
    const ends = await Promise.all(times(target.size(2000), () => socketEnd(target, {})));
    const others = ends.filter((end) => end !== "4408");
    return others.length === 0 ? unharmed(target, before, 60) : { holds: false, evidence: others.join(", ") };
  }),
  socketCheck("a message of 2 MB", { sends: ["x".repeat(2_000_000)] }, "1009"),
  frameCheck("a frame that claims 2^62 bytes", Buffer.from([0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]), 1009),
  asks("pass", "20,000 fragments of one byte", async ({ url }) => {
    const { socket, closed } = await openRaw(url);
    for (let count = 0; count < 20_000; count++) socket.send("x", { fin: false });
    const { code } = await closed;
    return { holds: code === 1008 || code === 1009, evidence: String(code) };
  }),
  frameCheck("a frame without a mask", Buffer.from([0x81, 1, 0x61]), 1002),
  frameCheck("reserved bits", Buffer.from([0xf1, 0x81, 0, 0, 0, 0, 0x61]), 1002),
  socketCheck("invalid UTF-8", { sends: [Buffer.from([0xff, 0xfe])] }, "1007"),
  socketCheck("invalid JSON", { sends: ["{"] }, "4400"),
  asks("pass", "two connection_init messages", async ({ url, token }) => {
    const { send, closed } = await openKnown(url, token);
    send({ type: "connection_init", payload: { token } });
    const { code } = await closed;
    return { holds: code === 4429, evidence: String(code) };
  }),
  socketCheck("a bad token", { sends: ['{"type":"connection_init","payload":{"token":"dg_no"}}'] }, "4403"),
  socketCheck(
    "an operation before connection_init",
    { sends: ['{"id":"1","type":"subscribe","payload":{"query":"{viewer{id}}"}}'] },
    "4401",
  ),
];

const floods: readonly Check[] = [
  asks("pass", "20,000 messages without an operation", async (target) => {
    const before = target.megabytes();
    const { send, receive, socket } = await openKnown(target.url, target.token);
    for (let count = 0; count < target.size(20_000); count++) send({ type: "pong" });
    send({ type: "ping" });
    await receive();
    socket.terminate();
    return unharmed(target, before, 60);
  }),
  asks("pass", "50,000 ping frames with unread pongs", async (target) => {
    const before = target.megabytes();
    const { socket } = await openKnown(target.url, target.token);
    socket.pause();
    for (let count = 0; count < target.size(50_000); count++) socket.ping();
    const outcome = await unharmed(target, before, 60);
    socket.terminate();
    return outcome;
  }),
  tested("weak", "protocol pings with unread pongs", [
    "live/unread-answers.test.ts",
    "unread pongs stay near 1 MB, and all arrive in order",
  ]),
  tested(
    "weak",
    "pipelined queries with unread results",
    ["live/unread-answers.test.ts", "unread query results stay near 1 MB, and all arrive when they are read"],
    ["live/unread-answers.test.ts", "runs ten operations of a socket at a time and stops reading while a hundred wait"],
  ),
  asks("pass", "2,000 subscriptions, each completed at once", async (target) => {
    const before = target.megabytes();
    const { send, receive, socket } = await openKnown(target.url, target.token);
    for (let count = 0; count < target.size(2000); count++) {
      send(subscribe(`${count}`, target.spaceId));
      send({ id: `${count}`, type: "complete" });
    }
    send(operation("last", "{ viewer { __typename } }"));
    for (let id: string | undefined = ""; id !== "last";) ({ id } = await receive());
    socket.terminate();
    return unharmed(target, before, 80);
  }),
  asks("weak", "300 pipelined subscriptions on a socket: 100 are accepted", async (target) => {
    const { send, receive, socket } = await openKnown(target.url, target.token);
    for (let count = 0; count < 300; count++) send(subscribe(`${count}`, target.spaceId));
    let [taken, refusals] = [0, 0];
    while (taken + refusals < 300) {
      const { type } = await receive();
      if (type === "error") refusals += 1;
      else taken += 1;
    }
    socket.terminate();
    return { holds: taken === 100, evidence: `${taken} taken, ${refusals} refused` };
  }),
  tested("weak", "many sockets with one token", [
    "live/wire.test.ts",
    "refuses one socket too many of a token with 4429 until another one closes",
  ]),
  tested("weak", "many SSE streams of one user", [
    "platform/request-checks.test.ts",
    "limits the SSE streams of a user; each that ends frees its slot",
  ]),
  tested("fail", "a subscription with a large selection", [
    "platform/budget.test.ts",
    "refuses a subscription message beyond the budget, and the stream continues",
  ]),
  tested(
    "fail",
    "long unread responses",
    [
      "platform/unread-answers.test.ts",
      "cuts the longest-waiting unread responses, never the newest, and no longer counts bytes once read",
    ],
    [
      "live/unread-answers.test.ts",
      "disconnects an HTTP client that does not read its response, but not one whose response is slow",
    ],
  ),
];

export const socketChecks: readonly Check[] = [...greetings, ...floods];
