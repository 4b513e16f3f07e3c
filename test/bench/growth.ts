// The section on growth: what the same requests take in a space with 10, 100, 1,000 and 10,000 pages, comments, change
// requests and events, and what writes take beside 10,000 subscribers. The exponent says how time grows: 0 not at all,
// 1 with the size.
import { readFileSync, writeFileSync } from "node:fs";
import { type ContentFixture, proseOf, timeOf, withContentFixture } from "#test/bench/content/fixture.ts";
import { median, table } from "#test/bench/figures.ts";
import { type Grown, measured, type Measured, Timed, writes } from "#test/bench/growth-requests.ts";
import { Subscribers } from "#test/bench/live/crowd.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { giveLevels } from "#test/features/content/factory.ts";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { commentsOfSpace, openStream } from "#test/live/stream.ts";
import { times } from "#test/support/world.ts";

const sizes = [10, 100, 1_000, 10_000] as const;
const [warmUp, rounds] = [3, 15] as const;
/** The subscribers beside whom writes are measured. */
const crowdSize = 10_000;

/** An import of 10,000 pages in one request takes longer than it may by default on a slow machine. */
const settings = { SOCKETS_PER_TOKEN: "100000", REQUEST_TIMEOUT: "300" };

/** Beyond it a request whose answer does not grow would be a fault. */
const mostExponent = 0.5;

interface Cost {
  readonly milliseconds: number;
  /** Megabytes that the gateway held at most during the rounds, above those before. */
  readonly memory: number;
}

async function measure(grown: Grown, { ask, runs = warmUp + rounds }: Measured): Promise<Cost> {
  const costs: number[] = [];
  let before = residentOf(grown.pid);
  for (let round = 0; round < runs; round++) {
    if (round === Math.min(warmUp, runs - 1)) before = forgetPeak(grown.pid);
    let part: unknown;
    const whole = await timeOf(async () => (part = await ask(grown, round)));
    if (round >= Math.min(warmUp, runs - 1)) costs.push(part instanceof Timed ? part.milliseconds : whole);
  }
  const memory = Math.max(0, residentOf(grown.pid, "VmHWM") - before);
  return { milliseconds: median(costs), memory };
}

/** Resident megabytes of a process: now, or at most since {@link forgetPeak}. */
function residentOf(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
}

/** Has the kernel count the peak of a process from now on (proc_pid_clear_refs(5)). Returns what it has now. */
function forgetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return residentOf(pid);
}

/** The numbers of change requests here: above those that the measured requests open. */
const firstNumber = 1_000_000;

/** How many change requests are written in one statement. */
const slice = 500;

async function grow(fixture: ContentFixture, size: number): Promise<Grown> {
  const { database, made, world } = fixture;
  const [spaceId, organizationId] = [made.space.id, made.organization.id];
  const site = await world.insert((rows) => {
    const added = addSite(rows, { organizationId, visibility: "public", publishedAt: new Date() });
    addSiteSpace(rows, { siteId: added.id, spaceId });
    return added;
  });
  const ofAdmin = { spaceId, postedById: made.admin.id };
  for (let from = 0; from < size; from += slice)
    await world.insert((rows) => {
      for (let number = from; number < Math.min(size, from + slice); number++) {
        const given = { space: made.space, number: number + firstNumber, createdById: made.admin.id };
        addComment(rows, { ...ofAdmin, changeRequestId: addChangeRequest(rows, given).id });
        addComment(rows, ofAdmin);
      }
    });
  // After them: the revisions of change requests are compared with the pages at once.
  const pageIds = await giveLevels(database, made.space.revisionId, { count: size, siblings: 20, textOf: proseOf });
  const stream = await openStream(fixture.origin, made.admin.token, { space: spaceId });
  const begin = (await stream.next())?.cursor ?? "";
  await database.pool.query(
    `insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", "actorId")
     select 'comment.created', id, $1, "spaceId", "postedById" from "Comment" where "spaceId" = $2 and "changeRequestId" is null`,
    [organizationId, spaceId],
  );
  await database.pool.query("vacuum analyze");
  return { ...fixture, size, pageIds, siteId: site.id, stream, begin };
}

/** The writes beside nobody, and beside a crowd that subscribes to another space of the organization. */
async function measureBesideCrowd(serverUrl: string): Promise<string[]> {
  return withContentFixture(
    serverUrl,
    async (fixture) => {
      const grown = await grow(fixture, sizes[1]);
      const alone: Cost[] = [];
      for (const write of writes) alone.push(await measure(grown, write));
      const { made, origin, world } = fixture;
      const other = await world.insert((rows) => addSpace(rows, { organizationId: made.organization.id }));
      const crowd = new Subscribers();
      try {
        const url = `${origin.replace("http", "ws")}/graphql`;
        const variables = times(crowdSize, () => ({ space: other.id }));
        await crowd.ask({ type: "open", url, token: made.admin.token, query: commentsOfSpace, variables });
        const beside: Cost[] = [];
        for (const write of writes) beside.push(await measure(grown, write));
        const ms = (cost: Cost | undefined) => `${cost?.milliseconds.toFixed(1)} ms`;
        return table(
          ["request", "subscribers: 0", crowdSize.toLocaleString("en")],
          writes.map(({ what }, index) => [what, ms(alone[index]), ms(beside[index])]),
        );
      } finally {
        crowd.stop();
      }
    },
    settings,
  );
}

const exponentOf = (found: readonly number[]): number =>
  Math.log((found.at(-1) ?? 0) / (found[0] ?? 1)) / Math.log((sizes.at(-1) ?? 1) / sizes[0]);

/** Measures all requests at all sizes. A request whose answer stays the same misses its target if it grows. */
export async function measureGrowth(
  serverUrl: string,
  say: (line: string) => void,
): Promise<{ text: string; missed: string[] }> {
  const costs = new Map<Measured, Cost[]>(measured.map((each) => [each, []]));
  for (const size of sizes)
    await withContentFixture(
      serverUrl,
      async (fixture) => {
        say(`  ${size} pages`);
        const grown = await grow(fixture, size);
        for (const [each, found] of costs) found.push(await measure(grown, each));
        grown.stream.end();
      },
      settings,
    );
  say(`  ${crowdSize} subscribers elsewhere`);
  const beside = await measureBesideCrowd(serverUrl);
  const rows = [...costs].map(([{ what, grows }, found]) => {
    const exponent = exponentOf(found.map(({ milliseconds }) => milliseconds));
    const limit = grows ? 1 : mostExponent;
    return { what, found, exponent, isMissed: exponent > limit, limit };
  });
  const lines = table(
    ["request", ...sizes.map((size) => `${size.toLocaleString("en")}`), "exponent", "memory", ""],
    rows.map(({ what, found, exponent, isMissed, limit }) => [
      what,
      ...found.map(({ milliseconds }) => `${milliseconds.toFixed(1)} ms`),
      exponent.toFixed(2),
      `${found[0]?.memory.toFixed(0)} to ${found.at(-1)?.memory.toFixed(0)} MB`,
      isMissed ? `**above ${limit}**` : "",
    ]),
  );
  const text = [
    "## (growth) What requests take as the data grows",
    "",
    `Pages, comments and change requests of one space; one request at a time, medians of ${rounds}.`,
    "Memory is what the gateway held at most during them above what it held before, in the smallest and the largest space: garbage of the young generation, and what the request needs.",
    "",
    ...lines,
    "",
    "Writes while others subscribe to the comments of another space:",
    "",
    ...beside,
  ].join("\n");
  return { text, missed: rows.flatMap(({ what, isMissed }) => (isMissed ? [`(growth) ${what}`] : [])) };
}
