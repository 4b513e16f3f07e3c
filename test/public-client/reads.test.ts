// Users and the roles on a space, which the public client reads by its own methods.
import { expect, test } from "vitest";
import { publicClient } from "#test/public-client/client.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

const clientOf = ({ token }: Person) => publicClient(app.url, token);

test("GET a user returns users who share an organization with the caller, and 404 for others", async () => {
  const { organization, reader, editor, guest, outsider } = await world.space();
  const { data } = await clientOf(reader).users.getUserById(editor.id);
  expect(data).toMatchObject({ object: "user", id: editor.id, displayName: "Editor" });
  expect((await clientOf(guest).users.getUserById(guest.id)).data).toMatchObject({ id: guest.id });
  for (const id of [outsider.id, organization.id, "none"])
    await expect(clientOf(reader).users.getUserById(id), id).rejects.toMatchObject({ code: 404 });
});

test("GET the roles on a space lists each user with the highest of their roles", async () => {
  const { space, admin, reader, guest, outsider } = await world.space();
  const read = async (person: Person) =>
    (await clientOf(person).spaces.listPermissionsAggregateInSpace(space.id, { limit: 100 })).data.items;
  const roleOf = (items: Awaited<ReturnType<typeof read>>, { id }: Person) =>
    items.find(({ user }) => user.id === id)?.permission;
  const items = await read(reader);
  expect(roleOf(items, admin)).toBe("admin");
  expect(roleOf(items, reader)).toBe("read");
  await clientOf(admin).spaces.inviteToSpace(space.id, { role: "edit", users: [reader.id] });
  expect(roleOf(await read(reader), reader)).toBe("edit");
  await expect(read(outsider)).rejects.toMatchObject({ code: 404 });
  await expect(read(guest)).rejects.toMatchObject({ code: 404 });
});
