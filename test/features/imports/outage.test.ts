// An import that an outage of the database interrupts: it stays running, and is resumed until an hour after its start.
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { invalidInput } from "#src/base/errors.ts";
import { systemClock } from "#src/base/time.ts";
import { resumeImports } from "#src/features/imports/commands/run-import.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { useApp } from "#test/support/app.ts";

// Its own database: it counts the imports that are resumed.
const { app, world } = await useApp({ own: true });
const job = { ...app, clock: systemClock, log: pino({ level: "silent" }), readTxtRecords: () => Promise.resolve([]) };
const hour = 3_600_000;
const outage = Object.assign(new Error("terminating connection"), { code: "57P01" });

const start = `mutation ($input: StartArchiveImportInput!) { startArchiveImport(input: $input) { import { id } } }`;

/** The state of an import, and its error. */
async function read(id: string, token: string): Promise<unknown> {
  const query = `{ node(id: "${id}") { ... on ContentImport { state error errorCode } } }`;
  return (await app.as(token).query<{ node: unknown }>(query)).node;
}

/** Sets the import back to one that its process has left, and resumes it in an outage. */
async function resumeInOutage(id: string, createdAt: Date, thrown: Error = outage) {
  const left = { lease: null, leaseUntil: null, state: "running", error: null, createdAt } as const;
  await app.database.prisma.contentImport.update({ where: { id }, data: left });
  const reading = vi.spyOn(app.files, "open").mockRejectedValueOnce(thrown);
  expect(await resumeImports(job)).toBe(1);
  reading.mockRestore();
  return app.database.prisma.contentImport.findUniqueOrThrow({ where: { id } });
}

test("is resumed within an hour, and then fails with the reason and its code", async () => {
  const { editor, space } = await world.space();
  const input = { contentOf: { spaceId: space.id }, archive: zipFile({ "a.md": "# A" }), replace: true };
  const { startArchiveImport } = await app
    .as(editor.token)
    .query<{ startArchiveImport: { import: { id: string } } }>(start, { input });
  const { id } = startArchiveImport.import;
  const stateOf = async () => (await app.database.prisma.contentImport.findUniqueOrThrow({ where: { id } })).state;
  await expect.poll(stateOf, { timeout: 20_000 }).toBe("done");

  expect(await resumeInOutage(id, new Date())).toMatchObject({
    state: "running",
    lease: null,
    leaseUntil: expect.any(Date) as Date, // when it was left
  });
  expect(await resumeImports(job)).toBe(1);
  expect(await stateOf()).toBe("done");
  await resumeInOutage(id, new Date(Date.now() - hour));
  expect(await read(id, editor.token)).toEqual({
    state: "FAILED",
    error: "The database is temporarily unreachable: try again soon.",
    errorCode: "UNAVAILABLE",
  });
  await resumeInOutage(id, new Date(), invalidInput("url", "is too large."));
  expect(await read(id, editor.token)).toMatchObject({ error: "url: is too large.", errorCode: "INVALID_INPUT" });
  await resumeInOutage(id, new Date(), new Error("A bug."));
  expect(await read(id, editor.token)).toEqual({
    state: "FAILED",
    error: expect.stringMatching(/^An unexpected error occurred\. It is logged with the request id /) as unknown,
    errorCode: "INTERNAL",
  });
});
