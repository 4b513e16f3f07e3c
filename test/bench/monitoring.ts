// The cost of monitoring: case (d) with metrics, and with metrics and traces, compared with the same gateway without.
import { oneRow } from "#test/bench/documents.ts";
import { startSystem } from "#test/bench/processes.ts";
import type { SectionOptions } from "#test/bench/sections.ts";
import { freePort } from "#test/support/free-port.ts";
import { describeRounds, compareRunners, loadAlternating, type Runner } from "#test/bench/alternating-load.ts";
import { readWorld } from "#test/bench/world.ts";
import { startCollector } from "#test/support/collector.ts";

/** The scrape interval of /metrics, as Prometheus's default, in milliseconds. */
const scrapeMs = 15_000;
const how = { rounds: 25, connections: 16, seconds: 2 };
/** The largest allowed cost of monitoring, as a share of the gateway's CPU time per request. */
const most = 0.03;

interface Watched extends Runner {
  /** Its /metrics, which is scraped during the measurement. */
  readonly metrics: string | null;
}

/** Loads the gateways in turn, burst by burst. */
export async function measureMonitoring(options: SectionOptions): Promise<{ text: string; missed: string[] }> {
  const collector = await startCollector();
  const contenders: Watched[] = [];
  let scraping: NodeJS.Timeout | undefined;
  const start = async (name: string, settings: Readonly<Record<string, string>>) => {
    const running = await startSystem("docgraph", options.databaseUrl, settings);
    const { METRICS_PORT: port } = settings;
    contenders.push({ name, running, metrics: port ? `http://127.0.0.1:${port}/metrics` : null, figures: [] });
  };
  try {
    await start("nothing", {});
    await start("metrics", { METRICS_PORT: String(await freePort()) });
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    await start("metrics and traces", { METRICS_PORT: String(await freePort()), ...traces });
    await start("nothing again", {}); // shows the noise of the measurement
    const addresses = contenders.flatMap(({ metrics }) => metrics ?? []);
    scraping = setInterval(() => addresses.forEach((address) => void fetch(address)), scrapeMs);
    const ask = oneRow(await readWorld(options.databaseUrl))("docgraph");
    if (!ask) throw new Error("docgraph has no case (d)");
    await loadAlternating(contenders, { ...options, ...how, askOf: () => ask });
    return report(contenders, collector.spans.length);
  } finally {
    clearInterval(scraping);
    await Promise.all(contenders.map(({ running }) => running.stop()));
    await collector.close();
  }
}

function report(contenders: readonly Watched[], spans: number): { text: string; missed: string[] } {
  const { lines, cpu } = compareRunners("watched by", contenders);
  const unwatched = cpu.get("nothing") ?? Number.NaN;
  const missed = [...cpu]
    .map(([name, watched]) => ({ name, cost: watched / unwatched - 1 }))
    .filter(({ name, cost }) => name.startsWith("metrics") && cost > most)
    .map(({ name, cost }) => `${name} cost ${(cost * 100).toFixed(1)} %.`);
  const caption = `/metrics was read every ${scrapeMs / 1000} seconds, and the collector got ${spans} spans, by the part that is traced by default.`;
  const text = [
    "## (watching) what metrics and traces cost (d)",
    "",
    `${describeRounds(how)} ${caption}`,
    "",
    ...lines,
  ];
  return { text: text.join("\n"), missed };
}
