// The proof of fairness: how long small reads and comments of one user take while another does heavy work of each kind.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Database } from "#src/db/connection/database.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import type { Heavy } from "#test/live/hog-clients.ts";
import { type Counts, held, type HogSize, idle, works } from "#test/live/hog-works.ts";
import { type Latencies, startProbe } from "#test/live/latency-probe.ts";
import { httpClient } from "#test/support/client.ts";
import { createWorld, times } from "#test/support/world.ts";

/** The latencies of the other user in milliseconds, and the requests of the heavy one by their outcome. */
interface HogLine {
  readonly work: string;
  readonly done: number;
  readonly refused: number;
  readonly readsP95: number;
  readonly commentsP95: number;
  /** As multiples of the latencies without heavy work, measured in turns with it. */
  readonly reads: number;
  readonly comments: number;
  /** Requests of the other user that failed. */
  readonly failed: number;
  readonly codes: string;
}

interface Target {
  readonly url: string;
  readonly databaseUrl: string;
  readonly database: Database;
}

const start = fileURLToPath(new URL("../../src/run.js", import.meta.url));

/** Repeats heavy work at the lowest priority: its clients stand for other machines, and take no processor away. */
async function repeat(heavy: Heavy): Promise<Counts> {
  const script = [process.execPath, start, "../test/live/hog-clients", JSON.stringify(heavy)];
  const { stdout } = await promisify(execFile)("nice", ["-n", "19", ...script]);
  return JSON.parse(stdout) as Counts;
}

/** How many times each kind of work is done in turns with nothing: the speed of a machine changes within seconds. */
const rounds = 3;

/** For how many seconds nothing is done in each of them, and before the first of all. */
const [aloneSeconds, warmingSeconds] = [4, 10];

/** Runs each kind of work whose name contains `named`. */
export async function proveHogs(
  target: Target,
  { named, ...size }: HogSize & { named: string },
  say: (line: string) => void,
) {
  const scene = await makeScene(target, size);
  await using probe = await startProbe({ url: target.url, ...scene.other });
  const beside = (heavy: Omit<Heavy, "scene">) => probe.during(() => repeat({ scene, ...heavy }));
  const aloneFor = async (seconds: number) => (await beside({ work: idle, size: { ...size, seconds } }))[1];
  await aloneFor(warmingSeconds);
  const lines: HogLine[] = [];
  for (const work of Object.keys(works).filter((name) => name !== idle && name.includes(named))) {
    const [alone, during, counts]: [Latencies[], Latencies[], Counts[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      alone.push(await aloneFor(aloneSeconds));
      await using _held = await held[work]?.(scene);
      const [outcome, latencies] = await beside({ work, size });
      counts.push(outcome);
      during.push(latencies);
    }
    const line = lineOf(alone, during);
    lines.push({ work, done: sum(counts, "done"), refused: sum(counts, "refused"), ...line });
    const [reads, comments] = [line.reads, line.comments].map((times) => times.toFixed(1));
    say(
      `${work}: reads ${line.readsP95.toFixed(1)} ms (${reads}), comments ${line.commentsP95.toFixed(1)} ms (${comments})`,
    );
  }
  return lines;
}

const sum = (counts: readonly Counts[], outcome: keyof Counts): number =>
  counts.reduce((total, each) => total + each[outcome], 0);

function lineOf(alone: readonly Latencies[], during: readonly Latencies[]) {
  const p95 = (all: readonly Latencies[], kind: "rows" | "comments"): number => {
    const values = all.flatMap((each) => each[kind]).toSorted((one, other) => one - other);
    return values[Math.ceil(values.length * 0.95) - 1] ?? NaN;
  };
  const [readsP95, commentsP95] = [p95(during, "rows"), p95(during, "comments")];
  return {
    readsP95,
    commentsP95,
    reads: readsP95 / p95(alone, "rows"),
    comments: commentsP95 / p95(alone, "comments"),
    failed: during.reduce((total, { failed }) => total + failed, 0),
    codes: [...new Set(during.flatMap(({ codes }) => codes))].join(),
  };
}

/** A space of the heavy user with comments and pages, and one of the other user. */
export async function makeScene({ url, database, databaseUrl }: Target, { comments, pages }: HogSize) {
  const world = createWorld(database);
  const [{ space, organization, editor, creator, reader }, own] = [await world.space(), await world.space()];
  const written = await world.insert((rows) => addSpace(rows, { organizationId: organization.id }));
  await world.insert((rows) => times(comments, () => addComment(rows, { spaceId: space.id, postedById: reader.id })));
  const markdown = times(8, (part) => `## Part ${part}\n\nThe **harbour** keeps [its records](https://example.com).`);
  const edits = times(pages, (index) => newPage(`Page ${index}`, { markdown: markdown.join("\n\n") }).edit);
  for (let at = 0; at < edits.length; at += 100)
    await editAs(httpClient(url, creator.token), { spaceId: space.id }, ...edits.slice(at, at + 100));
  return {
    url,
    databaseUrl,
    spaceId: space.id,
    writtenId: written.id,
    organizationId: organization.id,
    hog: editor.token,
    users: { hog: editor.id, other: own.commenter.id },
    creator: creator.token,
    other: { token: own.commenter.token, spaceId: own.space.id, writes: true },
  };
}
