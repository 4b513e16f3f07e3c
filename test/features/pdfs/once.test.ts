// A PDF is created once for any number of requests to any gateways; failures leave nothing behind, and a PDF of a
// process that has ended is created by another one.
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { storedIn } from "#test/features/content/uploads.ts";
import { pdfDocument, pdfOf } from "#test/features/pdfs/reading.ts";
import { testApp, useApp } from "#test/support/app.ts";

let now = new Date("2026-11-20T10:00:00Z");
const clock = { now: () => now };
/** The public URL of both gateways, as behind a load balancer. */
const publicUrl = "https://docs.example.com";
const { app, world } = await useApp({ clock, publicUrl });
const other = await testApp({ beside: app, clock, publicUrl });
/** Does not wait: only for PDFs that would never be ready. */
const impatient = await testApp({ beside: app, clock, publicUrl, patienceMs: 1 });
afterAll(async () => {
  await other.close();
  await impatient.close();
});

let scene: Awaited<ReturnType<typeof world.space>>;
beforeEach(async () => {
  scene = await world.space();
});

const rows = () => app.database.prisma.contentPdf.findMany({ where: { revisionId: scene.space.revisionId } });

describe("concurrent requests for a PDF", () => {
  test("get the same one from one gateway", async () => {
    const { reader, editor, space } = scene;
    const people = [reader, editor, reader, editor];
    const all = await Promise.all(people.map(({ token }) => pdfOf(app.as(token), { space: space.id })));
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  test("get the same one from two gateways", async () => {
    const { reader, space } = scene;
    const gateways = [app, other, app, other];
    const before = (await storedIn(app)).length + (await storedIn(other)).length;
    const all = await Promise.all(gateways.map((one) => pdfOf(one.as(reader.token), { space: space.id })));
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
    expect((await storedIn(app)).length + (await storedIn(other)).length).toBe(before + 1);
  });
});

/** Makes a process that never responds the lease owner of the space's PDF. */
async function abandon(): Promise<void> {
  const [made] = await rows();
  if (!made) throw new Error("The space has no PDF.");
  const leaseUntil = new Date(now.getTime() + 60_000);
  const data = { blob: null, size: null, lease: "gone", leaseUntil };
  await app.database.prisma.contentPdf.update({ where: { id: made.id }, data });
}

test("a PDF that another process is creating is waited for, and created here when its lease expires", async () => {
  const { reader, space } = scene;
  await pdfOf(app.as(reader.token), { space: space.id });
  await abandon();
  expect(await impatient.as(reader.token).refusal(pdfDocument, { space: space.id })).toBe("RATE_LIMITED");
  now = new Date(now.getTime() + 61_000);
  expect(await pdfOf(app.as(reader.token), { space: space.id })).toMatchObject({ size: expect.any(Number) });
  expect(await rows()).toMatchObject([{ lease: null, blob: expect.any(String) }]);
});

test("a PDF that cannot be created leaves nothing behind, and is not retried immediately", async () => {
  const { editor, space } = scene;
  const as = app.as(editor.token);
  const before = (await storedIn(app)).length;
  const variables = { setVariables: { variables: [{ name: "a", value: "x".repeat(1_000) }] } };
  const page = newPage("Too much", { markdown: "{{ a }} ".repeat(5_000) });
  await editAs(as, { spaceId: space.id }, page.edit, variables);
  expect(await as.refusal(pdfDocument, { space: space.id })).toBe("TOO_LARGE");
  expect(await as.refusal(pdfDocument, { space: space.id })).toBe("TOO_LARGE");
  expect(await app.database.prisma.contentPdf.count({ where: { revision: { spaceId: space.id } } })).toBe(0);
  expect((await storedIn(app)).length).toBe(before);
});
