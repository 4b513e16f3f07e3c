// A script's calls of the gateway (fetch, context.api) and of its handler; runs inside the sandbox (see surface.ts).
import type { Gate } from "#src/sandbox/surface.ts";

interface Answer {
  readonly json: string;
  readonly body: ArrayBuffer | null;
}

type Ask = (kind: string, request: string, body: ArrayBuffer | null) => Promise<Answer>;

/** Makes the function that calls the gateway and waits for the result. */
export function makeAsk(gate: Gate): Ask {
  return (kind, request, body) =>
    new Promise((resolve, reject) => {
      gate.call(kind, request, body, (message, json, bytes) => {
        if (message === null) resolve({ json, body: bytes });
        else reject(new Error(message));
      });
    });
}

/** `fetch`, with the parts of a Response that most scripts need. */
export function addFetch(
  define: (name: string, value: unknown) => void,
  gate: Gate,
  ask: Ask,
  bytesOf: (data: unknown) => ArrayBuffer,
) {
  const { stringify, parse } = JSON;
  interface Head {
    url: string;
    status: number;
    headers: [string, string][];
  }
  const headersOf = (pairs: [string, string][]) => {
    const map = new Map(pairs);
    return {
      get: (name: unknown) => map.get(String(name).toLowerCase()) ?? null,
      has: (name: unknown) => map.has(String(name).toLowerCase()),
      entries: () => map.entries(),
      [Symbol.iterator]: () => map.entries(),
    };
  };
  const responseOf = ({ json, body }: Answer) => {
    const { url, status, headers } = parse(json) as Head; // written by the gateway
    const bytes = body ?? new ArrayBuffer(0);
    const text = async () => String(parse(gate.decode(bytes, false) ?? '""'));
    return {
      url,
      status,
      ok: status >= 200 && status < 300,
      headers: headersOf(headers),
      text,
      json: async () => parse(await text()) as unknown,
      arrayBuffer: async () => bytes.slice(0),
    };
  };
  const named = (headers: unknown): [string, string][] => {
    if (typeof headers !== "object" || headers === null) return [];
    const list = Symbol.iterator in headers ? [...(headers as Iterable<unknown[]>)] : Object.entries(headers);
    return list.map((pair) => [String(pair[0]), String(pair[1])]);
  };
  define("fetch", async (url: unknown, options: { method?: unknown; headers?: unknown; body?: unknown } = {}) => {
    const { body } = options;
    const isBytes = body instanceof ArrayBuffer || ArrayBuffer.isView(body);
    const text = body === undefined || body === null ? null : String(body).toWellFormed();
    const bytes = isBytes ? bytesOf(body) : text === null ? null : gate.encode(stringify(text));
    const method = options.method === undefined ? "GET" : String(options.method).toUpperCase();
    return responseOf(
      await ask("fetch", stringify({ url: String(url), method, headers: named(options.headers) }), bytes),
    );
  });
}

/** `context.api`: the gateway's own interfaces, with the rights of the installation. */
export function makeApi(ask: Ask) {
  const { stringify, parse } = JSON;
  const asked = async (kind: string, request: object) =>
    parse((await ask(kind, stringify(request), null)).json) as unknown;
  return {
    graphql: (query: unknown, variables: unknown = {}) => asked("graphql", { query: String(query), variables }),
    rest: (method: unknown, path: unknown, body?: unknown) =>
      asked("rest", { method: String(method).toUpperCase(), path: String(path), body }),
  };
}

/** Makes the function that calls the script's handler and passes its result on. */
export function makeRun(gate: Gate, ask: Ask, describe: (value: unknown) => string) {
  const { stringify, parse } = JSON;
  const { assign } = Object;
  const api = makeApi(ask);
  return async (module: { handle?: unknown }, event: string, context: string) => {
    try {
      const { handle } = await module;
      if (typeof handle !== "function") throw new TypeError("The script must export a function `handle`.");
      const answer: unknown = await handle(parse(event), assign(parse(context) as object, { api }));
      const text: unknown = stringify(answer);
      gate.done(typeof text === "string" ? text : "null");
    } catch (error) {
      gate.failed(describe(error));
    }
  };
}
