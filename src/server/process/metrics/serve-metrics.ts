// /metrics on a port of its own, so that it is not on the public one.
import { createServer } from "node:http";
import type { Logger } from "pino";
import { sendError } from "#src/http/send.ts";
import type { HostAndHeaders } from "#src/server/http/host-and-headers.ts";
import { addressOf, listenOn } from "#src/server/http/http-server.ts";
import { refuseMalformed } from "#src/server/http/malformed.ts";
import type { Metrics } from "#src/server/process/metrics/metrics.ts";

export interface MetricsServer {
  readonly url: string;
  /** Ends at once: an answer that is cut hurts nobody. */
  close(): Promise<void>;
}

interface Options {
  readonly host: string;
  readonly port: number;
  readonly hostAndHeaders: HostAndHeaders;
  readonly log: Pick<Logger, "error">;
}

/** Starts to listen. Rejects with the system's error, such as EADDRINUSE. */
export async function serveMetrics(
  metrics: Metrics,
  { host, port, hostAndHeaders, log }: Options,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const { url, method } = request;
    hostAndHeaders.secure(response);
    const refusal = hostAndHeaders.refusal(request);
    if (refusal) return sendError(response, refusal);
    if (url !== "/metrics" || (method !== "GET" && method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("Only /metrics is here.\n");
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "the metrics could not be read");
        response.writeHead(500).end();
      },
    );
  });
  refuseMalformed(server);
  await listenOn(server, host, port);
  return {
    url: `${addressOf(server, host).url}/metrics`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
