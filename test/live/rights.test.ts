// Access to subscriptions: every subscription by every person, and every way of losing access, after which nothing more
// is sent.
import { describe, expect, test } from "vitest";
import { type Listener, listenTo, type SubscriptionName, subscriptions } from "#test/live/listener.ts";
import { settled } from "#test/live/outbox.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { addGrant, addMember, type Person } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import type { People } from "#test/support/world.ts";

const { app, world } = await useApp();

const names = Object.keys(subscriptions) as SubscriptionName[];
const isOfOrganization = (name: SubscriptionName) => name.endsWith("organization");

/**
 * A space with a change request, and a second space on which every person of the organization has a grant.
 */
async function makeScene() {
  const scene = await world.changeRequest({
    collection: { defaultLevel: null },
    space: { visibility: "in_collection" },
  });
  const { organization, space, changeRequest, admin, people } = scene;
  const organizationId = organization.id;
  const other = await world.insert((rows) => {
    const second = addSpace(rows, { organizationId });
    for (const { id } of Object.values(people as unknown as Record<string, Person>))
      if (id !== people.outsider.id) addGrant(rows, { organizationId, spaceId: second.id, userId: id, role: "read" });
    return second;
  });
  const scope = { space: space.id, changeRequest: changeRequest.id, organization: organizationId };
  return { ...scene, other, scope, as: app.as(admin.token) };
}
type Scene = Awaited<ReturnType<typeof makeScene>>;

let happened = 0;

/** Causes an event of every kind in a space. */
async function happen(as: Client, spaceId: string, changeRequestId: string | null): Promise<void> {
  await as.query(`mutation ($input: CreateCommentInput!) { createComment(input: $input) { __typename } }`, {
    input: { contentOf: changeRequestId === null ? { spaceId } : { changeRequestId }, text: { markdown: "Hello" } },
  });
  await as.query(`mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { __typename } }`, {
    input: { spaceId, subject: "Hello" },
  });
  await as.query(`mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { __typename } }`, {
    input: { spaceId, title: `Hello ${++happened}` },
  });
}

const kindOf = (name: SubscriptionName) => subscriptions[name][2];

const listen = async (token: string, name: SubscriptionName, { scope }: Scene) => ({
  name,
  listener: await listenTo(app.url, token, name, scope),
});

async function open(scene: Scene, name: SubscriptionName, who: keyof People): Promise<Listener> {
  const listener = await listenTo(app.url, scene.people[who].token, name, scene.scope);
  if (typeof listener === "string") throw new Error(`${who} may not listen to ${name}: ${listener}`);
  return listener;
}

describe("subscriptions are allowed", () => {
  test("to any subject only for people with a role on it or in the organization", async () => {
    const scene = await makeScene();
    await settled(app.database.pool); // earlier events are not delivered to new subscribers
    const people = Object.entries(scene.people as unknown as Record<keyof People, Person>);
    const opened = await Promise.all(
      people.map(async ([who, { token }]) => {
        const { data } = await app
          .as(token)
          .graphql<{ space: { permissions: { access: boolean } } | null }>(
            "query ($id: ID!) { space(id: $id) { permissions { access } } }",
            { id: scene.space.id },
          );
        const hasRole = data?.space?.permissions.access ?? false;
        return { who, hasRole, listeners: await Promise.all(names.map((name) => listen(token, name, scene))) };
      }),
    );
    await happen(scene.as, scene.space.id, scene.changeRequest.id);
    await happen(scene.as, scene.other.id, null);
    for (const { who, hasRole, listeners } of opened) {
      const isIn = who !== "disabled" && who !== "outsider";
      for (const { name, listener } of listeners) {
        const at = [who, name];
        if (isOfOrganization(name) ? isIn : hasRole) {
          if (typeof listener !== "object") throw new Error(`${who} may not listen to ${name}: ${listener}`);
          const [here, there] = [`${kindOf(name)} ${scene.space.id}`, `${kindOf(name)} ${scene.other.id}`];
          if (hasRole) expect([at, await listener.next()]).toEqual([at, here]);
          if (isOfOrganization(name)) expect([at, await listener.next()]).toEqual([at, there]);
          listener.raw.socket.terminate();
        } else expect([at, listener]).toEqual([at, "NOT_FOUND"]);
      }
    }
  });

  test.each(["comments of a space", "change requests of a space", "a space", "several spaces"] as const)(
    "to %s not for people who may only view a public one",
    async (name) => {
      const scene = await makeScene();
      await scene.as.query(
        "mutation ($id: ID!) { updateSpace(input: { spaceId: $id, visibility: PUBLIC }) { __typename } }",
        { id: scene.space.id },
      );
      expect(await listenTo(app.url, scene.outsider.token, name, scene.scope)).toBe("FORBIDDEN");
    },
  );
});

interface Loss {
  /** The person who has access. */
  readonly who: keyof People;
  readonly lose: (scene: Scene) => Promise<unknown>;
  /** Whether they are still in the organization, or no longer authenticated. */
  readonly left: "in" | "out" | "unknown";
  /** The events of the space before its streams end. */
  readonly farewell?: string;
}

