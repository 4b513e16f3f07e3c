// Being watched: metrics and traces, whose libraries are only loaded where somebody wants them.
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import { type Config, ConfigError } from "#src/config/config.ts";
import { allowedHostsOf, Doors } from "#src/server/http/host-and-headers.ts";
import type { AppOptions } from "#src/server/process/app-options.ts";

interface Watching {
  readonly watchers: Pick<AppOptions, "metrics" | "tracing">;
  stop(): Promise<void>;
}

type Settings = Pick<Config, "metricsPort" | "metricsHost" | "tracing" | "allowedHosts" | "publicUrl">;

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

async function tell(settings: Settings, version: string, log: Logger) {
  const { metricsPort: port, metricsHost: host } = settings;
  if (port === undefined) return undefined;
  const { Metrics } = await import("#src/server/process/metrics/metrics.ts");
  const { serveMetrics } = await import("#src/server/process/metrics/serve-metrics.ts");
  const metrics = new Metrics({ version });
  const doors = metricsDoors(settings);
  const server = await serveMetrics(metrics, { host, port, doors, log }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `/metrics cannot listen on port ${port} of ${host} (${code}): set METRICS_PORT or METRICS_HOST to others`,
    );
  });
  log.info({ address: server.url }, "metrics are told");
  return { metrics, server };
}

/** Those of the gateway itself, and the address on which the metrics are. */
function metricsDoors({ allowedHosts: listed, metricsHost: host, publicUrl = "" }: Settings): Doors {
  const names = allowedHostsOf(listed, host);
  const own = host.includes(":") ? `[${host}]` : host;
  return new Doors({ allowedHosts: names && [...names, own], publicUrl: () => publicUrl });
}

async function trace({ tracing }: Settings, version: string, log: Logger) {
  if (!tracing) return undefined;
  const { Tracing } = await import("#src/server/process/tracing/tracing.ts");
  return new Tracing({ ...tracing, version, log });
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
