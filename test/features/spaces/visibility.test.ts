// The six visibilities of a space, and the options of private ones: access by every list and lookup.
// At the small size a third of the viewers of each kind of space read it by REST and listen to its events.
import { beforeAll, describe, expect, test } from "vitest";
import { addGrant, addPersonIn, type Person } from "#test/features/members/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { textFile, uploadAs } from "#test/features/content/uploads.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { listenTo } from "#test/live/listener.ts";
import { useApp } from "#test/support/app.ts";
import { inTurn } from "#test/support/runs.ts";

const { app, world } = await useApp();

const kinds = [
  "public",
  "unlisted",
  "share_link",
  "visitor_auth",
  "in_collection",
  "private",
  "private, with a default level",
  "private, open to members",
] as const;
type Kind = (typeof kinds)[number];

const shareKey = "the-key-of-the-link";
const columnsOf = {
  public: { visibility: "public" },
  unlisted: { visibility: "unlisted" },
  share_link: { visibility: "share_link", shareKey },
  visitor_auth: { visibility: "visitor_auth" },
  in_collection: { visibility: "in_collection" },
  private: { visibility: "private" },
  "private, with a default level": { visibility: "private", defaultLevel: "comment" },
  "private, open to members": { visibility: "private", openToMembers: true },
} as const;

async function makeScene() {
  const made = await world.collection({ collection: { defaultLevel: null } });
  const { organization, collection, people } = made;
  const organizationId = organization.id;
  const more = await world.insert((rows) => {
    const person = (role: "read" | null) => addPersonIn(rows, { organizationId, role });
    const team = addTeam(rows, { organizationId });
    const spaceGuest = person(null);
    const spaceTeamGuest = person(null);
    const grantedReader = person("read");
    addTeamMember(rows, team, spaceTeamGuest);
    const entries = kinds.map((kind) => {
      const space = addSpace(rows, { organizationId, parent: collection, ...columnsOf[kind] });
      const on = { organizationId, spaceId: space.id, role: "comment" } as const;
      addGrant(rows, { ...on, userId: spaceGuest.id });
      addGrant(rows, { ...on, userId: grantedReader.id });
      addGrant(rows, { ...on, teamId: team.id });
      return [kind, space] as const;
    });
    // Has an entry for each kind.
    const spaces = Object.fromEntries(entries) as Record<Kind, (typeof entries)[number][1]>;
    return { spaces, spaceGuest, spaceTeamGuest, grantedReader };
  });
  for (const { id, revisionId } of Object.values(more.spaces)) {
    await giveContent(app.database, revisionId, ["Page"]);
    await uploadAs(app.as(made.admin.token), { spaceId: id, file: textFile() });
  }
  const { spaces, ...others } = more;
  const viewers: Record<string, Person> = { ...people, ...others };
  return { ...made, spaces, viewers };
}
let scene: Awaited<ReturnType<typeof makeScene>>;
beforeAll(async () => void (scene = await makeScene()));

const outside = ["outsider", "disabled", "guest"];
const ofCollection = ["invitedGuest", "teamGuest"];
const members = ["reader", "creator", "teamOwner"];
const authorized = ["admin", "spaceGuest", "spaceTeamGuest", "grantedReader"];
const everybody = [...outside, ...ofCollection, ...members, ...authorized];

/** Viewers with a role, and whether its visibility allows everyone to view it. */
const table: Record<Kind, { readonly withRole: readonly string[]; readonly isOpen: boolean }> = {
  public: { withRole: [...ofCollection, ...members, ...authorized], isOpen: true },
  unlisted: { withRole: [...ofCollection, ...members, ...authorized], isOpen: true },
  share_link: { withRole: [...ofCollection, ...members, ...authorized], isOpen: false },
  visitor_auth: { withRole: [...ofCollection, ...members, ...authorized], isOpen: false },
  in_collection: { withRole: [...ofCollection, ...members, ...authorized], isOpen: false },
  private: { withRole: authorized, isOpen: false },
  "private, with a default level": { withRole: [...members, ...authorized], isOpen: false },
  "private, open to members": { withRole: [...members, ...authorized], isOpen: false },
};

