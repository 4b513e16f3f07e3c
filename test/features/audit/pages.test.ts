// The page of the audit log over HTTP.
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

test("shows actions to admins alone, filtered by type and by actor", async () => {
  const { organization, admin, reader, editor } = await world.organization();
  const root = `/app/orgs/${organization.id}`;
  const own = await readerOf(app, admin);
  await own.send(`${root}/members`, "role", { userId: reader.id, role: "EDIT" });
  const { status, body } = await own.read(`${root}/audit-log`);
  expect(status).toBe(200);
  expect(textOf(body)).toContain("member.updated");
  expect(textOf(body)).toContain("session.opened");
  const updates = await own.read(`${root}/audit-log?type=member.updated`);
  expect(updates.body).not.toContain("session.opened");
  expect(updates.body).toContain(`?type=member.updated&#38;actor=${admin.id}`);
  const nothing = await own.read(`${root}/audit-log?type=member.updated&actor=${editor.id}`);
  expect(textOf(nothing.body)).toContain("No entry matches these filters.");
  expect((await (await readerOf(app, reader)).read(`${root}/audit-log`)).status).toBe(404);
});
