// What holds for every page of the application, from the registry of features: its statements do not depend on the
// number of rows, it is small, runs no script of its own, and its forms are refused without the origin of the page. At
// the small size there are fewer rows, and each form lacks an origin or has a foreign one.
import { pino } from "pino";
import { beforeAll, expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { matcherOf } from "#src/pages/match.ts";
import { addressesOf, makeBusyWorld } from "#test/support/app-pages.ts";
import { useApp } from "#test/support/app.ts";
import { send } from "#test/support/client.ts";
import { inTurn, sized } from "#test/support/runs.ts";
import { readerOf } from "#test/support/signed-in.ts";

const lines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
const { app } = await useApp({ log });

/** The most that a page may take over the line, in bytes. */
const mostBytes = 40_000;

/** The rows of everything in the larger organization. */
const rows = sized(15, 50);

const statementsOfLast = (): number =>
  (JSON.parse(lines.findLast((line) => line.includes(`"statements"`)) ?? "") as { statements: number }).statements;

async function makeReader(size: number) {
  const world = await makeBusyWorld(app.database, { size });
  const own = await readerOf(app, world.admin);
  const headers = { accept: "text/html", "accept-encoding": "gzip, br, zstd", cookie: own.session?.cookie ?? "" };
  const addresses = [...addressesOf(world), { row: "/app/search?q=", path: "/app/search?q=one" }];
  const readCompressed = async (address: string) => {
    const { headers: sent, status } = await send(app.url + address, { method: "GET", headers });
    return { status, bytes: Number(sent.get("content-length")), statements: statementsOfLast() };
  };
  return { ...own, addresses, readCompressed };
}

type Reader = Awaited<ReturnType<typeof makeReader>>;

let few: Reader;
let many: Reader;
beforeAll(async () => {
  few = await makeReader(2);
  many = await makeReader(rows);
}, 60_000);

test(
  `every page takes as many statements for ${rows} rows of everything as for 2, and at most 40 kB`,
  { timeout: 240_000 },
  async () => {
    const differing: string[] = [];
    for (const [index, { row, path }] of many.addresses.entries()) {
      const other = few.addresses[index]?.path ?? "";
      // The lowest of four: on a busy machine, questions of one level may reach the database in two statements.
      let [low, high] = [Infinity, Infinity];
      for (let time = 0; time < 4 && (time < 1 || low !== high); time++) {
        low = Math.min(low, (await few.readCompressed(other)).statements);
        const { status, bytes, statements } = await many.readCompressed(path);
        high = Math.min(high, statements);
        expect([row, [200, 303, 307].includes(status)]).toEqual([row, true]);
        expect([row, bytes]).toEqual([row, Math.min(bytes, mostBytes)]);
      }
      if (low !== high) differing.push(`${row}: ${low} and ${high}`);
    }
    expect(differing).toEqual([]);
  },
);

test("no page has a script of its own, or a handler in an attribute", async () => {
  const inline = /<script(?![^>]*\ssrc=)|\son[a-z]+\s*=\s*["']|javascript:/i;
  for (const { row, path } of many.addresses) {
    const { body, headers, status } = await many.read(path);
    expect([row, inline.exec(body)?.[0]]).toEqual([row, undefined]);
    if (status === 200) expect([row, headers.get("content-security-policy")]).toEqual([row, policy]);
  }
});

const policy = expect.stringMatching(/default-src 'none'; script-src 'self'; style-src 'self'( 'sha256-[^']+')?;/);

test("every form of every page is refused without the origin of the page, and from another one", async () => {
  const refused: [string, string, number][] = [];
  for (const { path: row, forms = {} } of features.flatMap(({ appPages = [] }) => appPages)) {
    const address = many.addresses.find(({ path }) => matcherOf(row)(path.replace(/\?.*/, "")));
    for (const form of Object.keys(forms))
      for (const origin of inTurn([null, "https://example.com"], refused.length % 2))
        refused.push([row, form, (await many.send(address?.path ?? "", form, {}, { origin })).status]);
  }
  expect(refused.length).toBeGreaterThan(sized(50, 100));
  expect(refused.filter(([, , status]) => status !== 403)).toEqual([]);
});