const tokenOf = (name: string): string => scene.viewers[name]?.token ?? "";
const question = `query ($id: ID!, $key: String, $organization: ID!, $collection: ID!) {
  space(id: $id, shareKey: $key) { id content { pages { title } files { nodes { downloadURL } } } urls { published public } }
  node(id: $id) { id }
  organization(id: $organization) { spaces(first: 100) { nodes { id } totalCount } }
  collection(id: $collection) { spaces(first: 100) { nodes { id } } }
}`;

interface Answer {
  readonly space: {
    readonly id: string;
    readonly content: {
      readonly pages: object[];
      readonly files: { readonly nodes: { readonly downloadURL: string }[] };
    };
    readonly urls: { readonly published: string | null; readonly public: string | null };
  } | null;
  readonly node: { readonly id: string } | null;
  readonly organization: {
    readonly spaces: { readonly nodes: { readonly id: string }[]; readonly totalCount: number };
  } | null;
  readonly collection: { readonly spaces: { readonly nodes: { readonly id: string }[] } } | null;
}

/** What a viewer sees of a space by GraphQL, and by REST unless it is left out. */
async function see(name: string, kind: Kind, { key, isByRest = true }: { key?: string; isByRest?: boolean } = {}) {
  const { organization, collection, spaces } = scene;
  const { id } = spaces[kind];
  const as = app.as(tokenOf(name));
  const { data } = await as.graphql<Answer>(question, {
    id,
    key,
    organization: organization.id,
    collection: collection.id,
  });
  const query = key === undefined ? "" : `?shareKey=${key}`;
  const rest = isByRest
    ? await as.rest<{ urls: { published?: string } }>("GET", `/v1/spaces/${id}${query}`)
    : undefined;
  const inList = isByRest
    ? await as.rest<{ items?: { id: string }[] }>("GET", `/v1/collections/${collection.id}/spaces?limit=100`)
    : undefined;
  const file = data?.space?.content.files.nodes[0]?.downloadURL;
  return {
    id,
    data,
    rest,
    isListed: {
      graphql: data?.organization?.spaces.nodes.some((node) => node.id === id) ?? null,
      ofCollection: data?.collection?.spaces.nodes.some((node) => node.id === id) ?? null,
      rest: rest?.status === 200 ? (inList?.body.items?.some((item) => item.id === id) ?? null) : null,
    },
    download: file ? (await fetch(file)).status : null,
  };
}

describe.each(kinds)("a space with the visibility %s", (kind) => {
  const { withRole, isOpen } = table[kind];
  const some = inTurn(everybody, kinds.indexOf(kind) % 3, 3);

  test.each(everybody)("is visible or not for %s", async (name) => {
    const isSeen = isOpen || withRole.includes(name);
    const { id, data, rest, isListed, download } = await see(name, kind, {
      isByRest: some.includes(name),
    });
    expect(data?.space?.id ?? null).toBe(isSeen ? id : null);
    expect(data?.node?.id ?? null).toBe(isSeen ? id : null);
    if (rest) expect(rest.status).toBe(isSeen ? 200 : 404);
    expect(download).toBe(isSeen ? 200 : null);
    const seesOrganization = name !== "outsider" && name !== "disabled";
    expect(isListed.graphql).toBe(seesOrganization ? isSeen : null);
    if (isListed.ofCollection !== null) expect(isListed.ofCollection).toBe(isSeen);
    if (isListed.rest !== null) expect(isListed.rest).toBe(isSeen);
  });

  test("sends events to users with a role and to no one else", async () => {
    for (const name of some) {
      const { id } = scene.spaces[kind];
      const scope = { space: id, changeRequest: "", organization: scene.organization.id };
      const listener = await listenTo(app.url, tokenOf(name), "a space", scope);
      const refusal = isOpen ? "FORBIDDEN" : "NOT_FOUND";
      expect(typeof listener === "string" ? listener : "Ready", name).toBe(withRole.includes(name) ? "Ready" : refusal);
      if (typeof listener !== "string") listener.raw.socket.terminate();
    }
  });

  test("opens with the link key only if it is share-link, and returns its link in both APIs", async () => {
    const { data, rest } = await see("outsider", kind, { key: shareKey });
    const byKey = kind === "share_link" ? `${app.url}/published/${scene.spaces[kind].id}/${shareKey}` : null;
    const open = isOpen ? `${app.url}/published/${scene.spaces[kind].id}` : null;
    expect(data?.space?.urls.published ?? null).toBe(byKey ?? open);
    expect(data?.space?.urls.public ?? null).toBe(kind === "public" ? open : null);
    expect(rest?.body.urls?.published ?? null).toBe(byKey ?? open);
    expect((await see("outsider", kind, { key: "another-key" })).data?.space?.urls.published ?? null).toBe(open);
    expect((await see("admin", kind)).data?.space?.urls.published ?? null).toBe(open);
  });

  test("has published pages without a token if public or unlisted, and with the key", async () => {
    const { id } = scene.spaces[kind];
    const page = await fetch(`${app.url}/published/${id}`);
    expect(page.status).toBe(isOpen ? 200 : 401);
    expect(page.headers.get("x-robots-tag")).toBe(kind === "public" ? null : "noindex");
    const withKey = await fetch(`${app.url}/published/${id}/${shareKey}`);
    expect(withKey.status).toBe(isOpen ? 404 : kind === "share_link" ? 200 : 401); // no page has such a path
    expect((await fetch(`${app.url}/v1/spaces/${id}`)).status).toBe(401);
  });
});

