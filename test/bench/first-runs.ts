// The cost of the first run of a document: each is sent as a new text, and then again.
import { type Ask, type Asks, counts, nested, oneRow, threeLevels } from "#test/bench/documents.ts";
import { median, table } from "#test/bench/figures.ts";
import { askOnce } from "#test/bench/load.ts";
import { type RunningSystem, startSystem } from "#test/bench/processes.ts";
import type { SectionOptions } from "#test/bench/sections.ts";
import { readWorld, type World } from "#test/bench/world.ts";

const texts = 50;
/** Runs of a text after its first: the second may still include preparation. */
const again = 5;
const target = { mostMore: 3 } as const;

interface Times {
  readonly first: number;
  readonly second: number;
  readonly later: number;
}

const documents: Readonly<Record<string, (world: World) => Asks>> = {
  "(a) nested": ({ organization }) => nested(organization),
  "(b) three levels": ({ organization }) => threeLevels(organization),
  "(c) counts and permissions": counts,
  "(d) one space": oneRow,
};

/** The same document with another alias at its end. */
function renamed({ path, body }: Ask, number: number): Ask {
  if (!body) throw new Error(`${path} has no document`);
  return { path, body: { ...body, query: body.query.replace(/\}\s*$/, ` fresh${number}: __typename }`) } };
}

/** Latencies in milliseconds of new documents and of known ones. */
export async function measureFirstRuns({
  databaseUrl,
  say,
}: SectionOptions): Promise<{ text: string; missed: string[] }> {
  const world = await readWorld(databaseUrl);
  const running = await startSystem("docgraph", databaseUrl);
  try {
    const rows: string[][] = [];
    const missed: string[] = [];
    for (const [name, asks] of Object.entries(documents)) {
      const ask = asks(world)("docgraph");
      if (!ask) continue;
      const { first, second, later } = await timesOf(running, ask);
      say(`  ${name}: first ${first.toFixed(2)} ms, later ${later.toFixed(2)} ms`);
      const more = first - later;
      const isMissed = more > target.mostMore;
      if (isMissed) missed.push(`(first) ${name}: ${more.toFixed(2)} ms more than later runs`);
      rows.push([
        name,
        ...[first, second, later, more].map((time) => time.toFixed(2)),
        isMissed ? "**missed**" : "met",
      ]);
    }
    const text = [
      "## (first) What the first run of a document costs",
      "",
      `Milliseconds until the answer, one request at a time, medians of ${texts} texts that the gateway had not seen before; later is from the third run on. Target: the first takes at most ${target.mostMore} ms more than later ones.`,
      "",
      ...table(["document", "first ms", "second ms", "later ms", "first is more by ms", ""], rows),
    ];
    return { text: text.join("\n"), missed };
  } finally {
    await running.stop();
  }
}

async function timesOf(running: RunningSystem, ask: Ask): Promise<Times> {
  const timed = async (one: Ask): Promise<number> => {
    const start = performance.now();
    await askOnce(running, one);
    return performance.now() - start;
  };
  for (let number = 0; number < 2 * texts; number++) await timed(number % 2 ? ask : renamed(ask, texts + number));
  const runs: number[][] = [];
  for (let number = 0; number < texts; number++) {
    const one = renamed(ask, number);
    const times: number[] = [];
    for (let run = 0; run <= again; run++) times.push(await timed(one));
    runs.push(times);
  }
  return {
    first: median(runs.map(([first = Number.NaN]) => first)),
    second: median(runs.map(([, second = Number.NaN]) => second)),
    later: median(runs.flatMap((times) => times.slice(2))),
  };
}
