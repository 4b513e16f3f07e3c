// A world for structural operations: one space per combination of settings in each kind of collection, users of
// each kind, and all users' rights on all items.
import { newId } from "#src/base/ids.ts";
import type { Rows } from "#src/demo/rows.ts";
import type { Role, SpaceVisibility } from "#src/generated/prisma/enums.ts";
import { addCollection, type Place } from "#test/features/collections/factory.ts";
import { addGrant, addMember, addPersonIn, type Person } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import type { TestApp } from "#test/support/app.ts";

/** The settings of a space, with their `name`. */
interface Setting {
  readonly visibility: SpaceVisibility;
  readonly openToMembers: boolean;
  readonly defaultLevel: Role | null;
  readonly isGranted: boolean;
}

export const nameOf = ({ visibility, openToMembers, defaultLevel, isGranted }: Setting): string =>
  [visibility, openToMembers && "open", defaultLevel, isGranted && "granted"].filter(Boolean).join(" ");

const visibilities: readonly SpaceVisibility[] = [
  "in_collection",
  "public",
  "unlisted",
  "share_link",
  "visitor_auth",
  "private",
];

/** Every combination of settings that a space may have. */
export const settings: readonly Setting[] = visibilities.flatMap((visibility) =>
  [false, ...(visibility === "private" ? [true] : [])].flatMap((openToMembers) =>
    ([null, "review"] as const).flatMap((defaultLevel) =>
      [false, true].map((isGranted) => ({ visibility, openToMembers, defaultLevel, isGranted })),
    ),
  ),
);

const outerKinds = [
  { defaultLevel: null, isGranted: false },
  { defaultLevel: "read", isGranted: false },
  { defaultLevel: "edit", isGranted: true },
] as const;
const innerKinds = [
  { defaultLevel: null, isGranted: true },
  { defaultLevel: "comment", isGranted: false },
] as const;

/** A collection or organization, with the ids of its direct spaces by the names of their settings. */
export interface Shelf {
  readonly id: string;
  readonly spaces: ReadonlyMap<string, string>;
}

/** The users with a grant, and its role on a space, an outer collection and an inner one. */
const grantRoles = {
  member: ["edit", "create", "comment"],
  guest: ["read", "comment", "edit"],
  team: ["review", "edit", "admin"],
} as const satisfies Record<string, readonly [Role, Role, Role]>;

type Item = { readonly spaceId: string } | { readonly collectionId: string };

/** The level of a grant: 0 on a space, 1 on an outer collection, 2 on an inner one. */
type Height = 0 | 1 | 2;

/** The context for adding items: the organization, and a function that is called for each granted item. */
interface Making {
  readonly rows: Rows;
  readonly organizationId: string;
  readonly grant: (item: Item, height: Height) => void;
}

/** One space per combination of settings. */
function addSpaces({ rows, organizationId, grant }: Making, parent?: Place): ReadonlyMap<string, string> {
  const possible = settings.filter(({ visibility }) => parent || visibility !== "in_collection");
  const made = possible.map((setting): [string, string] => {
    const { isGranted, ...columns } = setting;
    const shareKey = columns.visibility === "share_link" ? newId("Space") : null;
    const { id } = addSpace(rows, { organizationId, ...(parent && { parent }), ...columns, shareKey });
    if (isGranted) grant({ spaceId: id }, 0);
    return [nameOf(setting), id];
  });
  return new Map(made);
}

function addShelf(
  making: Making,
  { defaultLevel, isGranted }: Pick<Setting, "defaultLevel" | "isGranted">,
  parent?: Place,
): Shelf & { readonly place: Place } {
  const { rows, organizationId, grant } = making;
  const place = addCollection(rows, { organizationId, defaultLevel, ...(parent && { parent }) });
  if (isGranted) grant({ collectionId: place.id }, parent ? 2 : 1);
  return { id: place.id, place, spaces: addSpaces(making, place) };
}

function addPeople(rows: Rows, organizationId: string, elsewhereId: string) {
  const person = (role: Role | null) => addPersonIn(rows, { organizationId, role });
  const people = {
    admin: person("admin"),
    creator: person("create"),
    reader: person("read"),
    guest: person(null),
    grantedMember: person("read"),
    grantedGuest: person(null),
    teamReader: person("read"),
    teamGuest: person(null),
    outsider: addPersonIn(rows, { organizationId: elsewhereId, role: "read" }),
  };
  addMember(rows, { organizationId: elsewhereId, userId: people.admin.id, role: "admin" });
  addMember(rows, { organizationId: elsewhereId, userId: people.grantedMember.id, role: "read" });
  return people;
}

