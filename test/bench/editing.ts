// The section on editing: many people who edit one large space at once, and the read latency of others.
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "#src/db/connection/database.ts";
import { editAs } from "#test/features/content/edits.ts";
import { giveLevels, giveTree } from "#test/features/content/factory.ts";
import { addPersonIn } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { withContentFixture, proseOf, reworded, type ContentFixture } from "#test/bench/content/fixture.ts";
import { percentile, table } from "#test/bench/figures.ts";
import { query } from "#test/bench/server.ts";
import { httpClient } from "#test/support/client.ts";
import { makeRandom } from "#test/support/random.ts";
import { times } from "#test/support/world.ts";

const pages = 5_000;
const editors = 40;
const readers = 4;
/** The pause of each reader between two reads, in milliseconds. */
const restMs = 100;
const warmUpMs = 3_000;
const measuredMs = 15_000;

/** The targets: edits a second, and the read latency of others in milliseconds. */
const targets = { edits: 60, read: 50 } as const;

type Shape = keyof typeof shapes;
const shapes = {
  "in chapters and sections": (database: Database, revisionId: string) => giveTree(database, revisionId, pages),
  "side by side": (database: Database, revisionId: string) =>
    giveLevels(database, revisionId, { count: pages, siblings: pages, textOf: proseOf }),
} as const;

const readDocument = `query ($id: ID!) { space(id: $id) { id title changeRequests(first: 20) { nodes { id subject } } } }`;

/** Runs 40 users who edit a space, each one edit after the other, while others read elsewhere. */
export async function measureEditing(
  serverUrl: string,
  say: (line: string) => void,
): Promise<{ text: string; missed: string[] }> {
  const rows: string[][] = [];
  const missed: string[] = [];
  const perSecond = (costs: readonly number[]) => (costs.length / measuredMs) * 1000;
  for (const shape of Object.keys(shapes) as Shape[]) {
    const { editing, reading } = await withContentFixture(serverUrl, (fixture) => editTogether(fixture, shape));
    const figures = (costs: readonly number[]) =>
      [perSecond(costs), ...[50, 95, 100].map((at) => percentile(costs, at))].map((figure) => figure.toFixed(1));
    rows.push([shape, "edits", ...figures(editing), `>= ${targets.edits} a second`]);
    rows.push([shape, "reads", ...figures(reading), `p95 < ${targets.read} ms`]);
    if (perSecond(editing) < targets.edits)
      missed.push(`(editing) ${shape}: ${perSecond(editing).toFixed(1)} edits a second`);
    if (percentile(reading, 95) >= targets.read)
      missed.push(`(editing) ${shape}: reads p95 ${percentile(reading, 95).toFixed(1)} ms`);
  }
  const lines = [
    "## (editing) Many people edit one space",
    "",
    `${editors} people edit the texts of a space of ${pages} pages for ${measuredMs / 1000} s, each one edit after the other; ${readers} others read another space meanwhile, each with rests of ${restMs} ms. Everything on one machine.`,
    "",
    ...table(["pages", "", "a second", "p50 ms", "p95 ms", "max ms", "target"], rows),
  ];
  for (const line of lines.slice(4)) say(`  ${line}`);
  return { text: lines.join("\n"), missed };
}

/** Latencies in the measured time, in milliseconds. */
async function editTogether({ database, world, made, url, origin }: ContentFixture, shape: Shape) {
  const organizationId = made.organization.id;
  const { space, other, people } = await world.insert((rows) => ({
    space: addSpace(rows, { organizationId }),
    other: addSpace(rows, { organizationId }),
    people: times(editors + readers, () => addPersonIn(rows, { organizationId, role: "edit" })),
  }));
  const pageIds = await shapes[shape](database, space.revisionId);
  await query(url, "vacuum analyze");
  const from = performance.now() + warmUpMs;
  const until = from + measuredMs;
  const [editing, reading]: [number[], number[]] = [[], []];
  const goOn = async (costs: number[], work: () => Promise<unknown>, rest = 0) => {
    while (performance.now() < until) {
      if (rest > 0) await wait(rest);
      const begun = performance.now();
      await work();
      if (begun >= from && performance.now() < until) costs.push(performance.now() - begun);
    }
  };
  const random = makeRandom(5);
  await Promise.all(
    people.map(({ token }, index) => {
      const as = httpClient(origin, token);
      if (index >= editors) return goOn(reading, () => as.query(readDocument, { id: other.id }), restMs);
      return goOn(editing, () => {
        const [page, line] = [random.below(pageIds.length), random.below(28)];
        const markdown = reworded(proseOf(page), line, `Written by ${index} at ${performance.now()}.`);
        return editAs(as, { spaceId: space.id }, { updatePage: { pageId: pageIds[page], markdown } });
      });
    }),
  );
  return { editing, reading };
}
