// Deleted spaces: visible to those who may restore them until they are purged, while their contents stay hidden.
import { describe, expect, test } from "vitest";
import { addGrant } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readList } from "#test/support/list-reader.ts";
import { times, type World } from "#test/support/world.ts";

const { app, world } = await useApp();
const day = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => new Date(Date.now() - days * day);

const everybody = [
  "admin",
  "creator",
  "reviewer",
  "editor",
  "reader",
  "guest",
  "invitedGuest",
  "disabled",
  "outsider",
] as const;

/** A deleted, formerly public space with a change request and a comment. */
const deleted = (deletedAt: Date) => world.comment({ space: { deletedAt, visibility: "public" } });

type Made = Awaited<ReturnType<World["comment"]>>;

const trash = (made: Made, token: string) =>
  readList(app.as(token), ["Organization", made.organization.id], "deletedSpaces");

describe("the trash of an organization", () => {
  test("lists deleted spaces for users who may restore them, last deleted first", async () => {
    const made = await deleted(daysAgo(2));
    const { organization, collection, space, people } = made;
    const later = await world.insert((rows) => {
      addSpace(rows, { organizationId: organization.id, deletedAt: daysAgo(8) });
      addSpace(rows, { organizationId: organization.id });
      addGrant(rows, { organizationId: organization.id, spaceId: space.id, userId: people.guest.id, role: "admin" });
      return addSpace(rows, { organizationId: organization.id, parent: collection, deletedAt: daysAgo(1) });
    });
    expect(await trash(made, people.admin.token)).toEqual([later.id, space.id]);
    expect(await trash(made, people.guest.token)).toEqual([space.id]);
    for (const name of ["creator", "reviewer", "reader", "invitedGuest"] as const)
      expect(await trash(made, people[name].token)).toEqual([]);
    expect(
      await app
        .as(people.outsider.token)
        .refusal(`{ organization(id: "${organization.id}") { deletedSpaces { totalCount } } }`),
    ).toBe("NOT_FOUND");
  });

  test("takes two statements and one for the count, for any number", async () => {
    const { organization, admin } = await world.organization();
    const document = `query ($id: ID!, $first: Int!) { organization(id: $id) { deletedSpaces(first: $first) { totalCount nodes {
      title deletedAt permissions { admin edit } commentCount changeRequestCount } } } }`;
    await world.insert((rows) =>
      times(20, () => addSpace(rows, { organizationId: organization.id, deletedAt: daysAgo(1) })),
    );
    const cost = (first: number) => app.as(admin.token).statements(document, { id: organization.id, first });
    expect([await cost(2), await cost(20)]).toEqual([3, 3]);
  });
});

describe("a deleted space", () => {
  test("is found by its id by users who may restore it, with its deletion time", async () => {
    const at = daysAgo(2);
    const { space, people } = await deleted(at);
    const ways = `{ space(id: "${space.id}") { id deletedAt permissions { view access admin edit comment merge review viewInviteLinks triggerGitSync } }
      node(id: "${space.id}") { id } }`;
    const seen: string[] = [];
    for (const name of everybody) {
      const { data, errors } = await app
        .as(people[name].token)
        .graphql<{ space: object | null; node: object | null }>(ways);
      if (data?.space) seen.push(name);
      else expect(errors?.[0]?.extensions.code).toBe("NOT_FOUND");
      expect(data?.node ?? null).toEqual(data?.space ? { id: space.id } : null);
    }
    expect(seen).toEqual(["admin"]);
    const none = {
      access: false,
      edit: false,
      comment: false,
      merge: false,
      review: false,
      viewInviteLinks: false,
      triggerGitSync: false,
    };
    expect(await app.as(people.admin.token).query(ways)).toMatchObject({
      space: { id: space.id, deletedAt: at.toISOString(), permissions: { view: true, admin: true, ...none } },
    });
    const rest = await app.as(people.admin.token).rest<{ deletedAt: string }>("GET", `/v1/spaces/${space.id}`);
    expect([rest.status, rest.body.deletedAt]).toEqual([200, at.toISOString()]);
    expect((await app.as(people.editor.token).rest("GET", `/v1/spaces/${space.id}`)).status).toBe(404);
  });

  test("is not found after the time to restore it", async () => {
    const { space, admin } = await deleted(daysAgo(7.1));
    expect(await app.as(admin.token).refusal(`{ space(id: "${space.id}") { id } }`)).toBe("NOT_FOUND");
    expect((await app.as(admin.token).rest("GET", `/v1/spaces/${space.id}`)).status).toBe(404);
  });

  test("shows none of its contents by any lookup", async () => {
    const { space, changeRequest, comment, spaceComment, admin } = await deleted(daysAgo(1));
    const client = app.as(admin.token);
    const count = "{ totalCount nodes { id } }";
    const nothing = { totalCount: 0, nodes: [] };
    expect(
      await client.query(`{ space(id: "${space.id}") { commentCount changeRequestCount openChangeRequestCount
        changeRequests ${count} comments ${count} revisions ${count} } }`),
    ).toEqual({
      space: {
        commentCount: 0,
        changeRequestCount: 0,
        openChangeRequestCount: 0,
        changeRequests: nothing,
        comments: nothing,
        revisions: nothing,
      },
    });
    for (const below of [
      "content { id }",
      `changeRequest(by: { id: "${changeRequest.id}" }) { id }`,
      `comment(id: "${spaceComment.id}") { id }`,
    ])
      expect(await client.refusal(`{ space(id: "${space.id}") { ${below} } }`)).toBe("NOT_FOUND");
    for (const id of [changeRequest.id, changeRequest.revisionId, comment.id, space.revisionId])
      expect(await client.query(`{ node(id: "${id}") { id } }`)).toEqual({ node: null });
    expect((await client.rest("GET", `/v1/spaces/${space.id}/content`)).status).toBe(404);
    const update = `mutation { updateSpace(input: { spaceId: "${space.id}", title: "Other" }) { space { id } } }`;
    expect(await client.refusal(update)).toBe("NOT_FOUND");
  });

  test("is a normal space again when it is restored", async () => {
    const made = await deleted(daysAgo(1));
    const { space, admin, organization } = made;
    const document = `mutation { restoreSpace(input: { spaceId: "${space.id}" }) { space { deletedAt permissions { edit } changeRequests { totalCount } } } }`;
    expect(await app.as(admin.token).query(document)).toEqual({
      restoreSpace: { space: { deletedAt: null, permissions: { edit: true }, changeRequests: { totalCount: 1 } } },
    });
    expect(await trash(made, admin.token)).toEqual([]);
    expect(await readList(app.as(admin.token), ["Organization", organization.id], "spaces")).toEqual([space.id]);
  });
});