test("the counts of a space's members equal their lists", async () => {
  const { organization, viewers } = scene;
  const as = app.as(tokenOf("admin"));
  for (const name of [...ofCollection, ...members, ...authorized, "guest"]) {
    const { organization: found } = await as.query<{
      organization: {
        member: { spaceCount: number; spaces: { totalCount: number; nodes: { space: { id: string } }[] } };
      };
    }>(
      `query ($organization: ID!, $user: ID!) {
        organization(id: $organization) { member(userId: $user) { spaceCount spaces(first: 100) { totalCount nodes { space { id } } } } }
      }`,
      { organization: organization.id, user: viewers[name]?.id },
    );
    const expected = kinds.filter((kind) => table[kind].withRole.includes(name)).map((kind) => scene.spaces[kind].id);
    const { spaceCount, spaces } = found.member;
    expect(spaces.nodes.map(({ space }) => space.id).toSorted(), name).toEqual(expected.toSorted());
    expect([spaceCount, spaces.totalCount], name).toEqual([expected.length, expected.length]);
  }
});

test("a private space ignores default levels of collections and grants on them", async () => {
  const { organization, admin, invitedGuest, reader } = await world.collection({
    collection: { defaultLevel: "edit" },
  });
  const as = app.as(admin.token);
  const { organization: found } = await as.query<{ organization: { collections: { nodes: { id: string }[] } } }>(
    `{ organization(id: "${organization.id}") { collections { nodes { id } } } }`,
  );
  const parentId = found.collections.nodes[0]?.id;
  const { createSpace } = await as.query<{ createSpace: { space: { id: string } } }>(
    "mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }",
    { input: { organizationId: organization.id, parentId, visibility: "PRIVATE", defaultLevel: "READ" } },
  );
  const flags = `{ space(id: "${createSpace.space.id}") { permissions { access edit } } }`;
  expect(await app.as(reader.token).query(flags)).toEqual({ space: { permissions: { access: true, edit: false } } });
  expect(await app.as(invitedGuest.token).refusal(flags)).toBe("NOT_FOUND");
});

test.each(kinds)("the members of a space that is %s are those with a role, with its sources", async (kind) => {
  const { space } = await app.as(tokenOf("admin")).query<{
    space: { members: { nodes: { user: { id: string }; role: string; sources: { role: string }[] }[] } };
  }>(`{ space(id: "${scene.spaces[kind].id}") { members(first: 100) { nodes { user { id } role sources { role } } } } }`);
  const { nodes } = space.members;
  const named = everybody.filter((name) => nodes.some(({ user }) => user.id === scene.viewers[name]?.id));
  expect(named.toSorted()).toEqual(table[kind].withRole.toSorted());
  for (const { role, sources } of nodes) expect(sources[0]?.role).toBe(role);
});
