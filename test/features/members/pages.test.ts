// The page of the members of an organization over HTTP.
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();
const roleOf = async (userId: string, organizationId: string) =>
  app.database.prisma.organizationMember.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
    select: { role: true, disabled: true },
  });

test("lists members to members with filters, and 404 to guests and outsiders", async () => {
  const { organization, reader, guest, outsider } = await world.organization();
  const path = `/app/orgs/${organization.id}/members`;
  const own = await readerOf(app, reader);
  const { status, body } = await own.read(path);
  expect(status).toBe(200);
  expect(textOf(body)).toContain("Commenter");
  expect(body).not.toContain("<details");
  const found = textOf((await own.read(`${path}?search=editor&role=EDIT`)).body);
  expect(found).toContain("1 person");
  expect(textOf((await own.read(`${path}?search=nobody-like-this`)).body)).toContain("Nobody matches these filters.");
  expect((await own.read(`${path}?role=KING`)).status).toBe(200);
  for (const user of [guest, outsider]) expect((await (await readerOf(app, user)).read(path)).status).toBe(404);
});

test("an admin changes roles, disables, enables and removes members", async () => {
  const { organization, admin, reader } = await world.organization();
  const path = `/app/orgs/${organization.id}/members`;
  const own = await readerOf(app, admin);
  const send = (form: string, fields = {}) => own.send(`${path}?search=r`, form, { userId: reader.id, ...fields });
  const changed = await send("role", { role: "EDIT" });
  expect([changed.status, changed.to]).toEqual([303, `${path}?search=r`]);
  expect(await roleOf(reader.id, organization.id)).toEqual({ role: "edit", disabled: false });
  await send("role", { role: "GUEST" });
  await send("disable");
  expect(await roleOf(reader.id, organization.id)).toEqual({ role: null, disabled: true });
  await send("enable");
  expect((await roleOf(reader.id, organization.id))?.disabled).toBe(false);
  expect((await send("role", { role: "KING" })).status).toBe(400);
  expect((await send("remove")).to).toBe(`${path}?search=r`);
  expect(await roleOf(reader.id, organization.id)).toBeNull();
});

test("refuses the forms of others, and keeps the last admin", async () => {
  const { organization, admin, reader, editor } = await world.organization();
  const path = `/app/orgs/${organization.id}/members`;
  const refused = await (await readerOf(app, reader)).send(path, "remove", { userId: editor.id });
  expect(refused.status).toBe(403);
  expect(textOf(refused.body)).toContain("Only admins of the organization may remove others from it.");
  const own = await readerOf(app, admin);
  expect((await own.send(path, "remove", { userId: editor.id }, { origin: null })).status).toBe(403);
  expect((await own.send(path, "remove", { userId: admin.id })).status).toBe(409);
  expect(await roleOf(editor.id, organization.id)).not.toBeNull();
});
