// `npm run listen -- <integration> <address>`: sends the events of an integration to a server on one's own machine.
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { runCommand } from "#src/cli/command.ts";
import { DomainError } from "#src/base/errors.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = "npm run listen -- <integration> <address> [--gateway <address>] [--token-file <path>] [--all]";

const about = `Turns on the development mode of an integration, so that its events, blocks and public requests go to a server at
the address, such as http://127.0.0.1:8787; prints the trace of each event; and turns it off again when it is stopped (Ctrl+C).
An address on this machine needs a gateway on this machine that is not in production.

  --gateway     The address of docgraph: by default the one that 'npm start' runs (PUBLIC_URL; or HOST and PORT).
  --token-file  A file with an API token of an admin of the publisher, by default that of the demo.
  --all         Also sends the events of other organizations whose installations allow it.
  --help        Prints this text.
`;

const options = {
  gateway: { type: "string" },
  "token-file": { type: "string" },
  all: { type: "boolean", default: false },
} as const;

const everyMs = 1_000;

interface Event {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly tries: number;
  readonly durationMs: number | null;
  readonly createdAt: string;
  readonly logs: readonly { readonly message: string; readonly level: string }[];
}

interface Answer {
  readonly data: { readonly integration: { readonly events: { readonly nodes: readonly Event[] } } };
}

const newestEvents = `query ($name: String!) { integration(name: $name) { events(first: 50) {
  nodes { id type status tries durationMs createdAt logs { message level } } } } }`;

const tryOf = ({ tries, status }: Event): string => `${tries} ${status}`;

/** The tries of events, by which those that are new are known. */
const triesOf = (events: readonly Event[]) => new Map(events.map((event) => [event.id, tryOf(event)]));

function textOf({ id, type, status, tries, durationMs, logs }: Event): string {
  const head = `${type.toLowerCase()} ${id}: ${status.toLowerCase()}, try ${tries}, ${durationMs ?? 0} ms\n`;
  return head + logs.map(({ level, message }) => `  ${level.toLowerCase()}: ${message}\n`).join("");
}

await runCommand({ usage, about, options, takes: "several" }, async (values, _all, [name, tunnelUrl, ...others]) => {
  if (name === undefined || tunnelUrl === undefined || others.length > 0) throw new UsageError(`usage: ${usage}`);
  const { gateway, token } = await settingsOf(values);
  const send = (method: Request["method"], path: string, body?: object) =>
    request({ gateway, token, method, path, body });
  const mode = `/v1/integrations/${encodeURIComponent(name)}/dev`;
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  const newest = async () => {
    const { data } = (await send("POST", "/graphql", { query: newestEvents, variables: { name } })) as Answer;
    return data.integration.events.nodes;
  };
  let seen = triesOf(await newest());
  await send("PUT", mode, { tunnelUrl, all: values.all });
  process.stdout.write(`Events of ${name} go to ${tunnelUrl} until you stop this command (Ctrl+C).\n`);
  try {
    while (!stopping.signal.aborted) {
      const events = await newest();
      const tried = events.filter((event) => event.tries > 0 && seen.get(event.id) !== tryOf(event));
      process.stdout.write(tried.toReversed().map(textOf).join(""));
      seen = triesOf(events);
      await wait(everyMs, undefined, { signal: stopping.signal }).catch(() => {}); // stopped
    }
  } finally {
    await send("DELETE", mode);
  }
  return `Development mode of ${name} is off.\n`;
});

async function settingsOf(values: { gateway?: string | undefined; "token-file"?: string | undefined }) {
  const { readConfig } = await import("#src/config/config.ts");
  const { demoTokenFile } = await import("#src/server/process/demo.ts");
  const config = readConfig();
  const { publicUrl, host, port } = config;
  const gateway = values.gateway ?? publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const file = values["token-file"] ?? demoTokenFile(config);
  const token = await readFile(file, "utf8").catch(() => {
    throw new UsageError(`${file} cannot be read: name a file with an API token by --token-file`);
  });
  return { gateway: gateway.replace(/\/$/, ""), token: token.trim() };
}

interface Request {
  readonly gateway: string;
  readonly token: string;
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object | undefined;
}

/** The answer. Throws its error in a sentence. */
async function request(sent: Request): Promise<unknown> {
  const { gateway, method, path } = sent;
  const answer = await answerTo(sent).catch(() => {
    throw new DomainError("UNAVAILABLE", `no docgraph answers at ${gateway}: start it, or give its --gateway`);
  });
  const { error, errors } = (answer ?? {}) as { error?: { message: string }; errors?: { message: string }[] };
  const refusal = error ?? errors?.[0];
  if (refusal) throw new DomainError("INVALID_INPUT", `${method} ${path}: ${refusal.message}`);
  return answer;
}

/** Rejects if no server is there, or one that does not answer with JSON. */
async function answerTo({ gateway, token, method, path, body }: Request): Promise<unknown> {
  const ask = createSafeFetch({ allowedHosts: [new URL(gateway).hostname.replaceAll(/[[\]]/g, "")] });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const { body: bytes } = await ask(gateway + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return bytes.length === 0 ? null : JSON.parse(bytes.toString());
}
