// The section on growth: what the same requests take in a space with 10, 100, 1,000 and 10,000 pages, comments and
// change requests. The exponent says how time grows: 0 not at all, 1 with the size.
import os from "node:os";
import { type ContentFixture, proseOf, reworded, timeOf, withContentFixture } from "#test/bench/content/fixture.ts";
import { median, table } from "#test/bench/figures.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { openChangeRequest } from "#test/features/change-requests/scene.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { editAs } from "#test/features/content/edits.ts";
import { giveLevels } from "#test/features/content/factory.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { times } from "#test/support/world.ts";

const sizes = [10, 100, 1_000, 10_000] as const;
const [warmUp, rounds] = [3, 15] as const;

/** Beyond it a request whose answer does not grow would be a fault. */
const mostExponent = 0.5;

interface Grown extends ContentFixture {
  readonly size: number;
  readonly pageIds: readonly string[];
  readonly siteId: string;
}

interface Measured {
  readonly what: string;
  /** Whether the answer, or what is written, grows with the size. */
  readonly grows?: true;
  /** Fewer runs of what takes long. */
  readonly runs?: number;
  readonly ask: (grown: Grown, round: number) => Promise<unknown>;
}

const query =
  (document: string, variables: (grown: Grown) => object): Measured["ask"] =>
  (grown) =>
    grown.as.query(document, { ...variables(grown) });

const ofSpace = ({ made }: Grown) => ({ id: made.space.id });
const ofSite = ({ siteId }: Grown) => ({ id: siteId });

const measured: readonly Measured[] = [
  {
    what: "20 comments of a space",
    ask: query(
      "query ($id: ID!) { space(id: $id) { comments(first: 20) { nodes { id postedBy { displayName } } } } }",
      ofSpace,
    ),
  },
  {
    what: "their number",
    grows: true,
    ask: query("query ($id: ID!) { space(id: $id) { comments { totalCount } } }", ofSpace),
  },
  {
    what: "20 change requests with 5 comments each",
    ask: query(
      `query ($id: ID!) { space(id: $id) { changeRequests(first: 20) { nodes { number subject
        comments(first: 5) { nodes { id } } } } } }`,
      ofSpace,
    ),
  },
  {
    what: "the text of one page",
    ask: query(
      "query ($id: ID!, $page: ID!) { space(id: $id) { content { page(by: { id: $page }) { title markdown } } } }",
      (grown) => ({ ...ofSpace(grown), page: grown.pageIds.at(-1) }),
    ),
  },
  {
    what: "the whole tree of pages",
    grows: true,
    ask: query("query ($id: ID!) { space(id: $id) { content { allPages { pageId title path } } } }", ofSpace),
  },
  {
    what: "a search for three words of one page",
    ask: (grown, round) =>
      grown.as.query(
        "query ($id: ID!, $text: String!) { search(text: $text, in: { spaceId: $id }, first: 10) { nodes { title } } }",
        {
          ...ofSpace(grown),
          text: `page ${(round * 7) % grown.size} unique`,
        },
      ),
  },
  {
    what: "a page of a published site",
    ask: query('query ($id: ID!) { publishedSite(by: { id: $id }) { page(path: "") { title markdown } } }', ofSite),
  },
  {
    what: "the map of a published site",
    grows: true,
    ask: query("query ($id: ID!) { publishedSite(by: { id: $id }) { siteMap { path } } }", ofSite),
  },
  { what: "posting a comment", ask: (grown) => post(grown) },
  { what: "renaming the space", ask: (grown, round) => rename(grown, `Space ${round}`) },
  { what: "merging one changed line", ask: (grown, round) => merge(grown, round) },
  { what: "importing as many pages", grows: true, runs: 3, ask: (grown) => importPages(grown) },
];

function post({ as, made }: Grown): Promise<unknown> {
  const input = { contentOf: { spaceId: made.space.id }, text: { markdown: "Good." } };
  return as.query("mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }", {
    input,
  });
}

function rename({ as, made }: Grown, title: string): Promise<unknown> {
  const input = { spaceId: made.space.id, title };
  return as.query("mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { space { id } } }", { input });
}

async function merge({ as, made, pageIds }: Grown, round: number): Promise<unknown> {
  const changeRequestId = await openChangeRequest(as, made.space.id);
  const place = (round * 7) % pageIds.length;
  const markdown = reworded(proseOf(place), 5, `This line was written in round ${round}.`);
  await editAs(as, { changeRequestId }, { updatePage: { pageId: pageIds[place], markdown } });
  const document = "mutation ($input: MergeChangeRequestInput!) { mergeChangeRequest(input: $input) { revisionId } }";
  return timed(() => as.query(document, { input: { changeRequestId } }));
}

async function importPages({ as, made, size }: Grown): Promise<unknown> {
  const changeRequestId = await openChangeRequest(as, made.space.id);
  const files = Object.fromEntries(times(size, (page) => [`page-${page}.md`, proseOf(page)]));
  const input = { contentOf: { changeRequestId }, from: { archive: zipFile(files) } };
  return timed(() => as.query(importDocument, { input }));
}

/** The part of a measurement that counts; the whole of it without one. */
class Timed {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }
}

const timed = async (work: () => Promise<unknown>): Promise<Timed> => new Timed(await timeOf(work));

async function measure(grown: Grown, { ask, runs = warmUp + rounds }: Measured): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < runs; round++) {
    let part: unknown;
    const whole = await timeOf(async () => (part = await ask(grown, round)));
    if (round >= Math.min(warmUp, runs - 1)) costs.push(part instanceof Timed ? part.milliseconds : whole);
  }
  return median(costs);
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
  await database.pool.query("vacuum analyze");
  return { ...fixture, size, pageIds, siteId: site.id };
}

/** Measures all requests at all sizes. A request whose answer stays the same misses its target if it grows. */
export async function measureGrowth(
  serverUrl: string,
  say: (line: string) => void,
): Promise<{ text: string; missed: string[] }> {
  const load = os.loadavg()[0]?.toFixed(1);
  const costs = new Map<Measured, number[]>(measured.map((each) => [each, []]));
  for (const size of sizes)
    await withContentFixture(serverUrl, async (fixture) => {
      say(`  ${size} pages`);
      const grown = await grow(fixture, size);
      for (const [each, found] of costs) found.push(await measure(grown, each));
    });
  const rows = [...costs].map(([{ what, grows }, found]) => {
    const exponent = Math.log((found.at(-1) ?? 0) / (found[0] ?? 1)) / Math.log((sizes.at(-1) ?? 1) / sizes[0]);
    const limit = grows ? 1 : mostExponent;
    return { what, found, exponent, isMissed: exponent > limit, limit };
  });
  const lines = table(
    ["request", ...sizes.map((size) => `${size.toLocaleString("en")}`), "exponent", ""],
    rows.map(({ what, found, exponent, isMissed, limit }) => [
      what,
      ...found.map((milliseconds) => `${milliseconds.toFixed(1)} ms`),
      exponent.toFixed(2),
      isMissed ? `**above ${limit}**` : "",
    ]),
  );
  const text = [
    "## (growth) What requests take as the data grows",
    "",
    `Pages, comments and change requests of one space; one request at a time, medians of ${rounds}. Load of the machine before: ${load}.`,
    "",
    ...lines,
  ].join("\n");
  return { text, missed: rows.flatMap(({ what, isMissed }) => (isMissed ? [`(growth) ${what}`] : [])) };
}
