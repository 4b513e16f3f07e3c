// The section on the pages of the application: statements, bytes, CPU time and duration of each, for an organization
// with 50 of everything and a space with 400 pages.
import os from "node:os";
import { type ContentFixture, timeOf, withContentFixture } from "#test/bench/content/fixture.ts";
import { median, table } from "#test/bench/figures.ts";
import { cpuTime } from "#test/bench/processes.ts";
import { addressesOf, makeBusyWorld } from "#test/support/app-pages.ts";
import { send } from "#test/support/client.ts";

const [size, pages] = [50, 400] as const;
const [warmUp, rounds] = [10, 25] as const;

/** The most that a page may take until it is shown, in milliseconds, and over the line, in bytes. */
const most = { ms: 150, bytes: 40_000 } as const;

interface Measured {
  readonly row: string;
  readonly statements: number;
  readonly bytes: number;
  readonly cpu: number;
  readonly ms: number;
}

/** Measures the pages, and reports them as a table. */
export const measureAppPages = async (serverUrl: string, say: (line: string) => void) =>
  withContentFixture(serverUrl, async (fixture) => {
    const world = await makeBusyWorld(fixture.database, { size, pages });
    const { token } = world.admin;
    const measured: Measured[] = [];
    for (const { row, path } of addressesOf(world)) {
      say(row);
      const read = () => readPage(fixture.origin + path, token);
      if ((await read()).status !== 200) continue;
      measured.push({ row, ...(await measurePage(fixture, read)) });
    }
    return report(measured);
  });

async function measurePage({ pid, ...fixture }: ContentFixture, read: () => Promise<{ bytes: number }>) {
  for (let round = 0; round < warmUp; round++) await read();
  const before = cpuTime(pid) ?? Number.NaN;
  const took: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) took.push(await timeOf(async () => void ({ bytes } = await read())));
  const cpu = ((cpuTime(pid) ?? Number.NaN) - before) / rounds;
  return { statements: await fixture.statementsOf(read), bytes, cpu, ms: median(took) };
}

async function readPage(address: string, token: string) {
  const headers = {
    accept: "text/html",
    "accept-encoding": "gzip, deflate, br, zstd",
    authorization: `Bearer ${token}`,
  };
  const { status, headers: sent } = await send(address, { method: "GET", headers });
  return { status, bytes: Number(sent.get("content-length")) };
}

function report(measured: readonly Measured[]): { text: string; missed: string[] } {
  const text = [
    "## (app) pages of the application",
    "",
    `An organization with ${size} of everything, and a space with ${pages} pages; the median of ${rounds} reads, one after the other, by an admin. Load of the machine before: ${os.loadavg()[0]?.toFixed(1)}. Each page is one query. Targets: ${most.ms} ms and ${most.bytes / 1000} kB.`,
    "",
    ...table(
      ["Page", "Statements", "kB compressed", "CPU ms", "ms"],
      measured.map(({ row, statements, bytes, cpu, ms }) => [
        `\`${row}\``,
        String(statements),
        (bytes / 1000).toFixed(1),
        cpu.toFixed(1),
        ms.toFixed(1),
      ]),
    ),
  ].join("\n");
  const missed = measured.flatMap(({ row, bytes, ms }) => [
    ...(ms > most.ms ? [`(app) ${row}: ${ms.toFixed(0)} ms`] : []),
    ...(bytes > most.bytes ? [`(app) ${row}: ${bytes} bytes`] : []),
  ]);
  return { text, missed };
}
