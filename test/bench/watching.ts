// What being watched costs: case (d) with metrics, and with metrics and traces, beside the same gateway without either.
import { oneRow } from "#test/bench/documents.ts";
import { median, percentile, table } from "#test/bench/figures.ts";
import { type Figures, load } from "#test/bench/load.ts";
import { type RunningSystem, startSystem } from "#test/bench/processes.ts";
import type { Ground } from "#test/bench/sections.ts";
import { freePort } from "#test/support/free-port.ts";
import { readWorld } from "#test/bench/world.ts";
import { startCollector } from "#test/support/collector.ts";

/** How often, in milliseconds, /metrics is read: as Prometheus does it by default. */
const scrapeMs = 15_000;
const rounds = 25;
const [connections, seconds] = [16, 2];
/** The most that being watched may cost, of the time of the gateway's process for a request. */
const most = 0.03;
/** Of the rounds those count in which it took least: what else goes on at the machine only ever adds to that. */
const quietest = 20;

interface Contender {
  readonly name: string;
  readonly running: RunningSystem;
  /** Its /metrics, which is read while it is measured. */
  readonly metrics: string | null;
  readonly figures: Figures[];
}

/** They take turns, burst by burst. */
export async function measureWatching(ground: Ground): Promise<{ text: string; missed: string[] }> {
  const collector = await startCollector();
  const contenders: Contender[] = [];
  let scraping: NodeJS.Timeout | undefined;
  const start = async (name: string, settings: Readonly<Record<string, string>>) => {
    const running = await startSystem("docgraph", ground.databaseUrl, settings);
    const { METRICS_PORT: port } = settings;
    contenders.push({ name, running, metrics: port ? `http://127.0.0.1:${port}/metrics` : null, figures: [] });
  };
  try {
    await start("nothing", {});
    await start("metrics", { METRICS_PORT: String(await freePort()) });
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    await start("metrics and traces", { METRICS_PORT: String(await freePort()), ...traces });
    await start("nothing again", {}); // says how much of a difference is chance
    const addresses = contenders.flatMap(({ metrics }) => metrics ?? []);
    scraping = setInterval(() => addresses.forEach((address) => void fetch(address)), scrapeMs);
    await measureInTurn(ground, contenders);
    return report(contenders, collector.spans.length);
  } finally {
    clearInterval(scraping);
    await Promise.all(contenders.map(({ running }) => running.stop()));
    await collector.close();
  }
}

async function measureInTurn({ databaseUrl, postmaster, say }: Ground, contenders: readonly Contender[]) {
  const ask = oneRow(await readWorld(databaseUrl))("docgraph");
  if (!ask) throw new Error("docgraph has no case (d)");
  for (const { running } of contenders) await load({ running, ask, postmaster }, { connections, seconds: 4 });
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < contenders.length; place++) {
      const contender = contenders[(place + round) % contenders.length]; // nobody is always behind the same one
      if (!contender) continue;
      const { running, figures } = contender;
      figures.push(await load({ running, ask, postmaster }, { connections, seconds }));
    }
    say(`  ${contenders.map(({ name, figures }) => `${name} ${figures.at(-1)?.perSecond.toFixed(0)}/s`).join(", ")}`);
  }
}

function report(contenders: readonly Contender[], spans: number): { text: string; missed: string[] } {
  const [plain] = contenders;
  if (!plain) throw new Error("Nothing was measured");
  const missed: string[] = [];
  const rows = contenders.map(({ name, figures }) => {
    const ratios = figures.map(({ perSecond }, round) => perSecond / (plain.figures[round]?.perSecond ?? Number.NaN));
    const cpu = quietCpu(figures) / quietCpu(plain.figures);
    if (name.startsWith("metrics") && cpu > 1 + most) missed.push(`${name} cost ${((cpu - 1) * 100).toFixed(1)} %.`);
    return [
      name,
      median(figures.map(({ perSecond }) => perSecond)).toFixed(0),
      median(ratios).toFixed(3),
      quietCpu(figures).toFixed(1),
      cpu.toFixed(3),
    ];
  });
  const head = ["watched by", "requests/s", "ratio", "CPU µs a request", "ratio"];
  const about = `${rounds} rounds of ${seconds} s, ${connections} connections; requests are medians of the rounds, and their ratio to the first line of the ratios round by round; CPU is that of the quietest ${quietest} % of the rounds.`;
  const told = `/metrics was read every ${scrapeMs / 1000} seconds, and the collector got ${spans} spans, by the part that is traced by default.`;
  const text = ["## (watching) what metrics and traces cost (d)", "", `${about} ${told}`, "", ...table(head, rows)];
  return { text: text.join("\n"), missed };
}

/** Microseconds of the process for a request. */
function quietCpu(figures: readonly Figures[]): number {
  const each = figures.map(({ serverCpu }) => 1000 * (serverCpu ?? Number.NaN));
  return percentile(each, quietest);
}
