// Long work: one process at a time leases a row, another one resumes it after a crash, and progress is written.
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { pino } from "pino";
import type { Database } from "#src/db/connection/database.ts";
import { type Lease, type LongWork, workOn } from "#src/jobs/long-work.ts";
import { backoffMs, nextTryAt } from "#src/runtime/backoff.ts";

interface Row {
  readonly id: string;
  lease: string | null;
  leaseUntil: Date | null;
}

/** A table of one row, and the statements that long work sends itself: to renew and to remove a lease. */
function tableOf(row: Row) {
  const isFree = () => row.leaseUntil === null || row.leaseUntil.getTime() < Date.now();
  const query = (async ({ text, values }: { text: string; values: unknown[] }) => {
    if (!values.includes(row.lease)) return [];
    if (text.includes("lease = null")) Object.assign(row, { lease: null, leaseUntil: null });
    else row.leaseUntil = new Date(String(values[0]));
    return [{ id: row.id }];
  }) as unknown as Database["query"]; // it is sent nothing else
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const at = { database: { query }, clock: { now: () => new Date() }, log };
  const work = <Result>(start: LongWork<Row, Result>["start"], of: Partial<LongWork<Row, Result>> = {}) =>
    ({
      table: "Row",
      noun: "row",
      leaseMs: 40,
      claim: async (columns) => (isFree() ? Object.assign(row, columns) : null),
      start,
      ...of,
    }) satisfies LongWork<Row, Result>;
  return { row, at, work, lines };
}

const rowOf = (): Row => ({ id: "row_1", lease: null, leaseUntil: null });
const never = new AbortController().signal;

test("one worker at a time leases a row, renews the lease and releases it at the end", async () => {
  const { row, at, work } = tableOf(rowOf());
  const gate = Promise.withResolvers<string>();
  const working = workOn(
    at,
    work(() => ({ run: () => gate.promise })),
    never,
  );
  await wait(120); // three leases
  expect(
    await workOn(
      at,
      work(() => ({ run: () => Promise.resolve("second") })),
      never,
    ),
  ).toBe(null);
  gate.resolve("done");
  expect(await working).toBe("done");
  expect(row.lease).toBe(null);
});

test("work that has lost its lease is aborted with CONFLICT and does not write the row", async () => {
  const { row, at, work } = tableOf(rowOf());
  const aborted = ({ signal }: Lease) =>
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const working = workOn(
    at,
    work((_row, lease) => ({ run: () => aborted(lease) })),
    never,
  );
  working.catch(() => {});
  row.lease = "another process";
  await expect(working).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("row row_1") });
  expect(row.lease).toBe("another process");
});

test("a stopping process releases the row without failing the work", async () => {
  const { row, at, work } = tableOf(rowOf());
  const stopping = new AbortController();
  const fail = vi.fn<() => Promise<string>>(() => Promise.resolve("failed"));
  const run = async ({ signal }: Lease) => {
    stopping.abort(new Error("The process stops."));
    signal.throwIfAborted();
    return "done";
  };
  const start = (_row: Row, lease: Lease) => ({ run: () => run(lease), fail });
  expect(await workOn(at, work(start), stopping.signal)).toBe(null);
  expect([row.lease, fail.mock.calls.length]).toEqual([null, 0]);
});

test("failed work calls its own handler, or releases the row and throws", async () => {
  const { row, at, work } = tableOf(rowOf());
  const run = () => Promise.reject(new Error("It does not work."));
  const fail = (error: unknown) => Promise.resolve(`ended by ${String(error)}`);
  expect(
    await workOn(
      at,
      work(() => ({ run, fail })),
      never,
    ),
  ).toBe("ended by Error: It does not work.");
  Object.assign(row, { lease: null, leaseUntil: null });
  await expect(
    workOn(
      at,
      work(() => ({ run })),
      never,
    ),
  ).rejects.toThrow("It does not work.");
  expect(row.lease).toBe(null);
});

test("writes progress at once, then at most every 250 ms and only the latest", async () => {
  const { at, work } = tableOf(rowOf());
  const written: number[] = [];
  const run = async (lease: Lease) => {
    const tell = (number: number) => lease.progress(async () => written.push(number) > 0);
    for (const number of [1, 2, 3]) await tell(number);
    expect(written).toEqual([1]);
    await expect.poll(() => written).toEqual([1, 3]);
    await tell(4);
  };
  await workOn(
    at,
    work((_row, lease) => ({ run: () => run(lease) }), { leaseMs: 60_000 }),
    never,
  );
  expect(written).toEqual([1, 3]); // what is not written at the end is not written after it
});

test("logs once that progress cannot be written, and aborts work whose lease was lost", async () => {
  const { at, work, lines } = tableOf(rowOf());
  const run = async (lease: Lease) => {
    const write = vi.fn<() => Promise<boolean>>(() => Promise.reject(new Error("The database is away.")));
    for (const count of [1, 2]) {
      await lease.progress(write);
      await expect.poll(() => write.mock.calls.length).toBe(count);
    }
    expect([lines.length, lease.signal.aborted]).toEqual([1, false]);
    await lease.progress(() => Promise.resolve(false));
    await expect.poll(() => lease.signal.aborted).toBe(true);
  };
  await workOn(
    at,
    work((_row, lease) => ({ run: () => run(lease) }), { leaseMs: 60_000 }),
    never,
  );
});

test("retry delays double from the first to the longest", () => {
  const backoff = { firstMs: 100, mostMs: 1_000 };
  expect([1, 2, 3, 4, 5, 6, 2_000].map((failures) => backoffMs(backoff, failures))).toEqual([
    100, 200, 400, 800, 1_000, 1_000, 1_000,
  ]);
  expect(backoffMs({ ...backoff, factor: 6 }, 2)).toBe(600);
  expect(nextTryAt(backoff, { failures: 2, now: new Date(1_000) })).toEqual(new Date(1_200));
});
