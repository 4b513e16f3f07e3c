// /metrics on a port of its own, so that it is not on the public one.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { Doors } from "#src/server/http/host-and-headers.ts";
import { sendError } from "#src/http/exchange.ts";
import { refuseMalformed } from "#src/server/http/malformed.ts";
import type { Metrics } from "#src/server/process/metrics/metrics.ts";

export interface MetricsServer {
  readonly url: string;
  /** Ends at once: nobody is hurt by an answer that is cut. */
  close(): Promise<void>;
}

/** Starts to listen. Rejects with the system's error, such as EADDRINUSE. */
export async function serveMetrics(
  metrics: Metrics,
  { host, port, doors, log }: { host: string; port: number; doors: Doors; log: Pick<Logger, "error"> },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const { url, method } = request;
    doors.furnish(response);
    const refusal = doors.refusal(request);
    if (refusal) return sendError(response, refusal);
    if (url !== "/metrics" || (method !== "GET" && method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("There is /metrics here alone.\n");
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "the metrics cannot be told");
        response.writeHead(500).end();
      },
    );
  });
  refuseMalformed(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo; // a TCP server's address is never a path
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/metrics`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
