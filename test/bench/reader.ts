// The section on pages of published sites: one of 30 kB of Markdown, from the cache and made again, beside a server of
// static files.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os, { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { type ContentFixture, timeOf, withContentFixture } from "#test/bench/content/fixture.ts";
import { describeRounds, loadAlternating, type Runner } from "#test/bench/alternating-load.ts";
import { median, table } from "#test/bench/figures.ts";
import { cpuTime, startSystem } from "#test/bench/processes.ts";
import { editAs } from "#test/features/content/edits.ts";
import { giveLevels } from "#test/features/content/factory.ts";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";

const how = { rounds: 5, connections: 8, seconds: 2 };
const madeAgain = 30;

/** The targets of the plan, in milliseconds of the gateway's CPU, and in bytes over the line. */
const targets = { cached: 1, again: 15, bytes: 60_000 } as const;

/** A chapter of 3 kB with headings, a table, a list, links and code. */
const chapter = (number: number): string => `## Chapter ${number}

${"A sentence with **bold** words, `code` and a [link](https://example.com/docs) in it. ".repeat(18)}

| Name | Meaning | Default |
| ---- | ------- | ------- |
${Array.from({ length: 8 }, (_, row) => `| \`option${row}\` | What option ${row} of chapter ${number} does | ${row} |`).join("\n")}

- one
- two
  - inside two

\`\`\`ts title="chapter-${number}.ts"
export const answer${number} = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
console.log(answer${number}([1, 2, 3]));
\`\`\`
`;

const textOf = (seed: number): string =>
  `# Page ${seed}\n\n${Array.from({ length: 12 }, (_, number) => chapter(number + seed)).join("\n")}`;

interface Place {
  readonly fixture: ContentFixture;
  readonly pid: number;
  readonly address: string;
  readonly pageIds: readonly string[];
}

/** CPU milliseconds of the gateway for one request. */
async function cpuOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuTime(pid) ?? Number.NaN;
  await work();
  return (cpuTime(pid) ?? Number.NaN) - before;
}

async function makeSite(fixture: ContentFixture): Promise<{ siteId: string; pageIds: readonly string[] }> {
  const { database, made, world } = fixture;
  const pageIds = await giveLevels(database, made.space.revisionId, { count: 50, siblings: 20, textOf });
  const site = await world.insert((rows) => {
    const added = addSite(rows, {
      organizationId: made.organization.id,
      visibility: "public",
      publishedAt: new Date(),
    });
    addSiteSpace(rows, { siteId: added.id, spaceId: made.space.id });
    return added;
  });
  return { siteId: site.id, pageIds };
}

/** The page with another sentence each time: its text is converted again, in a thread of the gateway. */
async function makeAgain({ fixture, pid, address, pageIds }: Place): Promise<{ first: number; second: number }> {
  const costs: { first: number; second: number }[] = [];
  for (let round = 0; round < madeAgain; round++) {
    const markdown = `${textOf(0)}\n\nRound ${round}.\n`;
    await editAs(fixture.as, { spaceId: fixture.made.space.id }, { updatePage: { pageId: pageIds[0], markdown } });
    const first = await cpuOf(pid, () => read(address));
    // Another page was changed meanwhile: the page is made again, from the text that was converted before.
    const other = { updatePage: { pageId: pageIds[1], markdown: `${textOf(1)}\n\nRound ${round}.\n` } };
    await editAs(fixture.as, { spaceId: fixture.made.space.id }, other);
    costs.push({ first, second: await cpuOf(pid, () => read(address)) });
  }
  return {
    first: median(costs.map(({ first }) => first)),
    second: median(costs.map(({ second }) => second)),
  };
}

async function read(address: string): Promise<string> {
  const response = await fetch(address, { headers: { accept: "text/html" } });
  const text = await response.text();
  if (response.status !== 200 || !text.includes("Chapter")) throw new Error(`${address}: ${response.status}`);
  return text;
}

/** Loads the page and the file server in turn. Misses targets of CPU and of bytes. */
export async function measureReader(
  serverUrl: string,
  postmaster: number,
  say: (line: string) => void,
): Promise<{ text: string; missed: string[] }> {
  const load = os.loadavg()[0]?.toFixed(1);
  const folder = await mkdtemp(path.join(tmpdir(), "docgraph-bench-page-"));
  try {
    return await withContentFixture(serverUrl, async (fixture) => {
      const { siteId, pageIds } = await makeSite(fixture);
      const gateway = await startSystem("docgraph", fixture.url);
      const address = `${gateway.origin}/published/${siteId}`;
      const html = await read(address);
      const file = path.join(folder, "page.html");
      await writeFile(file, html);
      const files = await startSystem("static", fixture.url, { FILE: file });
      const runners: Runner[] = [
        { name: "static file", running: files, figures: [] },
        { name: "docgraph, from its cache", running: gateway, figures: [] },
      ];
      try {
        const askOf = ({ name }: Runner) => ({
          path: name === "static file" ? "/" : `/published/${siteId}`,
          isPublic: true,
        });
        await loadAlternating(runners, { ...how, postmaster, say, askOf });
        const place = { fixture, pid: gateway.pid, address, pageIds };
        const made = await makeAgain(place);
        const wait = median(await Promise.all(Array.from({ length: 5 }, () => timeOf(() => read(address)))));
        return report(runners, { html, made, wait, load });
      } finally {
        await Promise.all(runners.map(({ running }) => running.stop()));
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Found {
  readonly html: string;
  readonly made: { readonly first: number; readonly second: number };
  readonly wait: number;
  readonly load: string | undefined;
}

function report(runners: readonly Runner[], { html, made, wait, load }: Found): { text: string; missed: string[] } {
  const rows = runners.map(({ name, figures }) => [
    name,
    median(figures.map(({ perSecond }) => perSecond)).toFixed(0),
    median(figures.map(({ p50 }) => p50)).toFixed(2),
    median(figures.map(({ p99 }) => p99)).toFixed(2),
    median(figures.map(({ serverCpu }) => serverCpu ?? Number.NaN)).toFixed(2),
  ]);
  const cached = Number(rows.at(-1)?.at(-1));
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  const bytes = brotliCompressSync(html, { params: quality }).length;
  const missed = [
    cached > targets.cached && `(page) from the cache: ${cached} ms`,
    made.second > targets.again && `(page) from a known text: ${made.second} ms`,
    bytes > targets.bytes && `(page) ${bytes} bytes`,
  ].flatMap((text) => text || []);
  const text = [
    "## (page) a page of a published site, of 30 kB of Markdown",
    "",
    `${describeRounds(how)} Load of the machine before: ${load}. The page is ${(html.length / 1000).toFixed(0)} kB of HTML, ${(bytes / 1000).toFixed(1)} kB compressed.`,
    "",
    ...table(["", "requests/s", "p50 ms", "p99 ms", "CPU ms a request"], rows),
    "",
    `After a change of its text one request takes ${made.first.toFixed(0)} ms of CPU of the gateway, in a thread; after a change of another page ${made.second.toFixed(0)} ms, and ${wait.toFixed(1)} ms until it is there.`,
  ].join("\n");
  return { text, missed };
}
