// A script's calls of the gateway (fetch, context.api); runs inside the sandbox (see surface.ts).
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

/** The origin of the gateway, whose /v1 a worker reaches without a connection; null for other scripts. */
export interface OwnOrigin {
  origin: string | null;
}

/** Defines `fetch` by the Fetch standard. Requests to the gateway's own /v1 are those of `context.api`. */
export function addFetch(define: (name: string, value: unknown) => void, ask: Ask, own: OwnOrigin) {
  const { stringify, parse } = JSON;
  const { defineProperty } = Object;
  const { Request, Response } = globalThis;
  interface Head {
    url: string;
    status: number;
    headers: [string, string][];
  }
  const aborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  define("fetch", async (input: string, init?: object) => {
    const request = new Request(input, init);
    const { url, method, signal } = request;
    signal.throwIfAborted();
    const isOwn = own.origin !== null && url.startsWith(`${own.origin}/v1/`);
    const path = isOwn ? url.slice(own.origin?.length ?? 0) : undefined;
    const headers = [...request.headers];
    const body = await request.arrayBuffer();
    const asked = ask(
      isOwn ? "rest" : "fetch",
      stringify({ url, path, method, headers, isFetch: true }),
      method === "GET" || method === "HEAD" ? null : body,
    );
    const answer = await Promise.race([asked, aborted(signal)]);
    const head = parse(answer.json) as Head; // written by the gateway
    const isEmpty = head.status === 204 || head.status === 205 || head.status === 304;
    const response = new Response(isEmpty ? null : (answer.body ?? new ArrayBuffer(0)), {
      status: head.status,
      headers: head.headers,
    });
    defineProperty(response, "url", { value: head.url });
    defineProperty(response, "redirected", { value: !isOwn && head.url !== url });
    return response;
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
