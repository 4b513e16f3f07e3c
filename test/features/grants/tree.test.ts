// Random sequences of changes of the content tree against a simple model: after each step viewers see exactly the
// model's tree. At the small size fewer and shorter sequences.
import { deepStrictEqual as deepEqual } from "node:assert"; // a fraction of the time of expect, for millions of values
import fc from "fast-check";
import { expect, test } from "vitest";
import { isAtLeast } from "#src/access/roles.ts";
import { newId } from "#src/base/ids.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { childrenOf, faultsOf, readTree } from "#test/features/collections/tree.ts";
import { type ModelItem, type ModelViewer, TreeModel } from "#test/features/grants/tree-model.ts";
import { aStep, attemptOf, type Step } from "#test/features/grants/tree-steps.ts";
import { addGrant, addMember, addPerson } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";
import { runs, sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/**
 * Roles in the first and in the second organization; null is a guest, undefined is not a member. The first user may do
 * everything.
 */
const cast: readonly (readonly [name: string, Role | null | undefined, Role | null | undefined, isInTeam: boolean])[] =
  [
    ["admin of both", "admin", "admin", false],
    ["admin of the second", undefined, "admin", false],
    ["creator and guest", "create", null, false],
    ["reviewer", "review", undefined, false],
    ["editor", "edit", undefined, false],
    ["commenter and creator", "comment", "create", false],
    ["reader", "read", undefined, false],
    ["reader in the team", "read", undefined, true],
    ["guest in the team, and reader", null, "read", true],
    ["guest of both", null, null, false],
    ["stranger", undefined, undefined, false],
  ];

/**
 * Two organizations with every user of the cast; the first has a chain of collections, `depth` levels deep, with some
 * levels, grants and spaces.
 */
async function makeFixture(depth: number) {
  return world.insert((rows) => {
    const [first, second] = [addOrganization(rows).id, addOrganization(rows).id];
    const team = addTeam(rows, { organizationId: first });
    const viewers = cast.map(([name, ...given]): ModelViewer => {
      const person = addPerson(rows, { displayName: name });
      const roles = new Map<string, Role | null>();
      for (const [index, organizationId] of [first, second].entries()) {
        const role = given[index as 0 | 1];
        if (role === undefined) continue;
        addMember(rows, { organizationId, userId: person.id, role });
        roles.set(organizationId, role);
      }
      if (given[2]) addTeamMember(rows, team, person);
      return { name, id: person.id, token: person.token, roles, teams: given[2] ? [team.id] : [] };
    });
    const model = new TreeModel(viewers, new Map([[team.id, first]]));
    const guest = viewers.at(-2)?.id ?? "";
    let parent: ReturnType<typeof addCollection> | undefined;
    for (const organizationId of [second, ...times(depth, () => first)]) {
      const inside = parent?.organizationId === organizationId ? { parent } : {};
      const level = (["read", null, "create", null, "edit", null] as const)[model.items.size % 6] ?? null;
      parent = addCollection(rows, { organizationId, ...inside, defaultLevel: level });
      const { id: collectionId } = parent;
      const place = { organization: organizationId, parent: inside.parent?.id ?? null };
      model.add({ id: collectionId, kind: "collection", ...place, level, visibility: null, isDeleted: false });
      const role = ([null, "read", "create", null] as const)[model.items.size % 4];
      if (role) {
        addGrant(rows, { organizationId, collectionId, userId: guest, role });
        model.grant({ holder: guest, item: collectionId, role });
      }
      if (model.items.size % 5 !== 0) continue;
      const space = {
        organization: organizationId,
        parent: parent.id,
        level: null,
        visibility: "in_collection",
      } as const;
      const { id } = addSpace(rows, { organizationId, parent });
      model.add({ id, kind: "space", ...space, isDeleted: false });
    }
    return { model, organizations: [first, second] as const };
  });
}

interface SeenItem {
  id: string;
  parentId: string | null;
  organizationId: string;
  position: string;
  defaultLevel: string | null;
  visibility?: string;
  permissions: Record<string, boolean>;
}

const everything = /* GraphQL */ `
  query ($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Collection {
        id
        parentId
        organizationId
        position
        defaultLevel
        permissions {
          view
          create
          admin
        }
      }
      ... on Space {
        id
        parentId
        organizationId
        position
        defaultLevel
        visibility
        permissions {
          access
          comment
          edit
          review
          admin
        }
      }
    }
  }
`;

const flagsOf: Record<ModelItem["kind"], Record<string, Role>> = {
  collection: { view: "read", create: "create", admin: "admin" },
  space: { access: "read", comment: "comment", edit: "edit", review: "review", admin: "admin" },
};

/** The model's view of an item for a viewer; null if it is not visible. */
function expectedFor(model: TreeModel, viewer: ModelViewer, item: ModelItem) {
  if (!model.finds(viewer, item)) return null;
  const role = model.role(viewer, item);
  const flags = Object.entries(flagsOf[item.kind]).map(
    ([flag, needed]) => [flag, isAtLeast(role, needed) && (!item.isDeleted || flag === "admin")] as const,
  );
  return {
    id: item.id,
    parentId: item.parent,
    organizationId: item.organization,
    defaultLevel: item.level?.toUpperCase() ?? null,
    ...(item.visibility && { visibility: item.visibility.toUpperCase() }),
    permissions: Object.fromEntries(flags),
  };
}

const byPosition = (one: SeenItem, other: SeenItem) => (one.position < other.position ? -1 : 1);

/** Compares a viewer's view with the model: every item, its role and visibility, and the order of siblings. */
async function compareFor(model: TreeModel, viewer: ModelViewer): Promise<void> {
  const ids = [...model.items.keys()];
  const { nodes } = await app.direct(viewer.token).query<{ nodes: (SeenItem | null)[] }>(everything, { ids });
  const seen = nodes.map((node) => {
    if (!node) return null;
    const { position: _position, ...rest } = node;
    return rest;
  });
  deepEqual([viewer.name, seen], [viewer.name, ids.map((id) => expectedFor(model, viewer, model.get(id)))]);
  const visible = nodes.filter((node) => node !== null).toSorted(byPosition);
  const families = Map.groupBy(visible, ({ organizationId, parentId }) => `${organizationId} ${parentId}`);
  for (const siblings of families.values()) {
    const { organizationId = "", parentId = null } = siblings[0] ?? {};
    const inOrder = model.children(organizationId, parentId).filter((id) => model.finds(viewer, model.get(id)));
    deepEqual([viewer.name, siblings.map(({ id }) => id)], [viewer.name, inOrder]);
  }
}

/**
 * The number of viewers that are compared after each step, round-robin; all are compared at the end. An error
 * persists, so that one of the next viewers sees it.
 */
const lookers = 3;

/** Compares the tables with the model: every item in its place, also deleted ones, with the right ancestors. */
async function compareTables(model: TreeModel, organizations: readonly string[]): Promise<void> {
  const trees = await Promise.all(organizations.map((organization) => readTree(app, organization)));
  for (const [index, tree] of trees.entries()) {
    const organization = organizations[index] ?? "";
    expect(faultsOf(tree)).toEqual([]);
    const parents = [null, ...tree.map(({ id }) => id)];
    for (const parent of parents) {
      deepEqual(childrenOf(tree, parent), model.children(organization, parent));
    }
  }
}

/** All rows that determine visibility, as text. */
async function rowsOf(organizations: readonly string[]): Promise<string> {
  const { rows } = await app.database.pool.query<{ text: string }>(
    `select concat_ws(E'\n',
      (select string_agg(c::text, E'\n' order by id) from "Collection" c where "organizationId" = any($1)),
      (select string_agg(s::text, E'\n' order by id) from "Space" s where "organizationId" = any($1)),
      (select string_agg(g::text, E'\n' order by id) from "Grant" g where "organizationId" = any($1))) as text`,
    [organizations],
  );
  return rows[0]?.text ?? "";
}

/** Applies a step, asserts the outcome of the model, and returns whether it succeeded. */
async function take(model: TreeModel, organizations: readonly [string, string], step: Step): Promise<boolean> {
  const { field, input, expected, apply, viewer } = attemptOf(model, organizations, step);
  const payload = /^(delete|removeGrant)/.test(field)
    ? "deletedId"
    : field === "setGrant"
      ? "grant { id }"
      : `${field.endsWith("Space") ? "space" : "collection"} { id }`;
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { done: ${field}(input: $input) { ${payload} } }`;
  const { data, errors } = await app
    .direct(viewer.token)
    .graphql<{ done: { deletedId?: string | null; space?: { id: string }; collection?: { id: string } } | null }>(
      document,
      {
        input,
      },
    );
  const outcome = errors?.[0]?.extensions.code ?? (data?.done?.deletedId === null ? "absent" : "ok");
  expect([viewer.name, field, input, outcome]).toEqual([viewer.name, field, input, expected]);
  if (outcome === "ok") apply(data?.done?.space?.id ?? data?.done?.collection?.id ?? newId("Space"));
  return outcome === "ok";
}

test("after any sequence of steps, every viewer sees the model's tree", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 49 }),
      fc.array(aStep, { minLength: 20, maxLength: sized(25, 40) }),
      async (depth, taken) => {
        const { model, organizations } = await makeFixture(depth);
        let rows = await rowsOf(organizations);
        let turn = 0;
        for (const step of taken) {
          const isDone = await take(model, organizations, step);
          const before = rows;
          rows = await rowsOf(organizations);
          if (!isDone) {
            expect(rows, "What is refused changes nothing.").toBe(before);
            continue; // so all users see the same as before
          }
          await compareTables(model, organizations);
          const looking = model.viewers.filter((_, index) => (index + turn) % model.viewers.length < lookers);
          turn += lookers;
          await Promise.all(looking.map((viewer) => compareFor(model, viewer)));
        }
        await Promise.all(model.viewers.map((viewer) => compareFor(model, viewer)));
      },
    ),
    // A failure is reported with its seed and without shrinking, which takes many times as long.
    { numRuns: runs(40, 4), endOnFailure: true },
  );
}, 900_000);
