// Creating and updating collections: payloads, refusals and events.
import { describe, expect, test } from "vitest";
import { addMember } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const fields = "id title description parentId defaultLevel organizationId";
const create = `mutation ($input: CreateCollectionInput!) { createCollection(input: $input) { collection { ${fields} } } }`;
const update = `mutation ($input: UpdateCollectionInput!) { updateCollection(input: $input) { collection { ${fields} } } }`;
interface Created {
  createCollection: { collection: { id: string; title: string; parentId: string | null } };
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, actorId }) => ({ type, organizationId, actorId }));
}

describe("createCollection", () => {
  test("creates a collection last in its parent and emits its event", async () => {
    const { organization, collection, creator } = await world.collection();
    const as = app.as(creator.token);
    const made = [];
    for (const input of [{ title: "  One " }, {}, { title: "Inside", parentId: collection.id }]) {
      const { createCollection } = await as.query<Created>(create, {
        input: { organizationId: organization.id, ...input },
      });
      made.push(createCollection.collection);
    }
    expect(made).toMatchObject([
      { title: "One", parentId: null, description: null, defaultLevel: null, organizationId: organization.id },
      { title: "Untitled", parentId: null },
      { title: "Inside", parentId: collection.id },
    ]);
    const { organization: seen } = await as.query<{ organization: { collections: { nodes: { id: string }[] } } }>(
      `{ organization(id: "${organization.id}") { collections(nested: false) { nodes { id } } } }`,
    );
    expect(seen.collections.nodes.map(({ id }) => id)).toEqual([collection.id, made[0]?.id, made[1]?.id]);
    expect(await eventsOf(made[0]?.id ?? "")).toEqual([
      { type: "collection.created", organizationId: organization.id, actorId: creator.id },
    ]);
  });

  test("accepts a title of 50 characters beyond the Basic Multilingual Plane", async () => {
    const { organization, admin } = await world.organization();
    await app.as(admin.token).query(create, { input: { organizationId: organization.id, title: "📚".repeat(50) } });
  });

  test.each([
    [{ title: "x".repeat(51) }, "title"],
    [{ title: "a\u0000b" }, "title"],
    [{ title: null }, "title"],
    [{ parentId: null }, "parentId"],
  ])("refuses the input %j", async (input, path) => {
    const { organization, admin } = await world.organization();
    const { errors } = await app
      .as(admin.token)
      .graphql(create, { input: { organizationId: organization.id, ...input } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
  });

  test("lets users with create through the collection's default level create in it", async () => {
    const { organization, collection, people } = await world.collection({ collection: { defaultLevel: "create" } });
    const input = { organizationId: organization.id, parentId: collection.id };
    const attempt = async (name: keyof typeof people) => {
      const { errors } = await app.as(people[name].token).graphql(create, { input });
      return errors?.[0]?.extensions.code ?? "ok";
    };
    expect(await Promise.all((["reader", "invitedGuest", "guest"] as const).map(attempt))).toEqual([
      "ok",
      "FORBIDDEN",
      "NOT_FOUND",
    ]);
  });
});

test("createCollection returns NOT_FOUND for a parent of another organization, also to users who see it", async () => {
  const { organization, admin } = await world.organization();
  const other = await world.collection();
  await world.insert((rows) =>
    addMember(rows, { organizationId: other.organization.id, userId: admin.id, role: "read" }),
  );
  const input = { organizationId: organization.id, parentId: other.collection.id };
  expect(await app.as(admin.token).refusal(create, { input })).toBe("NOT_FOUND");
});

describe("updateCollection", () => {
  test("changes the given fields, clears them by null, and emits an event only for a change", async () => {
    const { collection, admin, organization } = await world.collection({ collection: { title: "Old" } });
    const as = app.as(admin.token);
    const change = async (input: object) =>
      (
        await as.query<{ updateCollection: { collection: object } }>(update, {
          input: { collectionId: collection.id, ...input },
        })
      ).updateCollection.collection;
    expect(await change({})).toMatchObject({ title: "Old" });
    expect(await eventsOf(collection.id)).toEqual([]);
    expect(await change({ title: "New", description: "What", defaultLevel: "REVIEW" })).toMatchObject({
      title: "New",
      description: "What",
      defaultLevel: "REVIEW",
    });
    expect(await change({ description: null, defaultLevel: null })).toMatchObject({
      title: "New",
      description: null,
      defaultLevel: null,
    });
    const event = { type: "collection.updated", organizationId: organization.id, actorId: admin.id };
    expect(await eventsOf(collection.id)).toEqual([event, event]);
  });

  test.each([
    [{ title: "x".repeat(51) }, "title"],
    [{ title: null }, "title"],
    [{ description: "x".repeat(101) }, "description"],
    [{ description: "a\u0000" }, "description"],
  ])("refuses the input %j", async (input, path) => {
    const { collection, admin } = await world.collection();
    const { errors } = await app.as(admin.token).graphql(update, { input: { collectionId: collection.id, ...input } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
    expect(await eventsOf(collection.id)).toEqual([]);
  });
});
