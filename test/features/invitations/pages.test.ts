// The page of the invitations of an organization over HTTP.
import { expect, test } from "vitest";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

test("an admin invites by e-mail and withdraws the invitation", async () => {
  const { organization, admin } = await world.organization();
  const path = `/app/orgs/${organization.id}/invitations`;
  const own = await readerOf(app, admin);
  const sent = await own.send(path, "invite", { email: " New.Person@example.com ", role: "EDIT" });
  expect([sent.status, sent.to]).toEqual([303, path]);
  const { id, role } = await app.database.prisma.invitation.findFirstOrThrow({
    where: { organizationId: organization.id },
  });
  expect(role).toBe("edit");
  expect(textOf((await own.read(path)).body)).toContain("new.person@example.com by Admin Edit");
  expect((await own.send(path, "withdraw", { invitationId: id })).status).toBe(303);
  expect(textOf((await own.read(path)).body)).toContain("No invitation is open.");
});

test("shows a refused invitation with its fields", async () => {
  const { organization, admin, reader } = await world.organization();
  const path = `/app/orgs/${organization.id}/invitations`;
  const refused = await (await readerOf(app, admin)).send(path, "invite", { email: reader.email, role: "REVIEW" });
  expect(refused.status).toBe(409);
  expect(refused.body).toContain(`role="alert"`);
  expect(refused.body).toContain(`value="${reader.email}"`);
  expect(refused.body).toMatch(/value="REVIEW"\s+selected/);
});

test("an admin creates and deletes invite links, which nobody else sees", async () => {
  const { organization, admin, reader } = await world.organization();
  const path = `/app/orgs/${organization.id}/invitations`;
  const own = await readerOf(app, admin);
  expect((await own.send(path, "link", { role: "ADMIN" })).status).toBe(400);
  expect((await own.send(path, "link", { role: "ADMIN", lastDay: "2099-01-31" })).status).toBe(303);
  const { id, key, expiresAt } = await app.database.prisma.inviteLink.findFirstOrThrow({
    where: { organizationId: organization.id },
  });
  expect(expiresAt?.toISOString()).toBe("2099-01-31T23:59:59.000Z");
  expect((await own.read(path)).body).toContain(`/app/invites/${key}`);
  expect((await own.send(path, "deleteLink", { inviteLinkId: id })).status).toBe(303);
  expect((await own.read(path)).body).not.toContain(key);
  const other = await readerOf(app, reader);
  expect((await other.read(path)).status).toBe(404);
  expect((await other.send(path, "link", { role: "READ" })).status).toBe(404);
  expect(await app.database.prisma.inviteLink.count({ where: { organizationId: organization.id } })).toBe(0);
});

test("does not withdraw invitations of another organization", async () => {
  const { organization, admin, elsewhere } = await world.organization();
  const foreign = await world.insert((rows) => addInvitation(rows, { organizationId: elsewhere.id }));
  const own = await readerOf(app, admin);
  await own.send(`/app/orgs/${organization.id}/invitations`, "withdraw", { invitationId: foreign.id });
  expect(await app.database.prisma.invitation.count({ where: { id: foreign.id } })).toBe(1);
});