const change = (as: Client, field: string, type: string, input: object) =>
  as.query(`mutation ($input: ${type}!) { ${field}(input: $input) { __typename } }`, { input });

const losses: Record<string, Loss> = {
  "the token is revoked": {
    who: "editor",
    left: "unknown",
    lose: async ({ editor }) => {
      const as = app.as(editor.token);
      const { apiTokens } = await as.query<{ apiTokens: { nodes: { id: string }[] } }>(
        "{ apiTokens { nodes { id } } }",
      );
      await change(as, "revokeApiToken", "RevokeApiTokenInput", { apiTokenId: apiTokens.nodes[0]?.id });
    },
  },
  "the member is removed": {
    who: "editor",
    left: "out",
    lose: ({ as, organization, editor }) =>
      change(as, "removeMember", "RemoveMemberInput", { organizationId: organization.id, userId: editor.id }),
  },
  "the member becomes a guest": {
    who: "reader",
    left: "in",
    lose: ({ as, organization, reader }) =>
      change(as, "updateMember", "UpdateMemberInput", {
        organizationId: organization.id,
        userId: reader.id,
        role: null,
      }),
  },
  "the grant is removed": {
    who: "invitedGuest",
    left: "in",
    lose: ({ as, collection, invitedGuest }) =>
      change(as, "removeGrant", "RemoveGrantInput", {
        target: { collectionId: collection.id },
        holder: { userId: invitedGuest.id },
      }),
  },
  "the grant of the team is removed": {
    who: "teamGuest",
    left: "in",
    lose: ({ as, collection, team }) =>
      change(as, "removeGrant", "RemoveGrantInput", {
        target: { collectionId: collection.id },
        holder: { teamId: team.id },
      }),
  },
  "the guest leaves the team": {
    who: "teamGuest",
    left: "in",
    lose: ({ as, organization, team, teamGuest }) =>
      change(as, "removeTeamMember", "RemoveTeamMemberInput", {
        organizationId: organization.id,
        teamId: team.id,
        userId: teamGuest.id,
      }),
  },
  "the team is deleted": {
    who: "teamGuest",
    left: "in",
    lose: ({ as, organization, team }) =>
      change(as, "deleteTeam", "DeleteTeamInput", { organizationId: organization.id, teamId: team.id }),
  },
  "the space is moved out of the collection": {
    who: "invitedGuest",
    left: "in",
    lose: ({ as, space }) => change(as, "moveSpace", "MoveSpaceInput", { spaceId: space.id, parentId: null }),
  },
  "the space goes to another organization": {
    who: "editor",
    left: "in",
    lose: async ({ as, space, admin, elsewhere }) => {
      await world.insert((rows) => addMember(rows, { organizationId: elsewhere.id, userId: admin.id, role: "admin" }));
      await change(as, "transferSpace", "TransferSpaceInput", { spaceId: space.id, organizationId: elsewhere.id });
    },
  },
  "the space is deleted": {
    who: "editor",
    left: "in",
    farewell: "SpaceDeleted",
    lose: ({ as, space }) => change(as, "deleteSpace", "DeleteSpaceInput", { spaceId: space.id }),
  },
};

test.each(Object.entries(losses))(
  "sends nothing more on any stream when %s",
  async (_way, { who, left, lose, farewell }) => {
    const scene = await makeScene();
    const listeners = await Promise.all(names.map(async (name) => [name, await open(scene, name, who)] as const));
    const witness = await open(scene, "comments of an organization", "creator");
    await lose(scene);
    if (!farewell) await happen(scene.as, scene.space.id, scene.changeRequest.id);
    await happen(scene.as, scene.other.id, null);
    for (const [name, listener] of listeners) {
      if (farewell && kindOf(name) === "SpaceSettingsChanged" && !isOfOrganization(name))
        expect([name, await listener.next()]).toEqual([name, farewell]);
      const next = [name, await listener.next()];
      if (left === "unknown") expect(next).toEqual([name, "UNAUTHENTICATED"]);
      else if (left === "in" && isOfOrganization(name))
        expect(next).toEqual([name, `${kindOf(name)} ${scene.other.id}`]);
      else expect(next).toEqual([name, "NOT_FOUND"]);
      listener.raw.socket.terminate();
    }
    expect(await witness.next()).toContain("CommentPosted"); // other streams continue
    witness.raw.socket.terminate();
  },
);

test("a right that is revoked and granted again applies from the new grant on", async () => {
  const scene = await makeScene();
  const { as, organization, reader } = scene;
  const input = { organizationId: organization.id, userId: reader.id };
  await change(as, "updateMember", "UpdateMemberInput", { ...input, role: null });
  expect(await listenTo(app.url, reader.token, "comments of a space", scene.scope)).toBe("NOT_FOUND");
  await change(as, "updateMember", "UpdateMemberInput", { ...input, role: "READ" });
  const listener = await open(scene, "comments of a space", "reader");
  await change(as, "updateMember", "UpdateMemberInput", { ...input, role: "EDIT" });
  await happen(as, scene.space.id, null);
  expect(await listener.next()).toBe(`CommentPosted ${scene.space.id}`);
  listener.raw.socket.terminate();
});
