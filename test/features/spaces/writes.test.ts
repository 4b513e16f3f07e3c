// Creating, updating and duplicating spaces: payloads, refusals and events.
import { describe, expect, test } from "vitest";
import { addGrant } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

const fields = "id title emoji visibility editMode parentId defaultLevel organizationId revisionId";
const create = `mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { space { ${fields} } } }`;
const update = `mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { space { ${fields} } } }`;
const duplicate = `mutation ($id: ID!) { duplicateSpace(input: { spaceId: $id }) { space { ${fields} } } }`;

interface SpaceFields {
  id: string;
  title: string;
  visibility: string;
  revisionId: string;
  parentId: string | null;
}
interface Answers {
  createSpace: { space: SpaceFields };
  updateSpace: { space: SpaceFields };
  duplicateSpace: { space: SpaceFields };
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, spaceId, actorId }) => ({ type, organizationId, spaceId, actorId }));
}

/** The error code of an operation, or `ok`. */
async function outcome({ token }: Person, document: string, variables: Record<string, unknown>): Promise<string> {
  const { errors } = await app.as(token).graphql(document, variables);
  return errors?.[0]?.extensions.code ?? "ok";
}

describe("createSpace", () => {
  test("creates a space with its first revision, and emits its event", async () => {
    const { organization, collection, creator } = await world.collection();
    const as = app.as(creator.token);
    const make = async (input: object) =>
      (await as.query<Answers>(create, { input: { organizationId: organization.id, ...input } })).createSpace.space;
    const top = await make({});
    expect(top).toMatchObject({
      title: "Untitled",
      emoji: "📘",
      visibility: "PRIVATE",
      editMode: "LIVE",
      parentId: null,
    });
    const inside = await make({
      title: " Guide ",
      emoji: "🚢",
      parentId: collection.id,
      defaultLevel: "CREATE",
    });
    expect(inside).toMatchObject({
      title: "Guide",
      emoji: "🚢",
      visibility: "IN_COLLECTION",
      parentId: collection.id,
      defaultLevel: "CREATE",
      organizationId: organization.id,
    });
    expect(await app.database.prisma.revision.findMany({ where: { spaceId: inside.id } })).toMatchObject([
      { id: inside.revisionId, type: "initial", authorId: creator.id },
    ]);
    const ids = { organizationId: organization.id, spaceId: inside.id, actorId: creator.id };
    expect(await eventsOf(inside.id)).toEqual([{ type: "space.created", ...ids }]);
  });

  test("of a share-link space generates a key", async () => {
    const { organization, admin } = await world.organization();
    const input = { organizationId: organization.id, visibility: "SHARE_LINK" };
    const { createSpace } = await app.as(admin.token).query<Answers>(create, { input });
    const stored = await app.database.prisma.space.findUnique({ where: { id: createSpace.space.id } });
    expect(stored?.shareKey).toMatch(/^[\w-]{32}$/);
  });

  test.each([
    [{ title: "x".repeat(51) }, "title"],
    [{ title: null }, "title"],
    [{ emoji: "x".repeat(51) }, "emoji"],
    [{ emoji: null }, "emoji"],
    [{ parentId: null }, "parentId"],
    [{ visibility: null }, "visibility"],
    [{ visibility: "IN_COLLECTION" }, "visibility"],
  ])("refuses the input %j", async (input, path) => {
    const { organization, admin } = await world.organization();
    const { errors } = await app
      .as(admin.token)
      .graphql(create, { input: { organizationId: organization.id, ...input } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
  });

  test("refuses a level above the viewer's own role", async () => {
    const { organization, people } = await world.organization();
    const attempt = (name: keyof typeof people, input: object) =>
      outcome(people[name], create, { input: { organizationId: organization.id, ...input } });
    expect(await attempt("creator", { defaultLevel: "ADMIN" })).toBe("FORBIDDEN");
    expect(await attempt("creator", { defaultLevel: "CREATE" })).toBe("ok");
    expect(await attempt("admin", { defaultLevel: "ADMIN" })).toBe("ok");
  });
});

describe("updateSpace", () => {
  test("changes the given fields, and emits an event only for a change", async () => {
    const { space, admin, organization } = await world.space({ space: { title: "Old", emoji: "🚢" } });
    const change = async (input: object) =>
      (await app.as(admin.token).query<Answers>(update, { input: { spaceId: space.id, ...input } })).updateSpace.space;
    expect(await change({})).toMatchObject({ title: "Old" });
    expect(await eventsOf(space.id)).toEqual([]);
    const all = { title: "New", emoji: "", editMode: "LOCKED", defaultLevel: "EDIT", visibility: "PUBLIC" };
    expect(await change(all)).toMatchObject(all);
    expect(await change({ defaultLevel: null, visibility: "IN_COLLECTION" })).toMatchObject({
      ...all,
      defaultLevel: null,
      visibility: "IN_COLLECTION",
    });
    const ids = { organizationId: organization.id, spaceId: space.id, actorId: admin.id };
    expect(await eventsOf(space.id)).toEqual([
      { type: "space.updated", ...ids },
      { type: "space.updated", ...ids },
    ]);
  });

  test("keeps the share key while the space is open by link, and generates a new one when it is opened again", async () => {
    const { space, admin } = await world.space({ space: { visibility: "share_link", shareKey: "first" } });
    const keys = [];
    for (const visibility of ["SHARE_LINK", "PUBLIC", "SHARE_LINK"]) {
      await app.as(admin.token).query(update, { input: { spaceId: space.id, visibility } });
      keys.push((await app.database.prisma.space.findUnique({ where: { id: space.id } }))?.shareKey);
    }
    expect(keys).toEqual(["first", null, expect.stringMatching(/^[\w-]{32}$/)]);
  });

  test.each([
    [{ title: "x".repeat(51) }, "title"],
    [{ title: null }, "title"],
    [{ emoji: null }, "emoji"],
    [{ editMode: null }, "editMode"],
    [{ visibility: null }, "visibility"],
    [{ visibility: "IN_COLLECTION" }, "visibility"],
  ])("refuses the input %j", async (input, path) => {
    const { organization, admin } = await world.organization();
    const space = await world.insert((rows) => addSpace(rows, { organizationId: organization.id }));
    const { errors } = await app.as(admin.token).graphql(update, { input: { spaceId: space.id, ...input } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
    expect(await eventsOf(space.id)).toEqual([]);
  });
});

describe("duplicateSpace", () => {
  test("creates a copy directly after the original, with its own revision and without reviews", async () => {
    const made = await world.comment({ space: { title: "Guide", editMode: "locked", defaultLevel: "comment" } });
    const { organization, collection, space, creator } = made;
    await world.insert((rows) =>
      addSpace(rows, { organizationId: organization.id, parent: collection, title: "Next" }),
    );
    const as = app.as(creator.token);
    const { duplicateSpace } = await as.query<Answers>(duplicate, { id: space.id });
    const copy = duplicateSpace.space;
    expect(copy).toMatchObject({
      title: "Guide",
      editMode: "LOCKED",
      visibility: "IN_COLLECTION",
      defaultLevel: "COMMENT",
    });
    expect(copy.revisionId).not.toBe(space.revisionId);
    const list = await as.query<{ collection: { spaces: { nodes: object[] } } }>(
      `{ collection(id: "${collection.id}") { spaces { nodes { id title changeRequestCount commentCount } } } }`,
    );
    expect(list.collection.spaces.nodes).toEqual([
      { id: space.id, title: "Guide", changeRequestCount: 1, commentCount: 1 },
      { id: copy.id, title: "Guide", changeRequestCount: 0, commentCount: 0 },
      { id: expect.anything(), title: "Next", changeRequestCount: 0, commentCount: 0 },
    ]);
    const ids = { organizationId: organization.id, spaceId: space.id, actorId: creator.id };
    expect(await eventsOf(copy.id)).toEqual([{ type: "space.duplicated", ...ids }]);
  });

  test("requires create on the parent", async () => {
    const { space, people } = await world.space({ space: { visibility: "public" } });
    for (const [name, person] of Object.entries(people)) {
      const got = await outcome(person, duplicate, { id: space.id });
      expect([name, got]).toEqual([name, ["admin", "creator"].includes(name) ? "ok" : "FORBIDDEN"]);
    }
  });

  test("is refused to a guest who sees only the space", async () => {
    const { organization, space, guest } = await world.space();
    await world.insert((rows) =>
      addGrant(rows, { organizationId: organization.id, spaceId: space.id, userId: guest.id, role: "admin" }),
    );
    expect(await outcome(guest, duplicate, { id: space.id })).toBe("FORBIDDEN");
  });
});
