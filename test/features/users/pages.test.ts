// The pages of the signed-in user and of others over HTTP.
import { expect, test } from "vitest";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

test("shows the profile and the organizations of the user, and the sign-in to everybody else", async () => {
  const { reader, organization } = await world.organization();
  const { status, body, headers } = await (await readerOf(app, reader)).read("/app/me");
  expect(status).toBe(200);
  expect(body).toContain(`value="Reader"`);
  expect(textOf(body)).toContain(`${organization.title} Read Leave…`);
  expect(headers.get("content-security-policy")).not.toContain("unsafe");
  expect((await (await readerOf(app, null)).read("/app/me")).status).toBe(401);
});

test("saves the display name, and shows a refused one with the message", async () => {
  const { reader } = await world.organization();
  const me = await readerOf(app, reader);
  const saved = await me.send("/app/me", "profile", { displayName: " Ada <b> " });
  expect([saved.status, saved.to]).toEqual([303, "/app/me"]);
  expect((await me.read("/app/me")).body).toContain(`value="Ada &#60;b&#62;"`);
  const refused = await me.send("/app/me", "profile", { displayName: "x".repeat(256) });
  expect([refused.status, refused.headers.get("cache-control")]).toEqual([400, "no-store"]);
  expect(refused.body).toContain(`role="alert"`);
  expect(refused.body).toContain("x".repeat(256));
});

test("refuses forms of other origins, and unknown ones", async () => {
  const { reader } = await world.organization();
  const me = await readerOf(app, reader);
  for (const origin of [null, "https://elsewhere.example.com"]) {
    const { status } = await me.send("/app/me", "profile", { displayName: "Mallory" }, { origin });
    expect(status, String(origin)).toBe(403);
  }
  expect((await me.send("/app/me", "unknown")).status).toBe(400);
  expect((await me.read("/app/me")).body).toContain(`value="Reader"`);
});

test("accepts an invitation into its organization, and declines another one", async () => {
  const { outsider, admin, organization } = await world.organization();
  const other = await world.organization();
  const [first, second] = await world.insert((rows) =>
    [organization, other.organization].map(({ id: organizationId }) =>
      addInvitation(rows, { organizationId, email: outsider.email, role: "edit", createdById: admin.id }),
    ),
  );
  const me = await readerOf(app, outsider);
  expect(textOf((await me.read("/app/me")).body)).toContain(`Admin invites you to ${organization.title} Edit`);
  const accepted = await me.send("/app/me", "accept", { invitationId: first?.id ?? "" });
  expect([accepted.status, accepted.to]).toEqual([303, `/app/orgs/${organization.id}`]);
  expect((await me.send("/app/me", "decline", { invitationId: second?.id ?? "" })).status).toBe(303);
  const text = textOf((await me.read("/app/me")).body);
  expect(text).toContain(`${organization.title} Edit Leave…`);
  expect(text).not.toContain(other.organization.title);
});

test("leaves an organization, but not as its last admin", async () => {
  const { reader, admin, organization } = await world.organization();
  const fieldsOf = ({ id: userId }: { id: string }) => ({ organizationId: organization.id, userId });
  const [me, last] = [await readerOf(app, reader), await readerOf(app, admin)];
  expect((await me.send("/app/me", "leave", fieldsOf(admin))).status).toBe(403);
  expect((await me.send("/app/me", "leave", fieldsOf(reader))).status).toBe(303);
  expect((await me.read("/app/me")).body).not.toContain(organization.title);
  const refused = await last.send("/app/me", "leave", fieldsOf(admin));
  expect(refused.status).toBe(409);
  expect(textOf(refused.body)).toContain("This is the last active admin of the organization.");
});

test("shows a user with their change requests to colleagues alone", async () => {
  const { editor, reader, outsider, team, teamOwner, space, changeRequest } = await world.changeRequest();
  const own = await readerOf(app, reader);
  const { status, body } = await own.read(`/app/users/${editor.id}`);
  expect(status).toBe(200);
  expect(textOf(body)).toContain(`Editor ${editor.email}`);
  expect(body.includes(`/app/spaces/${space.id}/change-requests/${changeRequest.id}`)).toBe(true);
  expect(textOf((await own.read(`/app/users/${teamOwner.id}`)).body)).toContain(`Teams ${team.title}`);
  expect((await own.read(`/app/users/${space.id}`)).status).toBe(404);
  expect((await (await readerOf(app, outsider)).read(`/app/users/${editor.id}`)).status).toBe(404);
});
