// Spaces in GraphQL: the nested query, lists and counts, the viewer's permissions, and the number of statements.
import { describe, expect, test } from "vitest";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** An organization of `spaces` spaces with `each` change requests each, and as many comments on each of these. */
async function makeSpaces(spaces: number, each: number) {
  const base = await world.collection();
  await world.insert((rows) => {
    for (const space of times(spaces, () =>
      addSpace(rows, { organizationId: base.organization.id, parent: base.collection }),
    )) {
      for (const changeRequest of times(each, () => addChangeRequest(rows, { space, createdById: base.editor.id }))) {
        times(each, () =>
          addComment(rows, { spaceId: space.id, changeRequestId: changeRequest.id, postedById: base.editor.id }),
        );
      }
    }
  });
  return base;
}

const nested = /* GraphQL */ `
  query ($id: ID!, $size: Int!) {
    organization(id: $id) {
      spaces(first: $size) {
        nodes {
          title
          changeRequests(first: $size) {
            nodes {
              subject
              outdated
              createdBy {
                displayName
              }
              comments(first: $size) {
                nodes {
                  body {
                    markdown
                  }
                }
              }
            }
          }
        }
      }
    }
  }
`;

describe("the number of SQL statements of spaces", () => {
  test("is one per level: the same for 2 and 10 items, and for 1 and 10 parents", async () => {
    const small = await makeSpaces(1, 2);
    const large = await makeSpaces(10, 10); // a thousand comments
    const run = (base: typeof small, size: number) =>
      app.as(base.reader.token).statements(nested, { id: base.organization.id, size });
    // organization, spaces, change requests, comments, the users who created them
    expect([await run(small, 2), await run(large, 2), await run(large, 10)]).toEqual([5, 5, 5]);
  });

  test("does not grow by permissions, counts or roles", async () => {
    const base = await makeSpaces(20, 1);
    const list = (selection: string) =>
      `query ($id: ID!) { organization(id: $id) { spaces { nodes { ${selection} } } } }`;
    const plain = await app.as(base.reader.token).statements(list("id"), { id: base.organization.id });
    const full =
      "permissions { view admin } commentCount changeRequestCount openChangeRequestCount draftChangeRequestCount urls { app }";
    expect(await app.as(base.reader.token).statements(list(full), { id: base.organization.id })).toBe(plain);
    const counted = `query ($id: ID!) { organization(id: $id) { spaces { totalCount nodes { id changeRequests(first: 1) { totalCount } } } } }`;
    expect(await app.as(base.reader.token).statements(counted, { id: base.organization.id })).toBe(5);
  });
});

describe("counts of a space", () => {
  test("count open comments on the main content, and change requests by status", async () => {
    const { reader, editor, space } = await world.space();
    await world.insert((rows) => {
      const on = { space, createdById: editor.id };
      const [open] = (["open", "open", "draft", "archived"] as const).map((status) =>
        addChangeRequest(rows, { ...on, status }),
      );
      const by = { spaceId: space.id, postedById: editor.id };
      times(3, () => addComment(rows, by));
      addComment(rows, { ...by, status: "resolved", resolvedAt: "2026-01-01T00:00:00Z" });
      if (open) addComment(rows, { ...by, changeRequestId: open.id });
    });
    const { space: counted } = await app.as(reader.token).query<{ space: unknown }>(
      `query ($id: ID!) { space(id: $id) { commentCount changeRequestCount openChangeRequestCount draftChangeRequestCount
        comments { totalCount } changeRequests(statuses: [OPEN]) { totalCount } } }`,
      { id: space.id },
    );
    expect(counted).toEqual({
      commentCount: 3,
      changeRequestCount: 4,
      openChangeRequestCount: 2,
      draftChangeRequestCount: 1,
      comments: { totalCount: 4 },
      changeRequests: { totalCount: 2 },
    });
  });
});

