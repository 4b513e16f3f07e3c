// A gateway with another files folder than the others of its database reports it: once in the log, and by /readyz.
import { rename } from "node:fs/promises";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { textFile, uploadAs } from "#test/features/content/uploads.ts";
import { testApp, useApp } from "#test/support/app.ts";

// On its own database: /readyz reports on the whole database.
const { app, world } = await useApp({ own: true });
const { editor, space } = await world.space();

test("reports files missing from FILES_DIR, and that they are back", async () => {
  const lines: { msg: string; level: number }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }); // pino's form
  const files = { contentOf: { spaceId: space.id } };
  await uploadAs(app.as(editor.token), { ...files, file: textFile() });
  await using sharing = await testApp({ beside: app, files: app.files, filesCheckMs: 20 });
  await using other = await testApp({ beside: app, log, filesCheckMs: 20 });
  const ready = async (url: string): Promise<unknown> => (await fetch(`${url}/readyz`)).json();
  await expect.poll(() => ready(other.url), { timeout: 10_000 }).toEqual({ status: "ok", files: { missing: 1 } });
  await uploadAs(app.as(editor.token), { ...files, file: textFile("second.txt") });
  await expect.poll(() => ready(other.url), { timeout: 10_000 }).toEqual({ status: "ok", files: { missing: 2 } });
  expect(await ready(sharing.url)).toEqual({ status: "ok" });
  const levels = () => lines.filter(({ msg }) => msg.startsWith("files that")).map(({ level }) => level);
  expect(levels()).toEqual([50]);
  await rename(app.filesFolder, other.filesFolder);
  await expect.poll(() => ready(other.url), { timeout: 10_000 }).toEqual({ status: "ok" });
  expect(lines.map(({ msg }) => msg)).toContain("the files that the database references are available again");
  await rename(other.filesFolder, app.filesFolder);
});

test("reports storage that is away, and that it is back, also without any file", async () => {
  await using away = await testApp({ filesCheckMs: 20 });
  const ready = async (): Promise<unknown> => (await fetch(`${away.url}/readyz`)).json();
  const spy = vi.spyOn(away.files, "find").mockRejectedValue(new Error("the file storage failed"));
  await expect.poll(ready, { timeout: 10_000 }).toEqual({ status: "ok", files: { isAway: true } });
  spy.mockRestore();
  await expect.poll(ready, { timeout: 10_000 }).toEqual({ status: "ok" });
});
