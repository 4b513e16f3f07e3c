// Choosing who may view a space: the default of a new one, moves, closing it to members, and
// the link of a share-link space.
import { describe, expect, test } from "vitest";
import { type Client, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

interface Seen {
  readonly id: string;
  readonly visibility: string;
  readonly openToMembers: boolean;
  readonly shareLink: { readonly key: string; readonly url: string } | null;
  readonly permissions: { readonly access: boolean; readonly admin: boolean; readonly edit: boolean };
}
const fields = "id visibility openToMembers shareLink { key url } permissions { access admin edit }";

async function run(as: Client, name: string, input: object): Promise<Seen> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { ${name}(input: $input) { space { ${fields} } } }`;
  const { [name]: payload } = await as.query<Record<string, { space: Seen }>>(document, { input });
  if (!payload) throw new Error(`${name} has answered nothing`);
  return payload.space;
}

const refusal = (as: Client, input: object): Promise<string> =>
  as.refusal("mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { __typename } }", { input });

const read = async (as: Client, id: string): Promise<Seen | null> =>
  (await as.graphql<{ space: Seen | null }>(`{ space(id: "${id}") { ${fields} } }`)).data?.space ?? null;

describe("a new space", () => {
  test("defaults to visible with its collection, and at the top to private and open to members", async () => {
    const { organization, collection, creator, editor, guest } = await world.collection();
    const as = app.as(creator.token);
    const organizationId = organization.id;
    const inside = await run(as, "createSpace", { organizationId, parentId: collection.id });
    expect(inside).toMatchObject({ visibility: "IN_COLLECTION", openToMembers: false });
    const top = await run(as, "createSpace", { organizationId });
    expect(top).toMatchObject({ visibility: "PRIVATE", openToMembers: true });
    for (const { id } of [inside, top]) {
      expect((await read(app.as(editor.token), id))?.permissions).toEqual({ access: true, admin: false, edit: true });
      expect(await read(app.as(guest.token), id)).toBeNull();
    }
  });

  test("that is created private is visible to its creator, who keeps the role of the parent, and to admins", async () => {
    const { organization, collection, creator, editor, admin } = await world.collection();
    const input = { organizationId: organization.id, visibility: "PRIVATE" };
    for (const place of [{}, { parentId: collection.id }]) {
      const made = await run(app.as(creator.token), "createSpace", { ...input, ...place });
      expect(made).toMatchObject({ openToMembers: false, permissions: { access: true, edit: true, admin: false } });
      expect(await read(app.as(editor.token), made.id)).toBeNull();
      expect((await read(app.as(admin.token), made.id))?.permissions.admin).toBe(true);
      const grants = await app.database.prisma.grant.findMany({ where: { spaceId: made.id } });
      expect(grants.map(({ userId, role }) => [userId, role])).toEqual([[creator.id, "create"]]);
      const copy = await run(app.as(creator.token), "duplicateSpace", { spaceId: made.id });
      expect(copy).toMatchObject({ visibility: "PRIVATE", openToMembers: false, permissions: { edit: true } });
      expect(await read(app.as(editor.token), copy.id)).toBeNull();
    }
    const byAdmin = await run(app.as(admin.token), "createSpace", input);
    expect(await app.database.prisma.grant.count({ where: { spaceId: byAdmin.id } })).toBe(0);
  });
});

describe("openToMembers and visibility of a space", () => {
  test("closing it makes the acting user admin, and opening it to members gives them access again", async () => {
    const { space, admin, reader, teamGuest, organization } = await world.space();
    const organizationId = organization.id;
    const grant = { organizationId, spaceId: space.id, userId: reader.id, role: "admin" } as const;
    await app.as(admin.token).query("mutation ($input: SetGrantInput!) { setGrant(input: $input) { __typename } }", {
      input: { target: { spaceId: space.id }, holder: { userId: grant.userId }, role: "ADMIN" },
    });
    const closed = await run(app.as(reader.token), "updateSpace", { spaceId: space.id, visibility: "PRIVATE" });
    expect(closed).toMatchObject({ visibility: "PRIVATE", openToMembers: false, permissions: { admin: true } });
    expect(await read(app.as(teamGuest.token), space.id)).toBeNull();
    const open = await run(app.as(reader.token), "updateSpace", { spaceId: space.id, openToMembers: true });
    expect(open).toMatchObject({ visibility: "PRIVATE", openToMembers: true });
    const renamed = await run(app.as(reader.token), "updateSpace", { spaceId: space.id, title: "Renamed" });
    expect(renamed.openToMembers).toBe(true);
  });

  test("closing it in a collection keeps the collection's admin", async () => {
    const { collection, space, admin, invitedGuest } = await world.space();
    await app.as(admin.token).query("mutation ($input: SetGrantInput!) { setGrant(input: $input) { __typename } }", {
      input: { target: { collectionId: collection.id }, holder: { userId: invitedGuest.id }, role: "ADMIN" },
    });
    const as = app.as(invitedGuest.token);
    const closed = await run(as, "updateSpace", { spaceId: space.id, visibility: "PRIVATE" });
    expect(closed.permissions.admin).toBe(true);
    await run(as, "updateSpace", { spaceId: space.id, defaultLevel: "READ" });
    expect((await run(as, "updateSpace", { spaceId: space.id, defaultLevel: null })).permissions.admin).toBe(true);
  });

  test("openToMembers applies to private spaces only, and null is refused", async () => {
    const { space, admin, organization } = await world.space();
    const as = app.as(admin.token);
    const spaceId = space.id;
    expect(await refusal(as, { spaceId, openToMembers: true })).toBe("INVALID_INPUT");
    expect(await refusal(as, { spaceId, visibility: "PUBLIC", openToMembers: true })).toBe("INVALID_INPUT");
    expect(await refusal(as, { spaceId, openToMembers: null })).toBe("INVALID_INPUT");
    const create = "mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { __typename } }";
    const input = { organizationId: organization.id, visibility: "UNLISTED", openToMembers: true };
    expect(await as.refusal(create, { input })).toBe("INVALID_INPUT");
  });

  test("moving from a collection to the top keeps the space open to members", async () => {
    const { space, admin, editor, organization } = await world.space();
    await run(app.as(admin.token), "moveSpace", { spaceId: space.id, parentId: null });
    expect(await read(app.as(editor.token), space.id)).toMatchObject({
      visibility: "PRIVATE",
      openToMembers: true,
      permissions: { edit: true },
    });
    const other = await world.space();
    await app
      .as(other.admin.token)
      .query("mutation ($input: DeleteCollectionInput!) { deleteCollection(input: $input) { __typename } }", {
        input: { collectionId: other.collection.id },
      });
    const raised = await read(app.as(other.editor.token), other.space.id);
    expect(raised).toMatchObject({ visibility: "PRIVATE", openToMembers: true, permissions: { edit: true } });
    expect(organization.id).not.toBe(other.organization.id);
  });
});

describe("the link of a share-link space", () => {
  async function makeShareLinkSpace() {
    const made = await world.space();
    const as = app.as(made.admin.token);
    const { shareLink } = await run(as, "updateSpace", { spaceId: made.space.id, visibility: "SHARE_LINK" });
    if (!shareLink) throw new Error("The admin is shown no link");
    return { ...made, as, shareLink };
  }
  const byKey = (id: string, key: string) => `{ space(id: "${id}", shareKey: "${key}") { shareLink { key } content {
    urls(shareKey: "${key}") { published } } urls { published } } }`;

  test("is shown to its admins only, and opens it and its published pages", async () => {
    const { space, creator, outsider, shareLink } = await makeShareLinkSpace();
    const address = `${app.url}/published/${space.id}/${shareLink.key}`;
    expect(shareLink).toEqual({ key: expect.stringMatching(/^[\w-]{32}$/), url: address });
    expect((await read(app.as(creator.token), space.id))?.shareLink).toBeNull();
    expect(await app.as(outsider.token).query(byKey(space.id, shareLink.key))).toEqual({
      space: { shareLink: null, content: { urls: { published: address } }, urls: { published: address } },
    });
    expect((await fetch(address)).status).toBe(200);
  });

  test("is replaced by rotation: the old key opens nothing from then on", async () => {
    const { space, as, outsider, shareLink } = await makeShareLinkSpace();
    const rotated = await run(as, "rotateShareKey", { spaceId: space.id });
    expect(rotated.shareLink?.key).toMatch(/^[\w-]{32}$/);
    expect(rotated.shareLink?.key).not.toBe(shareLink.key);
    const stranger = app.as(outsider.token);
    expect(await stranger.refusal(byKey(space.id, shareLink.key))).toBe("NOT_FOUND");
    expect((await stranger.rest("GET", `/v1/spaces/${space.id}?shareKey=${shareLink.key}`)).status).toBe(404);
    expect((await fetch(shareLink.url)).status).toBe(401);
    expect((await fetch(rotated.shareLink?.url ?? "")).status).toBe(200);
    const events = await app.eventsOf(space.id);
    expect(events.map(({ type }) => type)).toEqual(["space.updated", "space.shareKeyRotated"]);
    const keys = [shareLink.key, rotated.shareLink?.key ?? ""];
    const serialized = JSON.stringify(events, (_name, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const key of keys) expect(serialized).not.toContain(key);
    const rotate = "mutation ($input: RotateShareKeyInput!) { rotateShareKey(input: $input) { __typename } }";
    const input = { input: { spaceId: space.id } };
    await run(as, "updateSpace", { spaceId: space.id, visibility: "UNLISTED" });
    expect(await as.refusal(rotate, input)).toBe("CONFLICT");
  });
});