/** Two organizations: everything is in the first; the top of the second has the spaces to compare a transfer with. */
export function structureWorld(rows: Rows) {
  const [organizationId, elsewhereId] = [addOrganization(rows).id, addOrganization(rows).id];
  const people = addPeople(rows, organizationId, elsewhereId);
  const team = addTeam(rows, { organizationId });
  for (const user of [people.teamReader, people.teamGuest]) addTeamMember(rows, team, user);
  const toMember = (organizationId: string, item: Item, height: Height) =>
    addGrant(rows, { organizationId, ...item, userId: people.grantedMember.id, role: grantRoles.member[height] });
  const toAll = (item: Item, height: Height) => {
    toMember(organizationId, item, height);
    addGrant(rows, { organizationId, ...item, userId: people.grantedGuest.id, role: grantRoles.guest[height] });
    addGrant(rows, { organizationId, ...item, teamId: team.id, role: grantRoles.team[height] });
  };
  const making: Making = { rows, organizationId, grant: toAll };
  const outer = outerKinds.map((kind) => {
    const shelf = addShelf(making, kind);
    return { ...shelf, inner: innerKinds.map((inner) => addShelf(making, inner, shelf.place)) };
  });
  const top: Shelf = { id: organizationId, spaces: addSpaces(making) };
  const there = { rows, organizationId: elsewhereId, grant: (...of: [Item, Height]) => toMember(elsewhereId, ...of) };
  return { organizationId, people, team, top, outer, elsewhere: { id: elsewhereId, spaces: addSpaces(there) } };
}

/** Gives all spaces of these organizations the pages of one tree. */
export async function fill({ database }: TestApp, organizationIds: string[], treeHash: string): Promise<void> {
  await database.pool.query("analyze");
  await database.pool.query(
    `with given as (update "Revision" r set "treeHash" = $2 from "Space" s
       where s."revisionId" = r.id and s."organizationId" = any($1) returning s.id)
     select move_present_pages(id, null, $2) from given g
      where not exists (select from "PresentPage" p where p."spaceId" = g.id)`,
    [organizationIds, treeHash],
  );
}

type Found = { readonly id: string; readonly viewerRole: string | null; readonly permissions: Record<string, boolean> };
type Ids = { readonly nodes: readonly { readonly id: string }[] };

const rightsDocument = (chunks: number) => `query ($org: ID!, ${range(chunks, (n) => `$i${n}: [ID!]!`)}) {
  organization(id: $org) {
    spaces(first: 1000) { nodes { id } }
    collections(first: 1000) { nodes { id } }
    searchedSpaces(text: "quokka", first: 1000) { nodes { space { id } } }
  }
  ${range(chunks, (n) => `i${n}: nodes(ids: $i${n}) { ...Rights }`)}
}
fragment Rights on Node {
  ... on Space { id viewerRole permissions { view access comment edit review merge admin viewInviteLinks triggerGitSync } }
  ... on Collection { id viewerRole permissions { view create admin viewInviteLinks } }
}`;

const range = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");

const chunkSize = 100; // of `nodes`

/** A user's permissions on an item and the lists that contain it, as text; empty if it is not visible. */
async function rightsOf(
  app: TestApp,
  { token }: Person,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const chunks = Math.ceil(ids.length / chunkSize);
  const variables = Object.fromEntries(
    Array.from({ length: chunks }, (_, n) => [`i${n}`, ids.slice(n * chunkSize, (n + 1) * chunkSize)]),
  );
  const { data, errors = [] } = await app
    .as(token)
    .graphql<Record<string, unknown>>(rightsDocument(chunks), { org: organizationId, ...variables });
  const isOutside = errors.every(({ path, extensions }) => path?.length === 1 && extensions.code === "NOT_FOUND");
  if (!data || !isOutside) throw new Error(JSON.stringify(errors));
  const { organization, ...answers } = data as {
    organization: { spaces: Ids; collections: Ids; searchedSpaces: { nodes: { space: { id: string } }[] } } | null;
  };
  const listed = new Set(
    [organization?.spaces, organization?.collections].flatMap((list) => list?.nodes ?? []).map(({ id }) => id),
  );
  const searched = new Set(organization?.searchedSpaces.nodes.map(({ space }) => space.id));
  const items = Object.values(answers as Record<string, readonly (Found | null)[]>).flat();
  return new Map(
    items.flatMap((item) => {
      if (!item) return [];
      const { id, viewerRole, permissions } = item;
      const flags = Object.entries(permissions).flatMap(([flag, isSet]) => (isSet ? flag : []));
      const ways = [listed.has(id) && "listed", searched.has(id) && "searched"].filter((way) => way !== false);
      return [[id, [viewerRole, ...flags, ...ways].join(" ")]];
    }),
  );
}

export type Rights = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** All users' rights on each of these items. */
export async function readRights(
  app: TestApp,
  people: Readonly<Record<string, Person>>,
  organizationId: string,
  ids: readonly string[],
): Promise<Rights> {
  const all = await Promise.all(
    Object.entries(people).map(
      async ([name, person]) => [name, await rightsOf(app, person, organizationId, ids)] as const,
    ),
  );
  return new Map(ids.map((id) => [id, Object.fromEntries(all.map(([name, rights]) => [name, rights.get(id) ?? ""]))]));
}
