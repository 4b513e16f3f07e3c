// The pages of access over HTTP: the grants of an organization, and who has access to a space.
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

test("an admin sees who has access to a space and why, grants a role and removes it", async () => {
  const { space, admin, commenter } = await world.space();
  const path = `/app/spaces/${space.id}/access`;
  const own = await readerOf(app, admin);
  const granted = await own.send(path, "grant", { holder: `user:${commenter.id}`, role: "EDIT" });
  expect([granted.status, granted.to]).toEqual([303, path]);
  const text = textOf((await own.read(`${path}?search=commenter`)).body);
  expect(text).toContain("Edit Grant on this space: Edit");
  expect(text).toContain("Remove grant");
  expect((await own.send(path, "remove", { userId: commenter.id })).status).toBe(303);
  expect(textOf((await own.read(`${path}?search=commenter`)).body)).not.toContain("Grant on this space");
});

test("a grant to a team appears for each of its members, and in the list of the organization", async () => {
  const { organization, space, collection, team, admin } = await world.space();
  const own = await readerOf(app, admin);
  await own.send(`/app/spaces/${space.id}/access`, "grant", { holder: `team:${team.id}`, role: "REVIEW" });
  const text = textOf((await own.read(`/app/spaces/${space.id}/access?search=owner`)).body);
  expect(text).toContain(`Grant to the team ${team.title} on this space: Review`);
  expect(text).toContain(`Grant to the team ${team.title} on the collection ${collection.title}: Edit`);
  const path = `/app/orgs/${organization.id}/access`;
  const listed = textOf((await own.read(path)).body);
  expect(listed).toContain(`${team.title} Team Review ${space.title}`);
  const removed = await own.send(path, "remove", { teamId: team.id, spaceId: space.id });
  expect([removed.status, removed.to]).toEqual([303, path]);
  expect(textOf((await own.read(path)).body)).not.toContain("Review");
});

test("members read who has access without forms, guests and outsiders do not", async () => {
  const { organization, space, reader, invitedGuest, outsider, editor } = await world.space({
    collection: { defaultLevel: "read" },
  });
  const path = `/app/spaces/${space.id}/access`;
  const own = await readerOf(app, reader);
  const { status, body } = await own.read(path);
  expect([status, body.includes(`name="form"`)]).toEqual([200, false]);
  const refused = await own.send(path, "grant", { holder: `user:${editor.id}`, role: "ADMIN" });
  expect(refused.status).toBe(403);
  expect(textOf((await own.send(path, "grant", { holder: "", role: "ADMIN" })).body)).not.toContain("Grant a role");
  expect((await own.read(`/app/orgs/${organization.id}/access`)).status).toBe(404);
  for (const user of [invitedGuest, outsider]) expect((await (await readerOf(app, user)).read(path)).status).toBe(404);
});
