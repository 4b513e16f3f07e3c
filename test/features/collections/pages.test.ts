// The page of a collection over HTTP.
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

test("shows the content of a collection, and what the role may do", async () => {
  const { organization, collection, space, admin, creator, invitedGuest, outsider } = await world.space();
  const path = `/app/collections/${collection.id}`;
  const pageOf = async (user: { id: string }) => (await readerOf(app, user)).read(path);
  const guest = await pageOf(invitedGuest);
  expect([guest.status, guest.body.includes(`name="form"`)]).toEqual([200, false]);
  expect(guest.body).toContain(`href="/app/spaces/${space.id}"`);
  const made = await pageOf(creator);
  expect([made.body.includes("Create space"), made.body.includes("Delete this collection")]).toEqual([true, false]);
  expect((await pageOf(admin)).body).toContain(`href="/app/orgs/${organization.id}"`);
  expect((await pageOf(admin)).body).toContain("Delete this collection");
  expect((await pageOf(outsider)).status).toBe(404);
});

test("creates spaces and collections in it, saves settings, and deletes it", async () => {
  const { organization, collection, admin, invitedGuest } = await world.collection();
  const path = `/app/collections/${collection.id}`;
  const own = await readerOf(app, admin);
  const fields = { organizationId: organization.id, title: "Inside" };
  const { prisma } = app.database;
  const space = await own.send(path, "space", fields);
  const { id } = await prisma.space.findFirstOrThrow({ where: { parentId: collection.id } });
  expect([space.status, space.to]).toEqual([303, `/app/spaces/${id}`]);
  const below = await own.send(path, "collection", fields);
  const inner = await prisma.collection.findFirstOrThrow({ where: { parentId: collection.id } });
  expect([below.status, below.to]).toEqual([303, `/app/collections/${inner.id}`]);
  const settings = { title: "Guides", description: "For all", defaultLevel: "READ" };
  expect((await own.send(path, "settings", settings)).to).toBe(path);
  expect(textOf((await own.read(path)).body)).toContain("Guides For all Content");
  const guest = await readerOf(app, invitedGuest);
  expect((await guest.send(path, "settings", { title: "Mine" })).status).toBe(403);
  expect((await guest.send(path, "space", fields)).status).toBe(403);
  expect((await own.send(`/app/collections/${inner.id}`, "delete")).to).toBe(path);
  expect((await own.send(path, "delete")).to).toBe(`/app/orgs/${organization.id}`);
  expect(await prisma.collection.count({ where: { organizationId: organization.id } })).toBe(0);
});

test("creates a collection from the page of the organization", async () => {
  const { organization, creator } = await world.organization();
  const own = await readerOf(app, creator);
  const made = await own.send(`/app/orgs/${organization.id}`, "collection", { title: "Top" });
  const { id } = await app.database.prisma.collection.findFirstOrThrow({
    where: { organizationId: organization.id },
  });
  expect([made.status, made.to]).toEqual([303, `/app/collections/${id}`]);
});
