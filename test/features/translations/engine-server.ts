// Servers on loopback that replace translation engines, and record their requests.
import type { IncomingHttpHeaders } from "node:http";
import { serveOnLoopback } from "#test/support/loopback.ts";

/** A request that an engine received. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response: JSON, with status 200 by default. */
interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** Starts a server until the file's tests are done. `answer` is called for each request. */
export async function serveEngine(answer: (asked: Asked) => Answer | Promise<Answer>): Promise<string> {
  const port = await serveOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      void Promise.resolve(answer({ method, path: url, headers, body: Buffer.concat(chunks).toString() })).then(
        ({ status = 200, headers: more = {}, json }) => {
          response.writeHead(status, { "content-type": "application/json", ...more });
          response.end(typeof json === "string" ? json : JSON.stringify(json));
        },
      );
    });
  });
  return `http://127.0.0.1:${port}`;
}

/** A request for translation into Spanish. */
export const intoSpanish = {
  from: "en",
  to: "es",
  instructions: "",
  glossary: [],
  context: "",
  signal: new AbortController().signal,
} as const;
