// Being watched: metrics and traces, whose libraries are only loaded where somebody wants them.
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import { type Config, ConfigError } from "#src/base/config.ts";
import type { Watchers } from "#src/server/watched.ts";

interface Watching {
  readonly watchers: Watchers;
  stop(): Promise<void>;
}

type Settings = Pick<Config, "metricsPort" | "metricsHost" | "tracing">;

/** Starts what the settings ask for. Throws ConfigError when a port cannot be listened on. */
export async function watch(settings: Settings, log: Logger): Promise<Watching> {
  const version = await readVersion();
  const [tracing, told] = [await trace(settings, version, log), await tell(settings, version, log)];
  return {
    watchers: { metrics: told?.metrics, tracing },
    async stop() {
      await Promise.all([told?.server.close(), tracing?.stop()]);
    },
  };
}

async function tell({ metricsPort: port, metricsHost: host }: Settings, version: string, log: Logger) {
  if (port === undefined) return undefined;
  const { Metrics } = await import("#src/server/metrics/metrics.ts");
  const { serveMetrics } = await import("#src/server/metrics/serve-metrics.ts");
  const metrics = new Metrics({ version });
  const server = await serveMetrics(metrics, { host, port, log }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `/metrics cannot listen on port ${port} of ${host} (${code}): set METRICS_PORT or METRICS_HOST to others`,
    );
  });
  log.info({ address: server.url }, "metrics are told");
  return { metrics, server };
}

async function trace({ tracing }: Settings, version: string, log: Logger) {
  if (!tracing) return undefined;
  const { Tracing } = await import("#src/server/tracing/tracing.ts");
  return new Tracing({ ...tracing, version, log });
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
