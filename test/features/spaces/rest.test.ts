// Changes of collections and spaces in /v1: bodies, statuses and responses. Their effects are tested in GraphQL.
import { describe, expect, test } from "vitest";
import { addMember } from "#test/features/members/factory.ts";
import { childrenOf, readTree } from "#test/features/collections/tree.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

/** A space and a collection beside each other in a collection, and the admin's client. */
async function makeTree() {
  const made = await world.space();
  const organizationId = made.organization.id;
  const inner = await world.insert((rows) => {
    addMember(rows, { organizationId: made.elsewhere.id, userId: made.admin.id, role: "create" });
    return addCollection(rows, { organizationId, parent: made.collection });
  });
  const client = app.as(made.admin.token);
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await client.rest<Record<string, unknown> | undefined>(method, `/v1${path}`, { body });
    return [answer.status, answer.body] as const;
  };
  const order = async () => childrenOf(await readTree(app, organizationId), made.collection.id);
  return { ...made, inner, call, order, organizationId };
}

describe("collections in /v1", () => {
  test("are created with 201, with a body and without", async () => {
    const { call, organizationId, collection } = await makeTree();
    const body = { title: "New", parent: collection.id };
    expect(await call("POST", `/orgs/${organizationId}/collections`, body)).toMatchObject([
      201,
      { object: "collection", title: "New", parent: collection.id, organization: organizationId },
    ]);
    expect(await call("POST", `/orgs/${organizationId}/collections`)).toMatchObject([201, { title: "Untitled" }]);
  });

  test("are changed: absent fields stay, null clears", async () => {
    const { call, collection } = await makeTree();
    const path = `/collections/${collection.id}`;
    expect(await call("PATCH", path, { title: "T", defaultLevel: "edit" })).toMatchObject([
      200,
      { title: "T", defaultLevel: "edit" },
    ]);
    expect(await call("PATCH", path, { defaultLevel: null })).toMatchObject([200, { title: "T", defaultLevel: null }]);
    expect(await call("PATCH", path, {})).toMatchObject([200, { title: "T", defaultLevel: null }]);
    expect(await call("PATCH", path, { title: null })).toMatchObject([400, { error: { code: 400 } }]);
  });

  test("are moved, transferred and deleted", async () => {
    const { call, collection, inner, space, elsewhere, order } = await makeTree();
    const path = `/collections/${inner.id}`;
    const before = { position: { before: { type: "space", space: space.id } } };
    expect(await call("POST", `${path}/move`, before)).toMatchObject([200, { id: inner.id, parent: collection.id }]);
    expect(await order()).toEqual([inner.id, space.id]);
    const [status, body] = await call("POST", `${path}/move`, { parent: null });
    expect([status, body?.["parent"]]).toEqual([200, undefined]);
    expect(await call("POST", `${path}/transfer`, { organization: elsewhere.id })).toMatchObject([
      200,
      { organization: elsewhere.id },
    ]);
    expect(await call("DELETE", `/collections/${collection.id}`)).toEqual([205, undefined]);
    expect(await call("DELETE", `/collections/${collection.id}`)).toEqual([204, undefined]);
  });
});

describe("spaces in /v1", () => {
  test("are changed: absent fields stay, null clears", async () => {
    const { call, space } = await makeTree();
    const path = `/spaces/${space.id}`;
    const body = { title: "T", emoji: "🚢", editMode: "locked", defaultLevel: "read" };
    expect(await call("PATCH", path, body)).toMatchObject([200, body]);
    expect(await call("PATCH", path, { defaultLevel: null })).toMatchObject([200, { ...body, defaultLevel: null }]);
    expect(await call("PATCH", path, {})).toMatchObject([200, { title: "T" }]);
    expect(await call("PATCH", path, { visibility: "public" })).toMatchObject([400, { error: { code: 400 } }]);
  });

  test("are duplicated with 201, deleted with 205 and 204, and restored", async () => {
    const { call, space } = await makeTree();
    const path = `/spaces/${space.id}`;
    expect(await call("POST", `${path}/duplicate`)).toMatchObject([201, { object: "space", title: space.title }]);
    expect(await call("POST", `${path}/restore`)).toMatchObject([409, { error: { code: 409 } }]);
    expect(await call("DELETE", path)).toEqual([205, undefined]);
    expect(await call("DELETE", path)).toEqual([204, undefined]);
    expect(await call("POST", `${path}/restore`)).toMatchObject([200, { id: space.id }]);
  });

  test("are moved and transferred", async () => {
    const { call, space, inner, elsewhere, order, organizationId, collection } = await makeTree();
    const path = `/spaces/${space.id}`;
    const after = { position: { after: { type: "collection", collection: inner.id } } };
    expect(await call("POST", `${path}/move`, after)).toMatchObject([200, { id: space.id }]);
    expect(await order()).toEqual([inner.id, space.id]);
    expect(await call("POST", `${path}/move`)).toMatchObject([200, { parent: collection.id }]);
    const [status, body] = await call("POST", `${path}/move`, { parent: null });
    expect([status, body?.["parent"], body?.["visibility"]]).toEqual([200, undefined, "private"]);
    const other = await world.insert((rows) => addSpace(rows, { organizationId }));
    const position = { before: { type: "space", space: other.id }, after: { type: "space", space: other.id } };
    expect(await call("POST", `${path}/move`, { position })).toMatchObject([400, { error: { code: 400 } }]);
    expect(await call("POST", `${path}/transfer`, { organization: elsewhere.id })).toMatchObject([
      200,
      { organization: elsewhere.id },
    ]);
    expect(await call("POST", `${path}/transfer`, {})).toMatchObject([400, { error: { code: 400 } }]);
  });
});