describe("permissions of a space", () => {
  const flags = `query ($id: ID!) { space(id: $id) { permissions { view access comment edit review merge admin } } }`;
  const flagsOf = async (token: string, id: string) => {
    const { space } = await app.as(token).query<{ space: { permissions: Record<string, boolean> } }>(flags, { id });
    return Object.keys(space.permissions).filter((flag) => space.permissions[flag]);
  };
  const read = ["view", "access"];
  const comment = [...read, "comment"];
  const edit = [...comment, "edit"];
  const review = [...edit, "review", "merge"];

  test("follow the role in the organization if no level is set", async () => {
    const { people, space } = await world.space();
    expect(await flagsOf(people.reader.token, space.id)).toEqual(read);
    expect(await flagsOf(people.commenter.token, space.id)).toEqual(comment);
    expect(await flagsOf(people.editor.token, space.id)).toEqual(edit);
    expect((await flagsOf(people.reviewer.token, space.id)).toSorted()).toEqual(review.toSorted());
    expect((await flagsOf(people.admin.token, space.id)).toSorted()).toEqual([...review, "admin"].toSorted());
    expect(await flagsOf(people.invitedGuest.token, space.id)).toEqual(comment);
    expect(await flagsOf(people.teamGuest.token, space.id)).toEqual(edit);
  });

  test("follow the nearest level of the item or its ancestors, which grants only raise", async () => {
    const base = await world.collection({ collection: { defaultLevel: "review" } });
    const organizationId = base.organization.id;
    const { inherits, own } = await world.insert((rows) => {
      const inner = addCollection(rows, { organizationId, parent: base.collection });
      const own = addSpace(rows, { organizationId, parent: inner, defaultLevel: "read" });
      addGrant(rows, { organizationId, spaceId: own.id, userId: base.reader.id, role: "edit" });
      return { inherits: addSpace(rows, { organizationId, parent: inner }), own };
    });
    expect((await flagsOf(base.reader.token, inherits.id)).toSorted()).toEqual(review.toSorted());
    expect(await flagsOf(base.editor.token, own.id)).toEqual(read);
    expect(await flagsOf(base.reader.token, own.id)).toEqual(edit);
    expect(await flagsOf(base.admin.token, own.id)).toContain("admin");
  });
});

test("a share-link space can be viewed only with its key", async () => {
  const { space, outsider } = await world.space({ space: { visibility: "share_link", shareKey: "secret-key-1" } });
  const open =
    "query ($id: ID!, $key: String) { space(id: $id, shareKey: $key) { id permissions { view access } changeRequests { totalCount } } }";
  const caller = app.as(outsider.token);
  const location = `/v1/spaces/${space.id}?shareKey=secret-key-1`;
  expect(await caller.query(open, { id: space.id, key: "secret-key-1" })).toMatchObject({
    space: { id: space.id, permissions: { view: true, access: false }, changeRequests: { totalCount: 0 } },
  });
  expect(await caller.rest("GET", location)).toMatchObject({
    status: 200,
    body: { urls: { location: app.url + location } },
  });
  expect(await caller.refusal(open, { id: space.id, key: "other" })).toBe("NOT_FOUND");
  expect(await caller.refusal(open, { id: space.id })).toBe("NOT_FOUND");
});

test("a deleted space is not in any list, count or lookup", async () => {
  const { space, admin, organization, collection, changeRequest } = await world.changeRequest({
    space: { deletedAt: "2026-01-01T00:00:00Z" },
  });
  const caller = app.as(admin.token);
  expect(await caller.refusal("query ($id: ID!) { space(id: $id) { id } }", { id: space.id })).toBe("NOT_FOUND");
  expect(await caller.refusal("query ($id: ID!) { changeRequest(id: $id) { id } }", { id: changeRequest.id })).toBe(
    "NOT_FOUND",
  );
  const lists = `query ($o: ID!, $c: ID!) { organization(id: $o) { spaces { totalCount } } collection(id: $c) { spaces { totalCount nodes { id } } } }`;
  expect(await caller.query(lists, { o: organization.id, c: collection.id })).toEqual({
    organization: { spaces: { totalCount: 0 } },
    collection: { spaces: { totalCount: 0, nodes: [] } },
  });
});
