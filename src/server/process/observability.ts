// Metrics and traces, whose libraries are only loaded where the settings ask for them.
import { readFile } from "node:fs/promises";
import type { Logger } from "pino";
import { type Config, ConfigError } from "#src/config/config.ts";
import { allowedHostsOf, HostAndHeaders } from "#src/server/http/host-and-headers.ts";
import type { AppOptions } from "#src/server/process/app-options.ts";

interface Observing {
  readonly observers: Pick<AppOptions, "metrics" | "tracing">;
  stop(): Promise<void>;
}

type Settings = Pick<Config, "metricsPort" | "metricsHost" | "tracing" | "allowedHosts" | "publicUrl">;

/** Starts what the settings ask for. Throws ConfigError when a port cannot be listened on. */
export async function observe(settings: Settings, log: Logger): Promise<Observing> {
  const version = await readVersion();
  const tracing = await trace(settings, version, log);
  const listening = await startMetrics(settings, version, log);
  return {
    observers: { metrics: listening?.metrics, tracing },
    async stop() {
      await Promise.all([listening?.server.close(), tracing?.stop()]);
    },
  };
}

async function startMetrics(settings: Settings, version: string, log: Logger) {
  const { metricsPort: port, metricsHost: host } = settings;
  if (port === undefined) return undefined;
  const { Metrics } = await import("#src/server/process/metrics/metrics.ts");
  const { serveMetrics } = await import("#src/server/process/metrics/serve-metrics.ts");
  const metrics = new Metrics({ version });
  const hostAndHeaders = metricsHosts(settings);
  const server = await serveMetrics(metrics, { host, port, hostAndHeaders, log }).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new ConfigError(
        `/metrics cannot listen on port ${port} of ${host} (${code}): set METRICS_PORT or METRICS_HOST to others`,
      );
    },
  );
  log.info({ address: server.url }, "metrics endpoint listening");
  return { metrics, server };
}

/** The hosts of the gateway itself, and the address of the metrics. */
function metricsHosts({ allowedHosts: listed, metricsHost: host, publicUrl = "" }: Settings): HostAndHeaders {
  const names = allowedHostsOf(listed, host);
  const own = host.includes(":") ? `[${host}]` : host;
  return new HostAndHeaders({ allowedHosts: names && [...names, own], address: { publicUrl } });
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
